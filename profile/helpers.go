package profile

import "strings"

// ParseDuration reads a duration tag in seconds: "M", "H:M" or "H:M:S" with one
// or two digits each, or an ISO 8601 period up to weeks. Sums wrap around at 32
// bits.
func ParseDuration(s string) (seconds uint32, ok bool) { return parseDuration(s) }

// SpaceList puts a space behind every delimiter of a list and leaves only the
// first of several white space characters in a row: "a;b;  c" becomes
// "a; b; c".
func SpaceList(s, delimiter string) string {
	if len(delimiter) == 1 {
		return spaceList(s, delimiter[0])
	}
	if delimiter != "" {
		s = strings.ReplaceAll(s, delimiter, delimiter+" ")
	}
	if !hasDoubleSpace(s) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if i == 0 || !isSpace(s[i]) || !isSpace(s[i-1]) {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// TrimLanes removes lanes without an indication from a value of turn:lanes:
// left of them at the left edge, right of them at the right edge, each side
// only if it has that many empty lanes.
func TrimLanes(lanes string, left, right int32) string { return trimLanes(lanes, left, right) }

// AccessibleLanes keeps the lanes whose entry in access is "yes". If the two
// disagree on the number of lanes, all are kept.
func AccessibleLanes(lanes, access string) string { return accessibleLanes(lanes, access) }
