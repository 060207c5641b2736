package routing

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// LookupRequest asks for OSM nodes and ways of the road network. What its fields
// ask for is joined.
type LookupRequest struct {
	Nodes, Ways []int64 // OSM ids
	// WaysOf are the OSM ids of nodes whose ways are asked for.
	WaysOf []int64
	// Bounds asks for the nodes in a rectangle and for the ways that have a point in
	// it: longitude and latitude in degrees.
	Bounds *orb.Bound
	// Around asks for the nodes within Radius, in meters, of a place, and for the
	// ways that come as near.
	Around *orb.Point
	Radius float64
	// NoNodes and NoWays leave these out of what Bounds and Around find.
	NoNodes, NoWays bool
	// Limit is the most elements that the answer may have, beyond which there is an
	// ErrTooBig error; 0 stands for no limit.
	Limit int
}

// LookupResponse is the answer to a LookupRequest: nodes and ways, each once, by
// ascending OSM id. Ids that the network does not have are left out. It owns its
// memory.
type LookupResponse struct {
	Nodes []OSMNode
	Ways  []OSMWay
}

// OSMNode is an OSM node of the road network.
type OSMNode struct {
	ID       int64
	Location orb.Point // longitude and latitude, rounded to 1e-6 degrees
	Tags     []Tag     // by key; empty unless the data set was built with tags
}

// OSMWay is an OSM way that the vehicle can use.
type OSMWay struct {
	ID    int64
	Nodes []int64 // OSM ids in the way's order
	// Geometry are the places of Nodes, but for nodes that the extract lacked.
	Geometry orb.LineString
	Tags     []Tag // by key; empty unless the data set was built with tags
}

// Tag is a key with its value.
type Tag struct{ Key, Value string }

// Validate returns what is wrong with the request.
func (r *LookupRequest) Validate() error {
	fail := func(format string, args ...any) error {
		return &Error{Code: ErrInvalidOptions, Index: -1, Message: fmt.Sprintf(format, args...)}
	}
	switch {
	case r.Limit < 0:
		return fail("Limit is negative: %d", r.Limit)
	case r.Around == nil && r.Radius != 0:
		return fail("Radius needs a place: set Around")
	case !(r.Radius >= 0) || math.IsInf(r.Radius, 1):
		return fail("Radius is %v: want meters from 0 on", r.Radius)
	case r.Around != nil && !onEarth(*r.Around):
		return fail("Around is no place on earth: %v", *r.Around)
	case r.Bounds != nil && !(onEarth(r.Bounds.Min) && onEarth(r.Bounds.Max)):
		return fail("Bounds has no corners on earth: %v", *r.Bounds)
	}
	return nil
}

func onEarth(p orb.Point) bool { return coord(p).Valid() }

// Lookup finds OSM nodes and ways of the road network. With BuildOptions.Tags they are
// whole: all ways that the vehicle can use, with all their nodes and the tags of
// both. Without, ways are what the graph holds of them, see graph.ElementsOf, and
// the first call takes the time to gather that. Bounds whose Min is east of its Max
// cross the date line.
//
// Errors are an *Error, or the context's. It is safe for concurrent use.
func Lookup(ctx context.Context, e *Engine, r LookupRequest) (res *LookupResponse, err error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	err = e.elements(ctx, "lookup", func(x *graph.Elements) error {
		res, err = lookup(ctx, x, &r)
		return err
	})
	return res, err
}

// Elements calls a function with the OSM nodes and ways of the road network, which
// are valid until it returns: for look-ups that are not to allocate, among others.
// It returns what the function does, or ErrClosed, or ErrCorrupt. Without
// BuildOptions.Tags it is as for Lookup.
func (e *Engine) Elements(ctx context.Context, use func(*graph.Elements) error) error {
	return e.elements(ctx, "elements", use)
}

// Tagged says whether the data set was built with tags.
func (e *Engine) Tagged() bool { return e.current.Load().parts.tags != nil }

func (e *Engine) elements(ctx context.Context, service string, use func(*graph.Elements) error) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	s := Session{engine: e}
	if err := s.enter(service); err != nil {
		return err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	return use(s.data.parts.elements())
}

func lookup(ctx context.Context, x *graph.Elements, r *LookupRequest) (*LookupResponse, error) {
	var nodes []graph.PlaceID
	var ways []graph.WayIndex
	for _, id := range r.Nodes {
		if p, ok := x.FindNode(id); ok {
			nodes = append(nodes, p)
		}
	}
	for _, id := range r.Ways {
		if w, ok := x.FindWay(id); ok {
			ways = append(ways, w)
		}
	}
	for _, id := range r.WaysOf {
		if p, ok := x.FindNode(id); ok {
			ways = append(ways, x.WaysOf(p)...)
		}
	}
	var err error
	if r.Bounds != nil {
		box := graph.Box{Min: coord(r.Bounds.Min), Max: coord(r.Bounds.Max)}
		if !r.NoNodes {
			nodes, err = x.AppendNodesIn(ctx, nodes, box)
		}
		if err == nil && !r.NoWays {
			ways, err = x.AppendWaysIn(ctx, ways, box)
		}
	}
	if err == nil && r.Around != nil {
		if !r.NoNodes {
			nodes, err = x.AppendNodesAround(ctx, nodes, coord(*r.Around), r.Radius)
		}
		if err == nil && !r.NoWays {
			ways, err = x.AppendWaysAround(ctx, ways, coord(*r.Around), r.Radius)
		}
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(nodes)
	slices.Sort(ways)
	nodes, ways = slices.Compact(nodes), slices.Compact(ways)
	if count := len(nodes) + len(ways); r.Limit > 0 && count > r.Limit {
		return nil, &Error{
			Code: ErrTooBig, Index: -1, Limit: int64(r.Limit),
			Message: fmt.Sprintf("Found %d nodes and ways, more than %d", count, r.Limit),
		}
	}
	res := &LookupResponse{Nodes: make([]OSMNode, len(nodes)), Ways: make([]OSMWay, len(ways))}
	for i, p := range nodes {
		if i%pollEvery == pollEvery-1 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		res.Nodes[i] = OSMNode{x.NodeID(p), point(x.Network().Coords[p]), tagsOf(x.NodeTags(p))}
	}
	var line []geo.Coord
	for i, w := range ways {
		if i%pollEvery == pollEvery-1 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		way := OSMWay{ID: x.WayID(w), Nodes: x.AppendWayNodes(nil, w), Tags: tagsOf(x.WayTags(w))}
		line = x.AppendWayCoords(line[:0], w)
		way.Geometry = make(orb.LineString, len(line))
		for k, c := range line {
			way.Geometry[k] = point(c)
		}
		res.Ways[i] = way
	}
	return res, nil
}

func tagsOf(t graph.Tags) []Tag {
	if t.Len() == 0 {
		return nil
	}
	tags := make([]Tag, t.Len())
	for i := range tags {
		key, value := t.At(i)
		tags[i] = Tag{string(key), string(value)}
	}
	return tags
}
