package httpapi

import (
	"context"
	"math"
	"net/http"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/simplify"

	"github.com/fourway-routing/fourway/routing"
)

const (
	// mapPath is where the tiles of the map page are.
	mapPath = "/map/v1/"
	// maxMapZoom is the largest zoom of a tile of the map: larger scales are drawn
	// from it.
	maxMapZoom = 16
	// mapRevision is part of the tags of tiles, and goes up when they are drawn in
	// another way.
	mapRevision = "1"
	// mapSlack is how far a line may be off, in the unit of tiles.
	mapSlack = 1.5
)

// parseMap understands a request of a tile of the map.
func (s *Server) parseMap(url string, x *exchange) (q question, e *routing.Engine, err error) {
	var t tileID
	target, err := parseMapURL(url, &t)
	if err != nil {
		return q, nil, err
	}
	x.seen.Service, x.seen.Profile = target.service, target.profile
	if e, err = s.engine(target.profile); err != nil {
		return q, nil, err
	}
	if err := s.limits.CheckRoads(); err != nil {
		return q, nil, err
	}
	return question{
		tile: true,
		tag:  `W/"` + e.Info().GraphID + "-" + mapRevision + `"`,
		ask: func(ctx context.Context, e *routing.Engine) (answer, error) {
			res, err := routing.Streets(ctx, e, routing.StreetsRequest{Bounds: t.bounds(), Zoom: int(t.z)})
			if err != nil {
				return nil, err
			}
			return &mapTile{res.Streets, t}, nil
		},
	}, e, nil
}

// parseMapURL reads /map/v1/profile/z/x/y.mvt.
func parseMapURL(url string, t *tileID) (target, error) {
	p := parser{scanner: scanner{text: url}}
	var to target
	if !p.prefix(&to) || !p.lit("/") || !p.unsigned(&t.z) || !p.lit("/") || !p.unsigned(&t.x) || !p.lit("/") || !p.unsigned(&t.y) ||
		!p.lit(".mvt") || !p.done() {
		return to, p.malformed()
	}
	if t.z > maxMapZoom || t.x>>t.z != 0 || t.y>>t.z != 0 {
		return to, fail(routing.ErrInvalidOptions, "Invalid tile: x and y must be below 2^z, and z at most %d.", maxMapZoom)
	}
	return to, nil
}

// mapTile draws streets as a vector tile.
type mapTile struct {
	streets []routing.Street
	tile    tileID
}

const (
	streetClass = iota
	streetName
	streetRef
	streetLink
	streetOneWay
	streetTunnel
)

func (m *mapTile) render(b *buffer, _ bool) {
	l := newLayer("streets", "class", "name", "ref", "link", "oneway", "tunnel")
	frame := newTileFrame(m.tile)
	simplifier := simplify.DouglasPeucker(mapSlack)
	var points []tilePoint
	for i := range m.streets {
		street := &m.streets[i]
		for _, line := range frame.clipLine(street.Line) {
			points = points[:0]
			for _, p := range simplifier.LineString(line) {
				at := tilePoint{int32(math.Round(p[0])), int32(math.Round(p[1]))}
				if len(points) == 0 || at != points[len(points)-1] {
					points = append(points, at)
				}
			}
			if len(points) > 1 {
				tagStreet(l, street)
				l.add(0, points...)
			}
		}
	}
	b.body = l.appendTo(b.body[:0])
}

func tagStreet(l *layer, s *routing.Street) {
	l.text(streetClass, s.Class.String())
	if s.Name != "" {
		l.text(streetName, s.Name)
	}
	if s.Ref != "" {
		l.text(streetRef, s.Ref)
	}
	for _, flag := range [...]struct {
		key int
		set bool
	}{{streetLink, s.Link}, {streetOneWay, s.OneWay}, {streetTunnel, s.Tunnel}} {
		if flag.set {
			l.bool(flag.key, true)
		}
	}
}

// clipLine returns the parts of a line that are not beyond the margin.
func (f *tileFrame) clipLine(line orb.LineString) orb.MultiLineString {
	flat := make(orb.LineString, len(line))
	for i, p := range line {
		flat[i][0], flat[i][1] = f.place(p)
	}
	return clip.LineString(orb.Bound{Min: orb.Point{tileLeast, tileLeast}, Max: orb.Point{tileMost, tileMost}}, flat)
}

// unchanged says whether a client has what a tag stands for (RFC 9110, 13.1.2).
func unchanged(ifNoneMatch, tag string) bool {
	for part := range strings.SplitSeq(ifNoneMatch, ",") {
		part = strings.TrimSpace(part)
		if part == "*" || strings.TrimPrefix(part, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// cache lets clients keep the answer: for five minutes without asking again.
func (x *exchange) cache(header http.Header, tag string) {
	x.set(header, "Etag", tag) // as header.Set would write it
	x.set(header, "Cache-Control", "public, max-age=300")
}
