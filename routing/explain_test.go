package routing

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

// checkExplained holds a leg to the sums of its parts.
func checkExplained(t testing.TB, e *Engine, leg *Leg) {
	t.Helper()
	x := leg.Explanation
	require.NotNil(t, x)
	unit := e.current.Load().unit
	var weight, duration, distance float64
	ways := map[int64]bool{}
	for i := range x.Segments {
		s := &x.Segments[i]
		weight += math.Round(s.Weight * unit)
		duration += math.Round(s.Duration * 10)
		distance += math.Round(s.Distance * 100)
		require.NotEmpty(t, s.Source)
		if s.Kind != SegmentWalk {
			ways[s.Way] = true
			require.NotZero(t, s.Way)
		}
		if s.Kind == SegmentObstacle {
			require.Equal(t, s.Nodes[0], s.Nodes[1])
		}
		if s.Turn != nil {
			weight += math.Round(s.Turn.Weight * unit)
			duration += math.Round(s.Turn.Duration * 10)
			require.NotEmpty(t, s.Turn.Type)
			require.GreaterOrEqual(t, s.Turn.Duration, s.Turn.Penalty-1e-9, "bonuses are limited")
		}
	}
	require.InDelta(t, leg.Weight*unit, weight, 0.01)
	require.InDelta(t, leg.Duration*10, duration, 0.01)
	require.InDelta(t, leg.Distance, meters(int64(distance)), 1e-9)
	for _, w := range x.Ways {
		require.True(t, ways[w.Way])
		delete(ways, w.Way)
	}
	require.Empty(t, ways)
}

// The sum of parts is the answer, for all services, searches and maps.
func TestExplanationsAddUp(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	for _, engines := range [][]*Engine{andorras(t), cities(t)} {
		for a, e := range engines {
			rng := rand.New(rand.NewPCG(9, uint64(a)))
			found := 0
			for i := range rounds {
				r := RouteRequest{Coordinates: scatter(rng, e, 2+rng.IntN(3)), Explain: true, Overview: OverviewFalse, SkipWaypoints: true}
				if i%3 == 0 {
					r.Waypoints, r.ContinueStraight = []int{0, len(r.Coordinates) - 1}, ContinueAlways
				}
				if len(r.Coordinates) == 2 {
					r.Alternatives = 2
				}
				if i%4 == 0 { // very near
					for k := range r.Coordinates {
						r.Coordinates[k] = r.Coordinates[0]
						r.Coordinates[k][0] += 1e-4 * rng.Float64()
					}
				}
				res, err := Route(t.Context(), e, r)
				if err != nil {
					require.ErrorIs(t, err, ErrNoRoute)
					continue
				}
				for _, route := range res.Routes {
					for k := range route.Legs {
						checkExplained(t, e, &route.Legs[k])
						found++
					}
				}
				require.True(t, json.Valid(res.AppendJSON(nil)))
				plain := r
				plain.Explain = false
				same, err := Route(t.Context(), e, plain)
				require.NoError(t, err)
				require.InDelta(t, same.Routes[0].Weight, res.Routes[0].Weight, 1e-9)
				require.Nil(t, same.Routes[0].Legs[0].Explanation)
			}
			require.Greater(t, found, rounds)
			points := scatter(rng, e, 4)
			trip, err := Trip(t.Context(), e, TripRequest{Coordinates: points, Explain: true, Overview: OverviewFalse})
			if err == nil {
				for k := range trip.Trips[0].Legs {
					checkExplained(t, e, &trip.Trips[0].Legs[k])
				}
			}
			route, err := Route(t.Context(), e, RouteRequest{Coordinates: points[:2], Overview: OverviewFull})
			if err == nil {
				match, err := Match(t.Context(), e, MatchRequest{Coordinates: route.Routes[0].Geometry[:min(20, len(route.Routes[0].Geometry))], Explain: true})
				require.NoError(t, err)
				for i := range match.Matchings {
					for k := range match.Matchings[i].Legs {
						checkExplained(t, e, &match.Matchings[i].Legs[k])
					}
				}
			}
		}
	}
}

// explainedTown has a limit on one way and a signal on another.
var explainedTown = testmap.Drawing{
	Map: `
		a-1-b-s-2-c
		|         |
		|         |
		d---------e`,
	Ways: []testmap.Row{
		{"ab", "name=slow maxspeed=10 surface=asphalt"}, {"bsc", "name=lit toll=yes"}, {"adec", "name=round"},
	},
	Nodes: []testmap.Row{{"s", "highway=traffic_signals"}},
}

