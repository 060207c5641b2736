package routing

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/guidance"
)

// legPath is a leg in pieces, as the parts of an answer are made from it.
type legPath struct {
	data     *dataset // whose metric it costs
	from, to end
	cost     total
	paths    []path
	runs     []run
	ends     []int32 // of runs, places of line
	line     []geo.Coord
	trimmed  guidance.Trimmed
	points   orb.LineString // line as answers have it; nil if no answer shows it whole
}

// total is the cost of a leg, which may join more paths than 32 bits hold.
type total struct{ weight, duration, distance int64 }

// assembler turns paths into answers. Its memory is kept for the next answer;
// it belongs to one goroutine.
type assembler struct {
	data   *dataset
	legs   []legPath
	names  []namedRun
	hops   []hop
	simple simplifier
	guide  *guidance.Builder
	guided guidance.Leg
	text   []byte
}

// drawing is what a request wants to see of a route.
type drawing struct {
	steps       bool
	annotations Annotations
	overview    Overview
	waypoints   []int // indices of the places between paths; nil for all
	tellMetric  bool
	explain     bool
}

// route makes a route of paths.
func (a *assembler) route(ctx context.Context, r drawing, paths []path) (RouteResult, error) {
	a.makeLegs(&r, paths)
	p := &a.data.net.Properties
	out := RouteResult{WeightName: p.WeightName, Legs: make([]Leg, len(a.legs))}
	for i := range a.legs {
		if err := ctx.Err(); err != nil {
			return RouteResult{}, err
		}
		leg := a.leg(&r, &a.legs[i])
		out.Distance += leg.Distance
		out.Duration += leg.Duration
		out.Weight += leg.Weight
		out.Legs[i] = leg
	}
	switch r.overview {
	case OverviewSimplified:
		out.Geometry = a.simplified()
	case OverviewFull:
		out.Geometry = a.full()
	}
	return out, nil
}

// lines says whether anything of the drawing needs the places on the way.
func (r drawing) lines() bool {
	return r.steps || r.annotations != 0 || r.overview != OverviewFalse || r.explain
}

// makeLegs joins the paths between waypoints to legs; without waypoints each
// path is a leg.
func (a *assembler) makeLegs(r *drawing, paths []path) {
	n := a.data.net
	a.legs = a.legs[:0]
	var leg *legPath
	for i := range paths {
		p := &paths[i]
		if i == 0 || len(r.waypoints) == 0 || slices.Contains(r.waypoints, i) {
			a.legs = grow(a.legs)
			leg = &a.legs[len(a.legs)-1]
			leg.from, leg.cost, leg.runs = p.from, total{}, leg.runs[:0]
			leg.data, leg.paths = cmp.Or(p.data, a.data), paths[i:i]
		}
		leg.paths = leg.paths[:len(leg.paths)+1]
		c := p.cost(n, leg.data.metric)
		leg.cost.weight += int64(c.weight)
		leg.cost.duration += int64(c.duration)
		leg.cost.distance += c.distance
		leg.to = p.to
		if r.lines() {
			leg.runs = appendRuns(leg.runs, n, p)
		}
	}
	for i := range a.legs {
		leg := &a.legs[i]
		leg.trimmed, leg.points = guidance.Trimmed{}, nil
		if r.lines() {
			leg.line, leg.ends = appendLine(leg.line[:0], leg.ends[:0], n, leg.start(), leg.runs)
		}
	}
}

// grow lengthens legs by one whose slices keep their memory.
func grow(legs []legPath) []legPath {
	if len(legs) < cap(legs) {
		return legs[:len(legs)+1]
	}
	return append(legs, legPath{})
}

// start returns the place where the leg's line begins.
func (l *legPath) start() geo.Coord {
	if l.from.inArea {
		return l.from.asked
	}
	return l.from.location
}

func (a *assembler) leg(r *drawing, leg *legPath) Leg {
	out := Leg{
		Distance: meters(leg.cost.distance),
		Duration: float64(leg.cost.duration) / 10,
		Weight:   float64(leg.cost.weight) / a.data.unit,
		Metric:   leg.data.metricName, tellMetric: r.tellMetric,
	}
	if r.steps {
		out.Steps = a.steps(leg)
		out.Summary = a.summary(leg)
	}
	if r.annotations != 0 {
		out.Annotation = a.annotation(r.annotations, leg)
	}
	if r.explain {
		out.Explanation = a.explain(leg.paths)
	}
	if r.overview == OverviewByLegs {
		out.Geometry = slices.Clone(leg.shown())
	}
	return out
}

