package profile

import (
	"strings"

	"github.com/fourway-routing/fourway/graph"
)

// accessRules sorts the values of access tags for a vehicle. A value may be in
// several sets or in none.
type accessRules func(value string) accessSet

type accessSet uint8

const (
	accessAllowed accessSet = 1 << iota
	// accessRestricted is for those who have business on the road.
	accessRestricted
	accessForbidden
)

// rank orders sets by how welcome the vehicle is.
func (s accessSet) rank() int {
	switch {
	case s&accessAllowed != 0:
		return 3
	case s&accessRestricted != 0:
		return 2
	case s&accessForbidden != 0:
		return 1
	}
	return 0
}

// access is what the tags say about access in one direction.
type access struct {
	value string
	set   accessSet
	// tagged is false where no tag says anything.
	tagged bool
}

// resolve finds the meaning of an access tag, "" standing for no tag. Of a
// list separated by semicolons the most welcoming value counts, the first of
// several.
func (rules accessRules) resolve(value string) access {
	if value == "" {
		return access{}
	}
	if strings.IndexByte(value, ';') < 0 {
		return access{value: value, set: rules(value), tagged: true}
	}
	best, bestRank := access{value: value, tagged: true}, -1
	for list, more := value, true; more; {
		var part string
		part, list, more = strings.Cut(list, ";")
		if part == "" {
			continue
		}
		part = strings.Trim(part, luaSpace)
		if set := rules(part); set.rank() > bestRank {
			best, bestRank = access{value: part, set: set, tagged: true}, set.rank()
		}
	}
	return best
}

// opens tells whether a tag lets the vehicle in where it does not belong:
// anything that does not forbid it.
func (a access) opens() bool {
	return a.tagged && (a.set&accessAllowed != 0 || a.set&accessForbidden == 0)
}

// blocks tells whether a tag forbids the vehicle.
func (a access) blocks() bool { return a.set&accessForbidden != 0 }

// setAccessSpeed sets a speed where nothing but access tags speaks for the
// vehicle, and closes a direction that they do not mention. It returns false
// if nothing tells how long the way takes.
func setAccessSpeed(forward, backward access, speed float64, r *WayResult) bool {
	if forward.opens() {
		r.ForwardSpeed = speed
	} else if !forward.tagged && backward.tagged {
		r.ForwardMode = graph.ModeInaccessible
	}
	if backward.opens() {
		r.BackwardSpeed = speed
	} else if !backward.tagged && forward.tagged {
		r.BackwardMode = graph.ModeInaccessible
	}
	return r.ForwardSpeed != Unset || r.BackwardSpeed != Unset || r.Duration > 0
}