func tagged(t testing.TB, d testmap.Drawing, o Options, p profile.Profile) *town {
	t.Helper()
	data, err := d.OSM()
	require.NoError(t, err)
	return &town{build(t, BuildOptions{Input: "town.osm", Reader: bytes.NewReader(data), Tags: true, Profile: p, Algorithms: []Algorithm{o.Algorithm}}, o), t, d}
}

func (m *town) explain(letters string) *Explanation {
	m.t.Helper()
	res := m.route(letters, func(r *RouteRequest) { r.Explain = true })
	checkExplained(m.t, m.Engine, &res.Routes[0].Legs[0])
	return res.Routes[0].Legs[0].Explanation
}

func TestExplain(t *testing.T) {
	for _, a := range []Algorithm{MLD, CCH} {
		m := tagged(t, explainedTown, Options{Algorithm: a}, nil)
		d := &m.drawing
		x := m.explain("12")
		first := x.Segments[0]
		require.Equal(t, SegmentRoad, first.Kind)
		require.Equal(t, [2]int64{d.NodeID('a'), d.NodeID('b')}, first.Nodes)
		require.Equal(t, d.WayID("ab"), first.Way)
		require.InDelta(t, 100, first.Distance, 1)
		require.InDelta(t, 8, first.Speed, 0.2, "the car drives 80 % of the limit")
		require.Equal(t, "lua profile", first.Source)
		kinds := map[SegmentKind]float64{}
		for _, s := range x.Segments {
			kinds[s.Kind] += s.Duration
			if s.Turn != nil {
				kinds[SegmentObstacle] += s.Turn.Duration
			}
		}
		require.InDelta(t, 2, kinds[SegmentObstacle], 0.01, "the signal")

		require.Len(t, x.Ways, 2)
		slow := x.Ways[0]
		require.Equal(t, "slow", slow.Name)
		require.Equal(t, "driving", slow.Mode)
		require.Empty(t, slow.Unknown)
		require.Len(t, slow.Tags, 4)
		decides := map[string][]string{}
		for _, e := range slow.Effects {
			decides[e.Key] = e.Decides
		}
		require.Equal(t, map[string][]string{"highway": {"access"}, "maxspeed": {"speed", "rate"}}, decides)
		require.Equal(t, []string{"toll"}, x.Ways[1].Classes)

		// What updates and closures do is told by their names.
		m.update(
			Update{Layer: "historic", Ways: []WaySpeed{{Way: d.WayID("ab"), Speed: 72}}},
			Update{Layer: "live", Turns: []TurnPenalty{{From: d.NodeID('a'), Via: d.NodeID('b'), To: d.NodeID('s'), Penalty: 7}}},
		)
		m.closeRoads(Closure{Avoid: Avoid{Ways: []int64{d.WayID("adec")}}})
		x = m.explain("12")
		require.Equal(t, "historic", x.Segments[0].Source)
		require.InDelta(t, 72, x.Segments[0].Speed, 1)
		require.Empty(t, x.Ways[0].Unknown, "tags tell what the profile says, whatever the traffic")
		turn := x.Segments[0].Turn
		require.NotNil(t, turn)
		require.Equal(t, "live", turn.Source)
		require.InDelta(t, 7, turn.Penalty, 1e-9)
		require.InDelta(t, 7, turn.Duration, 1e-9)
		require.Equal(t, [3]int64{d.NodeID('a'), d.NodeID('b'), d.NodeID('s')}, [3]int64{turn.From, turn.Via, turn.To})
	}
}

func TestExplainWithoutTags(t *testing.T) {
	m := draw(t, explainedTown)
	x := m.explain("ac")
	require.Contains(t, x.Ways[0].Unknown, "build it with tags")
	require.Nil(t, x.Ways[0].Effects)

	// A profile of other settings is not what the data set was built with.
	faster, err := profile.NewCar(profile.CarOptions{})
	require.NoError(t, err)
	foot, err := profile.ByName("foot")
	require.NoError(t, err)
	m = tagged(t, explainedTown, Options{Profile: foot}, faster)
	require.Contains(t, m.explain("ac").Ways[0].Unknown, "another profile")
}

func TestExplainIsADrawing(t *testing.T) {
	m := drawWith(t, explainedTown, Options{Limits: Limits{NoGeometry: true}})
	_, err := Route(t.Context(), m.Engine, RouteRequest{Coordinates: m.points("ac"), Overview: OverviewFalse, SkipWaypoints: true, Explain: true})
	require.ErrorIs(t, err, ErrDisabled)
}
