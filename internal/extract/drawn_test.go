package extract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

// can checks which paths of a map can be driven.
func can(t *testing.T, m *extracttest.Map, want map[string]bool) {
	t.Helper()
	for path, ok := range want {
		require.Equal(t, ok, m.Can(path), path)
	}
}

func TestOneWay(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			a-b-c-d
			  |
			  e`,
		Ways: []testmap.Row{{"abc", "oneway=yes"}, {"cd", "oneway=-1"}, {"be", ""}},
	})
	can(t, m, map[string]bool{
		"abc": true, "cba": false, "abe": true, "ebc": true, "eba": false, "abcd": false, "dc": true,
	})
	require.Equal(t, graph.InvalidNode, m.Node("ba"))
}

func TestChainsThroughPlainPlaces(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `a-b-c-d-e`,
		Ways: []testmap.Row{
			{"abc", "name=x"}, {"cd", "name=x"}, {"de", "name=y"},
		},
	})
	require.Equal(t, 2, m.Network.NumChains())
	require.Equal(t, m.Node("ab"), m.Node("cd"))
	require.NotEqual(t, m.Node("cd"), m.Node("de"))
	can(t, m, map[string]bool{"abcde": true, "edcba": true, "aba": false})
	c, _ := m.Drive("abcd")
	require.InDelta(t, 30000, float64(c.Distance), 10)
}

func TestNoLeftTurn(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			  d
			  |
			a-b-c`,
		Ways:      []testmap.Row{{"ab", ""}, {"bc", ""}, {"bd", ""}},
		Relations: []testmap.Row{{"from=ab via=b to=bd", "restriction=no_left_turn"}},
	})
	can(t, m, map[string]bool{"abd": false, "abc": true, "cbd": true, "dba": true})
	require.Equal(t, 1, m.Report.AppliedRestrictions)
}

func TestOnlyStraightOn(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			  d
			  |
			a-b-c
			  |
			  e`,
		Ways:      []testmap.Row{{"ab", ""}, {"bc", ""}, {"dbe", ""}},
		Relations: []testmap.Row{{"from=ab via=b to=bc", "restriction=only_straight_on"}},
	})
	can(t, m, map[string]bool{"abc": true, "abd": false, "abe": false, "aba": false, "cbd": true, "dba": true})
}

func TestViaWayRestriction(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			a-b-c
			  |
			d-e-f
			  |
			  g`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"be", ""}, {"de", ""}, {"ef", ""}, {"eg", ""}},
		Relations: []testmap.Row{
			{"from=ab via=be to=ef", "restriction=no_left_turn"},
		},
	}
	m := extracttest.Car(t, d)
	can(t, m, map[string]bool{
		"abef": false, "abed": true, "abeg": true, "cbef": true, "bef": true, "feb": true,
	})
	n := m.Network
	require.Equal(t, 1, n.NumNodes()-int(n.Originals))
	copied := graph.NodeID(n.Originals)
	require.Equal(t, n.NodeArm[m.Node("be")], n.NodeArm[copied])
	require.Equal(t, m.Metric.NodeWeight[m.Node("be")], m.Metric.NodeWeight[copied])
	require.Equal(t, []graph.NodeCopy{{Original: m.Node("be"), Copy: copied}}, n.CopiesOf(m.Node("be")))

	d.Relations[0][1] = "restriction=only_left_turn"
	m = extracttest.Car(t, d)
	can(t, m, map[string]bool{"abef": true, "abed": false, "abeg": false, "cbed": true, "abc": true})
}

// The longer path goes on where the shorter one has ended.
func TestOverlappingViaWayRestrictions(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			a-b-c-d-e
			  | | |
			  f g h`,
		Ways: []testmap.Row{
			{"ab", ""}, {"bc", ""}, {"cd", ""}, {"de", ""}, {"bf", ""}, {"cg", ""}, {"dh", ""},
		},
		Relations: []testmap.Row{
			{"from=ab via=bc via=cd to=dh", "restriction=no_right_turn"},
			{"from=bc via=cd to=de", "restriction=no_straight_on"},
			{"from=ab via=bc to=cg", "restriction=no_right_turn"},
		},
	})
	can(t, m, map[string]bool{
		"abcdh": false, "abcde": false, "abcg": false, "abcd": true,
		"fbcdh": true, "fbcde": false, "fbcg": true, "gcde": true, "gcdh": true,
	})
}

// A chain may hold several nodes of a via way.
func TestViaWayOverCompressedPlaces(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			x-a-b-c
			    |
			    1
			    |
			  d-e-f`,
		Ways: []testmap.Row{{"xab", ""}, {"bc", ""}, {"b1e", ""}, {"de", ""}, {"ef", ""}},
		Relations: []testmap.Row{
			{"from=xab via=b1e to=ef", "restriction=no_left_turn"},
		},
	})
	can(t, m, map[string]bool{"xab1ef": false, "xab1ed": true, "cb1ef": true})
	require.Equal(t, 1, m.Report.Copies)
}

