package guidance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// The tests below run one stage on steps that are made by hand.

// made is a step: what is told, and the way to the next one.
type made struct {
	kind     graph.TurnType
	toward   graph.Modifier
	waypoint Waypoint
	meters   float64
	in, out  int16 // bearings of the roads that one comes along and leaves by
	other    []int16
	name     graph.StringID
	mode     graph.Mode
	lanes    graph.LaneUse
	passed   int // further intersections on the way
}

// builderOf returns a builder that has the steps.
func builderOf(list ...made) *Builder {
	b := NewBuilder(&graph.Network{})
	b.net.Properties.MaxCollapseDistance = 30
	b.net.Strings = graph.Strings{First: []uint32{0, 0, 1, 2, 3}, Data: []byte("abc")}
	b.net.Guidance.LaneFirst, b.net.Guidance.Lanes = []uint32{0, 4}, make([]graph.LaneMask, 4)
	for i, m := range list {
		s := Step{
			Signs: Signs{Name: m.name}, Distance: m.meters, Duration: graph.Duration(10 * m.meters), Mode: m.mode, Waypoint: m.waypoint,
			Instruction: graph.MakeInstruction(m.kind, m.toward), first: len(b.intersections), Begin: i, End: i + 2,
		}
		x := Intersection{first: len(b.bearings), In: 0, Out: 1, Lanes: m.lanes}
		b.bearings = append(append(b.bearings, int16(geo.ReverseBearing(float64(m.in))), m.out), m.other...)
		x.count = len(b.bearings) - x.first
		x.entry = 1<<x.count - 2
		for range m.passed + 1 {
			b.intersections = append(b.intersections, x)
		}
		s.end = len(b.intersections)
		b.steps = append(b.steps, s)
	}
	return b
}

// told lists the types of the steps.
func told(b *Builder) []graph.TurnType {
	var list []graph.TurnType
	for i := range b.steps {
		list = append(list, b.steps[i].kind())
	}
	return list
}

var (
	depart = made{waypoint: Depart, name: 1}
	arrive = made{waypoint: Arrive}
)

func TestJoinSilent(t *testing.T) {
	b := builderOf(depart, made{kind: graph.TurnSuppressed, meters: 5}, made{kind: graph.TurnPlain, meters: 7},
		made{kind: graph.TurnSuppressed, meters: 1}, made{kind: graph.TurnSuppressed, meters: 2}, arrive)
	b.joinSilent()
	require.Equal(t, []graph.TurnType{graph.TurnNone, graph.TurnPlain, graph.TurnNone}, told(b))
	require.Equal(t, 5.0, b.steps[0].Distance)
	require.Equal(t, 10.0, b.steps[1].Distance)
	require.Len(t, b.Intersections(&b.steps[1]), 3)
	require.Equal(t, b.steps[2].Begin, b.steps[1].End-1)
}

func TestEndOfRoadNeedsARoad(t *testing.T) {
	for _, c := range []struct {
		name   graph.StringID
		passed int
		want   graph.TurnType
	}{{2, 0, graph.TurnPlain}, {1, 0, graph.TurnContinue}, {2, 1, graph.TurnEndOfRoad}, {0, 0, graph.TurnPlain}} {
		before := depart
		before.passed = c.passed
		b := builderOf(before, made{kind: graph.TurnEndOfRoad, name: c.name}, arrive)
		b.joinSilent()
		require.Equal(t, c.want, b.steps[1].kind(), c)
	}
}

func TestReduceVerbosity(t *testing.T) {
	for name, c := range map[string]struct {
		step made
		kept bool
	}{
		"a name for long":      {made{kind: graph.TurnNewName, name: 2, meters: 105}, true},
		"a name for a moment":  {made{kind: graph.TurnNewName, name: 2, meters: 104}, false},
		"the same name":        {made{kind: graph.TurnNewName, name: 1, meters: 500}, false},
		"a name with lanes":    {made{kind: graph.TurnNewName, name: 2, meters: 5, lanes: graph.LaneUse{Count: 1}}, true},
		"a name on a ferry":    {made{kind: graph.TurnNewName, name: 2, meters: 5, mode: graph.ModeFerry}, true},
		"a turn for a moment":  {made{kind: graph.TurnPlain, name: 2, meters: 5}, true},
		"a road without names": {made{kind: graph.TurnNewName, meters: 500}, true},
	} {
		b := builderOf(depart, c.step, arrive)
		b.reduceVerbosity()
		require.Equal(t, c.kept, len(b.steps) == 3, name)
	}
}

