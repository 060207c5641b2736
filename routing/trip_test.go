package routing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

// permute calls visit with each order of n stops.
func permute(n int, visit func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var swap func(int)
	swap = func(k int) {
		if k == n {
			visit(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			swap(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	swap(0)
}

// TestTripIsShortest holds trips of all eight kinds to all orders that there are.
func TestTripIsShortest(t *testing.T) {
	const n = 6
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for _, e := range cities(t) {
		rng := rand.New(rand.NewPCG(19, 20))
		session := e.Session()
		for range rounds {
			points := scatter(rng, e, n)
			table, err := session.Table(t.Context(), TableRequest{Coordinates: points})
			require.NoError(t, err)
			if len(table.Moved) > 0 {
				continue // a trip decides on places once for all
			}
			for kind := range 8 {
				r := TripRequest{Coordinates: points, OneWay: kind&1 != 0, FromFirst: kind&2 != 0, ToLast: kind&4 != 0}
				best := math.Inf(1)
				permute(n, func(order []int) {
					if r.FromFirst && order[0] != 0 || r.ToLast && (r.OneWay || r.FromFirst) && order[n-1] != n-1 {
						return
					}
					sum := 0.0
					for i := range n - 1 {
						sum += table.Durations[order[i]][order[i+1]]
					}
					if !r.OneWay {
						sum += table.Durations[order[n-1]][order[0]]
					}
					best = min(best, sum)
				})
				res, err := session.Trip(t.Context(), r)
				require.NoError(t, err)
				require.True(t, res.Proven)
				trip := &res.Trips[0]
				require.InDelta(t, best, trip.Duration, 0.05*n, "kind %d", kind)
				require.Len(t, trip.Legs, n-kind&1)
				switch {
				case r.FromFirst || !r.OneWay && !r.ToLast:
					require.Zero(t, res.Order[0])
				case !r.OneWay:
					require.Equal(t, n-1, res.Order[0])
				}
				if r.ToLast && (r.OneWay || r.FromFirst) {
					require.Equal(t, n-1, res.Order[n-1])
				}
				for i, w := range res.Waypoints {
					require.Equal(t, i, res.Order[w.Position])
					require.Zero(t, w.Trip)
				}
				sorted := slices.Sorted(slices.Values(res.Order))
				require.Equal(t, []int{0, 1, 2, 3, 4, 5}, sorted)
			}
		}
		session.Close()
	}
}

func TestTripRequests(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Map: `
			a---b---c
			    |
			    d   e---f`,
		Ways: []testmap.Row{{"abc", ""}, {"bd", ""}, {"ef", ""}},
	})
	res, err := Trip(t.Context(), m.Engine, TripRequest{
		Coordinates: m.points("acbd"), Steps: true, Annotations: AnnotateNodes, Overview: OverviewFull,
	})
	require.NoError(t, err)
	route := &res.Trips[0]
	require.Len(t, route.Legs, 4)
	require.InDelta(t, 1200, route.Distance, 2)
	require.NotEmpty(t, route.Geometry)
	require.NotEmpty(t, route.Legs[0].Steps)
	require.NotEmpty(t, route.Legs[0].Annotation.Nodes)
	require.Equal(t, "drawn", res.DataVersion)

	here, err := Trip(t.Context(), m.Engine, TripRequest{Coordinates: m.points("aa"), SkipWaypoints: true})
	require.NoError(t, err)
	require.Zero(t, here.Trips[0].Duration)
	require.Nil(t, here.Waypoints)

	_, err = Trip(t.Context(), m.Engine, TripRequest{Coordinates: m.points("aebdf")})
	require.ErrorIs(t, err, ErrNoTrips)
	require.Equal(t, []int{1, 4}, err.(*Error).Indices, "those that are apart from most")
	require.Equal(t, 1, err.(*Error).Index)
	require.ErrorContains(t, err, "coordinates 1, 4")

	_, err = Trip(t.Context(), m.Engine, TripRequest{Coordinates: m.points("ab"), Radiuses: []float64{0, 1e-9}})
	require.NoError(t, err, "the place itself")
	_, err = Trip(t.Context(), m.Engine, TripRequest{Coordinates: m.points("a")})
	require.ErrorIs(t, err, ErrInvalidOptions)
	_, err = Trip(t.Context(), m.Engine, TripRequest{Coordinates: []orb.Point{{0, 91}, {0, 0}}})
	require.ErrorIs(t, err, ErrInvalidValue)
	few := drawWith(t, m.drawing, Options{Limits: Limits{TripCoordinates: 2}})
	_, err = Trip(t.Context(), few.Engine, TripRequest{Coordinates: m.points("abc")})
	require.ErrorIs(t, err, ErrTooBig)
}
