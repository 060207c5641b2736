package routing

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

// town is a drawn map made ready for queries.
type town struct {
	*Engine
	t       testing.TB
	drawing testmap.Drawing
}

func build(t testing.TB, opt BuildOptions, o Options) *Engine {
	t.Helper()
	b := builder{opt: opt}
	var p parts
	require.NoError(t, b.prepare(t.Context(), &p))
	e := newEngine(p, o)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

func draw(t testing.TB, d testmap.Drawing) *town { return drawWith(t, d, Options{}) }

func drawWith(t testing.TB, d testmap.Drawing, o Options) *town {
	t.Helper()
	data, err := d.OSM()
	require.NoError(t, err)
	return &town{build(t, BuildOptions{Input: "town.osm", Reader: bytes.NewReader(data), DataVersion: "drawn", Algorithms: []Algorithm{o.Algorithm}}, o), t, d}
}

func (m *town) at(letter rune) orb.Point {
	lon, lat, ok := m.drawing.Position(letter)
	require.True(m.t, ok, string(letter))
	return orb.Point{lon, lat}
}

func (m *town) points(letters string) []orb.Point {
	var line []orb.Point
	for _, l := range letters {
		line = append(line, m.at(l))
	}
	return line
}

// ask asks for a route through letters with everything shown.
func (m *town) ask(letters string, change func(*RouteRequest)) (*RouteResponse, error) {
	r := RouteRequest{Coordinates: m.points(letters), Overview: OverviewFull, Annotations: AnnotateAll | AnnotateWays}
	if change != nil {
		change(&r)
	}
	return Route(m.t.Context(), m.Engine, r)
}

func (m *town) route(letters string, change func(*RouteRequest)) *RouteResponse {
	m.t.Helper()
	res, err := m.ask(letters, change)
	require.NoError(m.t, err, letters)
	checkSums(m.t, res)
	return res
}

// nodes returns the letters of the nodes that a leg's annotation names.
func (m *town) nodes(leg *Leg) string {
	var out []rune
	for _, id := range leg.Annotation.Nodes {
		for _, l := range "abcdefghijklmnopqrstuvwxyz0123456789" {
			if m.drawing.NodeID(l) == id {
				out = append(out, l)
			}
		}
	}
	return string(out)
}

// checkSums holds the parts of an answer to their sums.
func checkSums(t testing.TB, res *RouteResponse) {
	t.Helper()
	for _, r := range res.Routes {
		var distance, duration, weight float64
		points := 1
		for _, leg := range r.Legs {
			distance += leg.Distance
			duration += leg.Duration
			weight += leg.Weight
			a := leg.Annotation
			if a == nil {
				continue
			}
			n := len(a.Distance)
			points += n
			require.Len(t, a.Duration, n)
			require.Len(t, a.Weight, n)
			require.Len(t, a.Speed, n)
			require.Len(t, a.Datasources, n)
			require.Len(t, a.Ways, n)
			require.Len(t, a.Nodes, n+1)
			sum := 0.0
			for i, d := range a.Distance {
				sum += d
				require.GreaterOrEqual(t, a.Duration[i], 0.0)
				require.GreaterOrEqual(t, a.Weight[i], 0.0)
				require.NotZero(t, a.Ways[i])
			}
			require.InDelta(t, leg.Distance, sum, 0.05+0.01*float64(n))
		}
		require.InDelta(t, r.Distance, distance, 1e-6)
		require.InDelta(t, r.Duration, duration, 1e-6)
		require.InDelta(t, r.Weight, weight, 1e-6)
		if r.Geometry != nil && r.Legs[0].Annotation != nil {
			require.Len(t, r.Geometry, points)
		}
	}
}

var rectangle = testmap.Drawing{
	Map: `
		a-1-2-b
		|     |
		d-----c`,
	Ways: []testmap.Row{{"ab", "oneway=yes"}, {"bc", ""}, {"cd", ""}, {"da", ""}},
}

// TestLoopOnOneSegment: a target behind the source on a one-way is reached
// round the block.
func TestLoopOnOneSegment(t *testing.T) {
	m := draw(t, rectangle)
	forth := m.route("12", nil).Routes[0]
	require.InDelta(t, 100, forth.Distance, 1)
	require.Len(t, forth.Geometry, 2)
	back := m.route("21", nil).Routes[0]
	require.InDelta(t, 2*300+2*200-100, back.Distance, 2)
	require.Equal(t, "abcdab", m.nodes(&back.Legs[0]))
	require.Greater(t, back.Duration, 4*forth.Duration)
	here := m.route("11", nil).Routes[0]
	require.Zero(t, here.Distance)
	require.Zero(t, here.Duration)
	require.Len(t, here.Geometry, 2)
	require.Equal(t, []float64{0}, here.Legs[0].Annotation.Duration)
}

// TestLeavesCrossingOnAnyArm: a place at a crossing is on all of its roads.
func TestLeavesCrossingOnAnyArm(t *testing.T) {
	away := testmap.Drawing{
		Map: `
			a   e   c
			 \  |  /
			  \ | /
			    d

			    s`,
		Ways: []testmap.Row{{"da", "oneway=yes"}, {"de", "oneway=yes"}, {"dc", "oneway=yes"}},
	}
	m := draw(t, away)
	for _, to := range "aec" {
		require.Equal(t, "d"+string(to), m.nodes(&m.route("s"+string(to), nil).Routes[0].Legs[0]))
	}
	require.Equal(t, "da / de / dc", m.route("sa", nil).Waypoints[0].Name)
	for i := range away.Ways {
		w := away.Ways[i][0]
		away.Ways[i][0] = w[1:] + w[:1]
	}
	m = draw(t, away)
	for _, from := range "aec" {
		require.Equal(t, string(from)+"d", m.nodes(&m.route(string(from)+"s", nil).Routes[0].Legs[0]))
	}
}

// TestCurb: with both ends reached on their own side of a street without
// crossings, one of them needs the street's ends to turn.
func TestCurb(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Map: `
			1 2
		a---------b`,
		Cell: 60, Ways: []testmap.Row{{"ab", ""}},
	})
	curb := func(r *RouteRequest) { r.Approaches = []Approach{ApproachCurb, ApproachCurb} }
	require.InDelta(t, 60, m.route("21", curb).Routes[0].Distance, 1)
	require.Equal(t, "baba", m.nodes(&m.route("12", curb).Routes[0].Legs[0]))
	require.InDelta(t, 60, m.route("12", func(r *RouteRequest) {
		r.Approaches = []Approach{ApproachOpposite, ApproachOpposite}
	}).Routes[0].Distance, 1)
}

