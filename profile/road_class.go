package profile

// RoadClass says how important a road is for guidance.
type RoadClass struct {
	// Motorway marks motorways, trunks and their links; Link marks the links
	// of any kind of road. Both together mark a ramp.
	Motorway, Link bool
	// MayBeIgnored marks roads that do not make a junction worth mentioning.
	MayBeIgnored bool
	// NumLanes counts the lanes of both directions as tagged, 0 if unknown.
	NumLanes uint8
	Priority Priority
}

// IsMotorway tells whether the road is a motorway or trunk but no ramp.
func (c RoadClass) IsMotorway() bool { return c.Motorway && !c.Link }

// Priority ranks roads, the most important first. Values up to 31 fit.
type Priority uint8

// The priorities, numbered as OSRM numbers them.
const (
	PriorityMotorway Priority = iota
	PriorityMotorwayLink
	PriorityTrunk
	PriorityTrunkLink
	PriorityPrimary
	PriorityPrimaryLink
	PrioritySecondary
	PrioritySecondaryLink
	PriorityTertiary
	PriorityTertiaryLink
	PriorityMainResidential
	PrioritySideResidential
	PriorityAlley
	PriorityParking
	PriorityLinkRoad
	PriorityUnclassified
	PriorityBikePath
	PriorityFootPath     Priority = 18
	PriorityConnectivity Priority = 31
)
