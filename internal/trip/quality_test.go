package trip

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/pool"
)

// yardstick is the scheme of OSRM beyond 15 stops for a round trip: farthest
// insertion from the most expensive leg, then directed 2-opt, the first
// improvement each time.
func yardstick(m Matrix) int64 {
	n := m.Stops
	leg := func(i, j int) int64 { return int64(m.Costs[i*n+j]) }
	from, to := 0, 1
	for i := range n {
		for j := range n {
			if i != j && leg(i, j) > leg(from, to) {
				from, to = i, j
			}
		}
	}
	tour := []int{from, to}
	for len(tour) < n {
		far, node, place := int64(-1<<62), 0, 0
		for v := range n {
			if slices.Contains(tour, v) {
				continue
			}
			near, at := int64(1<<62), 0
			for i, p := range tour {
				q := tour[(i+1)%len(tour)]
				if extra := leg(p, v) + leg(v, q) - leg(p, q); extra < near {
					near, at = extra, i+1
				}
			}
			if near > far {
				far, node, place = near, v, at
			}
		}
		tour = slices.Insert(tour, place, node)
	}
	cost := func(order []int) int64 {
		c, _ := sum(m, true, order)
		return c
	}
	best := cost(tour)
	for improved := true; improved; {
		improved = false
	search:
		for i := 1; i < n; i++ {
			for j := i + 1; j < n; j++ {
				slices.Reverse(tour[i : j+1])
				if c := cost(tour); c < best {
					best, improved = c, true
					break search
				}
				slices.Reverse(tour[i : j+1])
			}
		}
	}
	return best
}

func (t *Tour) check(tb testing.TB, m Matrix, opt Options) {
	tb.Helper()
	cost, ok := sum(m, opt.Roundtrip, t.Order)
	require.True(tb, ok)
	require.Equal(tb, cost, t.Cost)
	require.True(tb, legal(opt, t.Order))
}

// bestKnown runs the search for long.
func bestKnown(t *testing.T, m Matrix, opt Options, kicks int) int64 {
	p, err := newPlan(m, opt)
	require.NoError(t, err)
	a := pool.New()
	clock := clock{ctx: t.Context()}
	legs := make([]int64, p.nodes*p.nodes)
	require.NoError(t, reduce(&clock, p, m, 1<<40, legs))
	cycle := make([]int32, p.nodes)
	_, err = improve(&clock, a, legs, cycle, kicks)
	require.NoError(t, err)
	c, _ := sum(m, opt.Roundtrip, p.order(cycle))
	return c
}

// Beyond the exact method, tours on roads are within 1 % of the best that a
// search twenty times as long finds, and better than the yardstick.
func TestQuality(t *testing.T) {
	opt := Options{Roundtrip: true}
	seeds := uint64(4)
	if testing.Short() {
		seeds = 1
	}
	for _, n := range []int{17, 20, 30, 50, 70, 100} {
		var got, best, plain int64
		for seed := range seeds {
			m := streets(newRand(seed), n)
			tour, err := Solve(t.Context(), m, opt)
			require.NoError(t, err)
			tour.check(t, m, opt)
			got += tour.Cost
			best += bestKnown(t, m, opt, 20*kicks(n))
			plain += yardstick(m)
		}
		require.LessOrEqual(t, 100*got, 101*best, "%d stops", n)
		require.LessOrEqual(t, got, plain, "%d stops", n)
		t.Logf("%d stops: %.2f %% above the best known, yardstick %.2f %%", n,
			100*float64(got-best)/float64(best), 100*float64(plain-best)/float64(best))
	}
}

// Where the exact method works, the search finds the same cost.
func TestSearchEqualsExact(t *testing.T) {
	for seed := range uint64(20) {
		n := 9 + int(seed%7)
		m := streets(newRand(seed), n)
		for _, k := range kinds {
			opt := k.options(n)
			tour, err := Solve(t.Context(), m, opt)
			require.NoError(t, err)
			tour.check(t, m, opt)
			require.Equal(t, tour.Cost, bestKnown(t, m, opt, kicks(n)), "seed %d %v", seed, k)
		}
	}
}

// With an end fixed, the dynamic program has room for a stop more than it is used
// for.
func TestSearchEqualsExactBeyond(t *testing.T) {
	a := pool.New()
	clock := clock{ctx: t.Context()}
	for seed := range uint64(4) {
		n := ExactStops + 1
		m := streets(newRand(seed), n)
		opt := Options{Roundtrip: true, Allocator: a}
		tour, err := Solve(t.Context(), m, opt)
		require.NoError(t, err)
		p, err := newPlan(m, opt)
		require.NoError(t, err)
		legs, cycle := make([]int32, n*n), make([]int32, n)
		require.NoError(t, reduce(&clock, p, m, Unreachable, legs))
		require.NoError(t, exact(&clock, a, legs, cycle))
		want, _ := sum(m, true, p.order(cycle))
		require.Equal(t, want, tour.Cost)
	}
}

// The bound proves a ring of one-way roads.
func TestProvenRing(t *testing.T) {
	n := 60
	rng := newRand(9)
	ring := rng.Perm(n)
	m := randomMatrix(rng, n, 1000, 3)
	for i := range m.Costs {
		m.Costs[i] = max(m.Costs[i], 100)
	}
	for i, s := range ring {
		m.Costs[s*n+ring[(i+1)%n]] = int32(i)
	}
	tour, err := Solve(t.Context(), m, Options{Roundtrip: true, Source: At(ring[5])})
	require.NoError(t, err)
	require.True(t, tour.Proven)
	require.Equal(t, int64(n*(n-1)/2), tour.Cost)
	require.Equal(t, slices.Concat(ring[5:], ring[:5]), tour.Order)
}