var stub = testmap.Drawing{
	Map: `
		a---b---c
		    |
		    1
		    |
		    d---e`,
	Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"bd", ""}, {"de", "oneway=yes"}},
}

// TestContinueStraight: at a waypoint one goes on as one came, unless nothing
// leads on.
func TestContinueStraight(t *testing.T) {
	// Neither the one-way nor a U-turn leads on from d.
	stuck := stub
	stuck.Relations = []testmap.Row{{"from=bd via=d to=bd", "restriction=no_u_turn"}}
	m := draw(t, stuck)
	for _, set := range []ContinueStraight{ContinueByProfile, ContinueAlways, ContinueFreely} {
		r := m.route("adc", func(r *RouteRequest) { r.ContinueStraight = set }).Routes[0]
		require.Equal(t, "abd", m.nodes(&r.Legs[0]), set)
		require.Equal(t, "dbc", m.nodes(&r.Legs[1]), set)
	}
	cul := stub
	cul.Ways = stub.Ways[:3]
	m = draw(t, cul)
	free := m.route("a1c", func(r *RouteRequest) { r.ContinueStraight = ContinueFreely }).Routes[0]
	straight := m.route("a1c", nil).Routes[0]
	require.Equal(t, "dbc", m.nodes(&free.Legs[1]))
	require.Equal(t, "abdb", m.nodes(&straight.Legs[0]), "turns at the end of the road, before the waypoint")
	require.Equal(t, "dbc", m.nodes(&straight.Legs[1]))
	require.InDelta(t, 400, straight.Distance-free.Distance, 1)
	require.Greater(t, straight.Duration, free.Duration)
	two := m.route("a1", nil).Routes[0].Duration + m.route("1c", nil).Routes[0].Duration
	require.InDelta(t, two, free.Duration, 1e-6)
}