// annotation makes the lists of a leg by hop.
func (a *assembler) annotation(want Annotations, leg *legPath) *Annotation {
	n, m := a.data.net, leg.data.metric
	out := leg.newAnnotation(want, len(leg.line)-1+leg.trimmed.Front+leg.trimmed.Back)
	if out.Nodes != nil {
		_, node, _ := segment(n, leg.from.arm, leg.from.segment)
		out.Nodes = append(out.Nodes, n.OSMNodes.Get(uint32(node)))
	}
	location, speed := leg.start(), 0.0
	a.hops = appendHops(a.hops[:0], n, m, location, leg.runs)
	for i := range a.hops {
		h := &a.hops[i]
		distance, duration := geo.Distance(location, h.location), seconds(h.duration)
		location = h.location
		if h.hidden {
			continue
		}
		if duration > 0 {
			speed = math.Round(distance/duration*10) / 10
		}
		if out.Distance != nil {
			out.Distance = append(out.Distance, distance)
		}
		if out.Duration != nil {
			out.Duration = append(out.Duration, duration)
		}
		if out.Weight != nil {
			out.Weight = append(out.Weight, a.data.weight(h.weight))
		}
		if out.Speed != nil {
			out.Speed = append(out.Speed, speed)
		}
		if out.Datasources != nil {
			out.Datasources = append(out.Datasources, h.source(m))
		}
		if out.Nodes != nil {
			out.Nodes = append(out.Nodes, n.OSMNodes.Get(uint32(h.node)))
		}
		if out.Ways != nil {
			out.Ways = append(out.Ways, h.way(n))
		}
	}
	out.trim(leg.trimmed)
	return out
}

// newAnnotation returns an annotation whose lists, as far as they are wanted, are
// empty and have room for so many segments.
func (l *legPath) newAnnotation(want Annotations, count int) *Annotation {
	out := &Annotation{
		Distance: room[float64](want&AnnotateDistance, count),
		Duration: room[float64](want&AnnotateDuration, count),
		Weight:   room[float64](want&AnnotateWeight, count),
		Speed:    room[float64](want&AnnotateSpeed, count),

		Datasources: room[uint8](want&AnnotateDatasources, count),
		Nodes:       room[int64](want&AnnotateNodes, count+1),
		Ways:        room[int64](want&AnnotateWays, count),
	}
	if out.Datasources != nil {
		out.DatasourceNames = slices.Clone(l.data.sources)
	}
	return out
}

// room returns an empty list with room for so many values, or nil.
func room[T any](want Annotations, count int) []T {
	if want == 0 {
		return nil
	}
	return make([]T, 0, count)
}

// trim leaves out the segments that the line lacks.
func (a *Annotation) trim(t guidance.Trimmed) {
	a.Distance, a.Duration = trimmed(a.Distance, t), trimmed(a.Duration, t)
	a.Weight, a.Speed = trimmed(a.Weight, t), trimmed(a.Speed, t)
	a.Datasources, a.Nodes, a.Ways = trimmed(a.Datasources, t), trimmed(a.Nodes, t), trimmed(a.Ways, t)
}

func trimmed[T any](list []T, t guidance.Trimmed) []T {
	if len(list) == 0 {
		return list
	}
	return list[t.Front : len(list)-t.Back]
}

// shown returns the line of the leg as answers have it.
func (l *legPath) shown() orb.LineString {
	if l.points == nil {
		l.points = appendPoints(make(orb.LineString, 0, len(l.line)), l.line)
	}
	return l.points
}

// full returns the line of all legs.
func (a *assembler) full() orb.LineString {
	size := 1
	for i := range a.legs {
		size += len(a.legs[i].line) - 1
	}
	line := make(orb.LineString, 0, size)
	for i := range a.legs {
		leg := &a.legs[i]
		count := len(leg.line)
		if i < len(a.legs)-1 {
			count-- // the next leg begins there
		}
		if leg.points != nil {
			line = append(line, leg.points[:count]...)
		} else {
			line = appendPoints(line, leg.line[:count])
		}
	}
	return line
}

// simplified returns the line of all legs, each simplified for the zoom level
// at which all fit the screen.
func (a *assembler) simplified() orb.LineString {
	southWest := geo.Coord{Lon: math.MaxInt32, Lat: math.MaxInt32}
	northEast := geo.Coord{Lon: math.MinInt32, Lat: math.MinInt32}
	for i := range a.legs {
		southWest, northEast = bounds(southWest, northEast, a.legs[i].line)
	}
	zoom := fittedZoom(southWest, northEast)
	var line orb.LineString
	for i := range a.legs {
		line = a.simple.appendLine(line, a.legs[i].line, zoom, i < len(a.legs)-1)
	}
	return line
}

func appendPoints(dst orb.LineString, line []geo.Coord) orb.LineString {
	for _, c := range line {
		dst = append(dst, point(c))
	}
	return dst
}

// tenths rounds to a tenth.
func tenths(v float64) float64 { return math.Round(v*10) / 10 }

// meters rounds centimeters to tenths of a meter.
func meters(centimeters int64) float64 { return float64((centimeters+5)/10) / 10 }

func seconds(d graph.Duration) float64 { return float64(d) / 10 }
