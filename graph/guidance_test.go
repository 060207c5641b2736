package graph

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
)

func TestInstructionHoldsTypeAndModifier(t *testing.T) {
	require.LessOrEqual(t, int(numTurnTypes), 32)
	for kind := range numTurnTypes {
		for m := range numModifiers {
			i := MakeInstruction(kind, m)
			require.Equal(t, kind, i.Type())
			require.NotEmpty(t, kind.String())
			require.Equal(t, m, i.Modifier())
			require.Equal(t, TurnFork, i.With(TurnFork).Type())
			require.Equal(t, m, i.With(TurnFork).Modifier())
			require.Equal(t, SharpLeft, i.Toward(SharpLeft).Modifier())
			require.Equal(t, kind, i.Toward(SharpLeft).Type())
		}
	}
	require.Zero(t, MakeInstruction(TurnNone, UTurn))
}

func TestModifierOf(t *testing.T) {
	for angle, want := range map[float64]Modifier{
		0: UTurn, 1: SharpRight, 59: SharpRight, 60: Right, 139: Right, 140: SlightRight, 159: SlightRight,
		160: Straight, 180: Straight, 200: Straight, 201: SlightLeft, 220: SlightLeft, 221: Left, 300: Left,
		301: SharpLeft, 359: SharpLeft, 360: UTurn,
	} {
		require.Equal(t, want, ModifierOf(angle), angle)
	}
}

func TestModifierMirrored(t *testing.T) {
	for m := range numModifiers {
		require.Equal(t, m, m.Mirror().Mirror())
		require.Equal(t, m.Leftward(), m.Mirror().Rightward())
		require.NotEmpty(t, m.String())
	}
	require.Equal(t, Straight, Straight.Mirror())
	require.Equal(t, UTurn, UTurn.Mirror())
	require.Equal(t, SlightRight, SlightLeft.Mirror())
	require.Empty(t, numModifiers.String())
}

func TestTurnTypesOfRoundabouts(t *testing.T) {
	for _, c := range []struct {
		kinds                       []TurnType
		enters, leaves, passes, any bool
	}{
		{[]TurnType{EnterRoundabout, EnterRotary, EnterRoundaboutTurn}, true, false, false, true},
		{[]TurnType{EnterRoundaboutAtExit, EnterRotaryAtExit, EnterRoundaboutTurnAtExit}, true, false, true, true},
		{[]TurnType{TouchRoundabout, TouchRotary, TouchRoundaboutTurn}, true, true, false, true},
		{[]TurnType{ExitRoundabout, ExitRotary, ExitRoundaboutTurn}, false, true, false, true},
		{[]TurnType{StayOnRoundabout}, false, false, true, true},
		{[]TurnType{TurnNone, TurnPlain, TurnSliproad, TurnNotification}, false, false, false, false},
	} {
		for _, kind := range c.kinds {
			require.Equal(t, c.enters, kind.EntersRoundabout(), kind)
			require.Equal(t, c.leaves, kind.LeavesRoundabout(), kind)
			require.Equal(t, c.passes, kind.PassesExit(), kind)
			require.Equal(t, c.any, kind.Roundabout(), kind)
		}
	}
	require.True(t, EnterRotary.Rotary() && EnterRotaryAtExit.Rotary() && !ExitRotary.Rotary())
	require.True(t, EnterRoundaboutTurn.RoundaboutTurn() && !EnterRoundabout.RoundaboutTurn())
}

func TestMergeIsNamedForTheOtherSide(t *testing.T) {
	merge, turn := MakeInstruction(TurnMerge, SlightLeft), MakeInstruction(TurnPlain, SlightLeft)
	require.True(t, merge.RightTurn() && !merge.LeftTurn())
	require.True(t, turn.LeftTurn() && !turn.RightTurn())
}

func units(degrees ...float64) []uint16 {
	var out []uint16
	for _, d := range degrees {
		out = append(out, uint16(d*bearingUnit))
	}
	return out
}

