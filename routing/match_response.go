package routing

// MatchResponse is the answer to a MatchRequest. It owns its memory.
type MatchResponse struct {
	// Matchings are the ways found, one for each piece of the trace, at
	// least one.
	Matchings []Matching
	// Tracepoints are by coordinate of the request: nil for one that fits no
	// way, or was left out by Tidy. They are nil with SkipWaypoints.
	Tracepoints []*Tracepoint
	// DataVersion is the free text given at build, often a date.
	DataVersion string

	geometries    Geometries
	skipWaypoints bool
}

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
	// Alternatives is the number of other places that it could stand for: if
	// 0, the choice was clear.
	Alternatives int
}
