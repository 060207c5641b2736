package trip

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourway-routing/fourway/pool"
)

// kind is a combination of Options.
type kind struct{ round, source, destination bool }

func (k kind) String() string {
	return fmt.Sprintf("roundtrip=%t/source=%t/destination=%t", k.round, k.source, k.destination)
}

// options fixes the ends at the first and the last stop, as OSRM does.
func (k kind) options(n int) Options {
	opt := Options{Roundtrip: k.round}
	if k.source {
		opt.Source = At(0)
	}
	if k.destination {
		opt.Destination = At(n - 1)
	}
	return opt
}

var kinds = []kind{
	{true, false, false},
	{true, true, false},
	{true, false, true},
	{true, true, true},
	{false, false, false},
	{false, true, false},
	{false, false, true},
	{false, true, true},
}

// legal tells whether an order keeps the ends by the words of Options.
func legal(opt Options, order []int) bool {
	first, last := order[0], order[len(order)-1]
	source, destination := opt.Source.stop(), opt.Destination.stop()
	if opt.Roundtrip {
		switch {
		case source < 0 && destination < 0:
			return first == 0
		case source < 0:
			return first == destination
		}
	}
	return (source < 0 || first == source) && (destination < 0 || last == destination)
}

// sum adds the legs of an order; ok is false if one is missing.
func sum(m Matrix, round bool, order []int) (cost int64, ok bool) {
	n := m.Stops
	for i := range n {
		if i == n-1 && (!round || n == 1) {
			break
		}
		c := m.Costs[order[i]*n+order[(i+1)%n]]
		if c == Unreachable {
			return 0, false
		}
		cost += int64(c)
	}
	return cost, true
}

// bruteForce tries all orders in lexicographic order, and takes the last of the
// cheapest.
func bruteForce(m Matrix, opt Options) (best Tour, found bool) {
	order := make([]int, 0, m.Stops)
	used := make([]bool, m.Stops)
	var extend func()
	extend = func() {
		if len(order) == m.Stops {
			if !legal(opt, order) {
				return
			}
			if cost, ok := sum(m, opt.Roundtrip, order); ok && (!found || cost <= best.Cost) {
				best, found = Tour{Order: slices.Clone(order), Cost: cost, Proven: true}, true
			}
			return
		}
		for s := range m.Stops {
			if !used[s] {
				used[s] = true
				order = append(order, s)
				extend()
				order = order[:len(order)-1]
				used[s] = false
			}
		}
	}
	extend()
	return best, found
}

// randomMatrix has costs below limit; every gaps-th leg is missing if gaps > 0.
// The diagonal holds rubbish, as nobody may read it.
func randomMatrix(rng *rand.Rand, n int, limit int32, gaps int) Matrix {
	m := Matrix{Stops: n, Costs: make([]int32, n*n)}
	for i := range m.Costs {
		switch {
		case i/n == i%n:
			m.Costs[i] = -77
		case gaps > 0 && rng.IntN(gaps) == 0:
			m.Costs[i] = Unreachable
		default:
			m.Costs[i] = rng.Int32N(limit)
		}
	}
	return m
}

// streets is a matrix as roads make it: places, some of them in towns, at
// detours that differ by direction; triangles hold.
func streets(rng *rand.Rand, n int) Matrix {
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = 20000*rng.Float64(), 20000*rng.Float64()
		if i > 0 && rng.IntN(2) == 0 {
			town := rng.IntN(i)
			x[i], y[i] = x[town]+600*rng.NormFloat64(), y[town]+600*rng.NormFloat64()
		}
	}
	m := Matrix{Stops: n, Costs: make([]int32, n*n)}
	for i := range n {
		for j := range n {
			dx, dy := x[i]-x[j], y[i]-y[j]
			crow := max(dx, -dx) + max(dy, -dy)
			if i != j {
				m.Costs[i*n+j] = int32(crow*(1+0.4*rng.Float64())) + rng.Int32N(300)
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				m.Costs[i*n+j] = min(m.Costs[i*n+j], m.Costs[i*n+k]+m.Costs[k*n+j])
			}
		}
	}
	return m
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestSolveEqualsBruteForce(t *testing.T) {
	rng := newRand(1)
	a := pool.New()
	limits := []int32{1, 3, 100, 1 << 20, Unreachable}
	for _, k := range kinds {
		t.Run(k.String(), func(t *testing.T) {
			for n := 1; n <= 8; n++ {
				rounds := 60
				if n == 8 {
					rounds = 6
				}
				for i := range rounds {
					m := randomMatrix(rng, n, limits[i%len(limits)], []int{0, 0, 6, 3, 2}[rng.IntN(5)])
					opt := k.options(n)
					if rng.IntN(2) == 0 {
						swapEnds(rng, n, &opt)
					}
					opt.Allocator = a
					want, found := bruteForce(m, opt)
					got, err := Solve(t.Context(), m, opt)
					if found {
						require.NoError(t, err, "%v %+v", m, opt)
						require.Equal(t, want, got, "%v %+v", m, opt)
						continue
					}
					var fault *NoTourError
					require.ErrorAs(t, err, &fault, "%v %+v", m, opt)
					require.True(t, fault.Proven)
					require.NotZero(t, len(fault.NotReached)+len(fault.NotLeft))
				}
			}
			require.Zero(t, a.Live())
		})
	}
}

