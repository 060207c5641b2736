package guidance_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/routing"
)

// town is a drawn map made ready for queries.
type town struct {
	*routing.Engine
	drawing testmap.Drawing
}

// draw makes a drawn map ready for a profile, car unless named.
func draw(t testing.TB, d testmap.Drawing, profile string) *town {
	t.Helper()
	data, err := d.OSM()
	require.NoError(t, err)
	return &town{buildAndOpen(t, routing.BuildOptions{Input: "town.osm", Reader: bytes.NewReader(data), ProfileName: profile}), d}
}

// drawnCase says what the steps are between letters of a drawn map.
type drawnCase struct {
	name, path, want string
	profile          string
	drawing          testmap.Drawing
}

func runDrawn(t *testing.T, cases []drawnCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			leg := draw(t, c.drawing, c.profile).leg(t, c.path)
			check(t, leg)
			require.Equal(t, c.want, steps(leg))
		})
	}
}

// buildAndOpen builds a data set and opens it.
func buildAndOpen(t testing.TB, o routing.BuildOptions) *routing.Engine {
	t.Helper()
	o.Output, o.Algorithms = t.TempDir()+"/map", []routing.Algorithm{routing.CH}
	_, err := routing.Build(t.Context(), o)
	require.NoError(t, err)
	return open(t, o.Output, routing.CH)
}

