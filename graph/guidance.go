package graph

import (
	"math"
	"sort"
)

// LaneMask is a set of turn indications of one lane.
type LaneMask uint16

// The indications, in the order in which answers list them.
const (
	LaneNone LaneMask = 1 << iota
	LaneStraight
	LaneSharpLeft
	LaneLeft
	LaneSlightLeft
	LaneSlightRight
	LaneRight
	LaneSharpRight
	LaneUTurn
	LaneMergeLeft
	LaneMergeRight
)

// LaneUse says which lanes serve a turn: Count of them, of which First is the
// rightmost, counted from the right. The lanes are number Description of
// Guidance. Count is 0 where nothing is known of lanes.
type LaneUse struct {
	Description  uint32
	Count, First uint8
	_            [2]byte
}

// Guidance is what instructions need to know of turns, as far as it depends on
// the map alone. A network made without it has no steps but the first and the
// last of a leg.
type Guidance struct {
	// Instructions are by search edge.
	Instructions []Instruction
	// By original search node, seen from its end: Before is the bearing at
	// which one arrives in 1/256 of a circle, as it would be to leave again;
	// Entries indexes EntrySets.
	Before  []uint8
	Entries []uint16
	// EntrySets tell which roads of a junction may be entered; bit i is the
	// i-th road, clockwise from north, of those that one sees who comes from
	// the search node.
	EntrySets []uint32
	// Segregated are the original search nodes that lie within a crossing of
	// split roads.
	Segregated Bits
	// Unseen are the entries of JunctionArms that answers leave out, such as
	// the second half of a split road.
	Unseen Bits
	// LaneEdges are the search edges with turn lanes, ascending; LaneUses
	// are their indices of LaneTable.
	LaneEdges []EdgeID
	LaneUses  []uint16
	LaneTable []LaneUse
	// Lanes of description d, left to right, are
	// Lanes[LaneFirst[d]:LaneFirst[d+1]].
	LaneFirst []uint32
	Lanes     []LaneMask
	// Overrides are what the map wants to be told on paths of its own, sorted
	// by the first arm of the path; OverrideArms are the paths.
	Overrides    []Override
	OverrideArms []ArmID
}

// Override changes what is told at a place, for those who take a path: the Count
// arms from First on of Guidance.OverrideArms.
type Override struct {
	First, Count uint32
	Place        PlaceID
	Type         TurnType // or KeepType
	Modifier     Modifier // or KeepModifier
	_            [2]byte
}

// KeepType and KeepModifier are those of an Override that leaves them.
const (
	KeepType     TurnType = math.MaxUint8
	KeepModifier Modifier = math.MaxUint8
)

// OverridesFrom returns the overrides whose paths start with an arm.
func (g *Guidance) OverridesFrom(arm ArmID) []Override {
	first := func(i int) ArmID { return g.OverrideArms[g.Overrides[i].First] }
	lo := sort.Search(len(g.Overrides), func(i int) bool { return first(i) >= arm })
	hi := lo
	for hi < len(g.Overrides) && first(hi) == arm {
		hi++
	}
	return g.Overrides[lo:hi]
}

// MaxLaneUses bounds LaneTable, MaxEntrySets EntrySets.
const (
	MaxLaneUses  = math.MaxUint16 + 1
	MaxEntrySets = math.MaxUint16 + 1
)

// Present says whether the network has guidance.
func (g *Guidance) Present() bool { return len(g.Before) > 0 }

// Instruction returns the instruction of a search edge.
func (g *Guidance) Instruction(e EdgeID) Instruction {
	if !g.Present() || e == InvalidEdge {
		return 0
	}
	return g.Instructions[e]
}

// BearingBefore returns the bearing at which one who has come along an original
// search node would go back, in degrees, 0 … 359.
func (g *Guidance) BearingBefore(node NodeID) int { return int(g.Before[node]) * 360 / 256 }

// LaneUse returns the lanes that serve a search edge.
func (g *Guidance) LaneUse(e EdgeID) LaneUse {
	lo, hi := 0, len(g.LaneEdges)
	for lo < hi {
		if m := int(uint(lo+hi) / 2); g.LaneEdges[m] < e {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo == len(g.LaneEdges) || g.LaneEdges[lo] != e {
		return LaneUse{}
	}
	return g.LaneTable[g.LaneUses[lo]]
}

// LaneDescription returns the lanes of a description, left to right.
func (g *Guidance) LaneDescription(d uint32) []LaneMask {
	return g.Lanes[g.LaneFirst[d]:g.LaneFirst[d+1]]
}

func (n *Network) checkGuidance(c *checker) {
	g := &n.Guidance
	if !g.Present() {
		return
	}
	c.length("turn_instruction", len(g.Instructions), n.NumEdges())
	for i, instruction := range g.Instructions {
		if instruction.Type() >= numTurnTypes {
			c.fail("turn_instruction", i, "unknown type of turn %d", instruction.Type())
			break
		}
	}
	c.length("turn_before", len(g.Before), int(n.Originals))
	c.length("turn_entries", len(g.Entries), int(n.Originals))
	c.length("turn_segregated", len(g.Segregated), len(MakeBits(int(n.Originals))))
	c.length("arm_unseen", len(g.Unseen), len(MakeBits(len(n.JunctionArms))))
	for i, e := range g.Entries {
		if int(e) >= len(g.EntrySets) {
			c.fail("turn_entries", i, "%d is not below %d", e, len(g.EntrySets))
			break
		}
	}
	c.length("lane_uses", len(g.LaneUses), len(g.LaneEdges))
	below(c, "lane_edges", g.LaneEdges, n.NumEdges(), false)
	ascending(c, "lane_first", g.LaneFirst, len(g.Lanes))
	if c.err != nil {
		return
	}
	for i := range g.LaneEdges {
		if i > 0 && g.LaneEdges[i] <= g.LaneEdges[i-1] {
			c.fail("lane_edges", i, "edges out of order")
			return
		}
		if int(g.LaneUses[i]) >= len(g.LaneTable) {
			c.fail("lane_uses", i, "%d is not below %d", g.LaneUses[i], len(g.LaneTable))
			return
		}
	}
	below(c, "override_arms", g.OverrideArms, 2*n.NumChains(), false)
	for i, o := range g.Overrides {
		if o.Count == 0 || int64(o.First)+int64(o.Count) > int64(len(g.OverrideArms)) || int64(o.Place) >= int64(len(n.Coords)) ||
			o.Type >= numTurnTypes && o.Type != KeepType || o.Modifier >= numModifiers && o.Modifier != KeepModifier {
			c.fail("overrides", i, "no path, place or maneuver")
			return
		}
		if i > 0 && g.OverrideArms[o.First] < g.OverrideArms[g.Overrides[i-1].First] {
			c.fail("overrides", i, "overrides out of order")
			return
		}
	}
	for i, u := range g.LaneTable {
		if int64(u.Description) >= int64(len(g.LaneFirst))-1 ||
			int(u.Count)+int(u.First) > len(g.LaneDescription(u.Description)) {
			c.fail("lane_table", i, "more lanes than the description has")
			return
		}
	}
}
