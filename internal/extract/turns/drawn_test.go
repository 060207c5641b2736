package turns_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/testmap"
)

var typeNames = map[graph.TurnType]string{
	graph.TurnNone: "none", graph.TurnInvalid: "invalid", graph.TurnSuppressed: "suppressed",
	graph.StayOnRoundabout: "stay", graph.TurnSliproad: "sliproad", graph.TurnNewName: "new name",
	graph.TurnContinue: "continue", graph.TurnPlain: "turn", graph.TurnMerge: "merge",
	graph.TurnOnRamp: "on ramp", graph.TurnOffRamp: "off ramp", graph.TurnFork: "fork",
	graph.TurnEndOfRoad: "end of road", graph.TurnNotification: "notification",
	graph.EnterRoundabout: "enter", graph.EnterRoundaboutAtExit: "enter at exit",
	graph.EnterRotary: "enter rotary", graph.EnterRotaryAtExit: "enter rotary at exit",
	graph.EnterRoundaboutTurn: "enter tiny", graph.EnterRoundaboutTurnAtExit: "enter tiny at exit",
	graph.TouchRoundabout: "touch", graph.TouchRotary: "touch rotary", graph.TouchRoundaboutTurn: "touch tiny",
	graph.ExitRoundabout: "exit", graph.ExitRotary: "exit rotary", graph.ExitRoundaboutTurn: "exit tiny",
}

// edge returns the search edge of a turn named by three letters.
func edge(t testing.TB, m *extracttest.Map, turn string) graph.EdgeID {
	t.Helper()
	n := m.Network
	from, to := m.Node(turn[:2]), m.Node(turn[1:])
	require.NotEqual(t, graph.InvalidNode, from, turn)
	require.NotEqual(t, graph.InvalidNode, to, turn)
	for e := n.EdgeFirst[from]; e < n.EdgeFirst[from+1]; e++ {
		if n.NodeArm[n.EdgeHead[e]] == n.NodeArm[to] {
			return e
		}
	}
	require.Fail(t, "no such turn", turn)
	return 0
}

func instruction(t testing.TB, m *extracttest.Map, turn string) string {
	i := m.Network.Guidance.Instruction(edge(t, m, turn))
	return strings.TrimSpace(typeNames[i.Type()] + " " + i.Modifier().String())
}

const star = `
	    c
	    |
	    |
	a---x---d
	    |
	    |
	    e`

const ring = `
	      n
	      |
	      e
	    /   \
	a--f     h--c
	    \   /
	      g
	      |
	      s`

const three = `
	            b
	a---x-------c
	            d`

const slim = `
	                b
	a---x
	                c

	                d`

// passing is a motorway from d to b that a ramp from a meets.
var passing = []testmap.Row{
	{"ax", "highway=motorway_link oneway=yes name="},
	{"dx", "highway=motorway name= ref=1"},
	{"xb", "highway=motorway name= ref=1"},
	{"xc", "highway=motorway_link oneway=yes name="},
}

