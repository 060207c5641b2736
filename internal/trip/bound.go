package trip

import (
	"math"

	"github.com/fourway-routing/fourway/pool"
)

// maxAssign is the number of nodes up to which the bound is computed, which takes
// a small part of the time of the search there.
const maxAssign = 256

// assign returns the cost of the cheapest way to give every node a successor
// other than itself, a lower bound of every tour, by shortest augmenting paths
// (Jonker and Volgenant, 1987); 0 if there are more than maxAssign nodes.
func assign[C cost](clock *clock, a *pool.Allocator, legs []C, m int) (C, error) {
	if m > maxAssign {
		return 0, nil
	}
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
				return 0, err
			}
		}
		for column != int32(m) {
			row[column] = row[parent[column]]
			column = parent[column]
		}
	}
	var sum C
	for j, i := range row[:m] {
		sum += legs[int(i)*m+j]
	}
	return sum, nil
}
