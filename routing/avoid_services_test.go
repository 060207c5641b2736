package routing

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/region"
)

// What is avoided is in no answer of any service, and the services agree with one
// another; closures of the same roads change nothing of that.
func TestAvoidInAllServices(t *testing.T) {
	for a, e := range andorras(t) {
		if Algorithm(a) == CH {
			continue
		}
		d := e.current.Load()
		place := make(map[int64]orb.Point)
		for i, c := range d.net.Coords {
			place[d.net.OSMNodes.Get(uint32(i))] = point(c)
		}
		rng := rand.New(rand.NewPCG(10, uint64(a)))
		for round := range 4 {
			center := somewhere(rng, e)
			polygon := orb.Bound{Min: center, Max: center}.Pad(0.01).ToPolygon()
			shape := region.NewShape(polygon)
			avoid := []Avoid{{Polygon: polygon}}
			if round == 3 { // all requests keep out
				_, err := e.CloseRoads(t.Context(), Closure{ID: "x", Avoid: avoid[0]})
				require.NoError(t, err)
				avoid = nil
			}
			keptOut := func(legs []Leg) {
				for i := range legs {
					nodes := legs[i].Annotation.Nodes
					for k := 1; k < len(nodes); k++ {
						require.False(t, shape.Touches(place[nodes[k-1]], place[nodes[k]]))
					}
				}
			}
			points := append(scatter(rng, e, 4), center)
			table, err := Table(t.Context(), e, TableRequest{Coordinates: points, Avoid: avoid})
			require.NoError(t, err)
			for i := range points {
				for j := range points {
					if i == j {
						continue
					}
					res, err := Route(t.Context(), e, RouteRequest{
						Coordinates: []orb.Point{points[i], points[j]}, Avoid: avoid, Annotations: AnnotateNodes, Overview: OverviewFalse,
					})
					if err != nil {
						require.ErrorIs(t, err, ErrNoRoute)
						require.Equal(t, math.Inf(1), table.Durations[i][j])
						continue
					}
					require.InDelta(t, table.Durations[i][j], res.Routes[0].Duration, 1e-9)
					keptOut(res.Routes[0].Legs)
				}
			}
			if trip, err := Trip(t.Context(), e, TripRequest{Coordinates: points, Avoid: avoid, Annotations: AnnotateNodes}); err == nil {
				keptOut(trip.Trips[0].Legs)
			} else {
				require.ErrorIs(t, err, ErrNoTrips)
			}
			near, err := Nearest(t.Context(), e, NearestRequest{Coordinate: center, Number: 20, Avoid: avoid})
			require.NoError(t, err)
			require.Len(t, near.Waypoints, 20)
			for _, w := range near.Waypoints {
				require.False(t, shape.Touches(place[w.Ends[0]], place[w.Ends[1]]))
			}
			through, err := Route(t.Context(), e, RouteRequest{Coordinates: points[:2], Overview: OverviewFull})
			if err == nil {
				match, err := Match(t.Context(), e, MatchRequest{Coordinates: through.Routes[0].Geometry, Avoid: avoid, Annotations: AnnotateNodes})
				if err == nil {
					for i := range match.Matchings {
						keptOut(match.Matchings[i].Legs)
					}
				}
			}
		}
		_, err := e.OpenRoads(t.Context(), "x")
		require.NoError(t, err)
	}
}
