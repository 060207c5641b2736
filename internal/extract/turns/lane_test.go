package turns

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/junction"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
)

const (
	none     = graph.LaneNone
	through  = graph.LaneStraight
	left     = graph.LaneLeft
	right    = graph.LaneRight
	back     = graph.LaneUTurn
	slightly = graph.LaneSlightRight
)

func TestLanesOfDescription(t *testing.T) {
	for _, c := range []struct {
		name        string
		description []graph.LaneMask
		want        []laneRange
	}{
		{"nothing", nil, nil},
		{"from left to right", []graph.LaneMask{left, through, right}, []laneRange{{right, 0, 0}, {through, 1, 1}, {left, 2, 2}}},
		{"several lanes", []graph.LaneMask{left, through, through, through | right}, []laneRange{{right, 0, 0}, {through, 0, 2}, {left, 3, 3}}},
		{"both on one lane", []graph.LaneMask{left | through | right}, []laneRange{{right, 0, 0}, {through, 0, 0}, {left, 0, 0}}},
		{"U-turn outside", []graph.LaneMask{back | left, through}, []laneRange{{through, 0, 0}, {left, 1, 1}, {back, 1, 1}}},
		{"U-turn in the middle", []graph.LaneMask{left, back, right}, nil},
		{"lanes that cross", []graph.LaneMask{left, right, left}, nil},
		{"more lanes than can be counted", make([]graph.LaneMask, 300), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := appendLanes(nil, c.description)
			require.Len(t, got, len(c.want))
			for i := range got {
				require.Equal(t, c.want[i], got[i])
			}
		})
	}
}

// roads makes a junction of roads at angles, the first one being the way back.
func roads(angles ...float64) []Road {
	var out []Road
	for i, a := range angles {
		r := Road{Turn: junction.Turn{Angle: a, Allowed: i > 0}, Instruction: invalid}
		if i > 0 {
			r.say(graph.TurnPlain, r.direction())
		}
		out = append(out, r)
	}
	return out
}

func TestNoneIsExplained(t *testing.T) {
	crossing := roads(0, 90, 180, 270)
	for _, c := range []struct {
		name  string
		lanes []laneRange
		roads []Road
		want  []laneRange
	}{
		{"no such lanes", []laneRange{{right, 0, 0}}, crossing, []laneRange{{right, 0, 0}}},
		{"one lane for two turns", []laneRange{{none, 0, 0}, {left, 1, 1}}, crossing, []laneRange{{right, 0, 0}, {through, 0, 0}, {left, 1, 1}}},
		{"two lanes for two turns", []laneRange{{none, 0, 1}, {left, 2, 2}}, crossing, []laneRange{{right, 0, 0}, {through, 0, 1}, {left, 2, 2}}},
		{"on the left", []laneRange{{right, 0, 0}, {none, 1, 2}}, crossing, []laneRange{{right, 0, 0}, {through, 1, 2}, {left, 2, 2}}},
		{"all turns at once", []laneRange{{none, 0, 0}}, crossing, []laneRange{{right, 0, 0}, {through, 0, 0}, {left, 0, 0}}},
		{"beside the right turn", []laneRange{{right, 0, 0}, {none, 1, 1}, {left, 2, 2}}, crossing, []laneRange{{right, 0, 0}, {through, 1, 1}, {left, 2, 2}}},
		{"the rightmost turn", []laneRange{{none, 0, 0}, {through, 1, 1}, {left, 2, 2}}, crossing, []laneRange{{right, 0, 0}, {through, 0, 1}, {left, 2, 2}}},
		{"the leftmost turn", []laneRange{{right, 0, 0}, {through, 1, 1}, {none, 2, 2}}, crossing, []laneRange{{right, 0, 0}, {through, 1, 2}, {left, 2, 2}}},
		{"a turn that is none", []laneRange{{none, 0, 0}, {through, 1, 1}, {left, 2, 2}}, roads(0, 180, 270), []laneRange{{through, 0, 1}, {left, 2, 2}}},
		{"a turn that is none on the left", []laneRange{{right, 0, 0}, {through, 1, 1}, {none, 2, 2}}, roads(0, 90, 180), []laneRange{{right, 0, 0}, {through, 1, 2}}},
		{"between two turns", []laneRange{{right, 0, 0}, {none, 1, 1}, {left, 2, 2}}, roads(0, 90, 270), []laneRange{{right, 0, 1}, {left, 1, 2}}},
		{"too many lanes", []laneRange{{none, 0, 0}, {right, 1, 1}, {through, 2, 2}, {left, 3, 3}}, roads(0, 90, 180), []laneRange{{none, 0, 0}, {right, 1, 1}, {through, 2, 2}, {left, 3, 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, explainNone(append([]laneRange(nil), c.lanes...), c.roads))
		})
	}
}

