package routing

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/testmap"
)

// isochrone asks for what is reached from letters, as roads.
func (m *town) isochrone(letters string, change func(*IsochroneRequest)) *IsochroneResponse {
	m.t.Helper()
	r := IsochroneRequest{Coordinates: m.points(letters), Shapes: IsochroneRoads}
	change(&r)
	res, err := Isochrone(m.t.Context(), m.Engine, r)
	require.NoError(m.t, err)
	return res
}

// ends returns the places where stretches of road begin and end, as tens of meters east
// of a letter, in meters.
func (m *town) ends(res *IsochroneResponse, letter rune) (ends [][2]int) {
	origin := m.at(letter)
	east := func(p orb.Point) int {
		meters := geo.Distance(geo.FromLonLat(origin[0], p[1]), geo.FromLonLat(p[0], p[1]))
		if p[0] < origin[0] {
			meters = -meters
		}
		return 10 * int(math.Round(meters/10))
	}
	for i := range res.Roads {
		l := res.Roads[i].Line
		ends = append(ends, [2]int{east(l[0]), east(l[len(l)-1])})
	}
	return ends
}

var road = testmap.Drawing{
	Map:  `a-1-b-2-c-3-d`,
	Ways: []testmap.Row{{"abcd", ""}},
}

// TestIsochroneBesideTheCoordinate: on the road of the coordinate one gets as far as
// the limit in both directions, in the midst of segments.
func TestIsochroneBesideTheCoordinate(t *testing.T) {
	for _, algorithm := range []Algorithm{CH, MLD, CCH} {
		m := drawWith(t, road, Options{Algorithm: algorithm})
		res := m.isochrone("2", func(r *IsochroneRequest) { r.Contours, r.Unit = []float64{130}, ContourDistance })
		require.ElementsMatch(t, [][2]int{{0, 130}, {0, -130}}, m.ends(res, '2'))
		for _, r := range res.Roads {
			require.Equal(t, 0.0, r.Costs[0])
			require.InDelta(t, 130, r.Costs[len(r.Costs)-1], 0.01)
			require.Equal(t, "abcd", r.Name)
			require.Len(t, r.Ways, len(r.Line)-1)
		}
		back := m.isochrone("2", func(r *IsochroneRequest) { r.Contours, r.Unit, r.Reverse = []float64{130}, ContourDistance, true })
		require.ElementsMatch(t, [][2]int{{130, 0}, {-130, 0}}, m.ends(back, '2'))
		for _, r := range back.Roads {
			require.InDelta(t, 130, r.Costs[0], 0.01)
			require.Equal(t, 0.0, r.Costs[len(r.Costs)-1])
		}
	}
}

// TestIsochroneOnOneWay: forward what lies ahead, backward what lies behind.
func TestIsochroneOnOneWay(t *testing.T) {
	d := road
	d.Ways = []testmap.Row{{"abcd", "oneway=yes"}}
	m := draw(t, d)
	ahead := m.isochrone("2", func(r *IsochroneRequest) { r.Contours, r.Unit = []float64{80}, ContourDistance })
	require.Equal(t, [][2]int{{0, 80}}, m.ends(ahead, '2'))
	behind := m.isochrone("2", func(r *IsochroneRequest) { r.Contours, r.Unit, r.Reverse = []float64{80}, ContourDistance, true })
	require.Equal(t, [][2]int{{-80, 0}}, m.ends(behind, '2'))
}

// TestIsochroneAroundTheBlock: one comes back to the road that one started on.
func TestIsochroneAroundTheBlock(t *testing.T) {
	d := rectangle
	d.Ways = []testmap.Row{{"ab", "oneway=yes"}, {"bc", "oneway=yes"}, {"cd", "oneway=yes"}, {"da", "oneway=yes"}}
	m := draw(t, d)
	res := m.isochrone("2", func(r *IsochroneRequest) { r.Contours, r.Unit = []float64{900}, ContourDistance })
	again := false
	for _, r := range res.Roads {
		if r.Name == "ab" && r.Costs[0] > 700 {
			again = true
			require.InDelta(t, 900, r.Costs[len(r.Costs)-1], 1)
		}
	}
	require.True(t, again)
}

