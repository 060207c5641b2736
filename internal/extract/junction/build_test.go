package junction

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// road is a road of a test's graph: the first and last place are junctions.
type road struct {
	path   []nbg.NodeID
	name   string
	oneway bool // in the direction of path
	edge   nbg.Edge
}

// street returns a two-way road.
func street(path ...nbg.NodeID) road { return road{path: path} }

// oneway returns a road that is driven in the direction of path only.
func oneway(path ...nbg.NodeID) road { return road{path: path, oneway: true} }

func (r road) named(name string) road { r.name = name; return r }

func (r road) with(change func(*nbg.Edge)) road { change(&r.edge); return r }

// meters returns the coordinate x meters east and y meters north of a place in
// Delaware.
func meters(x, y float64) geo.Coord {
	const lon, lat = -75.5, 39.7
	origin := geo.FromLonLat(lon, lat)
	east := geo.Distance(origin, geo.FromLonLat(lon+0.01, lat)) * 100
	north := geo.Distance(origin, geo.FromLonLat(lon, lat+0.01)) * 100
	return geo.FromLonLat(lon+x/east, lat+y/north)
}

// places returns coordinates from pairs of meters east and north.
func places(xy ...float64) []geo.Coord {
	var cs []geo.Coord
	for i := 0; i < len(xy); i += 2 {
		cs = append(cs, meters(xy[i], xy[i+1]))
	}
	return cs
}

// text interns strings.
type text struct {
	graph.Strings
	ids map[string]graph.StringID
}

func newText() *text {
	return &text{graph.Strings{First: []uint32{0, 0}}, map[string]graph.StringID{"": 0}}
}

func (t *text) id(s string) graph.StringID {
	if id, ok := t.ids[s]; ok {
		return id
	}
	id := graph.StringID(len(t.First) - 1)
	t.Data = append(t.Data, s...)
	t.First = append(t.First, uint32(len(t.Data)))
	t.ids[s] = id
	return id
}

// build makes a graph of roads. Of two between the same junctions the first
// stays.
func build(coords []geo.Coord, roads ...road) (*nbg.Graph, *graph.Strings) {
	texts := newText()
	labels := map[string]uint32{"": 0}
	g := &nbg.Graph{
		Coords:           coords,
		ChainFirst:       []uint32{0},
		Labels:           []nbg.Label{{}},
		LaneDescriptions: [][]nbg.LaneMask{nil, {nbg.LaneUTurn | 1<<3, 1 << 1}, {1 << 1}},
	}
	type half struct {
		tail nbg.NodeID
		nbg.Edge
	}
	var halves []half
	seen := map[[2]nbg.NodeID]bool{}
	for _, r := range roads {
		from, to := r.path[0], r.path[len(r.path)-1]
		if from == to || seen[[2]nbg.NodeID{from, to}] {
			continue
		}
		seen[[2]nbg.NodeID{from, to}], seen[[2]nbg.NodeID{to, from}] = true, true
		if _, ok := labels[r.name]; !ok {
			labels[r.name] = uint32(len(g.Labels))
			g.Labels = append(g.Labels, nbg.Label{Name: texts.id(r.name)})
		}
		e := r.edge
		e.Names = labels[r.name]
		if e.Mode == 0 {
			e.Mode = graph.ModeDriving
		}
		e.Arm = graph.ArmID(2 * (len(g.ChainFirst) - 1))
		e.Head = to
		halves = append(halves, half{from, e})
		e.Arm, e.Head, e.Reversed = e.Arm.Twin(), from, r.oneway
		halves = append(halves, half{to, e})
		g.ChainPlaces = append(g.ChainPlaces, r.path...)
		g.ChainFirst = append(g.ChainFirst, uint32(len(g.ChainPlaces)))
	}
	slices.SortFunc(halves, func(a, b half) int {
		return cmp.Or(cmp.Compare(a.tail, b.tail), cmp.Compare(a.Head, b.Head))
	})
	g.First = make([]nbg.EdgeID, len(coords)+1)
	for _, h := range halves {
		g.Edges = append(g.Edges, h.Edge)
		g.First[h.tail+1]++
	}
	for i := range coords {
		g.First[i+1] += g.First[i]
	}
	for i, h := range halves {
		g.Edges[i].Twin = g.Find(h.Head, h.tail)
	}
	return g, &texts.Strings
}

// worker returns a worker for the graph of the roads.
func worker(coords []geo.Coord, roads ...road) *Worker {
	g, texts := build(coords, roads...)
	return New(g, texts, []string{"North", "South"}, nil).NewWorker()
}

// angles returns the angles of a view, rounded to degrees, by head.
func angles(w *Worker, view []Turn) map[nbg.NodeID]float64 {
	m := map[nbg.NodeID]float64{}
	for _, t := range view {
		m[w.graph.Edges[t.Edge].Head] = math.Round(t.Angle)
	}
	return m
}

// allowed returns the heads of the allowed turns of a view, in its order.
func allowed(w *Worker, view []Turn) []nbg.NodeID {
	heads := []nbg.NodeID{}
	for _, t := range view {
		if t.Allowed {
			heads = append(heads, w.graph.Edges[t.Edge].Head)
		}
	}
	return heads
}

func bench(b *testing.B, w *Worker) {
	b.ReportAllocs()
	for b.Loop() {
		analyzeAll(w)
	}
}

// analyzeAll analyzes each junction as an extraction does.
func analyzeAll(w *Worker) (turns int) {
	g := w.graph
	for n := range nbg.NodeID(len(g.Coords)) {
		if g.Degree(n) == 0 {
			continue
		}
		j := w.At(n)
		for i := range j.Arms {
			if in := g.Edges[j.Arms[i].Edge].Twin; !g.Edges[in].Reversed {
				for _, t := range j.View(in) {
					if t.Allowed {
						turns++
					}
				}
			}
		}
	}
	return turns
}