func TestBestMatch(t *testing.T) {
	crossing := roads(0, 45, 100, 180, 270)
	for tag, want := range map[graph.LaneMask]int{right: 2, graph.LaneSharpRight: 1, slightly: 2, through: 3, left: 4, graph.LaneSlightLeft: 4, back: 4} {
		require.Equal(t, want, bestMatch(tag, crossing, 0), tag)
	}
	crossing[0].Allowed = true
	crossing[0].say(graph.TurnContinue, graph.UTurn)
	require.Equal(t, 0, bestUTurn(left, crossing))
	require.True(t, matchesInOrder(roads(0, 90, 180, 270), []laneRange{{right, 0, 0}, {through, 1, 1}, {left, 2, 2}}))
	require.False(t, matchesInOrder(roads(0, 90, 180, 270), []laneRange{{right, 0, 0}, {left, 2, 2}}))
	require.True(t, matchesInOrder(roads(0, 90, 180), []laneRange{{right, 0, 0}, {through, 1, 1}, {back, 1, 1}}))
}

func TestFits(t *testing.T) {
	say := graph.MakeInstruction
	for _, c := range []struct {
		tag  graph.LaneMask
		i    graph.Instruction
		want bool
	}{
		{right, say(graph.TurnPlain, graph.SlightRight), true},
		{right, say(graph.TurnPlain, graph.Left), false},
		{right, say(graph.TurnMerge, graph.SlightLeft), true},
		{left, say(graph.TurnMerge, graph.SlightLeft), false},
		{through, say(graph.TurnFork, graph.SlightLeft), true},
		{through, say(graph.TurnPlain, graph.SlightLeft), false},
		{through, say(graph.TurnSuppressed, graph.Left), true},
		{through, say(graph.EnterRoundabout, graph.Right), true},
		{right, say(graph.ExitRoundabout, graph.Straight), true},
		{back, say(graph.TurnPlain, graph.Left), true},
		{none, say(graph.TurnPlain, graph.Left), false},
		{graph.LaneMergeLeft, say(graph.TurnPlain, graph.Straight), false},
	} {
		require.Equal(t, c.want, fits(c.tag, c.i), c)
	}
}

// Lanes stay in order and within the road, whatever it is like.
func TestRandomLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		description := make([]graph.LaneMask, 1+r.IntN(5))
		for i := range description {
			description[i] = 1 << r.IntN(11)
			if r.IntN(3) == 0 {
				description[i] |= 1 << r.IntN(11)
			}
		}
		lanes := appendLanes(nil, description)
		if len(lanes) == 0 {
			continue
		}
		var angles []float64
		for a := 0.0; a < 340; a += 20 + 80*r.Float64() {
			angles = append(angles, a)
		}
		junction := roads(angles...)
		for i := range junction {
			junction[i].Allowed = r.IntN(4) > 0
		}
		lanes = explainNone(lanes, junction)
		for i, l := range lanes {
			require.LessOrEqual(t, l.from, l.to)
			require.Less(t, int(l.to), len(description))
			require.False(t, i > 0 && l.less(lanes[i-1]))
		}
		w := &Worker{g: &nbg.Graph{Edges: make([]nbg.Edge, 1)}}
		if w.simple(lanes, junction) {
			w.matchInOrder(junction, lanes, described{left: 2})
		}
		for i := range junction {
			use := &junction[i].Lanes
			require.LessOrEqual(t, int(use.First)+int(use.Count), len(description))
			require.True(t, use.Count == 0 || junction[i].Allowed)
		}
	}
}