func open(t testing.TB, name string, algorithm routing.Algorithm) *routing.Engine {
	t.Helper()
	e, err := routing.Open(name, routing.Options{Algorithm: algorithm})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// leg returns the only leg of the route between letters, near to which one
// starts and stops.
func (m *town) leg(t testing.TB, letters string) *routing.Leg {
	t.Helper()
	var line []orb.Point
	for _, l := range letters {
		lon, lat, ok := m.drawing.Position(l)
		require.True(t, ok, string(l))
		line = append(line, orb.Point{lon, lat})
	}
	res, err := routing.Route(t.Context(), m.Engine, routing.RouteRequest{Coordinates: line, Steps: true, Waypoints: []int{0, len(line) - 1}})
	require.NoError(t, err)
	leg := &res.Routes[0].Legs[0]
	if *pictures != "" {
		m.picture(t, letters, leg)
	}
	return leg
}

var pictures = flag.String("svg", "", "folder for a picture of each drawn map")

// picture writes a picture of a leg to the folder that the flag names.
func (m *town) picture(t testing.TB, letters string, leg *routing.Leg) {
	t.Helper()
	p := testmap.Picture{Title: t.Name() + ": " + letters, Drawing: m.drawing}
	for i := range leg.Steps {
		s := &leg.Steps[i]
		p.Line = append(p.Line, s.Geometry...)
		one := routing.Leg{Steps: leg.Steps[i : i+1]}
		p.Turns = append(p.Turns, testmap.PictureTurn{
			At: s.Maneuver.Location, Before: s.Maneuver.BearingBefore, After: s.Maneuver.BearingAfter,
			Depart: i == 0, Arrive: i == len(leg.Steps)-1, Text: strings.TrimSpace(steps(&one) + " " + lanes(&one)),
		})
	}
	svg, err := p.SVG()
	require.NoError(t, err)
	name := strings.NewReplacer("/", "_", ",", "").Replace(t.Name()) + "_" + letters + ".svg"
	require.NoError(t, os.MkdirAll(*pictures, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(*pictures, name), svg, 0o644))
}

// steps writes the steps of a leg as "type modifier exit: name (ref)".
func steps(leg *routing.Leg) string {
	var out []string
	for i := range leg.Steps {
		s := &leg.Steps[i]
		text := s.Maneuver.Type
		if s.Maneuver.Modifier != "" {
			text += " " + s.Maneuver.Modifier
		}
		if s.Maneuver.Exit > 0 {
			text += " " + strconv.Itoa(s.Maneuver.Exit)
		}
		text += ": " + s.Name
		if s.Ref != "" {
			text += " (" + s.Ref + ")"
		}
		if s.Exits != "" {
			text += " exit " + s.Exits
		}
		if s.Destinations != "" {
			text += " to " + s.Destinations
		}
		if s.RotaryName != "" {
			text += " over " + s.RotaryName
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// lanes writes the lanes at the intersections that have some, as
// "left!|straight|right", where ! marks those that serve the turn; the ones of a
// step, if it has some, after a comma.
func lanes(leg *routing.Leg) string {
	var steps []string
	for i := range leg.Steps {
		var at []string
		for _, x := range leg.Steps[i].Intersections {
			var list []string
			for _, l := range x.Lanes {
				text := strings.Join(l.Indications, ";")
				if l.Valid {
					text += "!"
				}
				list = append(list, text)
			}
			if list != nil {
				at = append(at, strings.Join(list, "|"))
			}
		}
		if at != nil {
			steps = append(steps, strings.Join(at, " > "))
		}
	}
	return strings.Join(steps, ", ")
}

const crossing = `
	    g
	    |
	    b
	    |
	a-d-e-f-c
	    |
	    h
	    |
	    i`

func TestDrawn(t *testing.T) {
	plain := []testmap.Row{{"adefc", "name=west"}, {"gbehi", "name=north"}}
	for _, c := range []struct {
		name, path, want string
		drawing          testmap.Drawing
	}{
		{
			"straight over a crossing", "ac", "depart: west; arrive: west",
			testmap.Drawing{Map: crossing, Ways: plain},
		},
		{
			"right turn", "ai", "depart: west; turn right: north; arrive: north",
			testmap.Drawing{Map: crossing, Ways: plain},
		},
		{
			"left turn", "ag", "depart: west; turn left: north; arrive: north",
			testmap.Drawing{Map: crossing, Ways: plain},
		},
		{
			"new name", "ac", "depart: mill; new name straight: dale; arrive: dale",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{{"ade", "name=mill"}, {"efc", "name=dale"}, {"gbehi", "name=north"}}},
		},
		{
			"suffix is no new name", "ac", "depart: Main Street West; arrive: Main Street East",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{{"ade", `name="Main Street West"`}, {"efc", `name="Main Street East"`}, {"gbehi", "name=north"}}},
		},
		{
			"ref goes on", "ac", "depart: west (7); arrive:  (7)",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{{"ade", "name=west ref=7"}, {"efc", "name= ref=7"}, {"gbehi", "name=north"}}},
		},
		{
			"the road itself turns", "ag", "depart: main; continue left: main; arrive: main",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{{"ade", "name=main"}, {"ebg", "name=main"}, {"efc", "name=side"}, {"ehi", "name=side"}}},
		},
		{
			"a bend without choice", "ac", "depart: main; arrive: main",
			testmap.Drawing{
				Map: `
					a-b
					  |
					  c`,
				Ways: []testmap.Row{{"abc", "name=main"}},
			},
		},
		{
			"driveways", "ac", "depart: main; arrive: main",
			testmap.Drawing{
				Map: `
					a-b-c
					  |
					  d`,
				Ways: []testmap.Row{{"abc", "name=main"}, {"bd", "name=in highway=service service=driveway"}},
			},
		},
		{
			"end of road after intersections", "ag",
			"depart: foot; end of road left: top; arrive: top",
			testmap.Drawing{
				Map: `
					        g
					        |
					        h
					  e     |
					a-b-c-d-f
					    i   |
					        j
					        |
					        k`,
				Ways: []testmap.Row{{"abcdf", "name=foot"}, {"be", "name=one"}, {"ci", "name=two"}, {"ghfjk", "name=top"}},
			},
		},
		{
			"end of road at once is a turn", "ag", "depart: foot; turn left: top; arrive: top",
			testmap.Drawing{
				Map: `
					    g
					    |
					a-b-f
					    |
					    k`,
				Ways: []testmap.Row{{"abf", "name=foot"}, {"gfk", "name=top"}},
			},
		},
		{
			"on ramp and merge", "af",
			"depart: road; on ramp slight left: ; merge slight left: A1; arrive: A1",
			testmap.Drawing{
				Map: `
					x       d-------e---------f


					a---b-----c`,
				Ways: []testmap.Row{
					{"xdef", "name=A1 highway=motorway oneway=yes"},
					{"ab", "name=road"},
					{"bc", "name=road"},
					{"be", "name= highway=motorway_link oneway=yes"},
				},
			},
		},
		{
			"off ramp", "ac", "depart: A1; off ramp slight right: ; arrive: ",
			testmap.Drawing{
				Map: `
					a-----b--------------d

					                 c`,
				Ways: []testmap.Row{{"abd", "name=A1 highway=motorway oneway=yes"}, {"bc", "name= highway=motorway_link oneway=yes"}},
			},
		},
		{
			"fork", "ac", "depart: one; fork slight left: two; arrive: two",
			testmap.Drawing{
				Map: `
					            c
					a----b
					            d`,
				Ways: []testmap.Row{{"ab", "name=one"}, {"bc", "name=two"}, {"bd", "name=three"}},
			},
		},
		{
			"ferry", "ad", "depart: quay; notification straight: line; notification straight: pier; arrive: pier",
			testmap.Drawing{
				Map:  `a-b---c-d`,
				Ways: []testmap.Row{{"ab", "name=quay"}, {"bc", "name=line route=ferry highway="}, {"cd", "name=pier"}},
			},
		},
		{
			"roundabout", "ac",
			"depart: west; roundabout right 2: east; exit roundabout right 2: east; arrive: east",
			testmap.Drawing{
				Map: `
					      n
					      |
					      e
					    /   \
					a--f     h--c
					    \   /
					      g
					      |
					      s`,
				Cell: 80,
				Ways: []testmap.Row{
					{"efghe", "name= junction=roundabout"},
					{"af", "name=west"},
					{"hc", "name=east"},
					{"gs", "name=south"},
					{"en", "name=north"},
				},
			},
		},
		{
			"rotary", "an",
			"depart: west; rotary right 3: north over Ring; exit rotary slight right 3: north; arrive: north",
			testmap.Drawing{
				Map: `
					      n
					      |
					      e
					    /   \
					a--f     h--c
					    \   /
					      g
					      |
					      s`,
				Ways: []testmap.Row{
					{"efghe", "name=Ring junction=roundabout"},
					{"af", "name=west"},
					{"hc", "name=east"},
					{"gs", "name=south"},
					{"en", "name=north"},
				},
			},
		},
		{
			"tiny roundabout", "ac", "depart: west; roundabout turn straight 2: east; arrive: east",
			testmap.Drawing{
				Map: `
					      n
					      |
					      e
					    /   \
					a--f     h--c
					    \   /
					      g
					      |
					      s`,
				Cell: 3,
				Ways: []testmap.Row{
					{"efghe", "name= junction=roundabout"},
					{"af", "name=west"},
					{"hc", "name=east"},
					{"gs", "name=south"},
					{"en", "name=north"},
				},
			},
		},
		{
			"left-hand roundabout", "as",
			"depart: west; roundabout left 3: south; exit roundabout slight left 3: south; arrive: south",
			testmap.Drawing{
				Map: `
					      n
					      |
					      e
					    /   \
					a--f     h--c
					    \   /
					      g
					      |
					      s`,
				Cell: 80,
				Ways: []testmap.Row{
					{"ehgfe", "name= junction=roundabout driving_side=left"},
					{"af", "name=west driving_side=left"},
					{"hc", "name=east"},
					{"gs", "name=south"},
					{"en", "name=north"},
				},
			},
		},
		{
			"sliproad", "ak", "depart: main; turn right: cross; arrive: cross",
			testmap.Drawing{
				Map: `
					        n
					        |
					a---b---c----d
					     \  |
					       \e
					        |
					        k`,
				Cell: 30,
				Ways: []testmap.Row{
					{"abc", "name=main"},
					{"cd", "name=main"},
					{"nc", "name=cross"},
					{"cek", "name=cross"},
					{"be", "name= highway=primary_link oneway=yes"},
				},
				Nodes: []testmap.Row{{"c", "highway=traffic_signals"}},
			},
		},
		{
			"crossing of split roads", "an", "depart: main; turn left: cross; arrive: cross",
			testmap.Drawing{
				Map: `
					      m n
					      | |
					      | |
					r-----e-f-----d
					a-----b-c-----g
					      | |
					      | |
					      o p`,
				Cell: 15,
				Ways: []testmap.Row{
					{"abcg", "name=main oneway=yes"},
					{"dfer", "name=main oneway=yes"},
					{"pcfn", "name=cross oneway=yes"},
					{"mebo", "name=cross oneway=yes"},
				},
			},
		},
		{
			"U-turn over a crossing of split roads", "ar", "depart: main; continue uturn: main; arrive: main",
			testmap.Drawing{
				Map: `
					      m n
					      | |
					      | |
					r-----e-f-----d
					a-----b-c-----g
					      | |
					      | |
					      o p`,
				Cell: 15,
				Ways: []testmap.Row{
					{"abcg", "name=main oneway=yes"},
					{"dfer", "name=main oneway=yes"},
					{"pcfn", "name=cross oneway=yes"},
					{"mebo", "name=cross oneway=yes"},
				},
			},
		},
		{
			"staggered crossing", "ad", "depart: one; arrive: one",
			testmap.Drawing{
				Map: `
					          c-----------d
					          |
					a---------b
					          |
					          x`,
				Cell: 1.2,
				Ways: []testmap.Row{{"ab", "name=one"}, {"cd", "name=one"}, {"xbc", "name=cross"}},
			},
		},
		{
			"a name for a moment", "ad", "depart: mill; arrive: mill",
			testmap.Drawing{
				Map: `
					  x y
					  | |
					a-b-c-d`,
				Cell: 90,
				Ways: []testmap.Row{{"ab", "name=mill"}, {"bc", "name=dale"}, {"cd", "name=mill"}, {"bx", "name=x"}, {"cy", "name=y"}},
			},
		},
		{
			"a name that passes", "ad", "depart: mill; new name straight: vale; arrive: vale",
			testmap.Drawing{
				Map: `
					  x y
					  | |
					a-b-c---d`,
				Cell: 90,
				Ways: []testmap.Row{{"ab", "name=mill"}, {"bc", "name=dale"}, {"cd", "name=vale"}, {"bx", "name=x"}, {"cy", "name=y"}},
			},
		},
		{
			"motorway forks", "ac", "depart:  (1); fork slight left:  (2); arrive:  (2)",
			testmap.Drawing{
				Map: `
					                c
					a-----b
					                d`,
				Ways: []testmap.Row{{"ab", "ref=1 name= highway=motorway oneway=yes"}, {"bc", "ref=2 name= highway=motorway oneway=yes"}, {"bd", "ref=3 name= highway=motorway oneway=yes"}},
			},
		},
		{
			"signs", "ac", "depart: A1; off ramp slight right:  exit 7 to Mill, Dale; arrive:  exit 7 to Mill, Dale",
			testmap.Drawing{
				Map: `
					a-----b--------------d

					                 c`,
				Ways: []testmap.Row{{"abd", "name=A1 highway=motorway oneway=yes"}, {"bc", `name= highway=motorway_link oneway=yes destination="Mill;Dale" junction:ref=7`}},
			},
		},
		{
			"the map tells a maneuver", "ai", "depart: west; fork sharp right: north; arrive: north",
			testmap.Drawing{
				Map: crossing, Ways: []testmap.Row{{"ade", "name=west"}, {"efc", "name=west"}, {"gbe", "name=north"}, {"ehi", "name=north"}},
				Relations: []testmap.Row{{"from=ade via=e to=ehi", "type=maneuver maneuver=fork direction=sharp_right"}},
			},
		},
		{
			"on this path alone", "ag", "depart: west; turn left: north; arrive: north",
			testmap.Drawing{
				Map: crossing, Ways: []testmap.Row{{"ade", "name=west"}, {"efc", "name=west"}, {"gbe", "name=north"}, {"ehi", "name=north"}},
				Relations: []testmap.Row{{"from=ade via=e to=ehi", "type=maneuver maneuver=suppress"}},
			},
		},
		{
			"a maneuver to keep silent about", "ai", "depart: west; arrive: north",
			testmap.Drawing{
				Map: crossing, Ways: []testmap.Row{{"ade", "name=west"}, {"efc", "name=west"}, {"gbe", "name=north"}, {"ehi", "name=north"}},
				Relations: []testmap.Row{{"from=ade via=e to=ehi", "type=manoeuvre manoeuvre=suppress"}},
			},
		},
		{
			"a maneuver over several ways", "ad", "depart: one; turn sharp left: three; arrive: three",
			testmap.Drawing{
				Map: `
					            d
					            |
					a-----b-----c
					      |     |
					      x     y`,
				Ways:      []testmap.Row{{"ab", "name=one"}, {"bc", "name=one"}, {"cd", "name=three"}, {"bx", "name=x"}, {"cy", "name=y"}},
				Relations: []testmap.Row{{"from=ab via=bc via=c to=cd", "type=maneuver maneuver=turn direction=sharp_left"}},
			},
		},
		{
			"a road without turns", "ab", "depart: only; arrive: only",
			testmap.Drawing{Map: `a-c-b`, Ways: []testmap.Row{{"acb", "name=only oneway=yes"}}},
		},
		{
			"U-turn at a dead end", "aba", "depart: street; continue uturn: street; arrive: street",
			testmap.Drawing{
				Map:  `a-c-b`,
				Ways: []testmap.Row{{"acb", "name=street"}},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			leg := draw(t, c.drawing, "").leg(t, c.path)
			check(t, leg)
			require.Equal(t, c.want, steps(leg))
		})
	}
}

