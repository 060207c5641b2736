package routing

import (
	"cmp"
	"context"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/simplify"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// streetTier is a simplified map: the zoom up to which it serves, and the least
// class of its roads.
type streetTier struct {
	zoom  int
	least StreetClass
}

// streetTiers are the simplified maps, by zoom.
var streetTiers = [...]streetTier{
	{4, StreetTrunk}, {6, StreetPrimary}, {8, StreetSecondary}, {DetailZoom - 1, StreetTertiary},
}

// tierOf returns the tier of a zoom below DetailZoom.
func tierOf(zoom int) int {
	return slices.IndexFunc(streetTiers[:], func(t streetTier) bool { return zoom <= t.zoom })
}

// streetOverview is a simplified map of main roads and ferries. It is immutable.
type streetOverview struct {
	lines  []overviewLine // in the order of a Z curve
	coords []geo.Coord
	blocks []geoBox // of overviewBlock lines each
}

// overviewBlock is the number of lines that are looked at together.
const overviewBlock = 64

type overviewLine struct {
	streetTraits
	first, end uint32 // of coords
	box        geoBox
}

// geoBox bounds coordinates, ends included.
type geoBox struct{ least, most geo.Coord }

func (b *geoBox) add(c geo.Coord) {
	b.least = geo.Coord{Lon: min(b.least.Lon, c.Lon), Lat: min(b.least.Lat, c.Lat)}
	b.most = geo.Coord{Lon: max(b.most.Lon, c.Lon), Lat: max(b.most.Lat, c.Lat)}
}

func (b *geoBox) meets(o *geoBox) bool {
	return b.least.Lon <= o.most.Lon && o.least.Lon <= b.most.Lon && b.least.Lat <= o.most.Lat && o.least.Lat <= b.most.Lat
}

// curve returns the place of the box's middle along the Z curve (Morton, A Computer
// Oriented Geodetic Data Base, 1966).
func (b *geoBox) curve() uint64 {
	middle := geo.Middle(b.least, b.most)
	return spread(uint32(middle.Lon)^1<<31) | spread(uint32(middle.Lat)^1<<31)<<1
}

// spread puts a zero before each bit.
func spread(v uint32) uint64 {
	x := uint64(v)
	for shift := 16; shift > 0; shift /= 2 {
		x = (x | x<<shift) & (^uint64(0) / (1<<shift + 1))
	}
	return x
}

// tolerance returns how far a simplified line may be off, in degrees of the
// equator: half a pixel of a tile of 512.
func tolerance(zoom int) float64 { return 360.0 / 1024 / float64(uint64(1)<<zoom) }

// newStreetOverview simplifies the streets of a tier.
func newStreetOverview(n *graph.Network, tier int) *streetOverview {
	t := streetTiers[tier]
	var lines []streetLine
	for chain := range graph.ChainID(n.NumChains()) {
		arm := graph.ArmID(chain) << 1
		if n.ArmNode[arm] == graph.InvalidNode && n.ArmNode[arm.Twin()] == graph.InvalidNode {
			continue
		}
		traits := traitsOf(n, chain)
		if traits.Link || traits.Class > t.least && traits.Class < StreetFerry {
			continue
		}
		traits.Name, traits.Tunnel = 0, false
		lines = append(lines, chainLine(n, chain, traits))
	}
	o := new(streetOverview)
	off := tolerance(t.zoom)
	simplifier := simplify.DouglasPeucker(off)
	for _, l := range joinStreets(lines) {
		flat := make(orb.LineString, len(l.places))
		for i, p := range l.places {
			at := geo.ToMercator(n.Coords[p])
			flat[i] = orb.Point{at.X, at.Y}
		}
		if b := flat.Bound(); max(b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]) < off {
			continue
		}
		o.add(l.streetTraits, simplifier.LineString(flat))
	}
	o.index()
	return o
}

func (o *streetOverview) add(t streetTraits, flat orb.LineString) {
	line := overviewLine{streetTraits: t, first: uint32(len(o.coords))}
	for i, p := range flat {
		c := geo.FromMercator(geo.Point{X: p[0], Y: p[1]}).Coord()
		if i == 0 {
			line.box = geoBox{c, c}
		}
		line.box.add(c)
		o.coords = append(o.coords, c)
	}
	line.end = uint32(len(o.coords))
	o.lines = append(o.lines, line)
}

// index sorts the lines so that neighbors in the list are neighbors on the map.
func (o *streetOverview) index() {
	slices.SortStableFunc(o.lines, func(a, b overviewLine) int { return cmp.Compare(a.box.curve(), b.box.curve()) })
	for block := range slices.Chunk(o.lines, overviewBlock) {
		box := block[0].box
		for i := range block {
			box.add(block[i].box.least)
			box.add(block[i].box.most)
		}
		o.blocks = append(o.blocks, box)
	}
}

// appendTo appends the lines whose bounds meet a rectangle.
func (o *streetOverview) appendTo(ctx context.Context, dst *[]Street, n *graph.Network, bound orb.Bound) error {
	box := geoBox{coord(bound.Min), coord(bound.Max)}
	for i := range o.blocks {
		if !o.blocks[i].meets(&box) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for at := i * overviewBlock; at < min((i+1)*overviewBlock, len(o.lines)); at++ {
			l := &o.lines[at]
			if !l.box.meets(&box) {
				continue
			}
			line := make(orb.LineString, 0, l.end-l.first)
			for _, c := range o.coords[l.first:l.end] {
				line = append(line, point(c))
			}
			*dst = append(*dst, l.street(n, line))
		}
	}
	return nil
}
