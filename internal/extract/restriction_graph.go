package extract

import "github.com/fourway-routing/fourway/graph"

// road is a chain in the direction from one of its junctions to the other.
type road struct{ from, to graph.PlaceID }

// restrictionGraph holds the states in which a vehicle may be with respect to
// restrictions. A start state is being on a road from which restricted paths
// begin, whatever came before; a via state is being on a road inside such a
// path, having followed it up to there. Via states become copies of search
// nodes.
//
// Paths are joined to a forest of common prefixes first. Then, where the end
// of one path so far is the beginning of another, links lead over to it, and
// the other's restrictions hold too: so restrictions may overlap and contain
// each other. If several paths could be joined, the longest is.
type restrictionGraph struct {
	restrictions []turnRestriction
	states       []restrictionState
	starts       map[road]int32
	// vias are the via states of a road, numbered as the copies are: from 0
	// in the order in which paths reach them.
	vias     map[road][]int32
	viaRoads []road
	viaState []int32 // by via number
}

// restrictionState is a node of the graph.
type restrictionState struct {
	// via is the number of the via state, -1 for start states.
	via int32
	// ending are the restrictions whose path ends here; they say how one may
	// not go on.
	ending []int32
	links  []restrictionLink
}

// restrictionLink leads on to the road that ends at to.
type restrictionLink struct {
	to    graph.PlaceID
	state int32
	// across marks links to the path of another restriction.
	across bool
}

func newRestrictionGraph(restrictions []turnRestriction) *restrictionGraph {
	g := &restrictionGraph{
		restrictions: restrictions,
		starts:       make(map[road]int32),
		vias:         make(map[road][]int32),
	}
	for i := range restrictions {
		g.addPath(int32(i))
	}
	for i := range restrictions {
		g.joinPaths(int32(i))
	}
	return g
}

// start returns the start state of a road.
func (g *restrictionGraph) start(r road) int32 {
	if s, ok := g.starts[r]; ok {
		return s
	}
	s := int32(len(g.states))
	g.states = append(g.states, restrictionState{via: -1})
	g.starts[r] = s
	return s
}

func (g *restrictionGraph) newVia(r road) int32 {
	s, via := int32(len(g.states)), int32(len(g.viaRoads))
	g.states = append(g.states, restrictionState{via: via})
	g.viaRoads = append(g.viaRoads, r)
	g.viaState = append(g.viaState, s)
	g.vias[r] = append(g.vias[r], via)
	return s
}

// addPath adds the path of a restriction to the forest of prefixes.
func (g *restrictionGraph) addPath(i int32) {
	r := &g.restrictions[i]
	at := g.start(road{r.from, r.via[0]})
	for k := 1; k < len(r.via); k++ {
		next, ok := g.follow(at, r.via[k])
		if !ok {
			next = g.newVia(road{r.via[k-1], r.via[k]})
			g.states[at].links = append(g.states[at].links, restrictionLink{to: r.via[k], state: next})
		}
		at = next
	}
	g.states[at].ending = append(g.states[at].ending, i)
}

// follow returns the state after going on to a place, if a path leads there.
func (g *restrictionGraph) follow(state int32, to graph.PlaceID) (int32, bool) {
	for _, l := range g.states[state].links {
		if l.to == to {
			return l.state, true
		}
	}
	return 0, false
}

// joinPaths walks the path of a restriction together with every path whose
// beginning is the end of the walk so far, longest first.
func (g *restrictionGraph) joinPaths(i int32) {
	r := &g.restrictions[i]
	at := g.start(road{r.from, r.via[0]})
	var others []int32
	for k := 1; k < len(r.via); k++ {
		to := r.via[k]
		at, _ = g.follow(at, to)
		kept := others[:0]
		for _, o := range others {
			for _, l := range g.states[o].links {
				if l.to == to && !l.across {
					kept = append(kept, l.state)
					break
				}
			}
		}
		others = kept
		if s, ok := g.starts[road{r.via[k-1], to}]; ok {
			others = append(others, s)
		}
		for _, o := range others {
			g.linkAcross(at, o)
		}
		for _, o := range others {
			g.inherit(at, o)
		}
	}
}

// linkAcross lets state lead to where the other's own path leads, unless it
// has a way of its own there or may not go there at all.
func (g *restrictionGraph) linkAcross(state, other int32) {
	for _, l := range g.states[other].links {
		if l.across || g.forbidden(state, l.to) {
			continue
		}
		if _, ok := g.follow(state, l.to); !ok {
			g.states[state].links = append(g.states[state].links, restrictionLink{to: l.to, state: l.state, across: true})
		}
	}
}

// inherit adds the restrictions that end at the other state.
func (g *restrictionGraph) inherit(state, other int32) {
next:
	for _, i := range g.states[other].ending {
		for _, have := range g.states[state].ending {
			if have == i {
				continue next
			}
		}
		g.states[state].ending = append(g.states[state].ending, i)
	}
}

// forbidden tells whether going on from a state to a place is forbidden
// whatever the time.
func (g *restrictionGraph) forbidden(state int32, to graph.PlaceID) bool {
	for _, i := range g.states[state].ending {
		if r := &g.restrictions[i]; r.unconditional() && r.forbids(to) {
			return true
		}
	}
	return false
}