func place(p orb.Point) geo.Coord { return geo.FromLonLat(p[0], p[1]) }

// check holds a leg to what is true of every one.
func check(t testing.TB, leg *routing.Leg) {
	t.Helper()
	n := len(leg.Steps)
	require.GreaterOrEqual(t, n, 2)
	require.Equal(t, "depart", leg.Steps[0].Maneuver.Type)
	require.Equal(t, "arrive", leg.Steps[n-1].Maneuver.Type)
	var distance, duration, weight float64
	for i := range leg.Steps {
		s := &leg.Steps[i]
		distance += s.Distance
		duration += s.Duration
		weight += s.Weight
		require.GreaterOrEqual(t, len(s.Geometry), 2)
		if end := i == 0 || i == n-1; end {
			// Less than a meter of line may have been trimmed.
			require.LessOrEqual(t, geo.Distance(place(s.Geometry[0]), place(s.Maneuver.Location)), 1.1, "step %d", i)
		} else {
			require.Equal(t, s.Geometry[0], s.Maneuver.Location, "step %d", i)
		}
		if i > 0 {
			before := leg.Steps[i-1].Geometry
			require.Equal(t, before[len(before)-1], s.Geometry[0], "step %d", i)
			require.Equal(t, i == n-1, s.Maneuver.Type == "arrive")
			require.NotEqual(t, "depart", s.Maneuver.Type)
		}
		require.NotEqual(t, "invalid", s.Maneuver.Type, "step %d", i)
		require.NotEmpty(t, s.Intersections)
		require.Equal(t, s.Maneuver.Location, s.Intersections[0].Location)
		for _, b := range []int{s.Maneuver.BearingBefore, s.Maneuver.BearingAfter} {
			require.True(t, b >= 0 && b < 360, "bearing %d", b)
		}
		for k, x := range s.Intersections {
			require.Len(t, x.Entry, len(x.Bearings))
			require.Less(t, x.In, len(x.Bearings))
			require.Less(t, x.Out, len(x.Bearings))
			require.Equal(t, i == 0 && k == 0, x.In < 0)
			require.Equal(t, i == n-1, x.Out < 0)
			valid := 0
			for _, l := range x.Lanes {
				require.NotEmpty(t, l.Indications)
				if l.Valid {
					valid++
				}
			}
			require.Equal(t, len(x.Lanes) > 0, valid > 0)
		}
	}
	require.InDelta(t, leg.Duration, duration, 0.05)
	require.InDelta(t, leg.Weight, weight, 0.05)
	if leg.Duration > 0 { // else rounding may hide that the target lies behind
		require.InDelta(t, leg.Distance, distance, 0.1+0.06*float64(n))
	}
}

