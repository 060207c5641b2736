package extract

import (
	"cmp"
	"slices"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
)

// toldManeuver is what a relation of type maneuver wants to be told at a place
// of its path.
type toldManeuver struct {
	node     int64         // OSM node of the maneuver
	at       graph.PlaceID // the same, once it is known
	kind     graph.TurnType
	modifier graph.Modifier
}

// place returns the maneuver with its place.
func (m *toldManeuver) place(index *nodeIndex) *toldManeuver {
	placed := *m
	placed.at = index.find(m.node)
	return &placed
}

// toldKinds and toldModifiers are the values of the tags maneuver and direction.
var (
	toldKinds = map[string]graph.TurnType{
		"continue": graph.TurnContinue, "turn": graph.TurnPlain, "uturn": graph.TurnPlain,
		"fork": graph.TurnFork, "suppress": graph.TurnSuppressed,
	}
	toldModifiers = map[string]graph.Modifier{
		"left": graph.Left, "slight_left": graph.SlightLeft, "sharp_left": graph.SharpLeft,
		"right": graph.Right, "slight_right": graph.SlightRight, "sharp_right": graph.SharpRight,
		"straight": graph.Straight,
	}
)

// appendTold appends the path and the maneuver of a relation that tells one.
func appendTold(dst []relationRestriction, rel *osmfile.Relation) []relationRestriction {
	if kind := rel.Tags.Find("type"); kind != "maneuver" && kind != "manoeuvre" {
		return dst
	}
	value := rel.Tags.Find("manoeuvre")
	if value == "" {
		value = rel.Tags.Find("maneuver")
	}
	m := &toldManeuver{kind: graph.KeepType, modifier: graph.KeepModifier}
	if kind, ok := toldKinds[value]; ok {
		m.kind = kind
	}
	if value == "uturn" {
		m.modifier = graph.UTurn
	}
	if modifier, ok := toldModifiers[rel.Tags.Find("direction")]; ok {
		m.modifier = modifier
	}
	if m.kind == graph.KeepType && m.modifier == graph.KeepModifier {
		return dst
	}
	r := relationRestriction{relation: int64(rel.ID), told: m}
	var from, to, via int
	for _, member := range rel.Members {
		switch {
		case member.Type == osm.TypeNode && member.Role == "via":
			m.node, r.via = member.Ref, member.Ref
			via++
		case member.Type != osm.TypeWay:
		case member.Role == "from":
			r.from = member.Ref
			from++
		case member.Role == "to":
			r.to = member.Ref
			to++
		case member.Role == "via":
			r.viaWays = append(r.viaWays, member.Ref)
		}
	}
	if from != 1 || to != 1 || via != 1 {
		return dst
	}
	return append(dst, r)
}

// takeTold takes the maneuvers that are told out of the restrictions, as far
// as their paths can be driven.
func (x *extraction) takeTold(g *nbg.Graph) []turnRestriction {
	var told []turnRestriction
	x.restrictions = slices.DeleteFunc(x.restrictions, func(r turnRestriction) bool {
		if r.told != nil && r.arms(g) != nil {
			told = append(told, r)
		}
		return r.told != nil
	})
	return told
}

// arms returns the arms along a path, nil if it cannot be driven.
func (r *turnRestriction) arms(g *nbg.Graph) []graph.ArmID {
	var arms []graph.ArmID
	at := r.from
	for _, to := range append(slices.Clone(r.via), r.to) {
		e := g.Find(at, to)
		if e == nbg.InvalidEdge || g.Edges[e].Reversed {
			return nil
		}
		arms = append(arms, g.Edges[e].Arm)
		at = to
	}
	return arms
}

// storeTold puts the maneuvers that are told into the network, ordered by the
// first arm of their path.
func storeTold(to *graph.Guidance, g *nbg.Graph, told []turnRestriction) {
	paths := make([][]graph.ArmID, len(told))
	order := make([]int, len(told))
	for i := range told {
		paths[i], order[i] = told[i].arms(g), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(paths[a][0], paths[b][0]) })
	for _, i := range order {
		m := told[i].told
		to.Overrides = append(to.Overrides, graph.Override{
			First: uint32(len(to.OverrideArms)), Count: uint32(len(paths[i])), Place: m.at, Type: m.kind, Modifier: m.modifier,
		})
		to.OverrideArms = append(to.OverrideArms, paths[i]...)
	}
}
