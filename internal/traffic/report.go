package traffic

// Report tells what became of changes.
type Report struct {
	// Speeds and Penalties have an entry for each file, in their order.
	Speeds, Penalties []FileReport
	// FollowingWeights counts the segments whose weight followed their speed,
	// where weights are no durations.
	FollowingWeights int
	// Jumps are the segments that became faster by more than a factor, as far
	// as they were asked for.
	Jumps []Jump

	Capped      int // values beyond range
	RaisedTurns int // negative penalties that took more than there was

	// ConditionalTurns counts the turns that are forbidden at times; of these
	// ClosedTurns are forbidden at the instant. The time at UnzonedTurns is
	// not known; UnknownZones are the zones that the system does not know.
	ConditionalTurns, ClosedTurns, UnzonedTurns int
	UnknownZones                                []string
}

// FileReport tells what became of a file.
type FileReport struct {
	Path string
	// Rows are its lines but for empty ones; of these Matched name something
	// in the network.
	Rows, Matched int
	// Used counts the segments, by direction, whose values come from the file
	// in the end. It is not counted for penalties.
	Used int
}

// Jump is a segment that became faster.
type Jump struct {
	From, To      int64   // OSM nodes
	Before, After float64 // seconds
	Source        string  // path of the file
}
