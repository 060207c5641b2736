package profile

import "strings"

// LaneMask is the set of indications painted on one lane.
type LaneMask uint16

// The indications, numbered as OSRM numbers them.
const (
	LaneNone LaneMask = 1 << iota
	LaneStraight
	LaneSharpLeft
	LaneLeft
	LaneSlightLeft
	LaneSlightRight
	LaneRight
	LaneSharpRight
	LaneUTurn
	LaneMergeToLeft
	LaneMergeToRight
)

func laneIndication(s string) (LaneMask, bool) {
	switch s {
	case "none":
		return LaneNone, true
	case "through":
		return LaneStraight, true
	case "sharp_left":
		return LaneSharpLeft, true
	case "left":
		return LaneLeft, true
	case "slight_left":
		return LaneSlightLeft, true
	case "slight_right":
		return LaneSlightRight, true
	case "right":
		return LaneRight, true
	case "sharp_right":
		return LaneSharpRight, true
	case "reverse":
		return LaneUTurn, true
	case "merge_to_left":
		return LaneMergeToLeft, true
	case "merge_to_right":
		return LaneMergeToRight, true
	}
	return 0, false
}

// parseLane reads the indications of one lane; a lane without any is LaneNone.
func parseLane(s string) (mask LaneMask, ok bool) {
	for s != "" {
		var indication string
		indication, s, _ = strings.Cut(s, ";")
		if indication == "" {
			continue
		}
		bit, known := laneIndication(indication)
		if !known {
			return 0, false
		}
		mask |= bit
	}
	if mask == 0 {
		mask = LaneNone
	}
	return mask, true
}

// ParseTurnLanes appends to dst the lanes of a value like
// "left|through;right|", from left to right. An empty string has no lanes, and
// neither has one with an indication that is not understood.
func ParseTurnLanes(dst []LaneMask, s string) []LaneMask {
	start := len(dst)
	for more := s != ""; more; {
		var lane string
		lane, s, more = strings.Cut(s, "|")
		mask, ok := parseLane(lane)
		if !ok {
			return dst[:start]
		}
		dst = append(dst, mask)
	}
	return dst
}

// countTurnLanes returns the number of lanes that ParseTurnLanes finds.
func countTurnLanes(s string) int {
	n := 0
	for more := s != ""; more; n++ {
		var lane string
		lane, s, more = strings.Cut(s, "|")
		if _, ok := parseLane(lane); !ok {
			return 0
		}
	}
	return n
}

// sameTurnLanes tells whether two values mean the same lanes.
func sameTurnLanes(a, b string) bool {
	if a == b {
		return true
	}
	if a == "" || b == "" || countTurnLanes(a) != countTurnLanes(b) {
		return false
	}
	if countTurnLanes(a) == 0 {
		return true
	}
	for more := true; more; {
		var laneA, laneB string
		laneA, a, more = strings.Cut(a, "|")
		laneB, b, _ = strings.Cut(b, "|")
		maskA, _ := parseLane(laneA)
		maskB, _ := parseLane(laneB)
		if maskA != maskB {
			return false
		}
	}
	return true
}

// trimLanes removes lanes that cars may not use and that carry no indication:
// left of them at the left edge, right of them at the right edge, each side
// only if it has that many empty lanes.
func trimLanes(s string, left, right int32) string {
	if left > 0 && int64(left) < int64(len(s)) && strings.Count(s[:left], "|") == int(left) {
		s = s[left:]
	}
	if right > 0 && int64(right) < int64(len(s)) && strings.Count(s[len(s)-int(right):], "|") == int(right) {
		s = s[:len(s)-int(right)]
	}
	return s
}

// accessibleLanes keeps the lanes whose entry in access is "yes". If the two
// disagree on the number of lanes, all are kept.
func accessibleLanes(s, access string) string {
	if strings.Count(s, "|") != strings.Count(access, "|") {
		return s
	}
	var kept strings.Builder
	for more := true; more; {
		var lane, who string
		lane, s, more = strings.Cut(s, "|")
		who, access, _ = strings.Cut(access, "|")
		if who != "yes" {
			continue
		}
		if kept.Len() > 0 {
			kept.WriteByte('|')
		}
		kept.WriteString(lane)
	}
	return kept.String()
}

// allLanesDesignated tells whether a value names at least one lane and every
// lane is "designated".
func allLanesDesignated(s string) bool {
	for more := s != ""; more; {
		var lane string
		lane, s, more = strings.Cut(s, "|")
		if lane != "designated" {
			return false
		}
		if !more {
			return true
		}
	}
	return false
}