// laneSliproad has lanes on the road up to a sliproad, and on both from there.
var laneSliproad = testmap.Drawing{
	Map: `
		        n
		        |
		a---b---c----d
		     \  |
		       \e
		        |
		        k`,
	Cell: 12,
	Ways: []testmap.Row{
		{"ab", "name=main oneway=yes turn:lanes=left|through|right"},
		{"bc", "name=main oneway=yes turn:lanes=left|through"},
		{"be", "name=main oneway=yes turn:lanes=right"},
		{"cd", "name=main oneway=yes"},
		{"nc", "name=cross highway=secondary"},
		{"ce", "name=cross highway=secondary"},
		{"ek", "name=cross highway=secondary"},
	},
	Relations: []testmap.Row{
		{"from=bc via=c to=ce", "type=restriction restriction=no_right_turn"},
		{"from=be via=e to=ce", "type=restriction restriction=no_left_turn"},
	},
}

const twoCrossings = `
	    e   h
	    |   |
	a---b---c---d
	    |   |
	    f   g`

var twoCrossingsLanes = []testmap.Row{
	{"ab", "name=mill turn:lanes:forward=left|through|through|right"},
	{"bc", "name=mill turn:lanes:forward=left|through;right"},
	{"cd", "name=mill"},
	{"ebf", "name=one"},
	{"hcg", "name=two"},
}

