package junction

import (
	"math/rand/v2"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/geo"
)

// randomTown returns a grid of size × size junctions with noise: curved,
// missing, one-way and split roads, short segments, repeated coordinates,
// roundabouts, barriers, restrictions.
func randomTown(seed uint64, size int) (*nbg.Graph, *graph.Strings, []NodeRestriction) {
	r := rand.New(rand.NewPCG(seed, 1))
	names := []string{"", "Main Street", "Main Street North", "High Street", "South High Street", "Elm"}
	var coords []geo.Coord
	spacing := []float64{12, 40, 90, 200}[r.IntN(4)]
	for i := range size * size {
		coords = append(coords, meters(float64(i%size)*spacing+r.NormFloat64()*spacing/6, float64(i/size)*spacing+r.NormFloat64()*spacing/6))
		if i > 0 && r.IntN(60) == 0 {
			coords[i] = coords[i-1]
		}
	}
	bend := func(a, b nbg.NodeID) []nbg.NodeID {
		path := []nbg.NodeID{a}
		off := r.NormFloat64() * spacing / 8
		for k, n := 1, r.IntN(7); k < n; k++ {
			s := float64(k) / float64(n)
			if r.IntN(4) == 0 {
				s *= s
			}
			c := geo.Interpolate(s, coords[a], coords[b])
			d := meters(off*s*(1-s)*4+r.NormFloat64()*float64(r.IntN(2)), r.NormFloat64())
			o := meters(0, 0)
			path = append(path, nbg.NodeID(len(coords)))
			coords = append(coords, geo.Coord{Lon: c.Lon + d.Lon - o.Lon, Lat: c.Lat + d.Lat - o.Lat})
			if r.IntN(20) == 0 {
				path = append(path, path[len(path)-1])
			}
			if r.IntN(30) == 0 {
				coords[len(coords)-1] = coords[path[len(path)-2]]
			}
		}
		return append(path, b)
	}
	var roads []road
	add := func(a, b int) {
		if r.IntN(8) == 0 {
			return
		}
		rd := road{path: bend(nbg.NodeID(a), nbg.NodeID(b)), name: names[r.IntN(len(names))], oneway: r.IntN(3) == 0}
		if r.IntN(2) == 0 {
			rd.name = names[1+(a/size+b%size)%2]
		}
		if rd.oneway && r.IntN(2) == 0 {
			for i, k := 0, len(rd.path)-1; i < k; i, k = i+1, k-1 {
				rd.path[i], rd.path[k] = rd.path[k], rd.path[i]
			}
		}
		rd.edge.Class = nbg.RoadClass{
			Motorway: r.IntN(8) == 0, Link: r.IntN(8) == 0, MayBeIgnored: r.IntN(6) == 0,
			Lanes: uint8(r.IntN(4)), Priority: uint8([]int{2, 4, 4, 10}[r.IntN(4)]),
		}
		if r.IntN(3) != 0 {
			rd.edge.Class = nbg.RoadClass{Priority: 4}
		}
		rd.edge.Roundabout, rd.edge.Circular = r.IntN(15) == 0, r.IntN(20) == 0
		rd.edge.Lanes = uint32(r.IntN(3))
		roads = append(roads, rd)
	}
	for i := range size * size {
		if i%size < size-1 {
			add(i, i+1)
		}
		if i/size < size-1 {
			add(i, i+size)
			if r.IntN(4) == 0 && i%size < size-1 {
				add(i, i+size+1)
			}
		}
	}
	g, texts := build(coords, roads...)
	kinds := []nbg.ObstacleType{nbg.Barrier, nbg.TrafficSignals, nbg.TurningCircle}
	var restrictions []NodeRestriction
	for n := range nbg.NodeID(size * size) {
		if r.IntN(20) == 0 {
			g.Obstacles = append(g.Obstacles, nbg.Obstacle{Node: n, From: graph.InvalidPlace, Type: kinds[r.IntN(3)]})
		}
		if first, end := g.Out(n); end > first && r.IntN(10) == 0 {
			restrictions = append(restrictions, NodeRestriction{
				From: g.Edges[first].Head, Via: n, To: g.Edges[end-1].Head, Only: r.IntN(3) == 0,
			})
		}
	}
	return g, texts, restrictions
}

