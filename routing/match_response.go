package routing

// MatchResponse is the answer to a MatchRequest. It owns its memory.
type MatchResponse struct {
	// Matchings are the ways found, one for each piece of the trace, at
	// least one.
	Matchings []Matching
	// Tracepoints are by coordinate of the request: nil for one that fits no
	// way, or was left out by Tidy. They are nil with SkipWaypoints.
	Tracepoints []*Tracepoint
	// Unmatched says by coordinate why it has no Tracepoint, and is empty for one
	// that has. It is nil without Details.
	Unmatched []Unmatched
	// Deviation is the standard deviation of coordinates in meters as it was
	// estimated; 0 without EstimateNoise.
	Deviation float64
	// DataVersion is the free text given at build, often a date.
	DataVersion string

	geometries    Geometries
	skipWaypoints bool
	details       bool
}

// Unmatched is a reason for which a coordinate is in no matching. It is a word for
// programs.
type Unmatched string

// The reasons.
const (
	UnmatchedTidied    Unmatched = "Tidied"    // Tidy left it out
	UnmatchedNoSegment Unmatched = "NoSegment" // no road is in reach
	UnmatchedNoWay     Unmatched = "NoWay"     // no way leads to it from the coordinates before
	// UnmatchedBeside: no way leads from it to one of the coordinates after, and one
	// of the two had to go.
	UnmatchedBeside  Unmatched = "Beside"
	UnmatchedOutlier Unmatched = "Outlier" // it fits worse than DropOutliers lets pass
	UnmatchedAlone   Unmatched = "Alone"   // its piece of the trace has no other
)

// unmatchedWords are by matching.Reason.
var unmatchedWords = [...]Unmatched{"", UnmatchedNoSegment, UnmatchedNoWay, UnmatchedBeside, UnmatchedOutlier, UnmatchedAlone}

// Matching is a way that fits a piece of a trace.
type Matching struct {
	RouteResult
	// Confidence is the probability that the way is the right one, 0…1, by
	// how much longer it is than the trace.
	Confidence float64
}

// Tracepoint is the place on a Matching that a coordinate stands for.
type Tracepoint struct {
	Waypoint
	Matching int // index of MatchResponse.Matchings
	// Position is that among the waypoints of the matching, which are the ends
	// of its legs; -1 if it is none.
	Position int
	// Way is the OSM way that the place lies on, negative where the matching
	// runs against the order of the way's nodes. Ends are the OSM nodes of its
	// segment there, in the order in which the matching passes them, and
	// Fraction, 0…1, how much of the segment lies before the place.
	Way      int64
	Ends     [2]int64
	Fraction float64
	// Alternatives is the number of other places that it could stand for: if
	// 0, the choice was clear.
	Alternatives int
}
