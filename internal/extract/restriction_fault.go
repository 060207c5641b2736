package extract

// RestrictionFault says why a relation gives no restriction.
type RestrictionFault uint8

const (
	restrictionFine RestrictionFault = iota
	// restrictionNone: the relation is none, or not one for this vehicle.
	restrictionNone
	restrictionExcepted
	restrictionUnknownValue
	restrictionUnreadCondition
	restrictionMembersMissing
	restrictionTooManyMembers
	// restrictionConditional: only a condition makes it one, and conditions
	// are not asked for.
	restrictionConditional
	restrictionMissingWay
	restrictionDisconnected
	restrictionMissingNode
	restrictionNotDrivable
)

var restrictionFaults = [...]string{
	restrictionExcepted:        "it excepts the vehicle",
	restrictionUnknownValue:    "its value is no no_… or only_…",
	restrictionUnreadCondition: "its condition is not understood",
	restrictionMembersMissing:  "it lacks a member from, via or to",
	restrictionTooManyMembers:  "it has more than one from or to",
	restrictionConditional:     "it holds at times only, which are not asked for",
	restrictionMissingWay:      "it names a way that is absent or not for the vehicle",
	restrictionDisconnected:    "its ways do not meet",
	restrictionMissingNode:     "it leads over a node that the file lacks",
	restrictionNotDrivable:     "it leads over a road that is closed in that direction",
}

// String returns the reason in words.
func (f RestrictionFault) String() string {
	if int(f) >= len(restrictionFaults) {
		return ""
	}
	return restrictionFaults[f]
}

// DroppedRestriction is a relation that gave no restriction, or not all of those
// that it stands for.
type DroppedRestriction struct {
	Relation int64 // OSM id
	Fault    RestrictionFault
}

// drop counts a relation that gave no restriction, and remembers it.
func (r *Report) drop(relation int64, f RestrictionFault) {
	if f == restrictionFine || f == restrictionNone {
		return
	}
	r.Dropped.count(f)
	r.DroppedRestrictions = append(r.DroppedRestrictions, DroppedRestriction{relation, f})
}