func TestJoinRoundabouts(t *testing.T) {
	step := func(k graph.TurnType) made {
		return made{kind: k, toward: graph.Right, in: 90, out: 180, meters: 1, name: 2}
	}
	enter, stay, exit := step(graph.EnterRoundabout), step(graph.StayOnRoundabout), step(graph.ExitRoundabout)
	exit.name = 3
	for _, c := range []struct {
		name  string
		steps []made
		want  []graph.TurnType
		exits []int
	}{
		{"first exit", []made{depart, enter, exit, arrive}, []graph.TurnType{0, graph.EnterRoundabout, graph.ExitRoundabout, 0}, []int{0, 1, 1, 0}},
		{"third exit", []made{depart, enter, stay, stay, exit, arrive}, []graph.TurnType{0, graph.EnterRoundabout, graph.ExitRoundabout, 0}, []int{0, 3, 3, 0}},
		{"an exit before the entry", []made{depart, step(graph.EnterRoundaboutAtExit), exit, arrive}, []graph.TurnType{0, graph.EnterRoundaboutAtExit, graph.ExitRoundabout, 0}, []int{0, 2, 2, 0}},
		{"starting on it", []made{depart, stay, exit, arrive}, []graph.TurnType{0, graph.ExitRoundabout, 0}, []int{0, 2, 0}},
		{"stopping on it", []made{depart, enter, stay, arrive}, []graph.TurnType{0, graph.EnterRoundabout, 0}, []int{0, 0, 0}},
		{"two at once", []made{depart, enter, exit, enter, stay, exit, arrive}, []graph.TurnType{0, graph.EnterRoundabout, graph.ExitRoundabout, graph.EnterRoundabout, graph.ExitRoundabout, 0}, []int{0, 1, 1, 2, 2, 0}},
		{"a tiny one", []made{depart, step(graph.EnterRoundaboutTurn), stay, step(graph.ExitRoundaboutTurn), arrive}, []graph.TurnType{0, graph.EnterRoundaboutTurn, 0}, []int{0, 2, 0}},
		{"stopping on a tiny one", []made{depart, step(graph.EnterRoundaboutTurn), arrive}, []graph.TurnType{0, graph.EnterRoundabout, 0}, []int{0, 0, 0}},
		{"none", []made{depart, {kind: graph.TurnPlain}, arrive}, []graph.TurnType{0, graph.TurnPlain, 0}, []int{0, 0, 0}},
	} {
		b := builderOf(c.steps...)
		b.joinRoundabouts()
		require.Equal(t, c.want, told(b), c.name)
		for i := range b.steps {
			require.Equal(t, c.exits[i], b.steps[i].Exit, "%s, step %d", c.name, i)
		}
	}
	rotary := builderOf(depart, step(graph.EnterRotary), exit, arrive)
	rotary.joinRoundabouts()
	require.Equal(t, graph.StringID(2), rotary.steps[1].RotaryName, "the ring's")
	require.Equal(t, graph.StringID(3), rotary.steps[1].Name, "the road's after it")
}

