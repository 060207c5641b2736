package routing

import (
	"context"
	"runtime/debug"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/profile"
)

// StreetClass ranks the lines of a map, the most important first.
type StreetClass uint8

// The classes.
const (
	StreetMotorway StreetClass = iota
	StreetTrunk
	StreetPrimary
	StreetSecondary
	StreetTertiary
	StreetMinor   // unclassified and residential roads
	StreetLiving  // living streets
	StreetService // alleys, driveways, and what has no class
	StreetPath    // tracks, cycleways and footways
	StreetFerry
	StreetTrain // trains that take vehicles
)

var streetClassNames = [...]string{
	"motorway", "trunk", "primary", "secondary", "tertiary", "minor", "living", "service", "path", "ferry", "train",
}

// String returns the name of the class in lower case.
func (c StreetClass) String() string { return streetClassNames[c] }

// StreetsRequest asks for the streets in a rectangle, as a map of a scale shows
// them.
type StreetsRequest struct {
	Bounds orb.Bound // longitude and latitude in degrees
	// Zoom is the scale: the world is 2^Zoom tiles wide. Below
	// DetailZoom there are main roads only, simplified.
	Zoom int
}

// DetailZoom is the zoom from which a map shows streets as they are.
const DetailZoom = 12

// pathZoom is the zoom from which a map shows what is less than a street.
const pathZoom = 13

// StreetsResponse is the answer to a StreetsRequest. It owns its memory.
type StreetsResponse struct {
	// Streets are lines that meet the rectangle, and may leave it.
	Streets []Street
}

// Street is a line of a map, in the direction that can be driven if only one can.
type Street struct {
	Line   orb.LineString
	Name   string // empty below DetailZoom
	Ref    string
	Class  StreetClass
	Link   bool // a ramp
	OneWay bool
	Tunnel bool // if the profile has a class of this name
}

// Streets returns the streets in a rectangle for drawing a map of them, in an order
// that depends on nothing but the data set. From DetailZoom on time and memory are
// proportional to what is there: see to it that the rectangle is small. Below it
// they are proportional to the length of main roads; the first request simplifies
// those of the whole data set. Errors are an *Error, or the context's.
//
// It is safe for concurrent use.
func Streets(ctx context.Context, e *Engine, r StreetsRequest) (*StreetsResponse, error) {
	s := Session{engine: e}
	defer s.Close()
	return s.Streets(ctx, r)
}

// Streets is the function Streets.
func (s *Session) Streets(ctx context.Context, r StreetsRequest) (res *StreetsResponse, err error) {
	if err := s.enter("streets"); err != nil {
		return nil, err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	return s.workspace().streets(ctx, &r)
}

func (w *workspace) streets(ctx context.Context, r *StreetsRequest) (*StreetsResponse, error) {
	e := w.data
	if err := e.opt.Limits.CheckRoads(); err != nil {
		return nil, err
	}
	if !onGlobe(r.Bounds.Min) || !onGlobe(r.Bounds.Max) {
		return nil, invalid(-1, "Bounds are not on the globe")
	}
	res := new(StreetsResponse)
	if r.Zoom < DetailZoom {
		err := e.parts.overviews[tierOf(r.Zoom)]().appendTo(ctx, &res.Streets, e.net, r.Bounds)
		return res, err
	}
	found := w.snapper.AppendSegments(nil, coord(r.Bounds.Min), coord(r.Bounds.Max))
	var lines []streetLine
	for i := 0; i < len(found); {
		if len(lines)%roadsPerCheck == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		line := streetLine{streetTraits: traitsOf(e.net, found[i].Chain)}
		i = line.take(e.net, found, i)
		if line.Class < StreetService || line.Class > StreetPath || r.Zoom >= pathZoom {
			lines = append(lines, line)
		}
	}
	for _, l := range joinStreets(lines) {
		line := make(orb.LineString, len(l.places))
		for i, p := range l.places {
			line[i] = point(e.net.Coords[p])
		}
		res.Streets = append(res.Streets, l.street(e.net, line))
	}
	return res, nil
}

// streetTraits are what a map tells streets apart by.
type streetTraits struct {
	Name, Ref            graph.StringID
	Class                StreetClass
	Link, OneWay, Tunnel bool
}

// traitsOf describes a chain that can be driven.
func traitsOf(n *graph.Network, chain graph.ChainID) streetTraits {
	arm := graph.ArmID(chain) << 1
	oneWay := n.ArmNode[arm] == graph.InvalidNode || n.ArmNode[arm.Twin()] == graph.InvalidNode
	if n.ArmNode[arm] == graph.InvalidNode {
		arm = arm.Twin()
	}
	r := &n.Roads[n.ArmRoad[arm]]
	t := streetTraits{
		Name: r.Name, Ref: r.Ref, Class: streetClass(r),
		Link: r.Flags&graph.RoadLink != 0, OneWay: oneWay,
	}
	for i, name := range n.Properties.Classes {
		if name == "tunnel" && r.Classes>>i&1 != 0 {
			t.Tunnel = true
		}
	}
	return t
}

func (t *streetTraits) street(n *graph.Network, line orb.LineString) Street {
	return Street{
		Line: line, Name: n.Strings.Get(t.Name), Ref: n.Strings.Get(t.Ref),
		Class: t.Class, Link: t.Link, OneWay: t.OneWay, Tunnel: t.Tunnel,
	}
}

// streetClass returns the class of a road.
func streetClass(r *graph.Road) StreetClass {
	switch r.Mode {
	case graph.ModeFerry:
		return StreetFerry
	case graph.ModeTrain:
		return StreetTrain
	}
	switch profile.Priority(r.Priority) {
	case profile.PriorityMotorway, profile.PriorityMotorwayLink:
		return StreetMotorway
	case profile.PriorityTrunk, profile.PriorityTrunkLink:
		return StreetTrunk
	case profile.PriorityPrimary, profile.PriorityPrimaryLink:
		return StreetPrimary
	case profile.PrioritySecondary, profile.PrioritySecondaryLink:
		return StreetSecondary
	case profile.PriorityTertiary, profile.PriorityTertiaryLink:
		return StreetTertiary
	case profile.PriorityMainResidential, profile.PriorityUnclassified, profile.PriorityLinkRoad:
		return StreetMinor
	case profile.PrioritySideResidential:
		return StreetLiving
	case profile.PriorityBikePath, profile.PriorityFootPath:
		return StreetPath
	}
	return StreetService
}