// splitTown returns streets that run as two carriageways, cross others, split
// before junctions and around islands, and join again.
func splitTown(seed uint64, size int) (*nbg.Graph, *graph.Strings, []NodeRestriction) {
	r := rand.New(rand.NewPCG(seed, 2))
	var coords []geo.Coord
	var roads []road
	jitter := r.Float64() * 3
	place := func(x, y float64) nbg.NodeID {
		coords = append(coords, meters(x+r.NormFloat64()*jitter, y+r.NormFloat64()*jitter))
		return nbg.NodeID(len(coords) - 1)
	}
	middle := func(a, b nbg.NodeID, off float64) nbg.NodeID {
		c, o := geo.Middle(coords[a], coords[b]), meters(0, 0)
		d := meters(off*r.Float64(), off*r.Float64())
		coords = append(coords, geo.Coord{Lon: c.Lon + d.Lon - o.Lon, Lat: c.Lat + d.Lat - o.Lat})
		return nbg.NodeID(len(coords) - 1)
	}
	class := nbg.RoadClass{Priority: uint8(r.IntN(8)), Lanes: uint8(r.IntN(4)), Motorway: r.IntN(5) == 0}
	add := func(name string, one bool, path ...nbg.NodeID) {
		if r.IntN(3) == 0 && len(path) == 2 {
			path = []nbg.NodeID{path[0], middle(path[0], path[1], 8), path[1]}
		}
		if r.IntN(12) == 0 {
			name = "Side Street"
		}
		roads = append(roads, road{path: path, name: name, oneway: one, edge: nbg.Edge{Class: class}})
	}
	step := []float64{25, 60, 150}[r.IntN(3)]
	cross := make([]nbg.NodeID, size) // where the vertical streets have come to
	for row := range size {
		y := float64(row) * step
		name := []string{"Main Street", "High Street"}[row%2]
		gap := 2 + r.Float64()*12
		dual := r.IntN(3) != 0
		var up, down nbg.NodeID
		for col := range size {
			x := float64(col) * step
			vertical := []string{"Elm", "Oak", ""}[col%3]
			var u, d nbg.NodeID
			switch {
			case !dual || col == 0 || col == size-1 || r.IntN(6) == 0:
				u = place(x, y)
				d = u
			default:
				u, d = place(x, y+gap/2), place(x, y-gap/2)
			}
			if u != d && r.IntN(4) != 0 {
				add(vertical, false, d, u)
			}
			if col > 0 {
				add(name, dual, down, d)
				if u == d && up == down && dual {
					m := middle(up, u, 12)
					add(name, true, u, m)
					add(name, true, m, up)
				} else if dual {
					add(name, true, u, up)
				}
			}
			if row > 0 {
				switch r.IntN(3) {
				case 0: // split just before d: a triangle with the street
					s := place(x, y-gap/2-step/4)
					add(vertical, false, cross[col], s)
					add(vertical, true, s, d)
					side := place(x-3-r.Float64()*8, y-gap/2)
					add(vertical, true, side, s)
					add(name, false, side, d)
				case 1: // an island
					s, t := place(x, y-step/2), place(x, y-step/2+8+r.Float64()*20)
					add(vertical, false, cross[col], s)
					add(vertical, true, s, t)
					m := middle(s, t, 6)
					add(vertical, true, t, m)
					add(vertical, true, m, s)
					add(vertical, false, t, d)
				default:
					add(vertical, false, cross[col], d)
				}
			}
			cross[col] = u
			up, down = u, d
		}
	}
	g, texts := build(coords, roads...)
	return g, texts, nil
}