func TestTurnTypes(t *testing.T) {
	round := func(tags string) []testmap.Row {
		return []testmap.Row{{"efghe", tags}, {"af", "name=a"}, {"hc", "name=c"}, {"gs", "name=s"}, {"en", "name=n"}}
	}
	for _, c := range []struct {
		name    string
		drawing testmap.Drawing
		want    map[string]string
	}{
		{
			"crossing",
			testmap.Drawing{Map: star, Ways: []testmap.Row{{"axd", "name=one"}, {"cxe", "name=two"}}},
			map[string]string{"axd": "suppressed straight", "axc": "turn left", "axe": "turn right"},
		},
		{
			"higher rank turns",
			testmap.Drawing{Map: star, Ways: []testmap.Row{
				{"ax", "highway=primary name=one"},
				{"xc", "highway=primary name=one"},
				{"xd", "highway=residential name=two"},
				{"ex", "highway=residential name=three"},
			}},
			map[string]string{"axc": "continue left", "axd": "new name straight", "axe": "turn right", "dxe": "turn left"},
		},
		{
			"name changes",
			testmap.Drawing{Map: star, Ways: []testmap.Row{{"ax", "name=mill"}, {"xd", "name=dale"}, {"cxe", "name=two"}}},
			map[string]string{"axd": "new name straight", "dxa": "new name straight"},
		},
		{
			"mode changes",
			testmap.Drawing{Map: star, Ways: []testmap.Row{{"ax", "name=mill"}, {"xd", "name=line route=ferry highway="}}},
			map[string]string{"axd": "notification straight", "dxa": "notification straight"},
		},
		{
			"ferries cross",
			testmap.Drawing{Map: star, Ways: []testmap.Row{
				{"axd", "name=line route=ferry highway="}, {"cxe", "name=way route=ferry highway="},
			}},
			map[string]string{"axd": "none uturn", "axc": "none uturn"},
		},
		{
			"driveways",
			testmap.Drawing{Map: star, Ways: []testmap.Row{{"ax", "name=one"}, {"xc", "name=two"}, {"dxe", "highway=service service=driveway name="}}},
			map[string]string{"axc": "new name left", "cxa": "new name right"},
		},
		{
			"T",
			testmap.Drawing{Map: star, Ways: []testmap.Row{{"ax", "name=one"}, {"cxe", "name=two"}}},
			map[string]string{"axc": "end of road left", "axe": "end of road right", "cxe": "suppressed straight", "cxa": "turn right"},
		},
		{
			"fork",
			testmap.Drawing{
				Map: `
					        b
					a---x
					        c`,
				Ways: []testmap.Row{{"ax", "name=one"}, {"xb", "name=two"}, {"xc", "name=three"}},
			},
			map[string]string{"axb": "fork slight left", "axc": "fork slight right", "bxa": "new name slight right"},
		},
		{
			"fork with a lesser road",
			testmap.Drawing{
				Map: `
					        b
					a---x
					        c`,
				Ways: []testmap.Row{{"ax", "name=one"}, {"xb", "name=two"}, {"xc", "name=three highway=service"}},
			},
			map[string]string{"axb": "new name slight left", "axc": "turn slight right"},
		},
		{
			"off ramp",
			testmap.Drawing{
				Map: `
					a---x------b

					        c`,
				Ways: []testmap.Row{{"axb", "name=A1 highway=motorway oneway=yes"}, {"xc", "name= highway=motorway_link oneway=yes"}},
			},
			map[string]string{"axb": "suppressed straight", "axc": "off ramp right"},
		},
		{
			"merge",
			testmap.Drawing{
				Map: `
					a------x------b

					c`,
				Ways: []testmap.Row{{"axb", "name=A1 highway=motorway oneway=yes"}, {"cx", "name= highway=motorway_link oneway=yes"}},
			},
			map[string]string{"axb": "suppressed straight", "cxb": "merge slight left"},
		},
		{
			"on ramp",
			testmap.Drawing{
				Map: `
					a------x------b

					             c`,
				Ways: []testmap.Row{{"axb", "name=road"}, {"xc", "name= highway=motorway_link oneway=yes"}},
			},
			map[string]string{"axb": "suppressed straight", "axc": "on ramp slight right"},
		},
		{
			"motorways fork",
			testmap.Drawing{
				Map: `
					        b
					a---x
					        c`,
				Ways: []testmap.Row{
					{"ax", "name= ref=1 highway=motorway oneway=yes"},
					{"xb", "name= ref=2 highway=motorway oneway=yes"},
					{"xc", "name= ref=3 highway=motorway oneway=yes"},
				},
			},
			map[string]string{"axb": "fork slight left", "axc": "fork slight right"},
		},
		{
			"roundabout",
			testmap.Drawing{Map: ring, Ways: round("junction=roundabout name=")},
			map[string]string{
				"afg": "enter right", "fgh": "stay left", "ghc": "exit right", "ghe": "stay left",
			},
		},
		{
			"rotary",
			testmap.Drawing{Map: ring, Ways: round("junction=roundabout name=Ring")},
			map[string]string{"afg": "enter rotary right", "ghc": "exit rotary right"},
		},
		{
			"tiny roundabout",
			testmap.Drawing{Map: ring, Cell: 3, Ways: round("junction=roundabout name=")},
			map[string]string{"afg": "enter tiny right", "ghc": "exit tiny right"},
		},
		{
			"motorway parts in three",
			testmap.Drawing{Map: three, Ways: []testmap.Row{
				{"ax", "highway=motorway name= ref=1"},
				{"xb", "highway=motorway name= ref=2"},
				{"xc", "highway=motorway name= ref=3"},
				{"xd", "highway=motorway name= ref=4"},
			}},
			map[string]string{"axb": "fork slight left", "axc": "fork straight", "axd": "fork slight right"},
		},
		{
			"motorway ends in three roads",
			testmap.Drawing{Map: three, Ways: []testmap.Row{
				{"ax", "highway=motorway name= ref=1"},
				{"xb", "highway=trunk name= ref=2 oneway=yes"},
				{"xc", "highway=trunk name= ref=3 oneway=yes"},
				{"xd", "highway=trunk name= ref=4 oneway=yes"},
			}},
			map[string]string{"axb": "fork slight left", "axc": "fork straight", "axd": "fork slight right"},
		},
		{
			"motorway ends, to the right alone",
			testmap.Drawing{Map: three, Ways: []testmap.Row{
				{"ax", "highway=motorway name= ref=1"}, {"bx", "highway=trunk name= oneway=yes"}, {"xd", "highway=trunk name= ref=3 oneway=yes"},
			}},
			map[string]string{"axd": "turn slight right"},
		},
		{
			"fork of three",
			testmap.Drawing{Map: slim, Ways: []testmap.Row{{"ax", "name=in"}, {"xb", "name=l"}, {"xc", "name=c"}, {"xd", "name=r"}}},
			map[string]string{"axb": "fork slight left", "axc": "fork straight", "axd": "fork slight right"},
		},
		{
			"what looks like a fork, straight on",
			testmap.Drawing{Map: three, Ways: []testmap.Row{{"axc", "name=in"}, {"xb", "name=l"}, {"xd", "name=r"}}},
			map[string]string{"axb": "turn straight", "axc": "suppressed straight", "axd": "turn straight"},
		},
		{
			"ramp parts",
			testmap.Drawing{Map: three, Ways: []testmap.Row{
				{"ax", "highway=motorway_link oneway=yes name="},
				{"xb", "highway=motorway_link oneway=yes name="},
				{"xd", "highway=motorway_link oneway=yes name="},
			}},
			map[string]string{"axb": "fork slight left", "axd": "fork slight right"},
		},
		{
			"ramp becomes a motorway to the right",
			testmap.Drawing{Map: three, Ways: []testmap.Row{
				{"ax", "highway=motorway_link oneway=yes name="}, {"xb", "highway=motorway_link oneway=yes name="}, {"xd", "highway=motorway name= ref=1"},
			}},
			map[string]string{"axb": "continue slight left", "axd": "turn slight right"},
		},
		{
			"ramp crosses into a motorway from its right",
			testmap.Drawing{
				Map: `
					        b
					a---x---c
					    |
					    d`,
				Ways: passing,
			},
			map[string]string{"axb": "merge slight right", "axc": "off ramp straight"},
		},
		{
			"ramp crosses into a motorway from its left",
			testmap.Drawing{
				Map: `
					    d
					    |
					a---x---c
					        b`,
				Ways: passing,
			},
			map[string]string{"axb": "merge slight left", "axc": "off ramp straight"},
		},
		{
			"merge from the left",
			testmap.Drawing{
				Map: `
					c

					a------x------b`,
				Ways: []testmap.Row{{"axb", "name=Pike highway=motorway"}, {"cx", "name= highway=motorway_link oneway=yes"}},
			},
			map[string]string{"cxb": "merge slight right"},
		},
		{
			"merge where the name changes",
			testmap.Drawing{
				Map: `
					a------x------b

					c`,
				Ways: []testmap.Row{{"ax", "name=Pike highway=motorway"}, {"xb", "name=Way highway=motorway"}, {"cx", "name= highway=motorway_link oneway=yes"}},
			},
			map[string]string{"cxb": "new name slight right", "axb": "new name straight"},
		},
		{
			"ramp into ramp",
			testmap.Drawing{
				Map: `
					a------x------b

					c`,
				Ways: []testmap.Row{{"axb", "name= ref=A highway=motorway_link oneway=yes"}, {"cx", "name= ref=B highway=motorway_link oneway=yes"}},
			},
			map[string]string{"cxb": "suppressed slight right", "axb": "suppressed straight"},
		},
		{
			"dead end",
			testmap.Drawing{Map: "a--x", Ways: []testmap.Row{{"ax", "name=one"}}},
			map[string]string{"axa": "continue uturn"},
		},
		{
			"roundabout with one road",
			testmap.Drawing{Map: ring, Ways: []testmap.Row{{"efghe", "junction=roundabout name="}, {"af", "name=a"}}},
			map[string]string{"afg": "enter tiny right", "fgh": "none uturn", "efa": "exit tiny right"},
		},
		{
			"roundabout with two roads",
			testmap.Drawing{Map: ring, Ways: []testmap.Row{{"efghe", "junction=roundabout name="}, {"af", "name=a"}, {"hc", "name=c"}}},
			map[string]string{"afg": "enter right", "fgh": "none uturn", "ghc": "exit right", "ghe": "stay left"},
		},
		{
			"circular road without a name",
			testmap.Drawing{Map: ring, Ways: round("junction=circular oneway=yes name=")},
			map[string]string{"afg": "end of road right", "fgh": "turn left", "ghc": "end of road right", "fgs": "turn slight right"},
		},
		{
			"half roundabout, half circular",
			testmap.Drawing{Map: ring, Ways: []testmap.Row{
				{"efg", "junction=circular oneway=yes name="},
				{"ghe", "junction=roundabout name="},
				{"af", "name=a"},
				{"hc", "name=c"},
				{"gs", "name=s"},
				{"en", "name=n"},
			}},
			map[string]string{"afg": "end of road right", "ghc": "end of road right"},
		},
		{
			"left-hand roundabout",
			testmap.Drawing{Map: ring, Ways: []testmap.Row{
				{"ehgfe", "junction=roundabout name= driving_side=left"},
				{"af", "name=a driving_side=left"},
				{"hc", "name=c driving_side=left"},
				{"gs", "name=s driving_side=left"},
				{"en", "name=n driving_side=left"},
			}},
			map[string]string{"afe": "enter left", "feh": "stay right", "ehc": "exit left", "ehg": "stay right"},
		},
		{
			"driveway off a roundabout",
			testmap.Drawing{Map: ring, Ways: []testmap.Row{
				{"efghe", "junction=roundabout name="}, {"af", "name=a"}, {"hc", "name=c"}, {"gs", "highway=service service=driveway name="}, {"en", "name=n"},
			}},
			map[string]string{"fgh": "suppressed left", "fgs": "exit slight right"},
		},
		{
			"roads that touch a roundabout at one place",
			testmap.Drawing{
				Map: `
					      n
					      |
					      e
					    /   \
					a--f     h--c
					   |\   /
					   b  g
					      |
					      s`,
				Ways: append(round("junction=roundabout name="), testmap.Row{"bf", "name=b"}),
			},
			map[string]string{"afg": "enter at exit right", "afb": "touch right", "bfg": "enter sharp right"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := extracttest.Car(t, c.drawing)
			require.NoError(t, m.Network.Check())
			for turn, want := range c.want {
				require.Equal(t, want, instruction(t, m, turn), turn)
			}
		})
	}
}

