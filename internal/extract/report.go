package extract

import (
	"fmt"
	"time"
)

// Report tells what an extraction read, left out and made.
type Report struct {
	Nodes, Ways, Relations int // in the file
	UsedWays               int // that the profile lets through
	Places                 int // nodes of used ways
	Segments               int // pairs of neighboring places, directions together
	Chains                 int
	Junctions              int
	Obstacles              int // at places, each direction of each way counted
	Areas                  int // open areas that can be crossed
	AreaWays               int // made across them

	RestrictionRelations int // that gave restrictions
	Restrictions         int // read from them
	AppliedRestrictions  int // that have a path in the network
	ConditionalTurns     int // that restrictions forbid at times

	SearchNodes, Copies, SearchEdges int
	Components, LargeComponents      int

	Dropped Dropped
	// DroppedRestrictions are the relations behind the counts: those that could
	// not be read in the order of the file, then those without a path.
	DroppedRestrictions []DroppedRestriction
	Stages              []Stage
}

// Stage is a part of the work and the time that it took.
type Stage struct {
	Name string
	Wall time.Duration
}

// Dropped counts by reason what was left out or changed.
type Dropped struct {
	ShortWays            int // usable ways with fewer than two nodes
	MissingNodes         int // nodes that ways name and the file lacks
	SegmentsMissingNodes int // segments with an end missing
	WaysMissingNodes     int // ways that lost segments thereby
	LoopSegments         int // segments from a node to itself
	ParallelSegments     int // segments beside a cheaper one between the same nodes
	UnlocatedNodes       int // nodes without a valid position

	RestrictionsExcepted      int // relations that except the vehicle
	RestrictionsUnknownValue  int // values that are no no_… or only_…
	RestrictionsConditional   int // relations with nothing but a condition, which were not asked for
	RestrictionsUnreadClause  int // conditions that are not understood
	RestrictionsNoMembers     int // without from, via or to
	RestrictionsTooMany       int // more than one from or to where one is allowed
	RestrictionsMissingWay    int // naming a way that is unusable or absent
	RestrictionsDisconnected  int // whose ways do not meet
	RestrictionsMissingNode   int // leading over a node that the file lacks
	RestrictionsNotDrivable   int // over roads that are closed in that direction
	CappedWeights             int // segments heavier than fits
	CappedDurations           int // segments longer in time than fits
	CappedTurns               int // turns with a penalty beyond range
	ObstaclesWithoutDirection int // directed ones at the end of a way

	AreasIncomplete     int // lacking ways or nodes
	AreasBroken         int // with rings that are open or cross
	AreasTooLarge       int // with more vertices than are looked at
	AreasOnlyOutlined   int // with too many corners for ways other than the outline
	AreasWithoutEntries int // that fewer than two ways lead to
}

// count counts a restriction that was dropped.
func (d *Dropped) count(f RestrictionFault) {
	switch f {
	case restrictionFine, restrictionNone:
	case restrictionExcepted:
		d.RestrictionsExcepted++
	case restrictionUnknownValue:
		d.RestrictionsUnknownValue++
	case restrictionUnreadCondition:
		d.RestrictionsUnreadClause++
	case restrictionMembersMissing:
		d.RestrictionsNoMembers++
	case restrictionTooManyMembers:
		d.RestrictionsTooMany++
	case restrictionConditional:
		d.RestrictionsConditional++
	case restrictionMissingWay:
		d.RestrictionsMissingWay++
	case restrictionDisconnected:
		d.RestrictionsDisconnected++
	case restrictionMissingNode:
		d.RestrictionsMissingNode++
	case restrictionNotDrivable:
		d.RestrictionsNotDrivable++
	}
}

// add sums the counts of a batch of ways and relations.
func (d *Dropped) add(o *Dropped) {
	d.ShortWays += o.ShortWays
}

// SizeError tells that a file is beyond what 32-bit ids can number.
type SizeError struct {
	What  string
	Limit uint64
}

// Error tells what there is too much of, and what to do.
func (e *SizeError) Error() string {
	return fmt.Sprintf("extract: more than %d %s; use a smaller extract or a profile that lets fewer ways through", e.Limit, e.What)
}
