package routing

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/paulmach/orb"
	"github.com/tidwall/rtree"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/traffic"
	"github.com/fourway-routing/fourway/pool"
)

// closure is a closure on the network of a dataset. It is immutable.
type closure struct {
	LiveClosure
	segments []traffic.Segment // that can be driven but for it
	order    int               // in which closures came
}

// closureSet is the closures of a dataset. It is immutable.
type closureSet struct {
	list []*closure // in the order in which they came
	near *rtree.RTreeG[*closure]
	made int // ids given
	puts int // closures that were put in
}

// in returns the closures whose bounds meet a rectangle.
func (s *closureSet) in(b orb.Bound) []*closure {
	var found []*closure
	s.near.Search(b.Min, b.Max, func(_, _ [2]float64, c *closure) bool {
		found = append(found, c)
		return true
	})
	slices.SortFunc(found, func(a, b *closure) int { return a.order - b.order })
	return found
}

// next returns when the first of the closures ends; the zero Time if none does.
func (s *closureSet) next() (at time.Time) {
	for _, c := range s.list {
		if !c.Until.IsZero() && (at.IsZero() || c.Until.Before(at)) {
			at = c.Until
		}
	}
	return at
}

// close returns a metric with the roads of all closures closed, and the search nodes
// that differ. Answers do not show what is closed, so it has no data source.
func (s *closureSet) close(x *traffic.Index, m *graph.Metric) (*graph.Metric, []graph.NodeID) {
	if s == nil || len(s.list) == 0 {
		return m, nil
	}
	u := traffic.NewUpdater(x, m, new(traffic.Report))
	for _, c := range s.list {
		for _, segment := range c.segments {
			u.CloseSegment(segment)
		}
	}
	closed, nodes := u.Finish()
	closed.Sources = m.Sources
	return closed, nodes
}

// closureChange is a closureSet in the making.
type closureChange struct {
	closureSet
	now     time.Time
	ids     map[string]*closure // of the list
	added   []*closure
	removed []*closure
	ended   int
	nodes   int // search nodes of added and removed
}

// newClosureChange begins with the closures that are not over, which may be nil.
func newClosureChange(before *closureSet, now time.Time) *closureChange {
	c := &closureChange{now: now, ids: make(map[string]*closure)}
	if before == nil {
		c.near = new(rtree.RTreeG[*closure])
		return c
	}
	c.near, c.made, c.puts = before.near.Copy(), before.made, before.puts
	for _, x := range before.list {
		if !x.Until.IsZero() && !x.Until.After(now) {
			c.drop(x)
		} else {
			c.list, c.ids[x.ID] = append(c.list, x), x
		}
	}
	return c
}

// drop ends a closure that the list has not.
func (c *closureChange) drop(x *closure) {
	if !x.Bounds.IsEmpty() {
		c.near.Delete(x.Bounds.Min, x.Bounds.Max, x)
	}
	c.removed = append(c.removed, x)
	c.ended++
}

// remove ends a closure and says whether there is one with the id.
func (c *closureChange) remove(id string) bool {
	x := c.ids[id]
	if x == nil {
		return false
	}
	delete(c.ids, id)
	at, _ := slices.BinarySearchFunc(c.list, x.order, func(y *closure, order int) int { return y.order - order })
	c.list = slices.Delete(c.list, at, at+1)
	c.drop(x)
	return true
}

// add adds the i-th of some closures.
func (c *closureChange) add(ctx context.Context, d *dataset, from *Closure, i int) error {
	if !from.Until.IsZero() && !from.Until.After(c.now) {
		return invalid(-1, "Closures[%d] ends at %v: that is over", i, from.Until.Format(time.RFC3339))
	}
	x := &closure{LiveClosure: LiveClosure{Closure: *from}}
	x.Avoid = cloneAvoid(&from.Avoid)
	if err := x.place(ctx, d, i); err != nil {
		return err
	}
	for x.ID == "" || from.ID == "" && c.ids[x.ID] != nil {
		c.made++
		x.ID = strconv.Itoa(c.made)
	}
	if y := c.ids[x.ID]; y != nil && y.order >= c.puts-len(c.added) {
		return invalid(-1, "Closures[%d] and another one before it have the same ID %q", i, x.ID)
	}
	c.remove(x.ID)
	c.put(x)
	c.added = append(c.added, x)
	return nil
}

func (c *closureChange) put(x *closure) {
	x.order = c.puts
	c.puts++
	c.ids[x.ID] = x
	c.list = append(c.list, x)
	if !x.Bounds.IsEmpty() {
		c.near.Insert(x.Bounds.Min, x.Bounds.Max, x)
	}
}

// place finds what the i-th of some closures closes on the network of a dataset.
func (x *closure) place(ctx context.Context, d *dataset, i int) error {
	b, err := d.block(&x.Avoid, "Closures", i)
	if err != nil {
		return err
	}
	n, index := d.net, d.parts.index()
	list, err := b.segments(ctx, n, index, graph.NewSnapper(n, d.metric, pool.New()))
	if err != nil {
		return err
	}
	x.Bounds = orb.Bound{Min: orb.Point{1, 1}, Max: orb.Point{-1, -1}} // empty
	if len(x.Polygon) > 0 {
		x.Bounds = b.shape.Bound()
	}
	x.segments = slices.DeleteFunc(list, func(s traffic.Segment) bool { return n.ArmNode[s.Arm] == graph.InvalidNode })
	slices.SortFunc(x.segments, compareSegments)
	x.segments = slices.Compact(x.segments)
	x.Segments = len(x.segments)
	for _, s := range x.segments {
		for _, place := range n.ChainPlaces[s.Index : s.Index+2] {
			x.Bounds = x.Bounds.Extend(point(n.Coords[place]))
		}
	}
	x.FoundWays, x.FoundSegments = 0, 0
	for _, id := range x.Ways {
		for _, backward := range []bool{false, true} {
			if slices.ContainsFunc(index.AppendWay(nil, traffic.DirectedWay{ID: id, Backward: backward}), x.has) {
				x.FoundWays++
				break
			}
		}
	}
	for _, ends := range x.Avoid.Segments {
		if s, ok := index.Find(ends[0], ends[1]); ok && x.has(s) {
			x.FoundSegments++
		}
	}
	return nil
}

// has says whether a closure closes a segment.
func (x *closure) has(s traffic.Segment) bool {
	_, ok := slices.BinarySearchFunc(x.segments, s, compareSegments)
	return ok
}

func compareSegments(a, b traffic.Segment) int {
	if a.Index != b.Index {
		return int(int64(a.Index) - int64(b.Index))
	}
	return int(a.Arm&1) - int(b.Arm&1)
}

// addNodes adds to a set the search nodes that closures are about.
func addNodes(n *graph.Network, set graph.Bits, list []*closure) (count int) {
	add := func(v graph.NodeID) {
		if !set.Get(uint32(v)) {
			set.Set(uint32(v))
			count++
		}
	}
	for _, x := range list {
		for _, s := range x.segments {
			v := n.ArmNode[s.Arm]
			add(v)
			for _, c := range n.CopiesOf(v) {
				add(c.Copy)
			}
		}
	}
	return count
}
