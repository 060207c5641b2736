package routing

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/polygon"
)

// sharesArea says whether two stops lie in one open area.
func (s *stop) sharesArea(o *stop) bool { return s.inArea && o.inArea && s.area == o.area }

// within returns the leg between two stops in one open area: the shortest way that
// stays in it. Roads are no shorter. It borrows the name of the road that leaves the
// area where the leg comes closest to its end.
func (s *pathSearch) within(from, to *stop) (p path, ok bool) {
	if !from.sharesArea(to) {
		return path{}, false
	}
	areas := &s.net.Areas
	meters, bends, ok := areas.WithinArea(&s.finder, from.area, from.asked(), to.asked())
	if !ok {
		return path{}, false
	}
	p = path{
		from: s.nearest(from.ends, to.asked(), func(e *end) bool { return e.source }),
		to:   s.nearest(to.ends, to.asked(), func(e *end) bool { return e.target }),

		summed: true, sum: areaCost(s.net, from.area, meters),
		within: true, area: from.area,
	}
	lo := len(s.bends)
	for _, vertex := range bends {
		s.bends = append(s.bends, areas.Place(from.area, vertex))
	}
	p.bends = s.bends[lo:len(s.bends):len(s.bends)]
	return p, true
}

// nearest returns the end nearest to a place of those that are wanted, or of all if
// none is. At one place the way with the least id counts: those that the map has come
// before those made across the area.
func (s *pathSearch) nearest(ends []end, to geo.Coord, wanted func(*end) bool) end {
	best, least, way := 0, math.Inf(1), int64(0)
	for i := range ends {
		e := &ends[i]
		if !wanted(e) {
			continue
		}
		distance := geo.Distance(e.location, to)
		index, _, _ := segment(s.net, e.arm, e.segment)
		id := s.net.Ways.Get(s.net.SegmentWay[index])
		if id < 0 {
			id = -id
		}
		if distance < least || distance == least && id < way {
			best, least, way = i, distance, id
		}
	}
	return ends[best]
}

// areaCost returns the cost of walking so many meters across an area.
func areaCost(n *graph.Network, area graph.AreaID, meters float64) cost {
	w := n.Areas.Walk(area, meters, n.Properties.WeightPrecision)
	return cost{w.Weight, w.Duration, int64(w.Distance)}
}

// areaCells are the cells of a table that its search gets wrong: those whose two ends
// lie in one open area, and those of an end in an area with another end on the same
// search node. Tables do not know what part of a seed's weight was spent elsewhere,
// and may take an end that lies before the other one for one behind.
type areaCells struct {
	finder   polygon.Finder
	spread   int // row that finder has spread from, -1 for none
	from, to []end
	// behind are the cells of the second kind, by row and column.
	behind []behindCell
}

type behindCell struct {
	row, column int
	cell        graph.Cell
}

// midway says whether a stop in an area has candidates in the midst of search nodes.
func midway(m *graph.Metric, phantoms []graph.Phantom) bool {
	for i := range phantoms {
		p := &phantoms[i]
		for d, node := range p.Nodes {
			if p.Source[d] && p.Weight[d] > 0 || p.Target[d] && p.Weight[d] < m.NodeWeight[node] {
				return true
			}
		}
	}
	return false
}

// mistakes says whether a table may take a target before a source for one behind.
func mistakes(from, to []graph.Phantom) bool {
	for i := range from {
		a := &from[i]
		for d, node := range a.Nodes {
			for k := range to {
				b := &to[k]
				if !a.Source[d] || !b.Target[d] || b.Nodes[d] != node {
					continue
				}
				before := a.Weight[d] - b.Weight[d]
				if before > 0 && before <= a.Walk.Weight+b.Walk.Weight {
					return true
				}
			}
		}
	}
	return false
}

// findBehind finds the cells of the second kind between sources and destinations, all
// stops if there are none. Candidates are those that count for a pair.
func (w *workspace) findBehind(ctx context.Context, sources, destinations []int, candidates func(from, to *stop) (a, b []graph.Phantom)) error {
	c := &w.areas
	c.behind, c.spread = c.behind[:0], -1
	any := false
	for i := range w.stops {
		any = any || w.stops[i].midway
	}
	if !any {
		return nil
	}
	n, m := w.data.net, w.data.metric
	count := func(indices []int) int {
		if len(indices) > 0 {
			return len(indices)
		}
		return len(w.stops)
	}
	w.paths.edgesWanted = true
	for i := range count(sources) {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := w.stopOf(sources, i)
		for j := range count(destinations) {
			to := w.stopOf(destinations, j)
			if !from.midway && !to.midway {
				continue
			}
			a, b := candidates(from, to)
			if !mistakes(a, b) {
				continue
			}
			c.from, c.to = c.from[:0], c.to[:0]
			for k := range a {
				c.from = appendEnds(c.from, n, m, &a[k])
			}
			for k := range b {
				c.to = appendEnds(c.to, n, m, &b[k])
			}
			w.searcher.Forget()
			w.paths.edges = w.paths.edges[:0]
			p, ok, err := w.paths.between(ctx, c.from, c.to)
			if err != nil {
				return err
			}
			cell := graph.Cell{Weight: graph.InvalidWeight, Duration: graph.InvalidDuration}
			if ok {
				sum := p.cost(n, m)
				cell = graph.Cell{Weight: sum.weight, Duration: sum.duration, Distance: graph.Distance(sum.distance)}
			}
			c.behind = append(c.behind, behindCell{i, j, cell})
		}
	}
	return nil
}

// areaCell returns the cell of a table between two stops, at a row and a column, if
// its search gets it wrong.
func (w *workspace) areaCell(from, to *stop, row, column int) (graph.Cell, bool) {
	if from.sharesArea(to) {
		if meters := w.metersWithin(from, to, row); !math.IsInf(meters, 1) {
			sum := areaCost(w.data.net, from.area, meters)
			return graph.Cell{Weight: sum.weight, Duration: sum.duration, Distance: graph.Distance(sum.distance)}, true
		}
	}
	c := &w.areas
	if len(c.behind) == 0 {
		return graph.Cell{}, false
	}
	at, ok := slices.BinarySearchFunc(c.behind, [2]int{row, column}, func(b behindCell, want [2]int) int {
		return cmp.Or(cmp.Compare(b.row, want[0]), cmp.Compare(b.column, want[1]))
	})
	if !ok {
		return graph.Cell{}, false
	}
	return c.behind[at].cell, true
}

// metersWithin returns the length of the shortest way between two stops in one area,
// as within finds it, infinite if there is none. What stops see of the area, and the
// ways from that of the row, are kept for the next cell.
func (w *workspace) metersWithin(from, to *stop, row int) float64 {
	c, areas := &w.areas, &w.data.net.Areas
	shape, g := areas.Shape(from.area), areas.Graph(from.area)
	if shape.Sees(from.asked(), to.asked()) {
		return geo.Distance(from.asked(), to.asked())
	}
	for _, s := range [...]*stop{from, to} {
		if !s.reached {
			s.reached, s.reach = true, shape.AppendReach(s.reach[:0], &g, s.asked())
		}
	}
	if c.spread != row {
		c.spread = row
		c.finder.Spread(&shape, &g, from.reach)
	}
	return c.finder.Join(to.reach)
}
