package matching

// Reason says why a point is in no match.
type Reason uint8

// The reasons.
const (
	Matched   Reason = iota // it is in one
	NoSegment               // it has no candidates
	NoWay                   // no way leads to it from the points before
	Beside                  // no way leads from it to a point after, and one of the two had to go
	Outlier                 // with it the way would be less likely than without
	Alone                   // it is the only point of its piece
)

// AppendReasons appends by point of a trace why the last Match, which found these
// matches, has it or not.
func (m *Matcher) AppendReasons(dst []Reason, t *Trace, matches []Match) []Reason {
	start := len(dst)
	for i := range t.Points {
		switch {
		case len(t.Points[i].Candidates) == 0:
			dst = append(dst, NoSegment)
		case m.broken[i]:
			dst = append(dst, NoWay)
		default:
			dst = append(dst, Alone)
		}
	}
	reasons := dst[start:]
	piece := 0
	for i := range matches {
		first := matches[i].Steps[0].Point
		for m.splits[piece] <= first {
			piece++
		}
		begin := 0
		if piece > 0 {
			begin = m.splits[piece-1]
		}
		for k := begin; k < m.splits[piece]; k++ {
			switch {
			case reasons[k] != Alone:
			case t.Model.Outlier > 0:
				reasons[k] = Outlier
			default:
				reasons[k] = Beside
			}
		}
		for _, s := range matches[i].Steps {
			reasons[s.Point] = Matched
		}
	}
	return dst
}
