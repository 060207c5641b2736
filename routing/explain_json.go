package routing

import "strconv"

// appendJSON appends the member explanation of a leg.
func (x *Explanation) appendJSON(dst []byte) []byte {
	dst = append(dst, `,"explanation":{"segments":[`...)
	for i := range x.Segments {
		dst = x.Segments[i].appendJSON(comma(dst, i))
	}
	dst = append(dst, `],"ways":[`...)
	for i := range x.Ways {
		dst = x.Ways[i].appendJSON(comma(dst, i))
	}
	return append(dst, "]}"...)
}

func (s *ExplainedSegment) appendJSON(dst []byte) []byte {
	dst = append(dst, `{"kind":"`...)
	dst = append(dst, s.Kind.String()...)
	dst = append(dst, `","nodes":[`...)
	dst = strconv.AppendInt(dst, s.Nodes[0], 10)
	dst = strconv.AppendInt(append(dst, ','), s.Nodes[1], 10)
	dst = append(dst, ']')
	if s.Way != 0 {
		dst = strconv.AppendInt(append(dst, `,"way":`...), s.Way, 10)
	}
	dst = appendNumber(append(dst, `,"distance":`...), s.Distance)
	dst = appendNumber(append(dst, `,"duration":`...), s.Duration)
	dst = appendNumber(append(dst, `,"weight":`...), s.Weight)
	if s.Kind == SegmentRoad {
		dst = appendNumber(append(dst, `,"speed":`...), tenths(s.Speed))
		dst = appendNumber(append(dst, `,"rate":`...), tenths(s.Rate))
	}
	dst = appendString(append(dst, `,"source":`...), s.Source)
	if t := s.Turn; t != nil {
		dst = append(dst, `,"turn":{`...)
		dst = appendIDs(dst, "nodes", []int64{t.From, t.Via, t.To})
		dst = appendNumber(append(dst, `"duration":`...), t.Duration)
		dst = appendNumber(append(dst, `,"weight":`...), t.Weight)
		dst = appendNumber(append(dst, `,"penalty":`...), t.Penalty)
		dst = appendNumber(append(dst, `,"penalty_weight":`...), t.PenaltyWeight)
		dst = appendString(append(dst, `,"source":`...), t.Source)
		dst = appendString(append(dst, `,"type":`...), t.Type)
		dst = append(appendString(append(dst, `,"modifier":`...), t.Modifier), '}')
	}
	return append(dst, '}')
}

func (w *ExplainedWay) appendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"way":`...), w.Way, 10)
	dst = appendString(append(dst, `,"name":`...), w.Name)
	dst = appendString(append(dst, `,"mode":`...), w.Mode)
	dst = appendStrings(append(dst, `,"classes":`...), w.Classes)
	if w.Tags != nil {
		dst = append(dst, `,"tags":{`...)
		for i, t := range w.Tags {
			dst = appendString(append(appendString(comma(dst, i), t.Key), ':'), t.Value)
		}
		dst = append(dst, '}')
	}
	if w.Unknown != "" {
		return append(appendString(append(dst, `,"unknown":`...), w.Unknown), '}')
	}
	dst = append(dst, `,"effects":[`...)
	for i := range w.Effects {
		e := &w.Effects[i]
		dst = appendString(append(comma(dst, i), `{"key":`...), e.Key)
		dst = appendString(append(dst, `,"value":`...), e.Value)
		dst = appendStrings(append(dst, `,"decides":`...), e.Decides)
		if e.Closed {
			dst = append(dst, `,"closed":true}`...)
			continue
		}
		dst = appendNumber(append(dst, `,"speed":`...), e.Speed)
		dst = append(appendNumber(append(dst, `,"rate":`...), e.Rate), '}')
	}
	return append(dst, "]}"...)
}
