package routing

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/internal/region"
	"github.com/fourway-routing/fourway/internal/testmap"
)

// bridges has a motorway bridge over a short street, and a long way round.
var bridges = testmap.Drawing{
	Map: `
		    m
		    |
		a-b-|-c-d
		  | n |
		  |   |
		  e---f`,
	Ways: []testmap.Row{
		{"ab"},
		{"bc"},
		{"cd"},
		{"befc"},
		{"mn", "highway=motorway oneway=yes"},
	},
}

// crossing is a square around the place where the bridge crosses the street.
func (m *town) crossing() orb.Polygon {
	const d = 50.0 / 111_000
	x, y := m.at('n')[0], m.at('b')[1]
	return orb.Polygon{{{x - d, y - d}, {x + d, y - d}, {x + d, y + d}, {x - d, y + d}, {x - d, y - d}}}
}

func avoiders(t *testing.T, run func(t *testing.T, m *town)) {
	t.Helper()
	for _, a := range []Algorithm{MLD, CCH} {
		t.Run(a.String(), func(t *testing.T) { run(t, drawWith(t, bridges, Options{Algorithm: a})) })
	}
}

func TestAvoid(t *testing.T) {
	avoiders(t, func(t *testing.T, m *town) {
		d := &m.drawing
		length := func(avoid ...Avoid) float64 {
			return m.route("ad", func(r *RouteRequest) { r.Avoid = avoid }).Routes[0].Distance
		}
		short := length()
		require.InDelta(t, 400, short, 1)
		for name, avoid := range map[string]Avoid{
			"way":            {Ways: []int64{d.WayID("bc")}},
			"segment":        {Segments: [][2]int64{{d.NodeID('b'), d.NodeID('c')}}},
			"polygon":        {Polygon: m.crossing()},
			"polygon across": {Polygon: orb.Polygon{{{m.at('n')[0] - 1e-5, m.at('b')[1] - 1e-4}, {m.at('n')[0] + 1e-5, m.at('b')[1] - 1e-4}, {m.at('n')[0], m.at('b')[1] + 1e-4}, {m.at('n')[0] - 1e-5, m.at('b')[1] - 1e-4}}}},
		} {
			require.InDelta(t, 1000, length(avoid), 1, name)
			require.InDelta(t, short, length(), 1e-9, "nothing is left of it")
		}
		require.InDelta(t, short, length(Avoid{Segments: [][2]int64{{d.NodeID('c'), d.NodeID('b')}}}), 1e-9, "the other direction")
		require.InDelta(t, short, length(Avoid{Polygon: m.crossing(), Classes: []string{"motorway"}}), 1e-9, "the bridge above alone")
		require.InDelta(t, short, length(Avoid{Ways: []int64{77}}), 1e-9)

		// All services keep out, and nothing snaps to what is closed.
		avoid := []Avoid{{Ways: []int64{d.WayID("bc")}}}
		table, err := Table(t.Context(), m.Engine, TableRequest{Coordinates: m.points("ad"), Avoid: avoid, Annotations: TableDistances})
		require.NoError(t, err)
		require.InDelta(t, 1000, table.Distances[0][1], 1)
		trip, err := Trip(t.Context(), m.Engine, TripRequest{Coordinates: m.points("ad"), Avoid: avoid})
		require.NoError(t, err)
		require.InDelta(t, 2000, trip.Trips[0].Distance, 2)
		match, err := Match(t.Context(), m.Engine, MatchRequest{Coordinates: m.points("abcd"), Avoid: avoid})
		require.NoError(t, err)
		require.InDelta(t, 1000, match.Matchings[0].Distance, 1)
		near, err := Nearest(t.Context(), m.Engine, NearestRequest{Coordinate: m.at('n'), Avoid: append(avoid, Avoid{Ways: []int64{d.WayID("mn")}})})
		require.NoError(t, err)
		require.Equal(t, "befc", near.Waypoints[0].Name)
		res, err := Route(t.Context(), m.Engine, RouteRequest{Coordinates: m.points("nd"), Avoid: append(avoid, Avoid{Ways: []int64{d.WayID("mn")}})})
		require.NoError(t, err)
		require.NotEqual(t, "bc", res.Waypoints[0].Name)
		require.NotEqual(t, "mn", res.Waypoints[0].Name)

		res = m.route("ad", func(r *RouteRequest) {
			r.Avoid = []Avoid{{Ways: []int64{d.WayID("ab"), d.WayID("bc"), d.WayID("cd"), d.WayID("befc")}}}
		})
		require.Equal(t, "mn", res.Waypoints[0].Name, "nothing else is left")
		require.LessOrEqual(t, len(m.current.Load().avoided.kept), keptCustomizations)
	})
}