func TestSliproad(t *testing.T) {
	d := testmap.Drawing{
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
	}
	require.Equal(t, "sliproad right", instruction(t, extracttest.Car(t, d), "abe"))
	d.Ways[0], d.Ways[1] = testmap.Row{"ab", "name=main"}, testmap.Row{"bcd", "name=other"}
	require.NotContains(t, instruction(t, extracttest.Car(t, d), "abe"), "sliproad", "the main road must go on")
	d.Cell = 300
	d.Ways[0], d.Ways[1] = testmap.Row{"abc", "name=main"}, testmap.Row{"cd", "name=main"}
	require.NotContains(t, instruction(t, extracttest.Car(t, d), "abe"), "sliproad", "too large")
}

func TestSegregated(t *testing.T) {
	d := testmap.Drawing{
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
			{"ab", "name=main"},
			{"bc", "name=main"},
			{"cg", "name=main"},
			{"pcn", "name=cross oneway=yes"},
			{"mbo", "name=cross oneway=yes"},
		},
	}
	segregated := func(road string) bool {
		m := extracttest.Car(t, d)
		return m.Network.Guidance.Segregated.Get(uint32(m.Node(road)))
	}
	require.True(t, segregated("bc"))
	require.True(t, segregated("cb"))
	require.False(t, segregated("ab"))
	d.Cell = 60
	require.False(t, segregated("bc"), "too long")
}