// TestWaypoints: a coordinate that is no waypoint is passed, not stopped at.
func TestWaypoints(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Map: `
			a-1-b-2-c
			        |
			        d`,
		Ways: []testmap.Row{{"abcd", ""}},
	})
	apart := m.route("a12d", nil)
	joined := m.route("a12d", func(r *RouteRequest) { r.Waypoints = []int{0, 3} })
	require.Len(t, apart.Routes[0].Legs, 3)
	require.Len(t, joined.Routes[0].Legs, 1)
	require.Len(t, joined.Waypoints, 4, "all coordinates are told")
	leg := joined.Routes[0].Legs[0]
	require.Equal(t, "abcd", m.nodes(&leg))
	direct := m.route("ad", nil).Routes[0]
	require.Equal(t, direct.Legs[0].Annotation, leg.Annotation)
	require.Equal(t, direct.Geometry, joined.Routes[0].Geometry)
	require.InDelta(t, apart.Routes[0].Duration, joined.Routes[0].Duration, 1e-6)
	middle := m.route("a12d", func(r *RouteRequest) { r.Waypoints = []int{0, 2, 3} }).Routes[0]
	require.Len(t, middle.Legs, 2)
	require.Equal(t, "abc", m.nodes(&middle.Legs[0]))
	// Turning around at a coordinate that is passed shows the place.
	turned := m.route("a1a", func(r *RouteRequest) { r.Waypoints, r.ContinueStraight = []int{0, 2}, ContinueFreely }).Routes[0]
	require.Equal(t, "aba", m.nodes(&turned.Legs[0]))
	require.InDelta(t, 200, turned.Distance, 1)
}

func TestOverviews(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Map: `
			a
			b-c-d-e`,
		Ways: []testmap.Row{{"abcde", ""}},
	})
	require.Len(t, m.route("ae", nil).Routes[0].Geometry, 5)
	require.Len(t, m.route("ae", func(r *RouteRequest) { r.Overview = OverviewSimplified; r.Annotations = 0 }).Routes[0].Geometry, 3)
	require.Nil(t, m.route("ae", func(r *RouteRequest) { r.Overview = OverviewFalse }).Routes[0].Geometry)
	legs := m.route("ace", func(r *RouteRequest) { r.Overview = OverviewByLegs }).Routes[0]
	require.Nil(t, legs.Geometry)
	require.Len(t, legs.Legs[0].Geometry, 3)
	require.Len(t, legs.Legs[1].Geometry, 4, "it starts at the end of the segment before c")
	require.Equal(t, legs.Legs[0].Geometry[2], legs.Legs[1].Geometry[0])
}

func TestAnnotation(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Map: `
			a-1-b---c-2-d`,
		Ways:  []testmap.Row{{"ab", "maxspeed=30"}, {"cb", "maxspeed=90"}, {"cd", "maxspeed=30"}},
		Nodes: []testmap.Row{{"b", "highway=traffic_signals"}},
	})
	res := m.route("12", nil)
	leg := res.Routes[0].Legs[0]
	a := leg.Annotation
	require.Equal(t, "abcd", m.nodes(&leg))
	require.InDeltaSlice(t, []float64{100, 200, 100}, a.Distance, 0.5)
	require.Equal(t, []int64{m.drawing.WayID("ab"), -m.drawing.WayID("cb"), m.drawing.WayID("cd")}, a.Ways)
	require.Equal(t, []string{"lua profile"}, a.DatasourceNames)
	require.Greater(t, a.Speed[1], 2*a.Speed[0])
	sum := a.Duration[0] + a.Duration[1] + a.Duration[2]
	require.InDelta(t, 2, leg.Duration-sum, 1e-6, "the signal's delay is a cost of turning")
	require.Equal(t, "drawn", res.DataVersion)
	require.Nil(t, m.route("12", func(r *RouteRequest) { r.Annotations = 0 }).Routes[0].Legs[0].Annotation)
	only, err := m.ask("12", func(r *RouteRequest) { r.Annotations = AnnotateNodes })
	require.NoError(t, err)
	require.Equal(t, &Annotation{Nodes: a.Nodes}, only.Routes[0].Legs[0].Annotation)
}