// swapEnds moves fixed ends to other stops.
func swapEnds(rng *rand.Rand, n int, opt *Options) {
	p := rng.Perm(n)
	if opt.Source.stop() >= 0 {
		opt.Source = At(p[0])
	}
	if opt.Destination.stop() >= 0 {
		opt.Destination = At(p[n-1])
	}
}

func TestFewStops(t *testing.T) {
	one := Matrix{Stops: 1, Costs: []int32{9}}
	two := Matrix{Stops: 2, Costs: []int32{0, 3, 5, 0}}
	for _, c := range []struct {
		name string
		m    Matrix
		k    kind
		want Tour
	}{
		{"one stop", one, kind{}, Tour{[]int{0}, 0, true}},
		{"one stop, round", one, kind{true, true, true}, Tour{[]int{0}, 0, true}},
		{"two stops, round", two, kind{round: true}, Tour{[]int{0, 1}, 8, true}},
		{"two stops, round to the last", two, kind{round: true, destination: true}, Tour{[]int{1, 0}, 8, true}},
		{"two stops, round, both fixed", two, kind{true, true, true}, Tour{[]int{0, 1}, 8, true}},
		{"two stops, one way", two, kind{}, Tour{[]int{0, 1}, 3, true}},
		{"same place twice", Matrix{Stops: 2, Costs: make([]int32, 4)}, kind{round: true}, Tour{[]int{0, 1}, 0, true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Solve(t.Context(), c.m, c.k.options(c.m.Stops))
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

// A way may use legs that a round trip would have to pay back.
func TestOneWayAgainstTheStream(t *testing.T) {
	m := Matrix{Stops: 3, Costs: []int32{
		0, 90, 90,
		1, 0, 90,
		90, 1, 0,
	}}
	got, err := Solve(t.Context(), m, Options{})
	require.NoError(t, err)
	require.Equal(t, Tour{Order: []int{2, 1, 0}, Cost: 2, Proven: true}, got)
}

// Of a tour and its reverse of the same cost it is that with the later stop first.
func TestDirectionOfATie(t *testing.T) {
	ring := func(n int) Matrix {
		m := Matrix{Stops: n, Costs: make([]int32, n*n)}
		for i := range n {
			for j := range n {
				d := max(i-j, j-i)
				m.Costs[i*n+j] = int32(10 * min(d, n-d))
			}
		}
		return m
	}
	for _, n := range []int{3, 4, 9, 20} {
		tour, err := Solve(t.Context(), ring(n), Options{Roundtrip: true})
		require.NoError(t, err)
		require.Equal(t, int64(10*n), tour.Cost)
		want := []int{0}
		for i := n - 1; i > 0; i-- {
			want = append(want, i)
		}
		require.Equal(t, want, tour.Order)
		m := ring(n)
		m.Costs[n-1]++ // against the stream it costs more
		tour, err = Solve(t.Context(), m, Options{Roundtrip: true})
		require.NoError(t, err)
		require.Equal(t, int64(10*n), tour.Cost)
		require.Equal(t, 1, tour.Order[1])
	}
}

func TestInputErrors(t *testing.T) {
	two := Matrix{Stops: 2, Costs: []int32{0, 3, 5, 0}}
	for _, c := range []struct {
		name  string
		m     Matrix
		opt   Options
		index int
		want  string
	}{
		{"no stops", Matrix{}, Options{}, -1, "no stops"},
		{"too many stops", Matrix{Stops: MaxStops + 1}, Options{}, -1, "more than"},
		{"not square", Matrix{Stops: 2, Costs: make([]int32, 5)}, Options{}, -1, "expected 4"},
		{"negative", Matrix{Stops: 2, Costs: []int32{0, 1, -2, 0}}, Options{}, 2, "from stop 1 to stop 0 is negative"},
		{"source out of range", two, Options{Source: At(2)}, 2, "fixed at stop 2"},
		{"destination out of range", two, Options{Destination: At(-7)}, -7, "fixed at stop -7"},
		{"ends in one", two, Options{Roundtrip: true, Source: At(1), Destination: At(1)}, 1, "both stop 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Solve(t.Context(), c.m, c.opt)
			var fault *InputError
			require.ErrorAs(t, err, &fault)
			require.Equal(t, c.index, fault.Index)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestProperties(t *testing.T) {
	a := pool.New()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "stops")
		rng := newRand(rapid.Uint64().Draw(t, "seed"))
		k := rapid.SampledFrom(kinds).Draw(t, "kind")
		m := randomMatrix(rng, n, rapid.SampledFrom([]int32{1, 1000, Unreachable}).Draw(t, "limit"), 0)
		opt := k.options(n)
		swapEnds(rng, n, &opt)
		opt.Allocator = a
		got, err := Solve(context.Background(), m, opt)
		require.NoError(t, err)
		require.Len(t, got.Order, n)
		require.True(t, legal(opt, got.Order))
		cost, ok := sum(m, opt.Roundtrip, got.Order)
		require.True(t, ok)
		require.Equal(t, cost, got.Cost)
		slices.Sort(got.Order)
		for i, s := range got.Order {
			require.Equal(t, i, s)
		}
		require.Zero(t, a.Live())
	})
}

// Missing legs do not keep the search from a tour that is there.
func TestGapsAreAvoided(t *testing.T) {
	rng := newRand(3)
	for n := 16; n <= 60; n += 11 {
		for _, k := range kinds {
			m := randomMatrix(rng, n, 1000, 4)
			m.Costs[(n-1)*n] = 5 // a round trip with both ends fixed cannot avoid it
			got, err := Solve(t.Context(), m, k.options(n))
			require.NoError(t, err)
			cost, ok := sum(m, k.round, got.Order)
			require.True(t, ok)
			require.Equal(t, cost, got.Cost)
		}
	}
}

func TestSameAnswerAgain(t *testing.T) {
	m := streets(newRand(5), 50)
	a := pool.New()
	for _, k := range kinds {
		opt := k.options(m.Stops)
		want, err := Solve(t.Context(), m, opt)
		require.NoError(t, err)
		opt.Allocator = a
		for range 3 {
			got, err := Solve(t.Context(), m, opt)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
}

// Zero bounds prove a tour of copies of one place.
func TestSamePlaces(t *testing.T) {
	m := Matrix{Stops: 50, Costs: make([]int32, 2500)}
	for _, k := range kinds {
		got, err := Solve(t.Context(), m, k.options(50))
		require.NoError(t, err)
		require.Zero(t, got.Cost)
		require.True(t, got.Proven)
		require.True(t, legal(k.options(50), got.Order))
	}
}

func TestDoneContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Solve(ctx, Matrix{Stops: 1, Costs: []int32{0}}, Options{})
	require.ErrorIs(t, err, context.Canceled)
}

// doneAfter is a context that is done from its n-th look on.
type doneAfter struct {
	context.Context
	looks int
}

func (d *doneAfter) Err() error {
	if d.looks--; d.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// A solver can be stopped in every stage and returns its memory.
func TestStopInEveryStage(t *testing.T) {
	a := pool.New()
	for _, m := range []Matrix{
		streets(newRand(7), 15),
		streets(newRand(7), 120),
		randomMatrix(newRand(7), 260, 1000, 5),
	} {
		for looks := 0; ; looks = looks*5/4 + 1 {
			_, err := Solve(&doneAfter{t.Context(), looks}, m, Options{Allocator: a})
			require.Zero(t, a.Live())
			if err == nil {
				require.Greater(t, looks, 20)
				break
			}
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
	}
}

func TestCancelSoon(t *testing.T) {
	m := randomMatrix(newRand(8), 1000, 1000, 50)
	for _, wait := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 60 * time.Millisecond} {
		// Take the best of a few: a busy machine may be late by itself.
		late := time.Hour
		for range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			start := time.Now()
			_, err := Solve(ctx, m, Options{Roundtrip: true})
			late = min(late, time.Since(start)-wait)
			cancel()
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
		require.Less(t, late, 50*time.Millisecond)
	}
}