// TestIsochroneOfSeveral: a place counts by the coordinate that is nearest to it.
func TestIsochroneOfSeveral(t *testing.T) {
	m := draw(t, road)
	res := m.isochrone("13", func(r *IsochroneRequest) { r.Contours, r.Unit = []float64{60}, ContourDistance })
	require.ElementsMatch(t, [][2]int{{-200, -140}, {-200, -260}, {200, 260}, {200, 140}}, m.ends(res, '2'))
	require.Len(t, res.Waypoints, 2)
}

// TestIsochroneKeepsOut: excluded classes and avoided ways are not entered.
func TestIsochroneKeepsOut(t *testing.T) {
	d := testmap.Drawing{
		Map:  `a-1-b---c`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", "highway=motorway"}},
	}
	names := func(res *IsochroneResponse) map[string]bool {
		all := map[string]bool{}
		for _, r := range res.Roads {
			all[r.Name] = true
		}
		return all
	}
	far := func(r *IsochroneRequest) { r.Contours = []float64{3600} }
	for _, algorithm := range []Algorithm{CH, MLD, CCH} {
		m := drawWith(t, d, Options{Algorithm: algorithm})
		require.Contains(t, names(m.isochrone("1", far)), "bc")
		require.NotContains(t, names(m.isochrone("1", func(r *IsochroneRequest) { far(r); r.Exclude = []string{"motorway"} })), "bc")
		require.NotContains(t, names(m.isochrone("1", func(r *IsochroneRequest) { far(r); r.Exclude, r.Reverse = []string{"motorway"}, true })), "bc")
		if algorithm != CH {
			avoid := []Avoid{{Ways: []int64{d.WayID("bc")}}}
			require.NotContains(t, names(m.isochrone("1", func(r *IsochroneRequest) { far(r); r.Avoid = avoid })), "bc")
		}
	}
}

// TestIsochroneCopies: whoever comes by the copy of a road that a restriction over
// several ways made is there too.
func TestIsochroneCopies(t *testing.T) {
	d := testmap.Drawing{
		Map: `
		a-b-c-d
		  | |
		  e f`,
		Ways:      []testmap.Row{{"ab", ""}, {"be", ""}, {"bc", ""}, {"cd", ""}, {"cf", ""}},
		Relations: []testmap.Row{{"from=ab via=bc to=cf", "type=restriction restriction=no_right_turn"}},
	}
	m := draw(t, d)
	require.Greater(t, m.current.Load().net.NumNodes(), int(m.current.Load().net.Originals))
	res := m.isochrone("a", func(r *IsochroneRequest) { r.Contours, r.Unit = []float64{250}, ContourDistance })
	byName := map[string]float64{}
	for _, r := range res.Roads {
		byName[r.Name] = max(byName[r.Name], r.Costs[len(r.Costs)-1])
	}
	require.InDelta(t, 200, byName["bc"], 1)
	require.InDelta(t, 250, byName["cd"], 1)
	require.NotContains(t, byName, "cf")
}

