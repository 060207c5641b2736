package httpapi

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

const (
	minTileZoom, maxTileZoom = 12, 19
	// turnZoom is the zoom from which tiles show turns.
	turnZoom = 15
	// topSpeed is the highest speed that is told, in km/h.
	topSpeed = 127
)

func getTile(s *Server, text string, offset int) (question, error) {
	t, network, err := parseTile(text, offset)
	if err != nil {
		return question{}, err
	}
	if err := s.limits.CheckRoads(); err != nil {
		return question{}, err
	}
	return question{tile: true, ask: func(ctx context.Context, e *routing.Engine) (answer, error) {
		res, err := routing.Roads(ctx, e, routing.RoadsRequest{Bounds: t.bounds(), Turns: t.z >= turnZoom, Network: network})
		if err != nil {
			return nil, err
		}
		return &tileAnswer{res, t, network}, nil
	}}, nil
}

// parseTile reads tile(x,y,z).mvt, and whether the network is asked for, which OSRM
// does not know.
func parseTile(text string, offset int) (t tileID, network bool, err error) {
	p := parser{scanner: scanner{text: text, at: offset}}
	if !p.lit("tile(") || !p.unsigned(&t.x) || !p.lit(",") || !p.unsigned(&t.y) || !p.lit(",") || !p.unsigned(&t.z) ||
		!p.lit(").mvt") || p.lit("?network=") && !p.boolean(&network) || !p.done() {
		return t, false, p.misread()
	}
	if t.z < minTileZoom || t.z > maxTileZoom || t.x>>t.z != 0 || t.y>>t.z != 0 {
		return t, false, fail(routing.ErrInvalidOptions, "Invalid tile: x and y must be below 2^z, and z one of %d to %d.", minTileZoom, maxTileZoom)
	}
	return t, network, nil
}

// tileAnswer draws roads as a vector tile.
type tileAnswer struct {
	*routing.RoadsResponse
	tile    tileID
	network bool
}

// levels returns the number of levels of cells.
func (a *tileAnswer) levels() int {
	if len(a.Roads) == 0 {
		return 0
	}
	return len(a.Roads[0].Cells)
}

const (
	speedValue = iota
	speedSmall
	speedSource
	speedWeight
	speedDuration
	speedName
	speedRate
	speedStart
	speedComponent
	speedCell // of level 1; those of the others follow
)

const (
	turnBearing = iota
	turnAngle
	turnCost
	turnWeight
	turnType
	turnModifier
)

func (a *tileAnswer) render(b *buffer, _ bool) {
	frame := newTileFrame(a.tile)
	b.body = a.speeds(&frame).appendTo(b.body[:0])
	b.body = a.turns(&frame).appendTo(b.body)
	b.body = a.nodes(&frame).appendTo(b.body)
	b.body = a.internal(&frame).appendTo(b.body)
}

// speeds draws the roads, each direction by itself.
func (a *tileAnswer) speeds(f *tileFrame) *layer {
	keys := []string{"speed", "is_small", "datasource", "weight", "duration", "name", "rate", "is_startpoint"}
	if a.network {
		keys = append(keys, "component")
		for l := range a.levels() {
			keys = append(keys, "cell_"+strconv.Itoa(l+1))
		}
	}
	l := newLayer("speeds", keys...)
	id := uint64(0)
	for i := range a.Roads {
		r := &a.Roads[i]
		from, to, ok := f.clip(r.From, r.To)
		if !ok || r.Duration == 0 {
			continue
		}
		l.uint(speedValue, uint64(min(math.Round(r.Length/r.Duration*3.6), topSpeed)))
		l.bool(speedSmall, r.Small)
		l.text(speedSource, r.SpeedFrom)
		l.double(speedWeight, r.Weight)
		l.double(speedDuration, r.Duration)
		l.text(speedName, r.Name)
		l.double(speedRate, rate(r))
		l.bool(speedStart, r.Start)
		if a.network {
			l.uint(speedComponent, uint64(r.Component))
			for level, cell := range r.Cells {
				l.uint(speedCell+level, cell)
			}
		}
		id++
		l.add(id, from, to)
	}
	return l
}

// rate returns the meters that a tenth of a unit of weight lasts, in steps of
// 0.1 as OSRM has it.
func rate(r *routing.RoadSegment) float64 {
	if r.Weight == 0 {
		return 0
	}
	return math.Round(r.Length/r.Weight) / 10
}

func (a *tileAnswer) turns(f *tileFrame) *layer {
	l := newLayer("turns", "bearing_in", "turn_angle", "cost", "weight", "type", "modifier")
	id := uint64(0)
	for i := range a.Turns {
		t := &a.Turns[i]
		p, ok := f.inside(t.Location)
		if !ok {
			continue
		}
		l.sint(turnBearing, int64(t.BearingIn))
		l.sint(turnAngle, int64(t.Angle))
		l.float(turnCost, float32(t.Duration))
		l.float(turnWeight, float32(t.Weight))
		l.text(turnType, t.Type)
		l.text(turnModifier, t.Modifier)
		id++
		l.add(id, p)
	}
	return l
}

// nodes draws the OSM nodes that are the ends of roads.
func (a *tileAnswer) nodes(f *tileFrame) *layer {
	type node struct {
		id int64
		at orb.Point
	}
	all := make([]node, 0, 2*len(a.Roads))
	for i := range a.Roads {
		r := &a.Roads[i]
		all = append(all, node{r.Nodes[0], r.From}, node{r.Nodes[1], r.To})
	}
	slices.SortFunc(all, func(a, b node) int {
		switch {
		case a.id < b.id:
			return -1
		case a.id > b.id:
			return 1
		}
		return 0
	})
	l := newLayer("osmnodes")
	for i, n := range all {
		if i > 0 && all[i-1].id == n.id {
			continue
		}
		if p, ok := f.inside(n.at); ok {
			l.add(uint64(n.id), p)
		}
	}
	return l
}

// internal draws the roads within crossings. They have no ids.
func (a *tileAnswer) internal(f *tileFrame) *layer {
	l := newLayer("internal-nodes")
	for i := range a.Roads {
		r := &a.Roads[i]
		if from, to, ok := f.clip(r.From, r.To); ok && r.Internal {
			l.add(0, from, to)
		}
	}
	return l
}