func TestAnticipateLanes(t *testing.T) {
	use := func(first, count uint8) graph.LaneUse { return graph.LaneUse{First: first, Count: count} }
	for _, c := range []struct {
		name         string
		before, then made
		want         graph.LaneUse
	}{
		{"then right", made{kind: graph.TurnPlain, lanes: use(1, 2)}, made{kind: graph.TurnPlain, toward: graph.Right, lanes: use(0, 1)}, use(1, 1)},
		{"then left", made{kind: graph.TurnPlain, lanes: use(1, 2)}, made{kind: graph.TurnPlain, toward: graph.Left, lanes: use(3, 1)}, use(2, 1)},
		{"then right, not the outermost lane", made{kind: graph.TurnPlain, lanes: use(0, 3)}, made{kind: graph.TurnPlain, toward: graph.Right, lanes: use(1, 1)}, use(1, 1)},
		{"then left, not the outermost lane", made{kind: graph.TurnPlain, lanes: use(0, 3)}, made{kind: graph.TurnPlain, toward: graph.Left, lanes: use(2, 1)}, use(1, 1)},
		{"one lane has no choice", made{kind: graph.TurnPlain, lanes: use(1, 1)}, made{kind: graph.TurnPlain, toward: graph.Right, lanes: use(0, 1)}, use(1, 1)},
		{"as many lanes then", made{kind: graph.TurnPlain, lanes: use(1, 2)}, made{kind: graph.TurnPlain, toward: graph.Right, lanes: use(0, 2)}, use(1, 2)},
		{"far away", made{kind: graph.TurnPlain, lanes: use(1, 2), meters: 900}, made{kind: graph.TurnPlain, toward: graph.Right, lanes: use(0, 1)}, use(1, 2)},
		{"time to change on the way", made{kind: graph.TurnSuppressed, lanes: use(1, 2), meters: 350}, made{kind: graph.TurnPlain, toward: graph.Right, lanes: use(0, 1)}, use(1, 2)},
	} {
		c.before.toward = graph.Straight
		b := builderOf(depart, c.before, c.then, arrive)
		b.anticipateLanes()
		require.Equal(t, c.want, b.front(&b.steps[1]).Lanes, c.name)
	}
}

// Two suppressed turns that leave the same lanes become one.
func TestLanesThatGoOnJoin(t *testing.T) {
	use := graph.LaneUse{First: 1, Count: 2}
	straight := made{kind: graph.TurnSuppressed, toward: graph.Straight, lanes: graph.LaneUse{First: 0, Count: 3}, meters: 10}
	then := straight
	then.lanes = use
	b := builderOf(depart, straight, then, arrive)
	b.anticipateLanes()
	require.Equal(t, []graph.TurnType{graph.TurnNone, graph.TurnSuppressed, graph.TurnNone}, told(b))
	require.Equal(t, use, b.front(&b.steps[1]).Lanes)
	require.Equal(t, 20.0, b.steps[1].Distance)
}

func TestCombine(t *testing.T) {
	step := func(k graph.TurnType, m graph.Modifier, in, out int16, name graph.StringID) made {
		return made{kind: k, toward: m, in: in, out: out, name: name, meters: 10}
	}
	for _, c := range []struct {
		name      string
		at, other made
		want      graph.TurnType
		toward    graph.Modifier
	}{
		{"a turn, then a ramp", step(graph.TurnPlain, graph.Left, 90, 0, 2), step(graph.TurnOnRamp, graph.Left, 0, 315, 3), graph.TurnOnRamp, graph.SharpLeft},
		{"two turns onto the same road", step(graph.TurnPlain, graph.SlightLeft, 90, 45, 2), step(graph.TurnPlain, graph.SlightLeft, 45, 0, 1), graph.TurnContinue, graph.Left},
		{"going on, then onto another road", step(graph.TurnContinue, graph.SlightLeft, 90, 45, 1), step(graph.TurnPlain, graph.SlightLeft, 45, 0, 3), graph.TurnPlain, graph.Left},
		{"a bend, then a new name", step(graph.TurnSuppressed, graph.SlightLeft, 90, 60, 2), step(graph.TurnNewName, graph.Straight, 60, 60, 3), graph.TurnPlain, graph.SlightLeft},
		{"a bend, then the same name", step(graph.TurnSuppressed, graph.SlightLeft, 90, 60, 2), step(graph.TurnNewName, graph.Straight, 60, 60, 1), graph.TurnContinue, graph.SlightLeft},
		{"straight on, then a new name", step(graph.TurnSuppressed, graph.Straight, 90, 90, 2), step(graph.TurnNewName, graph.Straight, 90, 90, 3), graph.TurnNewName, graph.Straight},
		{"a turn, then the name of before", step(graph.TurnPlain, graph.Left, 90, 0, 2), step(graph.TurnNewName, graph.Straight, 0, 0, 1), graph.TurnContinue, graph.Left},
		{"going on, then a new name", step(graph.TurnContinue, graph.Left, 90, 0, 1), step(graph.TurnNewName, graph.Straight, 0, 0, 3), graph.TurnPlain, graph.Left},
		{"a fork keeps its side", step(graph.TurnFork, graph.SlightLeft, 90, 80, 2), step(graph.TurnPlain, graph.Right, 80, 170, 3), graph.TurnFork, graph.SlightLeft},
	} {
		b := builderOf(depart, c.at, c.other)
		b.combine(&b.steps[0], &b.steps[1], &b.steps[2])
		require.Equal(t, c.want, b.steps[1].kind(), c.name)
		require.Equal(t, c.toward, b.steps[1].modifier(), c.name)
	}
}

