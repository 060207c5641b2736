package main

import (
	"fmt"
	"io"
	"time"

	"github.com/fourway-routing/fourway/routing"
)

// updateFlags say what changes the weights that a profile gives.
type updateFlags struct {
	Speeds       []string  `name:"segment-speed-file" help:"CSV file of the speeds of segments; may be repeated, the last counts most." type:"existingfile" placeholder:"FILE"`
	Penalties    []string  `name:"turn-penalty-file" help:"CSV file of the penalties of turns; may be repeated." type:"existingfile" placeholder:"FILE"`
	Conditionals bool      `help:"Read restrictions that hold at times, so that later updates can say which count; implied by --at."`
	At           time.Time `help:"Instant for which restrictions count that hold at times, such as 2026-05-02T10:00:00+02:00." placeholder:"TIME"`
	TimeZones    []string  `name:"time-zone-file" help:"GeoJSON file of time zones; may be repeated. Without one, --at tells the time everywhere." type:"existingfile" placeholder:"FILE"`
}

// conditionals says whether restrictions matter that hold at times.
func (f *updateFlags) conditionals() bool { return f.Conditionals || !f.At.IsZero() }

func (f *updateFlags) updates() routing.Updates {
	return routing.Updates{SegmentSpeeds: f.Speeds, TurnPenalties: f.Penalties, At: f.At, TimeZones: f.TimeZones}
}

// printUpdates prints what became of the updates.
func printUpdates(w io.Writer, report *routing.BuildReport) {
	u := &report.Updates
	for _, f := range u.Speeds {
		fmt.Fprintf(w, "%s: %d lines, of which %d name segments; %d segments go by it\n", f.Path, f.Rows, f.Matched, f.Used)
	}
	for _, f := range u.Penalties {
		fmt.Fprintf(w, "%s: %d lines, of which %d name turns\n", f.Path, f.Rows, f.Matched)
	}
	if u.ConditionalTurns > 0 {
		fmt.Fprintf(w, "%d of %d turns that are forbidden at times are so now; of %d the time is not known\n",
			u.ClosedTurns, u.ConditionalTurns, u.UnzonedTurns)
	}
	for _, zone := range u.UnknownZones {
		fmt.Fprintf(w, "time zone %s is not known to this system\n", zone)
	}
	for _, n := range []struct {
		count int
		what  string
	}{
		{u.FollowingWeights, "segments got a speed but no rate: their weight follows it"},
		{u.Capped, "values were beyond range and capped"},
		{u.RaisedTurns, "bonuses of turns were more than the road before the turn takes"},
	} {
		if n.count > 0 {
			fmt.Fprintf(w, "%d %s\n", n.count, n.what)
		}
	}
}
