package routing

// TripResponse is the answer to a TripRequest. It owns its memory.
type TripResponse struct {
	// Trips has the one trip. A leg leads from each stop to the next in
	// order of visits, and, in a round trip, from the last to the first.
	Trips []RouteResult
	// Waypoints are the places that the coordinates snapped to, in the order
	// of the request; nil with SkipWaypoints.
	Waypoints []TripWaypoint
	// Order are the indices of the coordinates in the order of visits.
	Order []int
	// Proven tells that no order takes less time. It is always true for up to
	// 15 coordinates.
	Proven bool
	// DataVersion is the free text given at build, often a date.
	DataVersion string

	geometries    Geometries
	skipWaypoints bool
}

// TripWaypoint is a Waypoint with its place in the order of visits.
type TripWaypoint struct {
	Waypoint
	Trip     int // index of TripResponse.Trips
	Position int // in the order of visits
}