func TestManyFromAndTo(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			  d
			  |
			a-b-c
			  |
			  e`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"bd", ""}, {"be", ""}},
		Relations: []testmap.Row{
			{"from=ab via=b to=bd to=be", "restriction=no_exit"},
			{"from=bc from=bd via=b to=ab", "restriction=no_entry"},
		},
	}
	m := extracttest.Car(t, d)
	require.Equal(t, 4, m.Report.Restrictions)
	can(t, m, map[string]bool{
		"abd": false, "abe": false, "abc": true, "cba": false, "dba": false, "eba": true,
	})
	// Other kinds have one of each.
	d.Relations = []testmap.Row{{"from=ab via=b to=bd to=be", "restriction=no_left_turn"}}
	m = extracttest.Car(t, d)
	require.Equal(t, 1, m.Report.Dropped.RestrictionsTooMany)
	can(t, m, map[string]bool{"abd": true, "abe": true})
}

func TestExceptAndModes(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			  d
			  |
			a-b-c`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"bd", ""}},
	}
	for tags, free := range map[string]bool{
		"restriction=no_left_turn except=psv;motorcar":          true,
		"restriction=no_left_turn except=psv":                   false,
		"restriction:motorcar=no_left_turn":                     false,
		"restriction:hgv=no_left_turn":                          true,
		"restriction=no_left_turn_on_red":                       true,
		"restriction=strange":                                   true,
		`restriction:conditional="no_left_turn @ (Mo-Fr)"`:      true,
		`restriction:hgv:conditional="no_left_turn @ (Mo-Fr)"`:  true,
		`restriction=no_left_turn restriction:bicycle=only_yes`: false,
	} {
		d.Relations = []testmap.Row{{"from=ab via=b to=bd", tags}}
		require.Equal(t, free, extracttest.Car(t, d).Can("abd"), tags)
	}
}

