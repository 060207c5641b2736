package extract

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/profile"
)

// roadFlags are the properties of a direction of a segment that do not show in
// answers but decide where chains end and what turns cost:
//
//	bit 0       not drivable in this direction
//	bits 1-2    access: both directions as one, one way, each on its own
//	bits 3-4    roundabout, circular
//	bit 5       coordinates may snap here
//	bit 6       restricted to those who have business there
//	bits 7-9    motorway, link, may be ignored
//	bits 10-14  priority
//	bits 15-22  number of lanes
//	bits 23-26  highway class for turns
//	bits 27-30  access class for turns
type roadFlags uint32

const (
	flagReversed roadFlags = 1 << 0

	accessBoth  roadFlags = 0 << 1
	accessOne   roadFlags = 1 << 1
	accessSplit roadFlags = 2 << 1
	accessMask  roadFlags = 3 << 1

	flagRoundabout roadFlags = 1 << 3
	flagCircular   roadFlags = 1 << 4
	flagStartPoint roadFlags = 1 << 5
	flagRestricted roadFlags = 1 << 6
	flagMotorway   roadFlags = 1 << 7
	flagLink       roadFlags = 1 << 8
	flagIgnored    roadFlags = 1 << 9

	priorityShift = 10
	lanesShift    = 15
	highwayShift  = 23
	accessShift   = 27

	// chainMask are the flags that must not change along a chain.
	chainMask = 1<<lanesShift - 1
	// wayMask are the flags that come from the way.
	wayMask = ^(flagReversed | accessMask)
)

// flagsOf collects the flags that a way gives to both directions.
func flagsOf(r *profile.WayResult) roadFlags {
	f := roadFlags(r.Class.Priority&31)<<priorityShift |
		roadFlags(r.NumLanes())<<lanesShift |
		roadFlags(r.HighwayTurnClass&15)<<highwayShift |
		roadFlags(r.AccessTurnClass&15)<<accessShift
	for _, c := range [...]struct {
		is  bool
		bit roadFlags
	}{
		{r.Roundabout, flagRoundabout},
		{r.Circular, flagCircular},
		{r.IsStartPoint, flagStartPoint},
		{r.Class.Motorway, flagMotorway},
		{r.Class.Link, flagLink},
		{r.Class.MayBeIgnored, flagIgnored},
	} {
		if c.is {
			f |= c.bit
		}
	}
	return f
}

func (f roadFlags) has(bit roadFlags) bool { return f&bit != 0 }

func (f roadFlags) reversed() bool { return f&flagReversed != 0 }

func (f roadFlags) priority() profile.Priority { return profile.Priority(f >> priorityShift & 31) }

func (f roadFlags) numLanes() uint8 { return uint8(f >> lanesShift) }

func (f roadFlags) highwayTurnClass() uint8 { return uint8(f >> highwayShift & 15) }

func (f roadFlags) accessTurnClass() uint8 { return uint8(f >> accessShift & 15) }

func (f roadFlags) class() nbg.RoadClass {
	return nbg.RoadClass{
		Motorway: f.has(flagMotorway), Link: f.has(flagLink), MayBeIgnored: f.has(flagIgnored),
		Lanes: f.numLanes(), Priority: uint8(f.priority()),
	}
}

// classForSegment is the class as a profile knows it.
func (f roadFlags) classForSegment() profile.RoadClass {
	return profile.RoadClass{
		Motorway: f.has(flagMotorway), Link: f.has(flagLink), MayBeIgnored: f.has(flagIgnored),
		NumLanes: f.numLanes(), Priority: f.priority(),
	}
}

// leg describes a direction of a road to a profile that prices a turn.
func (f roadFlags) leg(meters float64, duration graph.Duration) profile.TurnLeg {
	return profile.TurnLeg{
		Restricted: f.has(flagRestricted), Motorway: f.motorway(), Link: f.has(flagLink),
		NumLanes:         int(f.numLanes()),
		HighwayTurnClass: f.highwayTurnClass(), AccessTurnClass: f.accessTurnClass(),
		Speed:    int(36 * meters / float64(duration)),
		Distance: meters,
		Priority: f.priority(),
	}
}

// motorway tells whether the road is a motorway or trunk but no ramp.
func (f roadFlags) motorway() bool { return f&(flagMotorway|flagLink) == flagMotorway }

// meters converts from centimeters.
func meters(d graph.Distance) float64 { return float64(d) / 100 }
