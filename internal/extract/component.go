package extract

import "github.com/fourway-routing/fourway/graph"

// sccGraph is a directed graph for components: arcs of v are
// head[first[v]:first[v+1]], and twin[v], unless graph.InvalidNode, stands for
// an arc in both directions.
type sccGraph struct {
	first []graph.EdgeID
	head  []graph.NodeID
	twin  []graph.NodeID
}

// components labels the strongly connected components by Tarjan's algorithm
// (1972), without recursion. It returns the component of each node, numbered in
// the order in which they are completed, and their sizes.
func (g *sccGraph) components() (of []uint32, sizes []uint32) {
	n := len(g.first) - 1
	const unseen = 1<<32 - 1
	type frame struct {
		node graph.NodeID
		next graph.EdgeID // arc to look at; first[v+1] is the twin's turn
	}
	var (
		low     = make([]uint32, n) // visit number, then the lowest reachable one
		visited = uint32(0)
		open    []graph.NodeID // visited, component not complete
		path    []frame
	)
	of = make([]uint32, n)
	for v := range of {
		of[v], low[v] = unseen, unseen
	}
	enter := func(v graph.NodeID) {
		low[v] = visited
		visited++
		open = append(open, v)
		path = append(path, frame{v, g.first[v]})
	}
	// seenAt are visit numbers, which low forgets.
	seenAt := make([]uint32, n)
	for root := range graph.NodeID(n) {
		if low[root] != unseen {
			continue
		}
		seenAt[root] = visited
		enter(root)
		for len(path) > 0 {
			f := &path[len(path)-1]
			v := f.node
			end := g.first[v+1]
			if f.next <= end {
				to := graph.InvalidNode
				if f.next < end {
					to = g.head[f.next]
				} else {
					to = g.twin[v]
				}
				f.next++
				switch {
				case to == graph.InvalidNode:
				case low[to] == unseen:
					seenAt[to] = visited
					enter(to)
				case of[to] == unseen:
					low[v] = min(low[v], seenAt[to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				parent := path[len(path)-1].node
				low[parent] = min(low[parent], low[v])
			}
			if low[v] != seenAt[v] {
				continue
			}
			size := uint32(0)
			for {
				w := open[len(open)-1]
				open = open[:len(open)-1]
				of[w] = uint32(len(sizes))
				size++
				if w == v {
					break
				}
			}
			sizes = append(sizes, size)
		}
	}
	return of, sizes
}