func TestCollapseSliproads(t *testing.T) {
	slip := made{kind: graph.TurnSliproad, toward: graph.SlightRight, in: 90, out: 135, meters: 10, name: 2}
	signal := made{kind: graph.TurnSuppressed, toward: graph.Straight, in: 135, out: 135, meters: 5, name: 2}
	onto := made{kind: graph.TurnPlain, toward: graph.SlightRight, in: 135, out: 180, meters: 90, name: 3, lanes: graph.LaneUse{Count: 1}}
	b := builderOf(depart, slip, signal, onto, arrive)
	b.collapse()
	b.compact()
	require.Equal(t, []graph.TurnType{graph.TurnNone, graph.TurnPlain, graph.TurnNone}, told(b))
	require.Equal(t, graph.Right, b.steps[1].modifier())
	require.Equal(t, graph.StringID(3), b.steps[1].Name)
	require.Equal(t, 105.0, b.steps[1].Distance)
	require.Equal(t, onto.lanes, b.front(&b.steps[1]).Lanes)

	b = builderOf(depart, slip, arrive)
	b.collapse()
	require.Equal(t, []graph.TurnType{graph.TurnNone, graph.TurnPlain, graph.TurnNone}, told(b), "a leg that ends on it")

	onto.name = depart.name
	b = builderOf(depart, slip, onto, arrive)
	b.collapse()
	require.Equal(t, graph.TurnContinue, b.steps[1].kind(), "back on the road")
}

// A turn, and two places after it where there is but one way on.
func TestCollapseTwiceChoiceless(t *testing.T) {
	turn := made{kind: graph.TurnPlain, toward: graph.Left, in: 90, out: 0, meters: 40, name: 2, passed: 1}
	bend := made{kind: graph.TurnPlain, toward: graph.Left, in: 0, out: 270, meters: 90, name: 3}
	b := builderOf(depart, turn, bend, arrive)
	b.intersections[b.steps[1].first].entry = 1 << 1
	b.collapse()
	b.compact()
	require.Len(t, b.steps, 3)
	require.Equal(t, graph.StringID(3), b.steps[1].Name)
}

// Joining two steps may show that the one before belongs to them too.
func TestCollapseToUTurn(t *testing.T) {
	first := made{kind: graph.TurnPlain, toward: graph.Left, in: 90, out: 0, meters: 10}
	second := made{kind: graph.TurnPlain, toward: graph.Left, in: 0, out: 270, meters: 10, name: 1}
	b := builderOf(depart, first, second, made{kind: graph.TurnSuppressed, toward: graph.Straight, in: 270, out: 270, meters: 50, name: 1}, arrive)
	b.collapse()
	b.compact()
	require.Equal(t, graph.MakeInstruction(graph.TurnContinue, graph.UTurn), b.steps[1].Instruction)
	require.Equal(t, graph.StringID(1), b.steps[1].Name)
}

