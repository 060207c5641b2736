package turns

import "github.com/fourway-routing/fourway/internal/extract/nbg"

// Priorities of roads that rules name.
const (
	priorityMotorway = iota
	priorityMotorwayLink
	priorityTrunk
	priorityTrunkLink
	priorityPrimary
	priorityPrimaryLink
	prioritySecondary
	prioritySecondaryLink
	priorityTertiary
	priorityTertiaryLink
	priorityMainResidential
	prioritySideResidential
	priorityAlley
	priorityParking
	priorityLinkRoad
	priorityUnclassified
	priorityBikePath
	_
	priorityFootPath
)

// motorway tells motorways from their ramps.
func motorway(c *nbg.RoadClass) bool { return c.Motorway && !c.Link }

func ramp(c *nbg.RoadClass) bool { return c.Motorway && c.Link }

// sameClass compares ranks, whatever the number of lanes.
func sameClass(a, b *nbg.RoadClass) bool {
	return a.Motorway == b.Motorway && a.Link == b.Link && a.MayBeIgnored == b.MayBeIgnored && a.Priority == b.Priority
}

// group is a coarse rank, 0 being the highest.
func group(c *nbg.RoadClass) int {
	switch p := c.Priority; {
	case p <= priorityMotorwayLink:
		return 0
	case p <= priorityTrunkLink:
		return 1
	case p <= priorityTertiaryLink:
		return 2
	case p <= priorityParking:
		return 3
	case p <= priorityUnclassified:
		return 4
	case p == priorityBikePath:
		return 5
	case p == priorityBikePath+1:
		return 6
	}
	return 7
}

// lower says whether a ranks clearly below b.
func lower(a, b *nbg.RoadClass) bool {
	if a.MayBeIgnored != b.MayBeIgnored {
		return a.MayBeIgnored
	}
	return group(a) > group(b)
}

// linkOf says whether a is the kind of link that belongs to b's kind of road.
func linkOf(a, b *nbg.RoadClass) bool {
	return a.Link && !b.Link && a.Priority <= priorityTertiaryLink && a.Priority%2 == 1 && b.Priority == a.Priority-1
}

// obviousByClass says whether coming from a road of class in one would go on
// by the candidate rather than by the other.
func obviousByClass(in, candidate, other *nbg.RoadClass) bool {
	const factor = 1.75
	return factor*float64(candidate.Priority) < float64(other.Priority) && sameClass(in, candidate) ||
		!candidate.MayBeIgnored && !in.MayBeIgnored && other.MayBeIgnored
}

// alikeForFork says whether ranks are so close that neither goes before.
func alikeForFork(a, b *nbg.RoadClass) bool {
	return max(a.Priority, b.Priority)-min(a.Priority, b.Priority) <= 1
}
