package extract

import (
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// turnRestriction is a restriction on a path of places: coming from the place
// from over all of via, going on to the place to is forbidden, or everything
// else is. from is next to the first via and to is next to the last; between,
// the vias are neighbors too, or become so as chains are formed.
type turnRestriction struct {
	relation  int64
	from, to  graph.PlaceID
	via       []graph.PlaceID
	only      bool
	condition string
	// told makes it no restriction but says what to tell on the same path.
	told *toldManeuver
}

// forbids tells whether going on to the place is forbidden at the path's end.
func (r *turnRestriction) forbids(to graph.PlaceID) bool { return (r.to == to) != r.only }

// unconditional tells whether the restriction always holds.
func (r *turnRestriction) unconditional() bool { return r.condition == "" }

// viaWay tells whether the path has a road between the first and last turn.
func (r *turnRestriction) viaWay() bool { return len(r.via) > 1 }

// wayPlaces are the places of a way in its order, two or more.
type wayPlaces []graph.PlaceID

func (w wayPlaces) first() graph.PlaceID  { return w[0] }
func (w wayPlaces) last() graph.PlaceID   { return w[len(w)-1] }
func (w wayPlaces) second() graph.PlaceID { return w[1] }

func (w wayPlaces) lastButOne() graph.PlaceID { return w[len(w)-2] }

// meet finds the end that two ways share, and the places before and after it.
// at, unless graph.InvalidPlace, is where they have to meet. Both ways may be
// the same: then at decides which end.
func meet(from, to wayPlaces, at graph.PlaceID) (before, via, after graph.PlaceID, ok bool) {
	if at == graph.InvalidPlace || at == from.first() {
		switch from.first() {
		case to.first():
			return from.second(), to.first(), to.second(), true
		case to.last():
			return from.second(), to.last(), to.lastButOne(), true
		}
	}
	if at == graph.InvalidPlace || at == from.last() {
		switch from.last() {
		case to.first():
			return from.lastButOne(), to.first(), to.second(), true
		case to.last():
			return from.lastButOne(), to.last(), to.lastButOne(), true
		}
	}
	return 0, 0, 0, false
}

// pathThrough finds the path from one way over others to the last. It fails if
// the ways do not join end to end.
func pathThrough(from wayPlaces, vias []wayPlaces, to wayPlaces) (r turnRestriction, ok bool) {
	before, at, _, ok := meet(from, vias[0], graph.InvalidPlace)
	if !ok {
		return r, false
	}
	r.from = before
	r.via = append(r.via, at)
	for _, way := range vias {
		switch at {
		case way.first():
			r.via = append(r.via, way[1:]...)
			at = way.last()
		case way.last():
			for _, p := range slices.Backward(way[:len(way)-1]) {
				r.via = append(r.via, p)
			}
			at = way.first()
		default:
			return r, false
		}
	}
	switch at {
	case to.first():
		r.to = to.second()
	case to.last():
		r.to = to.lastButOne()
	default:
		return r, false
	}
	return r, true
}

// renumber replaces every place by what to says. It reports false if one is
// gone (graph.InvalidPlace).
func (r *turnRestriction) renumber(to []graph.PlaceID) bool {
	r.from, r.to = to[r.from], to[r.to]
	for i, v := range r.via {
		r.via[i] = to[v]
	}
	if r.told != nil {
		r.told.at = to[r.told.at]
	}
	return r.from != graph.InvalidPlace && r.to != graph.InvalidPlace &&
		!slices.Contains(r.via, graph.InvalidPlace)
}

// turnPaths keeps the paths of restrictions on chains while these are formed.
type turnPaths struct {
	restrictions []turnRestriction
	// touched are the places that any path names; most are in none.
	touched graph.Bits
	// By place, the restrictions that start, end and pass there.
	starts, ends, vias map[graph.PlaceID][]int
}

func newTurnPaths(restrictions []turnRestriction, numPlaces int) *turnPaths {
	t := &turnPaths{
		restrictions: restrictions,
		touched:      graph.MakeBits(numPlaces),
		starts:       make(map[graph.PlaceID][]int),
		ends:         make(map[graph.PlaceID][]int),
		vias:         make(map[graph.PlaceID][]int),
	}
	for i := range restrictions {
		r := &restrictions[i]
		t.add(t.starts, r.from, i)
		t.add(t.ends, r.to, i)
		if r.viaWay() {
			for _, v := range r.via {
				t.add(t.vias, v, i)
			}
		}
	}
	return t
}

func (t *turnPaths) add(index map[graph.PlaceID][]int, at graph.PlaceID, i int) {
	t.touched.Set(uint32(at))
	index[at] = append(index[at], i)
}

// compress takes place v out of the road between u and w.
func (t *turnPaths) compress(u, v, w graph.PlaceID) {
	if !t.touched.Get(uint32(v)) {
		return
	}
	// The place from moves away from the first via, to away from the last.
	beyond := func(via graph.PlaceID) graph.PlaceID {
		if via == w {
			return u
		}
		return w
	}
	starts := t.starts[v]
	delete(t.starts, v)
	for _, i := range starts {
		r := &t.restrictions[i]
		r.from = beyond(r.via[0])
		t.add(t.starts, r.from, i)
	}
	ends := t.ends[v]
	delete(t.ends, v)
	for _, i := range ends {
		r := &t.restrictions[i]
		r.to = beyond(r.via[len(r.via)-1])
		t.add(t.ends, r.to, i)
	}
	for _, i := range t.vias[v] {
		r := &t.restrictions[i]
		r.via = slices.DeleteFunc(r.via, func(p graph.PlaceID) bool { return p == v })
	}
	delete(t.vias, v)
}