func TestShownBearings(t *testing.T) {
	for _, c := range []struct {
		name     string
		bearings []uint16
		unseen   int // an arm that is left out, -1 for none
		want     []int16
	}{
		{"steps of 15 degrees", units(2, 91, 179, 271), -1, []int16{0, 90, 180, 270}},
		{"whole degrees where steps do not tell roads apart", units(2, 88.6, 95), -1, []int16{2, 89, 95}},
		{"also across north", units(3, 90, 355), -1, []int16{3, 90, 355}},
		{"the last road rounds to north", units(90, 180, 354), -1, []int16{0, 90, 180}},
		{"one road", units(200), -1, []int16{195}},
		{"half a step rounds up", units(7.5, 100), -1, []int16{15, 105}},
		{"a road that is not shown", units(2, 88.6, 95), 2, []int16{0, 90}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := &Network{JunctionFirst: []uint32{0, uint32(len(c.bearings))}}
			n.Guidance.Before = make([]uint8, 1)
			n.Guidance.Unseen = MakeBits(len(c.bearings))
			for i, b := range c.bearings {
				n.JunctionArms = append(n.JunctionArms, Arm{Perceived: b})
				if i == c.unseen {
					n.Guidance.Unseen.Set(uint32(i))
				}
			}
			require.Equal(t, c.want, n.ShownBearings(nil, 0))
		})
	}
}

func TestClosestBearing(t *testing.T) {
	bearings := []int16{0, 90, 180, 270}
	for to, want := range map[int]int{0: 0, 359: 0, 44: 0, 45: 0, 46: 1, 200: 2, 315: 0, 300: 3} {
		require.Equal(t, want, ClosestBearing(bearings, to), to)
	}
}

func TestLaneUse(t *testing.T) {
	g := Guidance{
		LaneEdges: []EdgeID{3, 7, 9}, LaneUses: []uint16{1, 0, 1},
		LaneTable: []LaneUse{{Count: 1}, {Count: 2}},
	}
	for e, count := range map[EdgeID]uint8{0: 0, 3: 2, 4: 0, 7: 1, 9: 2, 10: 0} {
		require.Equal(t, count, g.LaneUse(e).Count, e)
	}
}

func TestCheckGuidance(t *testing.T) {
	good := func() *Network {
		n := &Network{ChainFirst: make([]uint32, 2), Coords: make([]geo.Coord, 1), Originals: 2, NodeArm: make([]ArmID, 3), EdgeHead: make([]NodeID, 4), JunctionArms: make([]Arm, 5)}
		n.Guidance = Guidance{
			Instructions: make([]Instruction, 4), Before: make([]uint8, 2), Entries: make([]uint16, 2),
			EntrySets: []uint32{1}, Segregated: MakeBits(2), Unseen: MakeBits(5),
			LaneEdges: []EdgeID{1, 3}, LaneUses: []uint16{0, 0}, LaneTable: []LaneUse{{Count: 1, First: 1}},
			LaneFirst: []uint32{0, 2}, Lanes: make([]LaneMask, 2),
			Overrides:    []Override{{First: 0, Count: 2, Type: KeepType, Modifier: Left}, {First: 1, Count: 1, Type: TurnFork, Modifier: KeepModifier}},
			OverrideArms: []ArmID{0, 1},
		}
		return n
	}
	check := func(n *Network) error {
		c := &checker{fault: plainFault}
		n.checkGuidance(c)
		return c.err
	}
	require.NoError(t, check(good()))
	require.NoError(t, check(&Network{}))
	for name, spoil := range map[string]func(g *Guidance){
		"instructions": func(g *Guidance) { g.Instructions = g.Instructions[:3] },
		"type":         func(g *Guidance) { g.Instructions[2] = 31 },
		"before":       func(g *Guidance) { g.Before = g.Before[:1] },
		"entries":      func(g *Guidance) { g.Entries[1] = 1 },
		"segregated":   func(g *Guidance) { g.Segregated = nil },
		"unseen":       func(g *Guidance) { g.Unseen = nil },
		"edges":        func(g *Guidance) { g.LaneEdges[1] = 4 },
		"order":        func(g *Guidance) { g.LaneEdges[0] = 3 },
		"uses":         func(g *Guidance) { g.LaneUses[1] = 1 },
		"lanes":        func(g *Guidance) { g.LaneTable[0].Count = 2 },
		"description":  func(g *Guidance) { g.LaneTable[0].Description = 1 },
		"arms":         func(g *Guidance) { g.OverrideArms[1] = 2 },
		"path":         func(g *Guidance) { g.Overrides[1].Count = 2 },
		"no path":      func(g *Guidance) { g.Overrides[1].Count = 0 },
		"place":        func(g *Guidance) { g.Overrides[0].Place = 1 },
		"kind":         func(g *Guidance) { g.Overrides[0].Type = numTurnTypes },
		"order of":     func(g *Guidance) { g.Overrides[0].First, g.Overrides[0].Count = 1, 1; g.Overrides[1].First = 0 },
		"first":        func(g *Guidance) { g.LaneFirst[1] = 1 },
	} {
		n := good()
		spoil(&n.Guidance)
		require.ErrorIs(t, check(n), ErrCorrupt, name)
	}
}
