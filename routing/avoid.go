package routing

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/region"
	"github.com/fourway-routing/fourway/internal/traffic"
	"github.com/fourway-routing/fourway/pool"
)

// Avoid closes roads for one request: they are neither driven nor snapped to. The
// first request that avoids something waits for the search to be prepared, some ten
// milliseconds in a small country; later ones that avoid the same do not.
type Avoid struct {
	// Polygon closes all segments of roads that it touches; its further rings are
	// holes. Nil closes none.
	Polygon orb.Polygon
	// Classes, if there are any, are those of the roads that Polygon closes: the
	// others, a bridge above for one, stay open. Without a Polygon they are an error:
	// RouteRequest.Exclude is for classes everywhere.
	Classes []string
	// Ways are OSM ways, closed in both directions. Those that the network has not
	// have no effect; the same goes for Segments.
	Ways []int64
	// Segments lead from an OSM node to its neighbor, and are closed in that
	// direction.
	Segments [][2]int64
}

// keyOf returns a text that is the same for lists that close the same things.
func keyOf(avoid []Avoid) string {
	var key []byte
	number := func(v uint64) { key = binary.LittleEndian.AppendUint64(key, v) }
	for _, a := range avoid {
		number(uint64(len(a.Polygon)))
		for _, ring := range a.Polygon {
			number(uint64(len(ring)))
			for _, p := range ring {
				number(math.Float64bits(p[0]))
				number(math.Float64bits(p[1]))
			}
		}
		number(uint64(len(a.Classes)))
		for _, name := range a.Classes {
			number(uint64(len(name)))
			key = append(key, name...)
		}
		number(uint64(len(a.Ways)))
		for _, id := range a.Ways {
			number(uint64(id))
		}
		number(uint64(len(a.Segments)))
		for _, s := range a.Segments {
			number(uint64(s[0]))
			number(uint64(s[1]))
		}
	}
	return string(key)
}

// avoiding returns the dataset with roads closed, itself if there are none.
func (d *dataset) avoiding(ctx context.Context, avoid []Avoid) (*dataset, error) {
	if len(avoid) == 0 {
		return d, nil
	}
	if d.overlay == nil && d.order == nil {
		return nil, &Error{
			Code: ErrNotImplemented, Index: -1, Message: "With CH nothing can be avoided.",
			Detail: "Open the data set with MLD or CCH.",
		}
	}
	blocks := make([]block, len(avoid))
	for i := range avoid {
		var err error
		if blocks[i], err = d.block(&avoid[i], "Avoid", i); err != nil {
			return nil, err
		}
	}
	v, err := d.avoided.get(ctx, keyOf(avoid), func(ctx context.Context) (*dataset, error) {
		x := d.parts.index()
		u := traffic.NewUpdater(x, d.metric, new(traffic.Report))
		s := graph.NewSnapper(d.net, d.metric, pool.New())
		for i := range blocks {
			list, err := blocks[i].segments(ctx, d.net, x, s)
			if err != nil {
				return nil, err
			}
			for _, segment := range list {
				u.CloseSegment(segment)
			}
		}
		m, nodes := u.Finish()
		m.Sources = d.metric.Sources // what is closed is in no answer
		v, err := d.renew(ctx, m, setOf(d.net, nodes), d.life)
		if err == nil {
			v.info.MetricID, v.metricName = d.info.MetricID, d.metricName
			v.turnLayer = d.turnLayer
		}
		return v, err
	})
	if err != nil && fromData(err) {
		err = d.corrupt(err)
	}
	return v, err
}

// setOf returns a set of search nodes.
func setOf(n *graph.Network, nodes []graph.NodeID) graph.Bits {
	set := graph.MakeBits(n.NumNodes())
	for _, v := range nodes {
		set.Set(uint32(v))
	}
	return set
}

// block is something to avoid that was found to be valid.
type block struct {
	*Avoid
	mask  graph.ClassMask // of its classes, 0 for all
	shape *region.Shape
}

// block checks what is to be avoided: the i-th of a list.
func (d *dataset) block(a *Avoid, list string, i int) (b block, err error) {
	for _, ring := range a.Polygon {
		if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
			return b, invalid(-1, "%s[%d] has a ring of %d points; it needs 4 or more, the last as the first", list, i, len(ring))
		}
		for _, p := range ring {
			if !onGlobe(p) {
				return b, invalid(-1, "%s[%d] has a point that is not on the globe: %v", list, i, p)
			}
		}
	}
	if len(a.Classes) > 0 && len(a.Polygon) == 0 {
		return b, invalid(-1, "%s[%d] has classes and no polygon that they are of; Exclude keeps out of classes everywhere", list, i)
	}
	b = block{Avoid: a, shape: region.NewShape(a.Polygon)}
	for _, name := range a.Classes {
		at := slices.Index(d.net.Properties.Classes, name)
		if at < 0 {
			return b, invalid(-1, "%s[%d] has an unknown class %q; this data set knows %v", list, i, name, d.net.Properties.Classes)
		}
		b.mask |= 1 << at
	}
	return b, nil
}

// touchesPerCheck is the number of segments between two looks at the context. Each may
// be compared with most edges of a polygon.
const touchesPerCheck = 64

// segments returns the segments that are closed, whether or not they can be driven.
// Some may be there twice. A done context ends it with the context's error.
func (b *block) segments(ctx context.Context, n *graph.Network, x *traffic.Index, s *graph.Snapper) (list []traffic.Segment, err error) {
	for _, id := range b.Ways {
		list = x.AppendWay(list, traffic.DirectedWay{ID: id})
		list = x.AppendWay(list, traffic.DirectedWay{ID: id, Backward: true})
	}
	for _, ends := range b.Segments {
		if at, ok := x.Find(ends[0], ends[1]); ok {
			list = append(list, at)
		}
	}
	if len(b.Polygon) == 0 {
		return list, ctx.Err()
	}
	bound := b.shape.Bound()
	for i, at := range s.AppendSegments(nil, coord(bound.Min), coord(bound.Max)) {
		if i%touchesPerCheck == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		index := n.ChainFirst[at.Chain] + at.Segment
		if !b.shape.Touches(point(n.Coords[n.ChainPlaces[index]]), point(n.Coords[n.ChainPlaces[index+1]])) {
			continue
		}
		for direction := range graph.ArmID(2) {
			arm := graph.ArmID(at.Chain)<<1 | direction
			if b.mask == 0 || n.Roads[n.ArmRoad[arm]].Classes&b.mask != 0 {
				list = append(list, traffic.Segment{Arm: arm, Index: index})
			}
		}
	}
	return list, ctx.Err()
}
