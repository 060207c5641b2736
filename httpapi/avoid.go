package httpapi

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// avoidWork is the work of preparing a search that avoids something, in units of a
// short route: it customizes cells or arcs.
const avoidWork = longWork

// standardAvoid is the default of Options.MaxAvoid.
const standardAvoid = 1000

// checkAvoid refuses to avoid more than is allowed.
func (o *Options) checkAvoid(avoid []routing.Avoid) error {
	if len(avoid) == 0 {
		return nil
	}
	if o.NoAvoid {
		return fail(routing.ErrDisabled, "The request needs avoid, which is disabled here.")
	}
	most := limit(o.MaxAvoid, standardAvoid)
	if size := avoidSize(avoid); most > 0 && size > most {
		e := fail(routing.ErrTooBig, "Number of corners, ways and segments to avoid %d is higher than current maximum (%d)", size, most)
		e.Limit = int64(most)
		return e
	}
	return nil
}

// avoidSize counts corners, ways and segments.
func avoidSize(avoid []routing.Avoid) int {
	size := 0
	for i := range avoid {
		a := &avoid[i]
		size += len(a.Ways) + len(a.Segments) + len(a.Classes)
		for _, ring := range a.Polygon {
			size += len(ring)
		}
	}
	return size
}

// avoid reads what to keep out of, as in
//
//	polygon(_ibE_seK…):motorway,toll;way(17,18);nodes(1,2,3)
//
// A polygon is one encoded polyline for each ring, the outer one first, with commas
// between them; polygon6 has six decimals. Behind it may be the classes of the roads
// meant. Nodes are OSM's, each the neighbor of the one before: the way from the first
// to the last is closed, in that direction.
func (p *parser) avoid() bool {
	p.common.avoid = nil
	return p.list(';', func() bool {
		var a routing.Avoid
		ok := false
		switch {
		case p.lit("polygon("):
			ok = p.rings(&a.Polygon, 5)
		case p.lit("polygon6("):
			ok = p.rings(&a.Polygon, 6)
		case p.lit("way("):
			ok = p.list(',', func() bool { return p.id(&a.Ways) }) && p.lit(")")
		case p.lit("nodes("):
			var nodes []int64
			start := p.at
			ok = p.list(',', func() bool { return p.id(&nodes) }) && p.lit(")")
			if ok && len(nodes) < 2 {
				p.at = start
				return false
			}
			a.Segments = pairs(nodes)
		}
		if ok && a.Polygon != nil && p.lit(":") {
			ok = p.list(',', func() bool {
				var name string
				ok := p.span(&name, classChar)
				a.Classes = append(a.Classes, name)
				return ok
			})
		}
		p.common.avoid = append(p.common.avoid, a)
		return ok
	})
}

// pairs returns each node of a line with the next.
func pairs(nodes []int64) [][2]int64 {
	var out [][2]int64
	for i := 1; i < len(nodes); i++ {
		out = append(out, [2]int64{nodes[i-1], nodes[i]})
	}
	return out
}

// rings reads the polylines of a polygon and the bracket behind them.
func (p *parser) rings(to *orb.Polygon, precision int) bool {
	return p.list(',', func() bool {
		var text string
		start := p.at
		if !p.span(&text, polylineChar) {
			return false
		}
		line, err := routing.DecodePolyline(text, precision)
		if err != nil {
			p.at = start
			return false
		}
		*to = append(*to, closedRing(orb.Ring(line)))
		return true
	}) && p.lit(")")
}

// closedRing adds the first corner at the end, unless it is there.
func closedRing(r orb.Ring) orb.Ring {
	if len(r) > 0 && r[0] != r[len(r)-1] {
		return append(slices.Clip(r), r[0])
	}
	return r
}

// id reads an OSM id.
func (p *parser) id(to *[]int64) bool {
	start := p.at
	negative := p.lit("-")
	var digits string
	if !p.span(&digits, digit) {
		p.at = start
		return false
	}
	v := int64(0)
	for _, c := range []byte(digits) {
		if v > (math.MaxInt64-int64(c-'0'))/10 {
			p.at = start
			return false
		}
		v = v*10 + int64(c-'0')
	}
	if negative {
		v = -v
	}
	*to = append(*to, v)
	return true
}
