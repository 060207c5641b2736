package routing

// TableResponse is the answer to a TableRequest. It owns its memory.
type TableResponse struct {
	// Durations are seconds by source and destination, in steps of 0.1, and
	// Distances meters, in steps of 0.1, of the fastest route; +Inf where
	// there is none. They are nil unless asked for.
	Durations, Distances [][]float64
	// Sources and Destinations are the places nearest to the coordinates; nil
	// with SkipWaypoints.
	Sources, Destinations []Waypoint
	// Estimated are the cells that FallbackSpeed filled, as pairs of source
	// and destination, by rows.
	Estimated []TableCell
	// Moved are the cells for which an end is not the nearest place but the
	// nearest one with a way in and out, by rows.
	Moved []TableCell
	// DataVersion is the free text given at build, often a date.
	DataVersion string
	// Metric names the metric that Durations are of. The JSON tells it if the request
	// says anything of metrics.
	Metric string

	skipWaypoints, estimates, tellMetric bool
}

// TableCell is a position in a table.
type TableCell struct {
	Source, Destination int // positions among the sources and destinations of the table
}

// TableRow is the part of a table that belongs to one source.
type TableRow struct {
	Source int // position among the sources of the table
	// Durations and Distances are by destination: see TableResponse.
	Durations, Distances []float64
	// Estimated and Moved are destinations, ascending: see TableResponse.
	Estimated, Moved []int
}
