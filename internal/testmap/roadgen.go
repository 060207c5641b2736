package testmap

import (
	"math"
	"math/rand/v2"

	"github.com/fourway-routing/fourway/graph"
)

// Roads returns the edge-expanded graph of a made-up road network with about n
// nodes, the same for the same seed. It is what searches and their preparation
// are measured on where no extract is large enough: a jittered street grid with
// gaps, dead ends, one-way streets, arterials and motorways, weighed by travel
// time with the cost of turns. Delaware's graph has 1.94 edges a node, this
// 2.1.
func Roads(n int, seed uint64) *graph.Expanded {
	r := roads{rng: rand.New(rand.NewPCG(seed, 7))}
	// A junction of the grid brings about 4.6 nodes.
	side := max(2, int(math.Sqrt(float64(n)/4.6)))
	r.layOut(side)
	return r.expand()
}

// Every so many-th line of the grid is an arterial, every so many-th of those
// a motorway.
const (
	arterialEvery = 8
	motorwayEvery = 8
)

type roads struct {
	rng    *rand.Rand
	places []roadPlace
	ways   []roadWay
}

type roadPlace struct{ x, y float64 } // meters

// roadWay is a road between two places.
type roadWay struct {
	from, to int
	speed    float64 // m/s
	oneWay   bool
}

func (r *roads) place(x, y float64) int {
	r.places = append(r.places, roadPlace{x, y})
	return len(r.places) - 1
}

func (r *roads) layOut(side int) {
	const block = 120.0
	jitter := func() float64 { return (r.rng.Float64() - 0.5) * block / 2 }
	for y := range side {
		for x := range side {
			r.place(float64(x)*block+jitter(), float64(y)*block+jitter())
		}
	}
	for y := range side {
		for x := range side {
			at := y*side + x
			if x+1 < side {
				r.street(at, at+1, y)
			}
			if y+1 < side {
				r.street(at, at+side, x)
			}
			if r.rng.IntN(10) < 7 { // a dead end
				p := r.places[at]
				end := r.place(p.x+jitter(), p.y+jitter())
				r.ways = append(r.ways, roadWay{at, end, 4, false})
			}
		}
	}
}

// street joins neighboring junctions on a line of the grid.
func (r *roads) street(from, to, line int) {
	w := roadWay{from, to, 7 + 3*r.rng.Float64(), r.rng.IntN(12) == 0}
	switch {
	case line%(arterialEvery*motorwayEvery) == 0:
		w.speed, w.oneWay = 30, false
	case line%arterialEvery == 0:
		w.speed, w.oneWay = 17, false
	case r.rng.IntN(100) < 40: // no street here
		return
	}
	if r.rng.IntN(3) == 0 { // its name or limit changes halfway
		a, b := r.places[from], r.places[to]
		middle := r.place((a.x+b.x)/2, (a.y+b.y)/2)
		r.ways = append(r.ways, roadWay{from, middle, w.speed, w.oneWay})
		w.from = middle
	}
	r.ways = append(r.ways, w)
}

// roadNode is a direction of a way.
type roadNode struct {
	from, to, way int
	weight        float64 // tenths of a second
	meters        float64
	bearing       float64 // radians
}

func (r *roads) expand() *graph.Expanded {
	var nodes []roadNode
	for i, w := range r.ways {
		a, b := r.places[w.from], r.places[w.to]
		meters := math.Hypot(b.x-a.x, b.y-a.y)
		bearing := math.Atan2(b.y-a.y, b.x-a.x)
		nodes = append(nodes, roadNode{w.from, w.to, i, 10 * meters / w.speed, meters, bearing})
		if !w.oneWay {
			nodes = append(nodes, roadNode{w.to, w.from, i, 10 * meters / w.speed, meters, bearing + math.Pi})
		}
	}
	leaving := make([][]int32, len(r.places))
	for i := range nodes {
		leaving[nodes[i].from] = append(leaving[nodes[i].from], int32(i))
	}
	g := &graph.Expanded{First: make([]graph.EdgeID, 1, len(nodes)+1)}
	for i := range nodes {
		n := &nodes[i]
		exits := leaving[n.to]
		for _, next := range exits {
			m := &nodes[next]
			back := m.way == n.way
			if back && len(exits) > 1 {
				continue
			}
			turn := 0.0
			if len(exits) > 2 || back {
				// An S-shaped penalty of up to 7.5 s for the sharpest turn.
				angle := math.Abs(math.Remainder(m.bearing-n.bearing, 2*math.Pi)) / math.Pi
				turn = 75 / (1 + math.Exp(7-12*angle))
			}
			if back {
				turn += 200
			}
			w := graph.Weight(math.Round(n.weight + turn))
			g.Arcs = append(g.Arcs, graph.Arc{
				Head:     graph.NodeID(next),
				Weight:   w,
				Duration: graph.Duration(w),
				Distance: graph.Distance(math.Round(100 * n.meters)),
			})
		}
		g.First = append(g.First, graph.EdgeID(len(g.Arcs)))
	}
	return g
}