func TestCollapseSegregated(t *testing.T) {
	step := func(k graph.TurnType, m graph.Modifier, in, out int16) made {
		return made{kind: k, toward: m, in: in, out: out, meters: 10, name: 2, other: []int16{out + 10}}
	}
	for _, c := range []struct {
		name          string
		into, leaving made
		both          bool // are within the crossing
		want          graph.TurnType
	}{
		{"end of road, then a turn", step(graph.TurnEndOfRoad, graph.Left, 90, 0), step(graph.TurnSuppressed, graph.Straight, 0, 0), false, graph.TurnEndOfRoad},
		{"end of road within", step(graph.TurnPlain, graph.Left, 90, 0), step(graph.TurnEndOfRoad, graph.Left, 0, 270), true, graph.TurnEndOfRoad},
		{"a fork stays", step(graph.TurnFork, graph.SlightLeft, 90, 80), step(graph.TurnPlain, graph.Left, 80, 0), false, graph.TurnFork},
		{"what leaves counts", step(graph.TurnPlain, graph.Left, 90, 0), step(graph.TurnOnRamp, graph.Straight, 0, 0), false, graph.TurnOnRamp},
		{"straight over", step(graph.TurnSuppressed, graph.Straight, 90, 90), step(graph.TurnNewName, graph.Straight, 90, 90), false, graph.TurnNewName},
	} {
		b := builderOf(depart, c.into, c.leaving, arrive)
		b.steps[1].segregated, b.steps[2].segregated = true, c.both
		for i := range b.steps {
			s := &b.steps[i]
			s.BearingBefore, s.BearingAfter = int(b.inBearing(s)), int(b.outBearing(s))
		}
		b.collapseSegregated()
		require.Len(t, b.steps, 3, c.name)
		require.Equal(t, c.want, b.steps[1].kind(), c.name)
	}
}

// The scenarios of collapse, each with the least that breaks it.
func TestScenarios(t *testing.T) {
	straight := made{kind: graph.TurnSuppressed, toward: graph.Straight, in: 90, out: 90}
	left := made{kind: graph.TurnPlain, toward: graph.Left, in: 90, out: 0, meters: 10}
	leftAgain := made{kind: graph.TurnPlain, toward: graph.Left, in: 0, out: 270}
	rightBack := made{kind: graph.TurnPlain, toward: graph.Right, in: 0, out: 90}
	newName := made{kind: graph.TurnNewName, toward: graph.Straight, in: 90, out: 90, meters: 10}
	named := func(m made, name graph.StringID) made { m.name = name; return m }
	long := func(m made, meters float64) made { m.meters = meters; return m }
	busy := func(m made) made { m.passed, m.other = 1, []int16{45}; return m }
	ferry := func(m made) made { m.mode = graph.ModeFerry; return m }
	entering := func(m made) made { m.kind = graph.EnterRoundabout; return m }
	silent := func(m made) made { m.kind = graph.TurnSuppressed; return m }
	for _, c := range []struct {
		name                     string
		is                       func(b *Builder, prior, entering, leaving *Step) bool
		prior, entering, leaving made
		breaks                   [][2]made
	}{
		{
			"staggered", (*Builder).staggered, straight, long(left, 2), rightBack,
			[][2]made{{long(left, 3), rightBack}, {long(left, 2), leftAgain}, {busy(long(left, 2)), rightBack}, {long(left, 2), entering(rightBack)}},
		},
		{
			"turns back", (*Builder).turnsBack, named(straight, 1), left, named(leftAgain, 1),
			[][2]made{{left, named(leftAgain, 2)}, {left, named(rightBack, 1)}, {named(long(left, 31), 2), busy(named(leftAgain, 1))}, {busy(left), named(leftAgain, 1)}, {silent(left), named(leftAgain, 1)}, {ferry(left), named(leftAgain, 1)}},
		},
		{
			"name returns", (*Builder).nameReturns, named(straight, 1), named(newName, 2), named(newName, 1),
			[][2]made{{named(newName, 2), named(newName, 3)}, {left, named(newName, 1)}, {named(newName, 2), named(left, 1)}, {entering(newName), named(newName, 1)}},
		},
		{
			"name before a maneuver", (*Builder).nameBeforeManeuver, straight, newName, left,
			[][2]made{{long(newName, 31), left}, {busy(newName), left}, {newName, straight}, {left, left}, {newName, entering(left)}, {newName, ferry(left)}},
		},
		{
			"name after a maneuver", func(b *Builder, _, e, l *Step) bool { return b.nameAfterManeuver(e, l) }, straight, left, newName,
			[][2]made{{long(left, 46), newName}, {straight, newName}, {left, leftAgain}, {entering(left), newName}, {left, ferry(newName)}},
		},
		{
			"name after silence", func(b *Builder, _, e, l *Step) bool { return b.nameAfterSilence(e, l) }, straight, long(straight, 7), newName,
			[][2]made{{long(straight, 8), newName}, {long(left, 7), newName}, {long(straight, 7), left}},
		},
		{
			"bend before a maneuver", func(b *Builder, _, e, l *Step) bool { return b.bendBeforeManeuver(e, l) },
			straight,
			made{kind: graph.TurnSuppressed, toward: graph.SlightLeft, in: 90, out: 60, other: []int16{180}, meters: 10},
			left,
			[][2]made{{straight, left}, {made{kind: graph.TurnSuppressed, toward: graph.SlightLeft, meters: 10}, left}, {made{kind: graph.TurnSuppressed, toward: graph.SlightRight, other: []int16{1}, meters: 10}, left}},
		},
		{
			"bend after a maneuver", func(b *Builder, _, e, l *Step) bool { return b.bendAfterManeuver(e, l) },
			straight, left,
			made{kind: graph.TurnSuppressed, toward: graph.SlightLeft},
			[][2]made{{left, straight}, {left, made{kind: graph.TurnSuppressed, toward: graph.SlightRight}}, {straight, made{kind: graph.TurnSuppressed, toward: graph.SlightLeft}}},
		},
		{
			"no choice after a turn", func(b *Builder, _, e, l *Step) bool { return b.choicelessAfterTurn(e, l) }, straight, left, leftAgain,
			[][2]made{{left, busy(leftAgain)}, {long(left, 31), leftAgain}, {newName, leftAgain}, {left, straight}},
		},
		{
			"no choice after going straight", func(b *Builder, _, e, l *Step) bool { return b.choicelessAfterStraight(e, l) },
			straight,
			made{kind: graph.TurnPlain, toward: graph.Straight, meters: 60},
			leftAgain,
			[][2]made{{made{kind: graph.TurnPlain, toward: graph.Straight, meters: 61}, leftAgain}, {left, leftAgain}, {made{kind: graph.TurnPlain, toward: graph.Straight}, busy(leftAgain)}},
		},
		{
			"straight between turns", (*Builder).straightBetweenTurns, left, long(straight, 9), rightBack,
			[][2]made{{long(straight, 24), rightBack}, {long(straight, 5), rightBack}, {left, rightBack}, {long(straight, 9), straight}},
		},
	} {
		holds := func(prior, entering, leaving made) bool {
			b := builderOf(prior, entering, leaving)
			return c.is(b, &b.steps[0], &b.steps[1], &b.steps[2])
		}
		require.True(t, holds(c.prior, c.entering, c.leaving), c.name)
		for i, broken := range c.breaks {
			require.False(t, holds(c.prior, broken[0], broken[1]), "%s, broken %d", c.name, i)
		}
	}
}

