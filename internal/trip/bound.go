package trip

import (
	"math"

	"github.com/fourway-routing/fourway/pool"
)

// assign gives every node the successor other than itself so that the legs cost
// the least in sum, by shortest augmenting paths (Jonker and Volgenant, 1987).
// No tour costs less. It lowers the legs by the dual prices of their ends, which
// makes the chosen ones free, none negative, and all tours cheaper by the same: a
// tour that costs nothing is optimal. To the search, such legs look the way they
// count: against the other legs of their ends.
func assign[C cost](clock *clock, a *pool.Allocator, legs []C, successor []int32) error {
	m := len(successor)
	const never = math.MaxInt64 / 4
	// Reduced costs are legs[i][j]-u[i]-v[j]. Column m stands for the row that is
	// being assigned.
	u := pool.MakeZeroed[int64](a, m)
	defer pool.Free(a, u)
	v := pool.MakeZeroed[int64](a, m+1)
	defer pool.Free(a, v)
	row := pool.Make[int32](a, m+1)
	defer pool.Free(a, row)
	parent := pool.Make[int32](a, m)
	defer pool.Free(a, parent)
	slack := pool.Make[int64](a, m)
	defer pool.Free(a, slack)
	done := pool.Make[bool](a, m+1)
	defer pool.Free(a, done)
	for j := range row {
		row[j] = -1
	}
	for first := range m {
		row[m] = int32(first)
		for j := range slack {
			slack[j] = never
		}
		clear(done)
		column := int32(m)
		for row[column] >= 0 {
			done[column] = true
			i := int(row[column])
			costs := legs[i*m:][:m]
			least, next := int64(math.MaxInt64), int32(0)
			for j, c := range costs {
				if done[j] {
					continue
				}
				if s := int64(c) - u[i] - v[j]; j != i && s < slack[j] {
					slack[j], parent[j] = s, column
				}
				if slack[j] < least {
					least, next = slack[j], int32(j)
				}
			}
			for j, d := range done {
				if d {
					u[row[j]] += least
					v[j] -= least
				} else if j < m {
					slack[j] -= least
				}
			}
			column = next
			if err := clock.spend(2 * m); err != nil {
				return err
			}
		}
		for column != int32(m) {
			row[column] = row[parent[column]]
			column = parent[column]
		}
	}
	for i := range m {
		for j := range m {
			if i != j {
				legs[i*m+j] -= C(u[i] + v[j])
			}
		}
	}
	for j, i := range row[:m] {
		successor[i] = int32(j)
	}
	return nil
}

// patch joins the cycles of an assignment to a tour (Karp, 1979): as long as
// there are two, the largest swaps successors with another, where that costs
// least. legs are as assign leaves them.
func patch[C cost](clock *clock, a *pool.Allocator, legs []C, successor []int32) error {
	m := len(successor)
	cycle := pool.Make[int32](a, m)
	defer pool.Free(a, cycle)
	for {
		for i := range cycle {
			cycle[i] = -1
		}
		largest, size := int32(0), 0
		for i := range cycle {
			n := 0
			for v := int32(i); cycle[v] < 0; v = successor[v] {
				cycle[v] = int32(i)
				n++
			}
			if n > size {
				largest, size = int32(i), n
			}
		}
		if size == m {
			return nil
		}
		var least C
		from, to := -1, -1
		for i := range m {
			if cycle[i] != largest {
				continue
			}
			row := legs[i*m:][:m]
			next := int(successor[i])
			for j, after := range successor {
				if cycle[j] == largest {
					continue
				}
				if c := row[after] + legs[j*m+next]; from < 0 || c < least {
					least, from, to = c, i, j
				}
			}
		}
		successor[from], successor[to] = successor[to], successor[from]
		if err := clock.spend(size * (m - size)); err != nil {
			return err
		}
	}
}