func TestIsochroneErrors(t *testing.T) {
	m := drawWith(t, road, Options{Limits: Limits{Contours: 2, ContourDuration: 600, RouteCoordinates: 2}})
	one := m.points("1")
	for what, c := range map[string]struct {
		code Code
		r    IsochroneRequest
	}{
		"no coordinate":      {ErrInvalidOptions, IsochroneRequest{Contours: []float64{1}}},
		"no contour":         {ErrInvalidOptions, IsochroneRequest{Coordinates: one}},
		"contour of 0":       {ErrInvalidOptions, IsochroneRequest{Coordinates: one, Contours: []float64{0}}},
		"unit":               {ErrInvalidOptions, IsochroneRequest{Coordinates: one, Contours: []float64{1}, Unit: 3}},
		"shapes":             {ErrInvalidOptions, IsochroneRequest{Coordinates: one, Contours: []float64{1}, Shapes: 8}},
		"resolution":         {ErrInvalidOptions, IsochroneRequest{Coordinates: one, Contours: []float64{1}, Resolution: 0.5}},
		"margin":             {ErrInvalidOptions, IsochroneRequest{Coordinates: one, Contours: []float64{1}, Margin: -1}},
		"too many contours":  {ErrTooBig, IsochroneRequest{Coordinates: one, Contours: []float64{1, 2, 3}}},
		"too large":          {ErrTooBig, IsochroneRequest{Coordinates: one, Contours: []float64{601}}},
		"too many places":    {ErrTooBig, IsochroneRequest{Coordinates: m.points("123"), Contours: []float64{1}}},
		"by weight":          {ErrDisabled, IsochroneRequest{Coordinates: one, Contours: []float64{1}, Unit: ContourWeight}},
		"unknown class":      {ErrInvalidValue, IsochroneRequest{Coordinates: one, Contours: []float64{1}, Exclude: []string{"wings"}}},
		"off the globe":      {ErrInvalidValue, IsochroneRequest{Coordinates: []orb.Point{{200, 0}}, Contours: []float64{1}}},
		"no road":            {ErrNoSegment, IsochroneRequest{Coordinates: []orb.Point{{3, 3}}, Radiuses: []float64{5}, Contours: []float64{1}}},
		"margin too wide":    {ErrTooBig, IsochroneRequest{Coordinates: one, Contours: []float64{1}, Resolution: 1, Margin: 33}},
		"margin of a world":  {ErrInvalidOptions, IsochroneRequest{Coordinates: one, Contours: []float64{1}, Margin: 3_200_001}},
		"margin without end": {ErrInvalidOptions, IsochroneRequest{Coordinates: one, Contours: []float64{1}, Margin: math.Inf(1)}},
		"avoid with CH":      {ErrNotImplemented, IsochroneRequest{Coordinates: one, Contours: []float64{1}, Avoid: []Avoid{{Ways: []int64{1}}}}},
		"list of other size": {ErrInvalidOptions, IsochroneRequest{Coordinates: one, Contours: []float64{1}, Radiuses: []float64{1, 2}}},
	} {
		_, err := Isochrone(t.Context(), m.Engine, c.r)
		require.ErrorIs(t, err, c.code, what)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Isochrone(ctx, m.Engine, IsochroneRequest{Coordinates: one, Contours: []float64{1}})
	require.ErrorIs(t, err, context.Canceled)
}

// TestIsochroneOfTooManyRoads: the length of an answer can be bounded.
func TestIsochroneOfTooManyRoads(t *testing.T) {
	m := drawWith(t, rectangle, Options{Limits: Limits{ContourRoads: 3}})
	r := IsochroneRequest{Coordinates: m.points("2"), Contours: []float64{30}, Unit: ContourDistance, Shapes: IsochroneRoads}
	_, err := Isochrone(t.Context(), m.Engine, r)
	require.NoError(t, err)
	r.Contours[0] = 3000
	_, err = Isochrone(t.Context(), m.Engine, r)
	require.ErrorIs(t, err, ErrTooBig)
	r.Shapes = IsochronePolygons
	_, err = Isochrone(t.Context(), m.Engine, r)
	require.NoError(t, err)
}

// TestIsochroneTooFine: a resolution that would make too many cells is refused with one
// that does not.
func TestIsochroneTooFine(t *testing.T) {
	e := andorra(t)
	r := IsochroneRequest{Coordinates: []orb.Point{{1.52, 42.51}}, Contours: []float64{1800}, Resolution: 1}
	_, err := Isochrone(t.Context(), e, r)
	require.ErrorIs(t, err, ErrTooBig)
	r.Resolution = 20
	_, err = Isochrone(t.Context(), e, r)
	require.NoError(t, err)
}

// TestIsochroneOutlines: outlines hold every place that is reached, each those of the
// smaller contours, and the roads of any resolution are the same.
func TestIsochroneOutlines(t *testing.T) {
	e := andorra(t)
	rng := rand.New(rand.NewPCG(8, 1))
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		r := IsochroneRequest{
			Coordinates: []orb.Point{somewhere(rng, e)}, Contours: []float64{120, 600, 300, 300},
			Shapes: IsochronePolygons | IsochroneLines | IsochroneRoads, Reverse: round%2 == 1,
		}
		if round%3 == 1 {
			r.Resolution, r.Margin = 30, 100
		}
		res, err := Isochrone(t.Context(), e, r)
		require.NoError(t, err)
		require.Len(t, res.Contours, 3, "one of each")
		for i, c := range res.Contours {
			require.Equal(t, []float64{600, 300, 120}[i], c.Value)
			rings := 0
			for _, p := range c.Polygons {
				rings += len(p)
				require.Equal(t, orb.CCW, p[0].Orientation())
			}
			require.Len(t, c.Lines, rings)
			for k := range res.Roads {
				road := &res.Roads[k]
				for j, at := range road.Line {
					if road.Costs[j] <= c.Value {
						require.True(t, planar.MultiPolygonContains(c.Polygons, at), "%v at %v is not in %v", at, road.Costs[j], c.Value)
					}
				}
			}
			if i > 0 {
				larger := res.Contours[i-1].Polygons
				for _, p := range c.Polygons {
					for _, at := range p[0] {
						require.True(t, planar.MultiPolygonContains(larger, at) || nearRim(larger, at), "%v", at)
					}
				}
			}
		}
		var decoded struct {
			Features []struct {
				Properties map[string]any
				Geometry   struct{ Type string }
			}
		}
		require.NoError(t, json.Unmarshal(res.AppendJSON(nil), &decoded))
		require.Len(t, decoded.Features, 6+len(res.Roads))
		require.Equal(t, map[string]any{"contour": 10.0, "metric": "time"}, decoded.Features[0].Properties)
	}
}