func TestConditionalRestriction(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			  d
			  |
			a-b-c
			  |
			  e`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"bd", ""}, {"be", ""}},
		Relations: []testmap.Row{
			{"from=ab via=b to=bc", `restriction:conditional="only_straight_on @ (Mo-Fr 07:00-09:00)"`},
		},
	}
	car, err := profile.ByName("car")
	require.NoError(t, err)
	m := extracttest.Extract(t, d, car, extract.Options{Conditionals: true})
	can(t, m, map[string]bool{"abc": true, "abd": true, "abe": true})
	require.Len(t, m.Network.Conditions, 2)
	require.Equal(t, 2, m.Report.ConditionalTurns)
	for _, c := range m.Network.Conditions {
		require.Equal(t, "Mo-Fr 07:00-09:00", m.Network.Strings.Get(c.Text))
		require.Equal(t, m.Place('b'), c.Place)
	}
	require.Equal(t, 1, extracttest.Car(t, d).Report.Dropped.RestrictionsConditional)
}

func TestBarrier(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map:   `a-b-c-d-e`,
		Ways:  []testmap.Row{{"abcde", ""}},
		Nodes: []testmap.Row{{"b", "barrier=bollard"}, {"d", "barrier=cattle_grid"}},
	})
	can(t, m, map[string]bool{"abc": false, "cba": false, "aba": true, "cbc": true, "cde": true})
	require.Equal(t, 2, m.Network.NumChains())
}

func TestGateAndSignalInsideAChain(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map:  `a-b-c-d-e-f-g`,
		Ways: []testmap.Row{{"abcdefg", ""}},
		Nodes: []testmap.Row{
			{"b", "barrier=gate"},
			{"d", "highway=traffic_signals"},
			{"f", "highway=traffic_signals traffic_signals:direction=forward"},
		},
	})
	require.Equal(t, 1, m.Network.NumChains())
	for turn, want := range map[string]graph.Duration{
		"abc": 600, "cba": 600, "bcd": 0, "cde": 20, "edc": 20, "efg": 20, "gfe": 0,
	} {
		require.Equal(t, want, m.Turn(turn), turn)
	}
	// Sums of nodes include the obstacles.
	c, _ := m.Drive("abcdefg")
	require.Equal(t, m.Metric.NodeDuration[m.Node("ab")], c.Duration)
	require.Equal(t, m.Metric.NodeWeight[m.Node("ab")], c.Weight)
	require.Equal(t, m.Metric.NodeDistance[m.Node("ab")], c.Distance)
}

// A stop sign close behind a junction is for those who come to it, unless its
// tag says otherwise.
func TestStopSignWithoutDirection(t *testing.T) {
	d := testmap.Drawing{
		Cell: 15,
		Map: `
			a---------b-s---------c
			          |
			          |
			          |
			          d`,
		Ways:  []testmap.Row{{"absc", "name=x"}, {"bd", ""}},
		Nodes: []testmap.Row{{"s", "highway=stop"}},
	}
	m := extracttest.Car(t, d)
	require.Equal(t, graph.Duration(0), m.Turn("bsc"))
	require.Equal(t, graph.Duration(20), m.Turn("csb"))
	d.Nodes = []testmap.Row{{"s", "highway=stop direction=both"}}
	require.Equal(t, graph.Duration(20), extracttest.Car(t, d).Turn("bsc"))
	d.Nodes = []testmap.Row{{"s", "highway=stop direction=forward"}}
	m = extracttest.Car(t, d)
	require.Equal(t, graph.Duration(20), m.Turn("bsc"))
	require.Equal(t, graph.Duration(0), m.Turn("csb"))
}

func TestSignalAtJunction(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			a-b-c
			  |
			  d`,
		Ways: []testmap.Row{{"abc", ""}, {"bd", ""}},
	}
	free := extracttest.Car(t, d)
	d.Nodes = []testmap.Row{{"b", "highway=traffic_signals"}}
	m := extracttest.Car(t, d)
	for _, turn := range []string{"abc", "abd", "dba"} {
		require.Equal(t, free.Turn(turn)+20, m.Turn(turn), turn)
	}
	require.Greater(t, free.Turn("dba"), free.Turn("abc"), "left against straight on")
}

func TestRoundabout(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			    a
			    |
			    b
			   / \
			e-f   d-c
			   \ /
			    g
			    |
			    h`,
		Ways: []testmap.Row{
			{"bfgdb", "junction=roundabout"}, {"ab", ""}, {"cd", ""}, {"ef", ""}, {"gh", ""},
		},
	})
	can(t, m, map[string]bool{
		"abfe": true, "abfgdc": true, "abdc": false, "abfgdba": true, "bdg": false, "aba": false,
	})
	road := m.Network.Roads[m.Network.ArmRoad[m.Network.NodeArm[m.Node("bf")]]]
	require.NotZero(t, road.Flags&graph.RoadRoundabout)
}

func TestDeadEndAllowsTurningRound(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			a-b-c
			  |
			  d`,
		Ways: []testmap.Row{{"abc", ""}, {"bd", "highway=residential"}},
	})
	can(t, m, map[string]bool{"bdb": true, "abcba": true, "aba": false, "dbd": false})
	require.GreaterOrEqual(t, m.Turn("bdb"), graph.Duration(200))
}

func TestTurningCircleKeepsItsPlace(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map:   `a-b-c`,
		Ways:  []testmap.Row{{"abc", ""}},
		Nodes: []testmap.Row{{"b", "highway=turning_circle"}},
	})
	can(t, m, map[string]bool{"abc": true, "aba": true, "cbc": true})
}

func TestFerryDuration(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `a-b---c-d`,
		Ways: []testmap.Row{
			{"ab", ""}, {"bc", "highway= route=ferry duration=00:10"}, {"cd", ""},
		},
	})
	c, ok := m.Drive("bc")
	require.True(t, ok)
	require.Equal(t, graph.Duration(6000), c.Duration)
	arm := m.Network.NodeArm[m.Node("bc")]
	require.Equal(t, graph.ModeFerry, m.Network.Roads[m.Network.ArmRoad[arm]].Mode)
	require.True(t, m.Can("abcd"))
}

