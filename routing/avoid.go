package routing

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"github.com/fourway-routing/fourway/graph"
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
	masks := make([]graph.ClassMask, len(avoid))
	for i := range avoid {
		var err error
		if masks[i], err = d.validAvoid(&avoid[i], i); err != nil {
			return nil, err
		}
	}
	v, err := d.avoided.get(ctx, keyOf(avoid), func(ctx context.Context) (*dataset, error) {
		u := traffic.NewUpdater(d.parts.index(), d.metric, new(traffic.Report))
		s := graph.NewSnapper(d.net, d.metric, pool.New())
		for i := range avoid {
			if err := d.close(ctx, u, s, &avoid[i], masks[i]); err != nil {
				return nil, err
			}
		}
		m, nodes := u.Finish()
		m.Sources = d.metric.Sources // the last one closes what is in no answer
		changed := graph.MakeBits(d.net.NumNodes())
		for _, node := range nodes {
			changed.Set(uint32(node))
		}
		v, err := d.renew(ctx, m, changed, d.life)
		if err == nil {
			v.info.MetricID = d.info.MetricID
		}
		return v, err
	})
	if err != nil && fromData(err) {
		err = d.corrupt(err)
	}
	return v, err
}

// validAvoid checks what is to be avoided, and returns the mask of its classes.
func (d *dataset) validAvoid(a *Avoid, at int) (mask graph.ClassMask, err error) {
	for _, ring := range a.Polygon {
		if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
			return 0, invalid(-1, "Avoid[%d] has a ring of %d points; it needs 4 or more, the last as the first", at, len(ring))
		}
		for _, p := range ring {
			if !onGlobe(p) {
				return 0, invalid(-1, "Avoid[%d] has a point that is not on the globe: %v", at, p)
			}
		}
	}
	if len(a.Classes) > 0 && a.Polygon == nil {
		return 0, invalid(-1, "Avoid[%d] has classes and no polygon that they are of; Exclude keeps out of classes everywhere", at)
	}
	for _, name := range a.Classes {
		i := slices.Index(d.net.Properties.Classes, name)
		if i < 0 {
			return 0, invalid(-1, "Avoid[%d] has an unknown class %q; this data set knows %v", at, name, d.net.Properties.Classes)
		}
		mask |= 1 << i
	}
	return mask, nil
}

// close closes roads. A done context ends it with the context's error.
func (d *dataset) close(ctx context.Context, u *traffic.Updater, s *graph.Snapper, a *Avoid, mask graph.ClassMask) error {
	closed := traffic.Speed{}
	ways := make(map[traffic.DirectedWay]traffic.Speed)
	for _, id := range a.Ways {
		ways[traffic.DirectedWay{ID: id}] = closed
		ways[traffic.DirectedWay{ID: id, Backward: true}] = closed
	}
	u.Ways(ways, 0)
	for _, x := range a.Segments {
		u.Segment(x[0], x[1], closed, 0)
	}
	if len(a.Polygon) == 0 {
		return ctx.Err()
	}
	n := d.net
	bound := a.Polygon.Bound()
	for _, at := range s.AppendSegments(nil, coord(bound.Min), coord(bound.Max)) {
		if err := ctx.Err(); err != nil { // a polygon can have many corners
			return err
		}
		index := n.ChainFirst[at.Chain] + at.Segment
		from, to := point(n.Coords[n.ChainPlaces[index]]), point(n.Coords[n.ChainPlaces[index+1]])
		if !touches(a.Polygon, from, to) {
			continue
		}
		for direction := range graph.ArmID(2) {
			arm := graph.ArmID(at.Chain)<<1 | direction
			if mask == 0 || n.Roads[n.ArmRoad[arm]].Classes&mask != 0 {
				u.CloseSegment(arm, index)
			}
		}
	}
	return nil
}

// touches says whether a segment has a point in a polygon or on its rim.
func touches(p orb.Polygon, from, to orb.Point) bool {
	if planar.PolygonContains(p, from) || planar.PolygonContains(p, to) {
		return true
	}
	for _, ring := range p {
		for i := range ring[1:] {
			if crosses(ring[i], ring[i+1], from, to) {
				return true
			}
		}
	}
	return false
}

// crosses says whether two segments have a point in common.
func crosses(a, b, c, d orb.Point) bool {
	side := func(a, b, c orb.Point) float64 { return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]) }
	if !(orb.MultiPoint{a, b}).Bound().Intersects((orb.MultiPoint{c, d}).Bound()) {
		return false
	}
	return side(a, b, c)*side(a, b, d) <= 0 && side(c, d, a)*side(c, d, b) <= 0
}
