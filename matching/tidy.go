package matching

import "github.com/fourway-routing/fourway/internal/geo"

// What a trace moves on between two places that Tidy keeps, as in OSRM.
const (
	tidyDistance = 15 // meters
	tidyTime     = 5  // seconds
)

// Tidy appends the indices of the places that make a trace, leaving out those
// that come too close on the one before: the trace has to move on by 15 meters
// and, if it has times (in seconds), by 5 seconds. The first place and the last
// always stay.
func Tidy(dst []int, places []geo.Coord, times []int64) []int {
	if len(places) == 0 {
		return dst
	}
	dst = append(dst, 0)
	distance, last := 0.0, 0
	for i := 1; i < len(places)-1; i++ {
		distance += geo.Distance(places[i-1], places[i])
		if distance < tidyDistance || len(times) > 0 && times[i]-times[last] < tidyTime {
			continue
		}
		dst = append(dst, i)
		distance, last = 0, i
	}
	if len(places) > 1 {
		dst = append(dst, len(places)-1)
	}
	return dst
}
