package routing

import "time"

// Observation is what Options.Observe is told of a query.
type Observation struct {
	Service string // route, table, trip, match, nearest, roads, isochrone and so on
	// Snap, Search and Assemble are the times that the stages took; a stage
	// that was not reached took none.
	Snap, Search, Assemble time.Duration
	Settled                int   // search nodes visited
	Cells                  int   // cells touched by searches for paths; see Options.CountCells
	Err                    error // nil if the query was answered

	lapped time.Time
}

// lap adds the time since the last lap, or since the query began, to a stage.
func (o *Observation) lap(stage *time.Duration) {
	if !o.lapped.IsZero() {
		now := time.Now()
		*stage += now.Sub(o.lapped)
		o.lapped = now
	}
}
