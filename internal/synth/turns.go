package synth

import (
	"slices"

	"github.com/fourway-routing/fourway/internal/osmwrite"
)

// restrict writes the turn restrictions of the junctions chosen, and puts signals
// where large streets of towns cross.
func (t *tile) restrict() {
	m := t.middle()
	for v := range t.side * t.side {
		if t.ring != 0 && v == m*t.side+m {
			continue
		}
		h := t.hash(ofTurn, uint64(v), 1)
		if t.split[v] {
			t.restrictAt(v, h)
		}
		if t.grade >= suburb && t.rank(v%t.side) >= 2 && t.rank(v/t.side) >= 2 && chance(hash(h, 5), 0.7) {
			t.nodes[v].tags = []string{"highway", "traffic_signals"}
		}
	}
}

// restrictAt forbids one of the turns at a junction at which all ways end.
func (t *tile) restrictAt(v int, h uint64) {
	ends := &t.ends[v]
	from := int(h % 4)
	for ends[from] < 0 {
		from = (from + 1) % 4
	}
	// Directions are counterclockwise: who comes from the south turns left to
	// the west.
	candidates := [...]struct {
		to   int
		kind string
	}{
		{(from + 3) % 4, "no_left_turn"},
		{(from + 1) % 4, "no_right_turn"},
		{(from + 2) % 4, "only_straight_on"},
		{from, "no_u_turn"},
	}
	for _, c := range candidates[h>>8%3:] {
		to := ends[c.to]
		if to < 0 || !t.open(from, ends[from], false) || !t.open(c.to, to, true) {
			continue
		}
		key, kind := "restriction", c.kind
		if chance(hash(h, 2), 0.04) {
			key, kind = "restriction:conditional", kind+" @ (Mo-Fr 07:00-09:00)"
		}
		t.turns = append(t.turns, turn{[]osmwrite.Member{
			{Type: osmwrite.WayMember, Ref: t.wayID(ends[from]), Role: "from"},
			{Type: osmwrite.NodeMember, Ref: t.base + int64(v), Role: "via"},
			{Type: osmwrite.WayMember, Ref: t.wayID(to), Role: "to"},
		}, []string{"type", "restriction", key, kind}})
		break
	}
	t.restrictBehind(v, h)
}

// restrictBehind forbids, at some junctions, to turn around by way of the street
// to the next.
func (t *tile) restrictBehind(v int, h uint64) {
	if !chance(hash(h, 3), 0.1) {
		return
	}
	for d := range 4 {
		from, via := t.ends[v][(d+1)%4], t.ends[v][d]
		if from < 0 || via < 0 {
			continue
		}
		// The junction at the other end of via, if it is one of this tile.
		for u := range t.side * t.side {
			to := t.ends[u][(d+1)%4]
			if u != v && t.ends[u][(d+2)%4] == via && to >= 0 {
				t.turns = append(t.turns, turn{[]osmwrite.Member{
					{Type: osmwrite.WayMember, Ref: t.wayID(from), Role: "from"},
					{Type: osmwrite.WayMember, Ref: t.wayID(via), Role: "via"},
					{Type: osmwrite.WayMember, Ref: t.wayID(to), Role: "to"},
				}, []string{"type", "restriction", "restriction", "no_u_turn"}})
				return
			}
		}
	}
}

// open says whether a way is open away from the junction that it is on the given
// side of, or towards it.
func (t *tile) open(side int, w int32, away bool) bool {
	i := slices.Index(t.ways[w].tags, "oneway")
	if i < 0 {
		return true
	}
	// Ways run east and north.
	along := away == (side == toEast || side == toNorth)
	return along == (t.ways[w].tags[i+1] == "yes")
}
