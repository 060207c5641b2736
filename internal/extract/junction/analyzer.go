package junction

import (
	"cmp"
	"slices"
	"sort"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// NodeRestriction forbids the turn From → Via → To or, if Only, every other
// turn From → Via. From and To are neighbors of Via in the graph.
type NodeRestriction struct {
	From, Via, To nbg.NodeID
	Only          bool
}

// restricts says whether the restriction forbids to go on to a node.
func (r *NodeRestriction) restricts(to nbg.NodeID) bool { return (r.To == to) != r.Only }

// Analyzer knows the graph and the rules of its junctions. It is immutable and
// safe for concurrent use.
type Analyzer struct {
	graph        *nbg.Graph
	texts        *graph.Strings
	suffixes     map[string]struct{} // in lower case
	restrictions []NodeRestriction   // by Via, From
}

// New returns an analyzer of g. Its restrictions are the unconditional ones
// that have a node as via; texts are those that g's labels name; suffixes are
// the words, such as "North", that do not tell two road names apart. All but
// the order of restrictions must not change while the analyzer is in use.
func New(g *nbg.Graph, texts *graph.Strings, suffixes []string, restrictions []NodeRestriction) *Analyzer {
	a := &Analyzer{
		graph:        g,
		texts:        texts,
		suffixes:     make(map[string]struct{}, len(suffixes)),
		restrictions: slices.Clone(restrictions),
	}
	for _, s := range suffixes {
		a.suffixes[string(appendLower(nil, []byte(s)))] = struct{}{}
	}
	slices.SortStableFunc(a.restrictions, func(r, s NodeRestriction) int {
		return cmp.Or(cmp.Compare(r.Via, s.Via), cmp.Compare(r.From, s.From))
	})
	return a
}

// NewWorker returns a worker for one goroutine.
func (a *Analyzer) NewWorker() *Worker {
	w := &Worker{Analyzer: a}
	w.here.Analyzer, w.near.Analyzer, w.ahead.Analyzer = a, a, a
	return w
}

// restrictionsVia returns the restrictions with a via node.
func (a *Analyzer) restrictionsVia(n nbg.NodeID) []NodeRestriction {
	rs := a.restrictions
	first := sort.Search(len(rs), func(i int) bool { return rs[i].Via >= n })
	end := first
	for end < len(rs) && rs[end].Via == n {
		end++
	}
	return rs[first:end]
}

// obstacles returns the kinds of obstacle on a node, whatever their direction.
func (a *Analyzer) obstacles(n nbg.NodeID) nbg.ObstacleType {
	os := a.graph.Obstacles
	i := sort.Search(len(os), func(i int) bool { return os[i].Node >= n })
	var kinds nbg.ObstacleType
	for ; i < len(os) && os[i].Node == n; i++ {
		kinds |= os[i].Type
	}
	return kinds
}

// tail returns the node that an edge leaves.
func (a *Analyzer) tail(e nbg.EdgeID) nbg.NodeID {
	return a.graph.Edges[a.graph.Edges[e].Twin].Head
}

// Worker analyzes junctions one after another. It is not safe for concurrent
// use.
type Worker struct {
	*Analyzer
	here  Junction // what At returns
	near  Junction // a neighbor of here
	ahead Junction // where a walk has come to

	line        []geo.Coord // a road from the junction on
	steps       []float64   // lengths of its segments
	rest        []geo.Coord // its part beyond the junction's area
	samples     []geo.Coord
	rotated     []geo.Coord
	angles      []float64
	left, right finder
	connection  finder
	leftTrace   tracer
	rightTrace  tracer
	names       nameComparer
}

// Arm is a road at a junction, as it leaves it.
type Arm struct {
	Edge nbg.EdgeID
	// Initial is the bearing of the first meters, Perceived the one that a
	// driver would give the road. For a road that was merged both are that of
	// the merged road.
	Initial, Perceived float64
	// Length of the whole edge in meters.
	Length float64
	// Merged marks the half of a split road that leads to the junction; what
	// leaves it stands for both.
	Merged bool
}

// Junction is a node of the graph with its roads.
type Junction struct {
	*Analyzer
	Node nbg.NodeID
	// Arms has the roads in the order of their edges: arm i is edge
	// first of Node + i.
	Arms []Arm

	first nbg.EdgeID
	// order has the indexes of Arms by the place that follows the junction,
	// ring clockwise by their perceived bearing before any merge.
	order, ring []int32
	follow      []nbg.NodeID // by arm, the place that follows the junction

	obstacle     nbg.ObstacleType
	restrictions []NodeRestriction
	circular     bool // some arm belongs to a roundabout

	joined   []nbg.EdgeID // edges that were merged at the junction
	approach approach
	view     []Turn
}

// arm returns the arm of an edge that leaves or, if incoming, enters j.
func (j *Junction) arm(e nbg.EdgeID) *Arm { return &j.Arms[e-j.first] }

// At analyzes the junction at n. The result is valid until the next At.
func (w *Worker) At(n nbg.NodeID) *Junction {
	j := &w.here
	w.load(j, n, false)
	w.merge(j)
	return j
}

// load sets j to the junction at n, without regard to roads that merge. Close
// looks at the first meters of a road only.
func (w *Worker) load(j *Junction, n nbg.NodeID, closely bool) {
	g := w.graph
	first, end := g.Out(n)
	j.Node, j.first = n, first
	j.obstacle = w.obstacles(n)
	j.restrictions = w.restrictionsVia(n)
	j.approach.from = nbg.InvalidEdge
	j.circular = false
	j.Arms, j.order, j.ring, j.follow, j.joined = j.Arms[:0], j.order[:0], j.ring[:0], j.follow[:0], j.joined[:0]

	var lanes uint8
	for e := first; e < end; e++ {
		lanes = max(lanes, g.Edges[e].Class.Lanes)
	}
	closely = closely || end-first <= 2
	for e := first; e < end; e++ {
		edge := &g.Edges[e]
		j.circular = j.circular || edge.Roundabout || edge.Circular
		line := w.trace(w.line[:0], e)
		w.line = line
		arm := Arm{
			Edge:    e,
			Initial: geo.Bearing(line[0], atLength(initialLength, line)),
			Length:  geo.Length(line),
		}
		if closely {
			arm.Perceived = geo.Bearing(line[0], closeToTurn(line))
		} else {
			arm.Perceived = geo.Bearing(line[0], w.representative(line, edge, edge.Head == n, lanes))
		}
		i := int32(e - first)
		j.Arms = append(j.Arms, arm)
		j.follow = append(j.follow, w.following(e, n))
		j.order = append(j.order, i)
		for k := i; k > 0 && j.follow[j.order[k]] < j.follow[j.order[k-1]]; k-- {
			j.order[k], j.order[k-1] = j.order[k-1], j.order[k]
		}
	}
	for k, i := range j.order {
		j.ring = append(j.ring, i)
		for ; k > 0 && j.Arms[j.ring[k]].Perceived < j.Arms[j.ring[k-1]].Perceived; k-- {
			j.ring[k], j.ring[k-1] = j.ring[k-1], j.ring[k]
		}
	}
}

// trace appends the coordinates along an edge to line, without repetitions.
// There is at least one.
func (a *Analyzer) trace(line []geo.Coord, e nbg.EdgeID) []geo.Coord {
	g := a.graph
	arm := g.Edges[e].Arm
	c := arm.Chain()
	places := g.ChainPlaces[g.ChainFirst[c]:g.ChainFirst[c+1]]
	if arm.Reverse() {
		last := len(places) - 1
		line = append(line, g.Coords[places[last]])
		for i := last - 1; i >= 0; i-- {
			if at := g.Coords[places[i]]; at != line[len(line)-1] {
				line = append(line, at)
			}
		}
		return line
	}
	line = append(line, g.Coords[places[0]])
	for _, p := range places[1:] {
		if at := g.Coords[p]; at != line[len(line)-1] {
			line = append(line, at)
		}
	}
	return line
}

// following returns the place that follows n along an edge that leaves n. It
// is n itself if the edge has no other.
func (a *Analyzer) following(e nbg.EdgeID, n nbg.NodeID) nbg.NodeID {
	g := a.graph
	arm := g.Edges[e].Arm
	c := arm.Chain()
	places := g.ChainPlaces[g.ChainFirst[c]:g.ChainFirst[c+1]]
	for i := range places {
		p := places[i]
		if arm.Reverse() {
			p = places[len(places)-1-i]
		}
		if p != n {
			return p
		}
	}
	return n
}