func TestLanes(t *testing.T) {
	for _, c := range []struct {
		name, path, want string
		drawing          testmap.Drawing
	}{
		{
			"one lane for each turn", "ai", "left|straight|right!",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{
				{"ade", "name=mill turn:lanes:forward=left|through|right"}, {"efc", "name=mill"}, {"gbehi", "name=cross"},
			}},
		},
		{
			"lanes shared by turns", "ag", "left!|straight;left!|right",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{
				{"ade", `name=mill turn:lanes:forward=left|left;through|right`}, {"efc", "name=mill"}, {"gbehi", "name=cross"},
			}},
		},
		{
			"lanes without indication", "ai", "left|none|none!",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{
				{"ade", `name=mill turn:lanes:forward=left||`}, {"efc", "name=mill"}, {"gbehi", "name=cross"},
			}},
		},
		{
			"lanes that fit no turn", "ai", "",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{
				{"ade", `name=mill turn:lanes:forward=left|left|left`}, {"efc", "name=mill"}, {"gbehi", "name=cross"},
			}},
		},
		{
			"lane for the turn after the next", "ah", "left|straight!|straight;right, left!|straight|right",
			testmap.Drawing{
				Map: `
					    e   h
					    |   |
					    |   |
					a---b---c---d
					    |   |
					    |   |
					    f   g`,
				Cell: 40,
				Ways: []testmap.Row{
					{"ab", "name=mill turn:lanes:forward=left|through|through;right"},
					{"bc", "name=mill turn:lanes:forward=left|through|right"},
					{"cd", "name=mill"},
					{"ebf", "name=one"},
					{"hcg", "name=two"},
				},
			},
		},
		{
			"lanes before a crossing of split roads", "an", "left!|straight;right! > left!|straight;right",
			testmap.Drawing{
				Map: `
					      m n
					      | |
					      | |
					a-----b-c-----g
					      | |
					      | |
					      o p`,
				Cell: 15,
				Ways: []testmap.Row{
					{"ab", "name=main turn:lanes:forward=left|through;right"},
					{"bcg", "name=main"},
					{"pcn", "name=cross oneway=yes"},
					{"mbo", "name=cross oneway=yes"},
				},
			},
		},
		{
			"a lane to turn round", "ada", "uturn!|left|straight|right",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{{"ade", "name=mill turn:lanes:forward=reverse|left|through|right"}, {"efc", "name=mill"}, {"gbehi", "name=cross"}}},
		},
		{
			"past a lane to turn round", "ac", "uturn|left|straight!|right",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{{"ade", "name=mill turn:lanes:forward=reverse|left|through|right"}, {"efc", "name=mill"}, {"gbehi", "name=cross"}}},
		},
		{
			"left and round on one lane", "ag", "left;uturn!|straight;right",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{{"ade", "name=mill turn:lanes:forward=reverse;left|through;right"}, {"efc", "name=mill"}, {"gbehi", "name=cross"}}},
		},
		{
			"round into the other carriageway", "ad", "uturn!|straight|straight",
			testmap.Drawing{
				Map: `
					d-------.
					a-------b---c`,
				Cell: 30,
				Ways: []testmap.Row{{"ab", "name=main oneway=yes turn:lanes=reverse|through|through"}, {"bc", "name=main"}, {"bd", "name=main oneway=yes"}},
			},
		},
		{
			"lanes that merge", "ac", "",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{{"ade", "name=mill turn:lanes:forward=through|merge_to_left"}, {"efc", "name=mill"}, {"gbehi", "name=cross"}}},
		},
		{
			"lanes of the way back", "ca", "left|straight;right!",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{{"ade", "name=mill"}, {"efc", "name=mill turn:lanes:backward=left|through;right"}, {"gbehi", "name=cross"}}},
		},
		{
			"lanes of a fork", "ab", "slight left!|slight left;slight right!|slight right",
			testmap.Drawing{
				Map: `
					                b
					a-----x
					                c`,
				Ways: []testmap.Row{
					{"ax", "ref=1 name= highway=motorway turn:lanes=slight_left|slight_left;slight_right|slight_right"},
					{"xb", "ref=2 name= highway=motorway"},
					{"xc", "ref=3 name= highway=motorway"},
				},
			},
		},
		{
			"lanes past an exit", "ad", "none!|none!|slight right",
			testmap.Drawing{
				Map: `
					a-----b--------------d

					                 c`,
				Ways: []testmap.Row{
					{"ab", "name=A1 highway=motorway turn:lanes=none|none|slight_right"},
					{"bd", "name=A1 highway=motorway"},
					{"bc", "name= highway=motorway_link oneway=yes"},
				},
			},
		},
		{
			"lanes at the end of a road", "ag", "left!|left;right!|right",
			testmap.Drawing{
				Map: `
					    g
					    |
					a---e
					    |
					    i`,
				Ways: []testmap.Row{{"ae", "name=mill turn:lanes:forward=left|left;right|right"}, {"gei", "name=cross"}},
			},
		},
		{
			"lanes of a sliproad stand beside those of the road", "an", "left!|straight|right, left!|straight|right",
			laneSliproad,
		},
		{
			"lanes before a signal", "ai", "left|straight|right!",
			testmap.Drawing{
				Map: `
					      g
					      |
					a--s--e---c
					      |
					      i`,
				Nodes: []testmap.Row{{"s", "highway=traffic_signals"}},
				Ways:  []testmap.Row{{"ase", "name=mill turn:lanes:forward=left|through|right"}, {"ec", "name=mill"}, {"gei", "name=cross"}},
			},
		},
		{
			"lanes closed to cars do not count", "ai", "left|straight|right!",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{
				{"ade", "name=mill turn:lanes:forward=left|through|through|right vehicle:lanes:forward=yes|no|yes|yes"}, {"efc", "name=mill"}, {"gbehi", "name=cross"},
			}},
		},
		{
			"the right one of two lanes before a turn to the right", "ag", "left|straight|straight!|right, left|straight;right!",
			testmap.Drawing{Map: twoCrossings, Cell: 30, Ways: twoCrossingsLanes},
		},
		{
			"the left one before a turn to the left", "ah", "left|straight!|straight|right, left!|straight;right",
			testmap.Drawing{Map: twoCrossings, Cell: 30, Ways: twoCrossingsLanes},
		},
		{
			"straight over both", "ad", "left|straight|straight!|right > left|straight;right!",
			testmap.Drawing{Map: twoCrossings, Cell: 30, Ways: twoCrossingsLanes},
		},
		{
			"no lanes into a roundabout", "ac", "",
			testmap.Drawing{Map: ring, Ways: []testmap.Row{
				{"efg1he", "junction=roundabout name="}, {"af", "name=a turn:lanes:forward=left|through|right"}, {"hc", "name=c"}, {"gs", "name=s"}, {"en", "name=n"},
			}},
		},
		{
			"lanes in left-hand traffic", "ag", "left!|straight|straight;right",
			testmap.Drawing{Map: crossing, Ways: []testmap.Row{
				{"ade", "name=mill driving_side=left turn:lanes:forward=left|through|through;right"}, {"efc", "name=mill driving_side=left"}, {"gbehi", "name=cross driving_side=left"},
			}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			leg := draw(t, c.drawing, "").leg(t, c.path)
			check(t, leg)
			require.Equal(t, c.want, lanes(leg), steps(leg))
		})
	}
}