func TestSide(t *testing.T) {
	at := geo.Coord{}
	north := geo.Coord{Lat: 100}
	for _, c := range []struct {
		asked geo.Coord
		want  graph.Modifier
	}{
		{geo.Coord{}, graph.UTurn},
		{geo.Coord{Lon: 40}, graph.UTurn}, // 4.4 m
		{geo.Coord{Lon: 100}, graph.Right},
		{geo.Coord{Lon: -100}, graph.Left},
		{geo.Coord{Lat: 100}, graph.Straight},
		{geo.Coord{Lon: 3000}, graph.UTurn}, // far away
	} {
		require.Equal(t, c.want, side(c.asked, at, geo.Coord{Lat: -north.Lat}, at, c.asked), c)
	}
}

func TestFollows(t *testing.T) {
	for _, c := range []struct {
		arms, path []graph.ArmID
		end        int
		ok         bool
	}{
		{[]graph.ArmID{1, 2, 3}, []graph.ArmID{1, 2}, 2, true},
		{[]graph.ArmID{1, 1, 2, 2}, []graph.ArmID{1, 2}, 3, true},
		{[]graph.ArmID{1, 3, 2}, []graph.ArmID{1, 2}, 1, false},
		{[]graph.ArmID{1}, []graph.ArmID{1, 2}, 1, false},
		{[]graph.ArmID{2, 1}, []graph.ArmID{1}, 0, false},
	} {
		b := builderOf(make([]made, len(c.arms))...)
		for i, arm := range c.arms {
			b.steps[i].arm = arm
		}
		end, ok := b.follows(0, c.path)
		require.Equal(t, c.ok, ok, c)
		require.Equal(t, c.end, end, c)
	}
}