func TestSteps(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Map: `
			a---b---c
			        |
			        d`,
		Ways: []testmap.Row{{"abc", `name="High Street" ref=A1`}, {"cd", `name= ref=B2`}},
	})
	leg := m.route("ad", func(r *RouteRequest) { r.Steps = true }).Routes[0].Legs[0]
	require.Equal(t, "High Street, B2", leg.Summary)
	require.Len(t, leg.Steps, 3)
	var distance, duration, weight float64
	for i, want := range []string{"depart", "new name", "arrive"} {
		s := leg.Steps[i]
		require.Equal(t, want, s.Maneuver.Type)
		require.GreaterOrEqual(t, len(s.Geometry), 2)
		require.Equal(t, "driving", s.Mode)
		distance += s.Distance
		duration += s.Duration
		weight += s.Weight
	}
	require.InDelta(t, leg.Distance, distance, 0.11)
	require.InDelta(t, leg.Duration, duration, 1e-6)
	require.InDelta(t, leg.Weight, weight, 1e-6)
	require.Equal(t, Maneuver{Location: leg.Steps[0].Geometry[0], BearingAfter: 90, Type: "depart"}, leg.Steps[0].Maneuver)
	turn := leg.Steps[1]
	require.Equal(t, "right", turn.Maneuver.Modifier)
	require.Equal(t, []int{180, 270}, turn.Intersections[0].Bearings)
	require.Equal(t, 1, turn.Intersections[0].In)
	require.Equal(t, "B2", turn.Ref)
	require.Equal(t, 180, leg.Steps[2].Maneuver.BearingBefore)
}

func TestSnappingErrors(t *testing.T) {
	m := draw(t, stub)
	far := orb.Point{1.05, 1.05}
	code := func(want Code, index int, change func(*RouteRequest)) {
		t.Helper()
		_, err := m.ask("ac", change)
		require.ErrorIs(t, err, want)
		e, ok := errors.AsType[*Error](err)
		require.True(t, ok)
		require.Equal(t, index, e.Index)
	}
	code(ErrNoSegment, 1, func(r *RouteRequest) { r.Coordinates[1], r.Radiuses = far, []float64{0, 100} })
	code(ErrNoSegment, 0, func(r *RouteRequest) { r.Bearings, r.Radiuses = []*Bearing{{0, 10}, nil}, []float64{50, 0} })
	code(ErrInvalidValue, -1, func(r *RouteRequest) { r.Exclude = []string{"sidewalks"} })
	code(ErrInvalidValue, -1, func(r *RouteRequest) { r.Exclude = []string{"toll", "motorway"} })
	code(ErrInvalidOptions, -1, func(r *RouteRequest) { r.Coordinates = r.Coordinates[:1] })
	_, err := m.ask("ea", nil)
	require.ErrorIs(t, err, ErrNoRoute)
	require.Contains(t, err.Error(), "Impossible route between points", "each is a component of its own")
}

func TestLimitsOfEngine(t *testing.T) {
	m := drawWith(t, stub, Options{Limits: Limits{RouteCoordinates: 2, NearestResults: 1, DefaultRadius: 10}})
	_, err := m.ask("abc", nil)
	require.ErrorIs(t, err, ErrTooBig)
	_, err = m.ask("ac", func(r *RouteRequest) { r.Coordinates[1][1] += 0.001 })
	require.ErrorIs(t, err, ErrNoSegment)
	_, err = m.ask("ac", func(r *RouteRequest) { r.Coordinates[1][1] += 0.001; r.Radiuses = []float64{0, Unlimited} })
	require.NoError(t, err)
	_, err = Nearest(t.Context(), m.Engine, NearestRequest{Number: 2})
	require.ErrorIs(t, err, ErrTooBig)
}

// TestExclude: the toll bridge is shorter, and forbidden on request.
func TestExclude(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Map: `
			a---b---c
			|       |
			d-------e`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", "toll=yes"}, {"ad", ""}, {"de", ""}, {"ec", ""}},
	})
	require.InDelta(t, 400, m.route("ac", nil).Routes[0].Distance, 1)
	around := m.route("ac", func(r *RouteRequest) { r.Exclude = []string{"toll"} })
	require.InDelta(t, 800, around.Routes[0].Distance, 1)
	require.Contains(t, m.nodes(&around.Routes[0].Legs[0]), "de")
	require.Contains(t, m.Info().Excludable, []string{"toll"})
}

