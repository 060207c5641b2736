package matcheval

import "github.com/paulmach/orb"

// Trace is a trace whose way is known.
type Trace struct {
	Name   string
	Points []orb.Point
	// Times are in seconds, not descending; nil if they are not known.
	Times []int64
	// Way is what was driven.
	Way Way
	// Deviation is the standard deviation of points in meters, in each of both
	// directions, and 0 if it is not known.
	Deviation float64
}

// Way is a way that was driven. It is told either by segments or by a line.
type Way struct {
	Segments []Segment
	Line     orb.LineString
}

// Segment is a piece of road between two OSM nodes, as one drives.
type Segment struct {
	From, To int64
	Meters   float64 // driven of it
}

// length returns the length of a way in meters.
func (w *Way) length() float64 {
	if w.Line != nil {
		return lineLength(w.Line)
	}
	sum := 0.0
	for _, s := range w.Segments {
		sum += s.Meters
	}
	return sum
}
