package lua

import glua "github.com/yuin/gopher-lua"

// segmentParts are the objects inside of a segment.
type segmentParts struct {
	source, target, flags, class *glua.LUserData
}

// registerSegment makes the type of segments.
func (w *worker) registerSegment() {
	place := func(source bool) *glua.LUserData {
		return w.newObject(w.newType("place", func(key string) glua.LValue {
			if w.segment == nil {
				return glua.LNil
			}
			p := w.segment.Target
			if source {
				p = w.segment.Source
			}
			switch key {
			case "lon":
				return glua.LNumber(p[0])
			case "lat":
				return glua.LNumber(p[1])
			}
			return glua.LNil
		}, nil))
	}
	p := &w.segParts
	p.source, p.target = place(true), place(false)
	p.flags = w.newObject(w.newType("flags", w.getSegmentFlag, nil))
	p.class = w.newObject(w.newType("road_classification", func(key string) glua.LValue {
		if w.segment == nil {
			return glua.LNil
		}
		return roadClass(&w.segment.Class, key)
	}, nil))
	w.segObject = w.newObject(w.newType("segment", w.getSegment, w.setSegment))
}

// getSegment reads a field of a segment.
func (w *worker) getSegment(key string) glua.LValue {
	s := w.segment
	if s == nil {
		return glua.LNil
	}
	switch key {
	case "source":
		return w.segParts.source
	case "target":
		return w.segParts.target
	case "flags":
		return w.segParts.flags
	case "distance":
		return glua.LNumber(s.Distance)
	case "weight":
		return glua.LNumber(s.Weight)
	case "duration":
		return glua.LNumber(s.Duration)
	}
	return glua.LNil
}

// setSegment writes what a segment costs.
func (w *worker) setSegment(f *field) {
	s := w.segment
	if s == nil {
		f.state.RaiseError("the segment can be changed only while it is processed")
		return
	}
	switch f.key {
	case "weight":
		s.Weight = f.number()
	case "duration":
		s.Duration = f.number()
	default:
		f.refuse()
	}
}

// getSegmentFlag reads a flag of the way that a segment is part of.
func (w *worker) getSegmentFlag(key string) glua.LValue {
	s := w.segment
	if s == nil {
		return glua.LNil
	}
	switch key {
	case "forward":
		return glua.LBool(s.Forward)
	case "backward":
		return glua.LBool(s.Backward)
	case "is_split":
		return glua.LBool(s.IsSplit)
	case "roundabout":
		return glua.LBool(s.Roundabout)
	case "circular":
		return glua.LBool(s.Circular)
	case "startpoint":
		return glua.LBool(s.StartPoint)
	case "restricted":
		return glua.LBool(s.Restricted)
	case "road_classification":
		return w.segParts.class
	case "highway_turn_classification":
		return glua.LNumber(s.HighwayTurnClass)
	case "access_turn_classification":
		return glua.LNumber(s.AccessTurnClass)
	}
	return glua.LNil
}