func nearRim(all orb.MultiPolygon, at orb.Point) bool {
	for _, p := range all {
		for _, ring := range p {
			for i := range ring[1:] {
				if planar.DistanceFromSegment(ring[i], ring[i+1], at) < 2e-6 {
					return true
				}
			}
		}
	}
	return false
}

// TestIsochroneSteadyState: what is allocated is the answer.
func TestIsochroneSteadyState(t *testing.T) {
	s := andorra(t).Session()
	defer s.Close()
	r := IsochroneRequest{
		Coordinates: []orb.Point{{1.52, 42.51}}, Contours: []float64{600}, Resolution: 5000,
		SkipWaypoints: true,
	}
	ask := func() {
		_, err := s.Isochrone(t.Context(), r)
		require.NoError(t, err)
	}
	ask()
	require.LessOrEqual(t, testing.AllocsPerRun(10, ask), 20.0*slowness) // the race detector allocates, too
}

// BenchmarkIsochrone asks for ten and for thirty minutes, from the middle of Andorra.
func BenchmarkIsochrone(b *testing.B) {
	for _, e := range andorras(b) {
		for name, r := range map[string]IsochroneRequest{
			"10min":         {Contours: []float64{600}},
			"30min":         {Contours: []float64{1800}},
			"10,20,30min":   {Contours: []float64{600, 1200, 1800}},
			"30min/reverse": {Contours: []float64{1800}, Reverse: true},
			"30min/roads":   {Contours: []float64{1800}, Shapes: IsochroneRoads},
		} {
			b.Run(e.Info().Algorithm.String()+"/"+name, func(b *testing.B) {
				s := e.Session()
				defer s.Close()
				r.Coordinates = []orb.Point{{1.52, 42.51}}
				b.ReportAllocs()
				for b.Loop() {
					_, err := s.Isochrone(b.Context(), r)
					require.NoError(b, err)
				}
			})
		}
	}
}

// TestIsochroneByMetric: what is reached in a time depends on the metric, and changes
// with it.
func TestIsochroneByMetric(t *testing.T) {
	updatable(t, func(t *testing.T, m *town) {
		reach := func(metric string) float64 {
			res := m.isochrone("a", func(r *IsochroneRequest) { r.Contours, r.Metric = []float64{8}, metric })
			require.Equal(t, metric, res.Metric)
			require.Equal(t, metric != "", bytes.Contains(res.AppendJSON(nil), []byte(`"metric":"rush"`)))
			sum := 0.0
			for _, r := range res.Roads {
				for i, p := range r.Line[1:] {
					sum += geo.Distance(geo.FromLonLat(r.Line[i][0], r.Line[i][1]), geo.FromLonLat(p[0], p[1]))
				}
			}
			return sum
		}
		usual := reach("")
		m.update(slow("rush", 18))
		require.InDelta(t, usual, reach(""), 1e-9)
		require.Less(t, reach("rush"), usual)
	})
}