// A stream keeps out too, whatever else its session answers meanwhile.
func TestAvoidInStream(t *testing.T) {
	avoiders(t, func(t *testing.T, m *town) {
		d := &m.drawing
		meters := func(o MatchStreamOptions) (sum float64, ways map[int64]bool) {
			ways = map[int64]bool{}
			s := m.Session()
			defer s.Close()
			stream, err := s.MatchStream(t.Context(), o)
			require.NoError(t, err)
			var settled []MatchSettled
			for _, c := range m.points("abcd") {
				more, err := stream.Add(t.Context(), MatchPoint{Coordinate: c})
				require.NoError(t, err)
				settled = append(settled, more...)
				res, err := s.Route(t.Context(), request(d, "ad"))
				require.NoError(t, err)
				require.InDelta(t, 400, res.Routes[0].Distance, 1)
			}
			rest, err := stream.Flush(t.Context())
			require.NoError(t, err)
			for _, x := range append(settled, rest...) {
				for _, g := range x.Segments {
					sum += g.Meters
					ways[max(g.Way, -g.Way)] = ways[max(g.Way, -g.Way)] || g.Meters > 0
				}
			}
			return sum, ways
		}
		sum, ways := meters(MatchStreamOptions{})
		require.InDelta(t, 400, sum, 1)
		require.True(t, ways[d.WayID("bc")])
		_, ways = meters(MatchStreamOptions{Avoid: []Avoid{{Ways: []int64{d.WayID("bc")}}}})
		require.True(t, ways[d.WayID("ab")])
		require.False(t, ways[d.WayID("bc")])

		s := m.Session()
		defer s.Close()
		_, err := s.MatchStream(t.Context(), MatchStreamOptions{Avoid: []Avoid{{Classes: []string{"toll"}}}})
		require.ErrorIs(t, err, ErrInvalidOptions)
		stream, err := s.MatchStream(t.Context(), MatchStreamOptions{Avoid: []Avoid{{Ways: []int64{1}}}})
		require.NoError(t, err)
		m.update(Update{Layer: "live", Ways: []WaySpeed{{Way: d.WayID("ab"), Speed: 9}}})
		for range 2 {
			_, err = stream.Add(t.Context(), MatchPoint{Coordinate: m.at('a')})
		}
		require.ErrorIs(t, err, ErrClosed, "it was of the costs before")
	})
}

func TestAvoidFaults(t *testing.T) {
	avoiders(t, func(t *testing.T, m *town) {
		for name, avoid := range map[string]Avoid{
			"open ring": {Polygon: orb.Polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}},
			"no ring":   {Polygon: orb.Polygon{{}}},
			"far":       {Polygon: orb.Polygon{{{0, 0}, {1, math.NaN()}, {1, 1}, {0, 0}}}},
			"class":     {Polygon: orb.Polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 0}}}, Classes: []string{"bridges"}},
			"no place":  {Classes: []string{"toll"}},
		} {
			r := request(&m.drawing, "ad")
			r.Avoid = []Avoid{avoid}
			_, err := Route(t.Context(), m.Engine, r)
			require.ErrorIs(t, err, ErrInvalidOptions, name)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r := request(&m.drawing, "ad")
		r.Avoid = []Avoid{{Ways: []int64{1}}}
		_, err := Route(ctx, m.Engine, r)
		require.ErrorIs(t, err, context.Canceled)
	})
	r := request(&bridges, "ad")
	r.Avoid = []Avoid{{Ways: []int64{1}}}
	_, err := Route(t.Context(), draw(t, bridges).Engine, r)
	require.ErrorIs(t, err, ErrNotImplemented)
}

// What is avoided is as if it had never been there.
func TestAvoidAgainstOracle(t *testing.T) {
	for a, e := range andorras(t) {
		if Algorithm(a) == CH {
			continue
		}
		rng := rand.New(rand.NewPCG(6, uint64(a)))
		d := e.current.Load()
		for range 3 {
			at := somewhere(rng, e)
			const side = 0.02
			polygon := orb.Bound{Min: at, Max: orb.Point{at[0] + side, at[1] + side}}.ToPolygon()
			v, err := d.avoiding(t.Context(), []Avoid{{Polygon: polygon}})
			require.NoError(t, err)
			shape := region.NewShape(polygon)
			g := graph.Expand(d.net, d.metric)
			for node, arm := range d.net.NodeArm {
				first, end := d.net.ChainFirst[arm.Chain()], d.net.ChainFirst[arm.Chain()+1]
				for s := first; s+1 < end; s++ {
					if shape.Touches(point(d.net.Coords[d.net.ChainPlaces[s]]), point(d.net.Coords[d.net.ChainPlaces[s+1]])) {
						for edge := g.First[node]; edge < g.First[node+1]; edge++ {
							g.Arcs[edge].Weight = graph.InvalidWeight
						}
					}
				}
			}
			w := newWorkspace(v)
			for range 10 {
				from := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
				tree := oracle.Grow(g, nil, from)
				for range 10 {
					to := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
					q := oracle.Question{Sources: from, Targets: to, Want: tree.To(to)}
					oracle.CheckShortest(t, g, nil, w.searcher, &q, "")
				}
			}
		}
	}
}