func TestNearest(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Map: `
			0 a-x-b
			  |
			  c`,
		Ways: []testmap.Row{{"axb", "oneway=yes"}, {"ca", ""}},
	})
	id := m.drawing.NodeID
	ask := func(letter rune, r NearestRequest) *NearestResponse {
		r.Coordinate = m.at(letter)
		res, err := Nearest(t.Context(), m.Engine, r)
		require.NoError(t, err)
		return res
	}
	res := ask('0', NearestRequest{Number: 9})
	require.Len(t, res.Waypoints, 3)
	first := res.Waypoints[0]
	require.InDelta(t, 100, first.Distance, 0.2)
	require.Equal(t, "axb", first.Name)
	require.Equal(t, [2]int64{id('a'), id('x')}, first.Nodes)
	require.Equal(t, m.drawing.WayID("axb"), first.Way)
	street := res.Waypoints[1]
	require.Equal(t, "ca", street.Name)
	require.ElementsMatch(t, []int64{id('a'), id('c')}, street.Nodes[:])
	require.Equal(t, first.Distance, street.Distance)
	require.Len(t, first.Hint, 112)
	require.Equal(t, [2]int64{id('x'), id('b')}, res.Waypoints[2].Ends)
	require.Equal(t, [2]int64{id('x'), id('x')}, res.Waypoints[2].Nodes)
	require.Len(t, ask('0', NearestRequest{NoHints: true}).Waypoints, 1)
	require.Empty(t, ask('0', NearestRequest{NoHints: true}).Waypoints[0].Hint)
	require.Nil(t, ask('0', NearestRequest{SkipWaypoints: true}).Waypoints)
	ruledOut := 0
	for _, bearing := range []int{0, 180} {
		if w := ask('c', NearestRequest{Bearing: &Bearing{bearing, 10}}).Waypoints[0]; w.Nodes[1] == 0 {
			ruledOut++
		}
	}
	require.Equal(t, 1, ruledOut, "0 stands for the stored direction where only the other is left")
	_, err := Nearest(t.Context(), m.Engine, NearestRequest{Coordinate: m.at('0'), Radius: 50})
	require.ErrorIs(t, err, ErrNoSegment)
}

func TestInfo(t *testing.T) {
	m := draw(t, stub)
	info := m.Info()
	require.Equal(t, "car", info.Profile)
	require.Equal(t, "routability", info.WeightName)
	require.Equal(t, "drawn", info.DataVersion)
	require.True(t, info.DataTime.IsZero())
	require.Equal(t, 4, info.Chains)
	require.Equal(t, 4, info.Segments)
	require.Positive(t, info.Edges)
	require.InDelta(t, 1, info.Bounds.Min[0], 1e-6)
	require.InDelta(t, 1, info.Bounds.Max[1], 1e-6)
	require.False(t, math.IsNaN(info.Bounds.Max[0]))
}

// TestDeadEndTwice: two coordinates at one end of a street are no journey
// apart, though the other end is a loop to turn in.
func TestDeadEndTwice(t *testing.T) {
	m := draw(t, testmap.Drawing{
		Map: `
			1     d
			     / \
			a-b-c   e
			     \ /
			2     f`,
		Ways: []testmap.Row{{"abc", ""}, {"cdefc", ""}},
	})
	for _, set := range []ContinueStraight{ContinueAlways, ContinueFreely} {
		r := m.route("121", func(r *RouteRequest) { r.ContinueStraight = set }).Routes[0]
		require.Zero(t, r.Legs[0].Distance)
		require.Zero(t, r.Legs[0].Duration)
		require.Zero(t, r.Weight)
	}
}

// TestLargeIDs: OSM ids are told exactly, however large.
func TestLargeIDs(t *testing.T) {
	const town = `<osm version="0.6">
		<node id="12345678901" version="1" lon="1" lat="1"/>
		<node id="999999999999" version="1" lon="1.001" lat="1"/>
		<way id="99999999999" version="1"><nd ref="12345678901"/><nd ref="999999999999"/><tag k="highway" v="primary"/></way>
	</osm>`
	e := build(t, BuildOptions{Input: "town.osm", Reader: strings.NewReader(town)}, Options{})
	res, err := Route(t.Context(), e, RouteRequest{
		Coordinates: []orb.Point{{1.0002, 1}, {1.0008, 1}}, Annotations: AnnotateNodes | AnnotateWays,
	})
	require.NoError(t, err)
	text := string(res.AppendJSON(nil))
	require.Contains(t, text, `"nodes":[12345678901,999999999999]`)
	require.Contains(t, text, `"ways":[99999999999]`)
	near, err := Nearest(t.Context(), e, NearestRequest{Coordinate: orb.Point{1.0002, 1}})
	require.NoError(t, err)
	require.Contains(t, string(near.AppendJSON(nil)), `"nodes":[999999999999,12345678901]`)
}
