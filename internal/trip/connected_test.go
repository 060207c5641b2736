package trip

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// roads makes a matrix in which exactly the stops that the pairs connect, over
// others too, have legs.
func roads(n int, pairs ...[2]int) Matrix {
	m := Matrix{Stops: n, Costs: make([]int32, n*n)}
	for i := range m.Costs {
		m.Costs[i] = Unreachable
	}
	for _, p := range pairs {
		m.Costs[p[0]*n+p[1]] = 1
	}
	for k := range n {
		for i := range n {
			for j := range n {
				if m.Costs[i*n+k] != Unreachable && m.Costs[k*n+j] != Unreachable {
					m.Costs[i*n+j] = min(m.Costs[i*n+j], m.Costs[i*n+k]+m.Costs[k*n+j])
				}
			}
		}
	}
	return m
}

func TestUnreachableStopsAreNamed(t *testing.T) {
	ring := [][2]int{{0, 1}, {1, 2}, {2, 0}}
	with := func(more ...[2]int) [][2]int { return append(append([][2]int{}, ring...), more...) }
	for _, c := range []struct {
		name                string
		n                   int
		pairs               [][2]int
		opt                 Options
		notReached, notLeft []int
		text                string
	}{
		{
			"an exit only", 4, with([2]int{3, 0}),
			Options{Roundtrip: true},
			[]int{3},
			nil,
			"trip: no order visits all stops: stop 3 cannot be reached; leave them out",
		}, {
			"a trap", 4, with([2]int{1, 3}),
			Options{Roundtrip: true},
			nil,
			[]int{3},
			"trip: no order visits all stops: stop 3 cannot be left; leave them out",
		}, {
			"an island", 4, ring,
			Options{Roundtrip: true},
			[]int{3},
			[]int{3},
			"trip: no order visits all stops: stop 3 cannot be reached; stop 3 cannot be left; leave them out",
		}, {
			"seen from the island", 4, ring,
			Options{Roundtrip: true, Source: At(3)},
			[]int{0, 1, 2},
			[]int{0, 1, 2},
			"trip: no order visits all stops: stops 0, 1, 2 cannot be reached; stops 0, 1, 2 cannot be left; leave them out",
		}, {
			"two islands", 2, nil,
			Options{Roundtrip: true},
			[]int{1},
			[]int{1},
			"",
		}, {
			"a way out of a trap", 4, with([2]int{1, 3}),
			Options{Source: At(3)},
			[]int{0, 1, 2},
			nil, "",
		}, {
			"a way to an exit", 4, with([2]int{3, 0}),
			Options{Destination: At(3)},
			nil,
			[]int{0, 1, 2},
			"",
		}, {
			"two traps", 5, with([2]int{1, 3}, [2]int{1, 4}),
			Options{},
			[]int{4},
			[]int{4},
			"",
		}, {
			"the larger branch stays", 6, with([2]int{1, 3}, [2]int{1, 4}, [2]int{4, 5}),
			Options{Source: At(0)},
			[]int{3},
			[]int{3},
			"",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Solve(t.Context(), roads(c.n, c.pairs...), c.opt)
			var fault *NoTourError
			require.ErrorAs(t, err, &fault)
			require.Equal(t, &NoTourError{c.notReached, c.notLeft, true}, fault)
			if c.text != "" {
				require.EqualError(t, err, c.text)
			}
		})
	}
}

// A way may go through a trap last and an exit first.
func TestWayFromExitToTrap(t *testing.T) {
	m := roads(5, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 0}, [2]int{1, 3}, [2]int{4, 2})
	got, err := Solve(t.Context(), m, Options{})
	require.NoError(t, err)
	require.Equal(t, []int{4, 2, 0, 1, 3}, got.Order)
}

func TestNoTourByMissingLegs(t *testing.T) {
	// Legs lead only to stop 0 and back, or only between stops of one parity and
	// stop 0: both visit it twice.
	star := func(i, j int) bool { return i == 0 || j == 0 }
	rooms := func(i, j int) bool { return star(i, j) || i%2 == j%2 }
	for _, c := range []struct {
		name   string
		stops  int
		leg    func(i, j int) bool
		proven bool
	}{
		{"exact", 7, rooms, true},
		{"search", 21, rooms, false},
		{"bound", 21, star, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := c.stops
			m := Matrix{Stops: n, Costs: make([]int32, n*n)}
			for i := range m.Costs {
				if !c.leg(i/n, i%n) {
					m.Costs[i] = Unreachable
				}
			}
			_, err := Solve(t.Context(), m, Options{Roundtrip: true})
			var fault *NoTourError
			require.ErrorAs(t, err, &fault)
			require.Equal(t, c.proven, fault.Proven)
			require.NotEmpty(t, fault.NotReached)
			require.Len(t, fault.NotLeft, len(fault.NotReached))
		})
	}
	require.EqualError(t, &NoTourError{NotLeft: make([]int, 12)},
		"trip: found no order that visits all stops: stops 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 and 2 more cannot be left; leave them out")
}

func TestMissingWayBack(t *testing.T) {
	m := streets(newRand(2), 20)
	m.Costs[19*20] = Unreachable
	_, err := Solve(t.Context(), m, kind{true, true, true}.options(20))
	require.Equal(t, &NoTourError{[]int{0}, []int{19}, true}, err)
}
