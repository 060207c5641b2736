package dissect

import (
	"cmp"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// directions are the lines along which bisection looks for sources and sinks.
const directions = 4

// slopes are the directions as steps east and north.
var slopes = [directions][2]int64{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// Degrees returns the number of ends of drivable chains by JunctionID.
func Degrees(n *graph.Network) []int32 {
	degree := make([]int32, len(n.JunctionPlace))
	for c := range n.NumChains() {
		if drivable(n, c) {
			degree[n.ArmJunction[2*c]]++
			degree[n.ArmJunction[2*c+1]]++
		}
	}
	return degree
}

func drivable(n *graph.Network, chain int) bool {
	return n.ArmNode[2*chain] != graph.InvalidNode || n.ArmNode[2*chain+1] != graph.InvalidNode
}

// makeRoads returns the junctions of a network, joined by the chains that can be
// driven.
func makeRoads(n *graph.Network) *roads {
	vertices, chains := len(n.JunctionPlace), n.NumChains()
	degree := Degrees(n)
	drivable := func(c int) bool { return drivable(n, c) }
	g := &roads{first: make([]uint32, vertices+1), name: alongCurve(n), weight: make([]uint32, vertices)}
	vertex := make([]uint32, vertices) // by JunctionID
	for v, j := range g.name {
		vertex[j] = uint32(v)
	}
	for _, arm := range n.NodeArm {
		g.weight[vertex[n.ArmJunction[arm]]]++
	}
	for c := range chains {
		if a, b := n.ArmJunction[2*c], n.ArmJunction[2*c+1]; a != b && drivable(c) {
			g.first[vertex[a]+1]++
			g.first[vertex[b]+1]++
		}
	}
	for v := range vertices {
		g.first[v+1] += g.first[v]
	}
	g.arcs = make([]roadArc, g.first[vertices])
	g.capacity = make([]int32, len(g.arcs))
	next := slices.Clone(g.first[:vertices])
	for c := range chains {
		a, b := n.ArmJunction[2*c], n.ArmJunction[2*c+1]
		if a == b || !drivable(c) {
			continue
		}
		// Cutting a chain makes border nodes of those that meet at one end.
		capacity := max(min(degree[a], degree[b]), 2) - 1
		v, u := vertex[a], vertex[b]
		i, j := next[v], next[u]
		next[v]++
		next[u]++
		g.arcs[i], g.arcs[j] = roadArc{u, j}, roadArc{v, i}
		g.capacity[i], g.capacity[j] = capacity, capacity
	}
	g.sort(n)
	return g
}

// alongCurve returns the junctions in the order of Morton's curve, which keeps
// neighbors close in memory.
func alongCurve(n *graph.Network) []uint32 {
	type item struct {
		key uint64
		j   uint32
	}
	items := make([]item, len(n.JunctionPlace))
	for j, place := range n.JunctionPlace {
		c := n.Coords[place]
		items[j] = item{interleave(uint32(c.Lon)^1<<31) | interleave(uint32(c.Lat)^1<<31)<<1, uint32(j)}
	}
	slices.SortFunc(items, func(a, b item) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.j, b.j)) })
	order := make([]uint32, len(items))
	for i := range items {
		order[i] = items[i].j
	}
	return order
}

// interleave puts a zero before each bit.
func interleave(x uint32) uint64 {
	v := uint64(x)
	v = (v | v<<16) & 0x0000ffff0000ffff
	v = (v | v<<8) & 0x00ff00ff00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f0f0f0f0f
	v = (v | v<<2) & 0x3333333333333333
	return (v | v<<1) & 0x5555555555555555
}

// sort fills orders.
func (g *roads) sort(n *graph.Network) {
	const unit = 1024
	lat := (float64(n.Properties.Min.Lat) + float64(n.Properties.Max.Lat)) / 2e6
	shrink := int64(math.Round(unit * math.Cos(lat*math.Pi/180)))
	type item struct {
		key int64
		v   uint32
	}
	items := make([]item, len(g.name))
	for d, slope := range slopes {
		for v := range items {
			c := n.Coords[n.JunctionPlace[g.name[v]]]
			x, y := int64(c.Lon)*shrink, int64(c.Lat)*unit
			items[v] = item{slope[0]*x + slope[1]*y, uint32(v)}
		}
		slices.SortFunc(items, func(a, b item) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.v, b.v)) })
		g.orders[d] = make([]uint32, len(items))
		for i := range items {
			g.orders[d][i] = items[i].v
		}
	}
}

// split returns the parts of the graph on the two sides of a cut.
func (g *roads) split(side []bool) (parts [2]*roads) {
	n := g.size()
	to := make([]uint32, n) // new id
	var count [2]uint32
	for v := range n {
		s := sideOf(side[v])
		to[v] = count[s]
		count[s]++
	}
	arcTo := make([]uint32, len(g.arcs))
	var arcs [2]uint32
	for v := range n {
		for a := g.first[v]; a < g.first[v+1]; a++ {
			if side[g.arcs[a].head] == side[v] {
				s := sideOf(side[v])
				arcTo[a] = arcs[s]
				arcs[s]++
			}
		}
	}
	for s := range parts {
		parts[s] = &roads{
			first:    make([]uint32, 1, count[s]+1),
			arcs:     make([]roadArc, 0, arcs[s]),
			capacity: make([]int32, 0, arcs[s]),
			name:     make([]uint32, 0, count[s]),
			weight:   make([]uint32, 0, count[s]),
		}
		for d := range parts[s].orders {
			parts[s].orders[d] = make([]uint32, 0, count[s])
		}
	}
	for v := range n {
		p := parts[sideOf(side[v])]
		p.name = append(p.name, g.name[v])
		p.weight = append(p.weight, g.weight[v])
		for a := g.first[v]; a < g.first[v+1]; a++ {
			if r := g.arcs[a]; side[r.head] == side[v] {
				p.arcs = append(p.arcs, roadArc{to[r.head], arcTo[r.twin]})
				p.capacity = append(p.capacity, g.capacity[a])
			}
		}
		p.first = append(p.first, uint32(len(p.arcs)))
	}
	for d := range g.orders {
		for _, v := range g.orders[d] {
			p := parts[sideOf(side[v])]
			p.orders[d] = append(p.orders[d], to[v])
		}
	}
	return parts
}

func sideOf(side bool) int {
	if side {
		return 0
	}
	return 1
}