func TestPrivateRoadIsTheLastResort(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			a-b-c
			  |
			  d`,
		Ways: []testmap.Row{{"abc", ""}, {"bd", "access=private"}},
	})
	whole, ok := m.Drive("abd")
	require.True(t, ok)
	ab, _ := m.Drive("ab")
	bd, _ := m.Drive("bd")
	require.Equal(t, graph.Weight(32767), whole.Weight-ab.Weight-bd.Weight)
	require.Less(t, m.Turn("abd"), graph.Duration(300), "the driver loses no more time than elsewhere")
	back, _ := m.Drive("dba")
	require.Less(t, back.Weight, graph.Weight(10000), "leaving is free")
	arm := m.Network.NodeArm[m.Node("bd")]
	require.NotZero(t, m.Network.Roads[m.Network.ArmRoad[arm]].Flags&graph.RoadRestricted)
}

func TestForbiddenRoadIsGone(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			a-b-c
			  |
			  d`,
		Ways: []testmap.Row{{"abc", ""}, {"bd", "access=no"}},
	})
	require.Equal(t, graph.InvalidPlace, m.Place('d'))
	require.Equal(t, 1, m.Network.NumChains())
}

// Of two ways over the same nodes the cheaper counts, in each direction.
func TestParallelWays(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `a---b`,
		Ways: []testmap.Row{
			{"ab", "highway=service name=slow"},
			{"ba", "highway=primary oneway=yes name=fast"},
		},
	})
	slow, _ := m.Drive("ab")
	fast, _ := m.Drive("ba")
	require.Greater(t, slow.Duration, 2*fast.Duration)
	require.Zero(t, m.Report.Dropped.ParallelSegments)
	require.Equal(t, 1, m.Network.NumChains())
	name := func(road string) string {
		n := m.Network
		return n.Strings.Get(n.Roads[n.ArmRoad[n.NodeArm[m.Node(road)]]].Name)
	}
	require.Equal(t, "slow", name("ab"))
	require.Equal(t, "fast", name("ba"))
}

func TestJunctionsKeepEveryArm(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			  d
			  |
			a-b-c
			  |
			  e`,
		Ways: []testmap.Row{{"abc", ""}, {"db", "oneway=yes"}, {"be", ""}},
	})
	n := m.Network
	for j, p := range n.JunctionPlace {
		if p != m.Place('b') {
			continue
		}
		arms := n.JunctionArms[n.JunctionFirst[j]:n.JunctionFirst[j+1]]
		require.Len(t, arms, 4)
		for i, a := range arms {
			require.InDelta(t, 90*i*128, int(a.Perceived), 128)
			require.Equal(t, graph.JunctionID(j), n.ArmJunction[a.Arm])
		}
		require.Equal(t, graph.InvalidNode, n.ArmNode[arms[0].Arm])
	}
}

func TestSmallComponents(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map:  `a-b c-d e-f`,
		Ways: []testmap.Row{{"ab", ""}, {"cd", ""}, {"ef", "oneway=yes"}},
	})
	n := m.Network
	require.Equal(t, n.NodeComponent[m.Node("ab")], n.NodeComponent[m.Node("ba")])
	require.NotEqual(t, n.NodeComponent[m.Node("ab")], n.NodeComponent[m.Node("cd")])
	require.True(t, n.NodeComponent[m.Node("ef")].Small())
	require.Equal(t, 3, m.Report.Components)
}

func TestSmallComponentsOfOtherSize(t *testing.T) {
	car, err := profile.ByName("car")
	require.NoError(t, err)
	m := extracttest.Extract(t, testmap.Drawing{
		Map:  `a-b-c d-e`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"de", ""}},
	}, car, extract.Options{SmallComponent: 4})
	n := m.Network
	require.False(t, n.NodeComponent[m.Node("ab")].Small())
	require.True(t, n.NodeComponent[m.Node("de")].Small())
	require.Equal(t, 4, n.Properties.SmallComponent)
	require.Equal(t, 1, m.Report.LargeComponents)
}

func TestTurnLanes(t *testing.T) {
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			a-1-b-c
			    |
			    d`,
		Ways: []testmap.Row{
			{"a1", "name=x oneway=yes turn:lanes=through|through;right"},
			{"1b", "name=x oneway=yes"},
			{"bc", ""},
			{"bd", ""},
		},
	})
	n := m.Network
	road := n.Roads[n.ArmRoad[n.NodeArm[m.Node("1b")]]]
	require.Equal(t, "through|through;right", n.Strings.Get(road.Lanes))
	require.Equal(t, m.Node("a1"), m.Node("1b"))
}
