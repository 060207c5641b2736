package guidance

import "github.com/fourway-routing/fourway/graph"

// changeDistance is how many meters a driver needs to change by one lane.
const changeDistance = 200.0

// besideLanes counts the lanes at the beginning of a step to the left of those
// that serve the turn, and to the right.
func (b *Builder) besideLanes(s *Step) (left, right uint8) {
	u := b.front(s).Lanes
	if u.Count == 0 {
		return 0, 0
	}
	return uint8(len(b.net.Guidance.LaneDescription(u.Description))) - u.Count - u.First, u.First
}

// quick says whether a step is so short that the lane for the next turn had
// better be taken before it.
func (b *Builder) quick(s *Step) bool {
	if s.numIntersections() == 0 || b.front(s).Lanes.Count == 0 {
		return false
	}
	left, right := b.besideLanes(s)
	return s.Distance < (1+float64(max(left, right)))*changeDistance
}

// anticipateLanes leaves only those lanes valid from which one reaches the
// lanes of turns that follow shortly.
func (b *Builder) anticipateLanes() {
	for i := 0; i < len(b.steps); {
		end := i
		for end < len(b.steps) && b.quick(&b.steps[end]) {
			end++
		}
		if end-i > 1 {
			b.constrainLanes(b.steps[i:end])
		}
		i = end + 1
	}
	b.compact()
}

// constrainLanes goes back over steps that follow one another quickly.
func (b *Builder) constrainLanes(steps []Step) {
	distance := 0.0 // to the lanes that are needed
	for i := len(steps) - 1; i > 0; i-- {
		s, before := &steps[i], &steps[i-1]
		lanes, earlier := b.front(s).Lanes, &b.front(before).Lanes
		if before.is(graph.TurnSuppressed) {
			distance += before.Distance
		} else {
			distance = 0
		}
		surplus := float64(earlier.Count) - float64(lanes.Count)
		if earlier.Count <= 1 || surplus <= 0 || distance > surplus*changeDistance {
			continue
		}
		left, right := b.besideLanes(s)
		toLeft := s.Instruction.LeftTurn()
		straight := !toLeft && !s.Instruction.RightTurn()
		if !before.Instruction.LeftTurn() && !before.Instruction.RightTurn() {
			if toLeft || s.straightLeft {
				before.straightLeft = true
			} else if !straight || s.straightRight {
				before.straightRight = true
			}
		}
		if toLeft || straight && s.straightLeft {
			earlier.First += earlier.Count - lanes.Count - min(left, lanes.Count)
		} else {
			earlier.First += min(right, lanes.Count)
		}
		earlier.Count = lanes.Count
		if before.is(graph.TurnSuppressed) && s.is(graph.TurnSuppressed) && before.Mode == s.Mode &&
			earlier.First == lanes.First {
			before.absorb(s)
		}
	}
}
