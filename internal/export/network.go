package export

import (
	"context"
	"math"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/routing"
)

// Writer takes the parts of a network.
type Writer interface {
	// Node takes an OSM node once, before the roads of its box or after.
	Node(id int64, at orb.Point) error
	// Road takes a stretch of road in a direction.
	Road(r *routing.RoadSegment) error
	// Close ends what was written. It does not close what it writes to.
	Close() error
}

// roadsABox is the number of segments that a box is to have where they are spread
// evenly.
const roadsABox = 2000

// mostBoxes bounds the number of boxes to a side.
const mostBoxes = 1 << 10

// Network writes the roads that meet a rectangle, and the nodes at their ends, each
// once, and closes the writer. The order depends on nothing but the data set and the
// rectangle. A done context ends it with the context's error.
func Network(ctx context.Context, e *routing.Engine, bounds orb.Bound, w Writer) error {
	s := e.Session()
	defer s.Close()
	x := exporter{session: s, w: w, outside: map[int64]bool{}}
	// Roads of elsewhere would only make more boxes.
	all := e.Info().Bounds
	x.low = geo.FromLonLat(max(bounds.Min[0], all.Min[0]), max(bounds.Min[1], all.Min[1]))
	x.high = geo.FromLonLat(min(bounds.Max[0], all.Max[0]), min(bounds.Max[1], all.Max[1]))
	if x.low.Lon <= x.high.Lon && x.low.Lat <= x.high.Lat {
		count := int32(min(max(math.Sqrt(float64(e.Info().Segments)/roadsABox), 1), mostBoxes))
		wide, tall := (x.high.Lon-x.low.Lon)/count+1, (x.high.Lat-x.low.Lat)/count+1
		for lat := x.low.Lat; lat <= x.high.Lat; lat += tall {
			for lon := x.low.Lon; lon <= x.high.Lon; lon += wide {
				high := geo.Coord{Lon: min(lon+wide-1, x.high.Lon), Lat: min(lat+tall-1, x.high.Lat)}
				if err := x.box(ctx, box{geo.Coord{Lon: lon, Lat: lat}, high}); err != nil {
					return err
				}
			}
		}
	}
	return w.Close()
}

// box is a rectangle that includes its rim.
type box struct{ low, high geo.Coord }

func (b *box) has(c geo.Coord) bool {
	return c.Lon >= b.low.Lon && c.Lon <= b.high.Lon && c.Lat >= b.low.Lat && c.Lat <= b.high.Lat
}

// clamp returns the place of the box that is nearest to c.
func (b *box) clamp(c geo.Coord) geo.Coord {
	return geo.Coord{
		Lon: min(max(c.Lon, b.low.Lon), b.high.Lon),
		Lat: min(max(c.Lat, b.low.Lat), b.high.Lat),
	}
}

type exporter struct {
	session *routing.Session
	w       Writer
	low     geo.Coord
	high    geo.Coord
	outside map[int64]bool // nodes that are not in the rectangle, written
}

// box writes what belongs to a box: nodes that lie in it, and roads of whose bounds the
// south-western corner does, as far as that is in the rectangle.
func (x *exporter) box(ctx context.Context, b box) error {
	res, err := x.session.Roads(ctx, routing.RoadsRequest{Bounds: orb.Bound{Min: degrees(b.low), Max: degrees(b.high)}})
	if err != nil {
		return err
	}
	whole := box{x.low, x.high}
	inside := map[int64]bool{}
	for i := range res.Roads {
		r := &res.Roads[i]
		from, to := geo.FromLonLat(r.From[0], r.From[1]), geo.FromLonLat(r.To[0], r.To[1])
		own := b.has(whole.clamp(geo.Coord{Lon: min(from.Lon, to.Lon), Lat: min(from.Lat, to.Lat)}))
		for k, at := range [...]geo.Coord{from, to} {
			id := r.Nodes[k]
			switch {
			case b.has(at):
				if inside[id] {
					continue
				}
				inside[id] = true
			case own && !whole.has(at) && !x.outside[id]:
				x.outside[id] = true
			default:
				continue
			}
			if err := x.w.Node(id, degrees(at)); err != nil {
				return err
			}
		}
		if own {
			if err := x.w.Road(r); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

func degrees(c geo.Coord) orb.Point {
	lon, lat := c.LonLat()
	return orb.Point{lon, lat}
}
