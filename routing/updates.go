package routing

import (
	"context"
	"io"
	"io/fs"
	"time"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/traffic"
)

// Updates change the weights of a data set as it is prepared for a search: traffic,
// and turns that are forbidden at times. They start from the weights that the
// profile gave, whatever was prepared before, unless StepOptions.Continue says
// otherwise. The zero value changes nothing.
type Updates struct {
	// SegmentSpeeds are the paths of CSV files of speeds, each line being
	//
	//	from,to,speed[,rate[,anything]]
	//
	// with the OSM nodes at the ends of a segment, the speed in km/h from one
	// to the other, 0 closing the segment, and the meters per unit of weight.
	// Without a rate the weight follows the speed, with an empty one it stays.
	// Of several lines for a segment the last counts, of several files the
	// last. Their names, without folder and ending, are the data sources that
	// annotations name.
	SegmentSpeeds []string
	// TurnPenalties are the paths of CSV files of turns, each line being
	//
	//	from,via,to,penalty[,weight[,anything]]
	//
	// with the OSM nodes before, at and behind the turn, the penalty in
	// seconds, and its weight, the same unless told. Both may be negative.
	TurnPenalties []string
	// JumpFactor, if positive, reports the segments that get faster by the
	// factor or more.
	JumpFactor float64
	// At is the instant for which turns count as forbidden that are so at
	// times, if the data set was built with Conditionals. The zero Time
	// forbids none of them.
	At time.Time
	// TimeZones are the paths of GeoJSON files with polygons whose property
	// tzid names a time zone. Turns outside all of them are not forbidden.
	// Without a file, the time everywhere is that of At's location.
	TimeZones []string
}

// UpdateReport tells what became of Updates.
type UpdateReport = traffic.Report

// ErrTooManySources tells that there are more files of speeds than data sources
// have numbers.
var ErrTooManySources = traffic.ErrTooManySources

func (u *Updates) empty() bool {
	return len(u.SegmentSpeeds) == 0 && len(u.TurnPenalties) == 0 && u.At.IsZero()
}

// apply makes a metric of another one, of what earlier updates made of that, which
// may be nil, and of the updates, whose files are in fsys, or in that of the machine.
func (u *Updates) apply(ctx context.Context, net *graph.Network, m, after *graph.Metric, fsys fs.FS) (*graph.Metric, *UpdateReport, error) {
	open := func(name string) (io.ReadCloser, error) { return openFile(fsys, name) }
	conditions := traffic.Conditions{At: u.At}
	for _, name := range u.TimeZones {
		if err := conditions.AddZones(name, open); err != nil {
			return nil, nil, err
		}
	}
	return traffic.Update(ctx, traffic.NewIndex(net), m, &traffic.Files{
		Speeds: u.SegmentSpeeds, Penalties: u.TurnPenalties, JumpFactor: u.JumpFactor, After: after, Open: open,
	}, &conditions)
}
