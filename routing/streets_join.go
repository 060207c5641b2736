package routing

import (
	"cmp"
	"slices"

	"github.com/fourway-routing/fourway/graph"
)

// streetLine is a line of places, in the direction that can be driven if only one
// can.
type streetLine struct {
	streetTraits
	places []graph.PlaceID
}

// chainLine returns the whole of a chain.
func chainLine(n *graph.Network, chain graph.ChainID, t streetTraits) streetLine {
	l := streetLine{t, slices.Compact(slices.Clone(n.ChainPlaces[n.ChainFirst[chain]:n.ChainFirst[chain+1]]))}
	l.orient(n, chain)
	return l
}

// take makes the line of a chain's segments that follow one another in a list, and
// returns the position of the next.
func (l *streetLine) take(n *graph.Network, list []graph.Segment, i int) int {
	chain := list[i].Chain
	first := n.ChainFirst[chain]
	l.places = append(l.places, n.ChainPlaces[first+list[i].Segment])
	for ; i < len(list) && list[i].Chain == chain; i++ {
		at := first + list[i].Segment
		// Segments of no length, which are obstacles, are not listed.
		if n.ChainPlaces[at] != l.places[len(l.places)-1] {
			break
		}
		l.places = append(l.places, n.ChainPlaces[at+1])
	}
	l.orient(n, chain)
	return i
}

// orient turns a line that is in the stored order of its chain.
func (l *streetLine) orient(n *graph.Network, chain graph.ChainID) {
	if n.ArmNode[graph.ArmID(chain)<<1] == graph.InvalidNode {
		slices.Reverse(l.places)
	}
}

// longestStreet is the number of places from which a line is not joined to more.
const longestStreet = 512

// streetEnd is one end of a line: its position in the list times two, and one more
// for the last place.
type streetEnd int32

const noStreetEnd streetEnd = -1

func (e streetEnd) other() streetEnd { return e ^ 1 }
func (e streetEnd) line() int        { return int(e >> 1) }

// joinStreets joins lines of the same traits end to end, where no third one meets
// them. The order is that of the first of each line.
func joinStreets(lines []streetLine) []streetLine {
	next := streetLinks(lines)
	done := make([]bool, len(lines))
	joined := make([]streetLine, 0, len(lines))
	for i := range lines {
		if done[i] {
			continue
		}
		begin := streetEnd(2 * i)
		for at := next[begin]; at != noStreetEnd && at.line() != i; at = next[at.other()] {
			begin = at.other()
		}
		line := streetLine{streetTraits: lines[i].streetTraits}
		for at := begin; at != noStreetEnd && !done[at.line()]; at = next[at.other()] {
			if len(line.places) >= longestStreet {
				joined = append(joined, line)
				line.places = nil
			}
			done[at.line()] = true
			line.places = appendPlaces(line.places, lines[at.line()].places, at&1 != 0)
		}
		joined = append(joined, line)
	}
	return joined
}

// appendPlaces appends a line that begins where the places end, if there are any.
func appendPlaces(dst, places []graph.PlaceID, reverse bool) []graph.PlaceID {
	skip := min(len(dst), 1)
	dst = append(dst, places...)
	added := dst[len(dst)-len(places):]
	if reverse {
		slices.Reverse(added)
	}
	copy(added, added[skip:])
	return dst[:len(dst)-skip]
}

// streetLinks returns what each end is joined to.
func streetLinks(lines []streetLine) []streetEnd {
	next := make([]streetEnd, 2*len(lines))
	ends := make([]streetEnd, len(next))
	for i := range ends {
		next[i], ends[i] = noStreetEnd, streetEnd(i)
	}
	place := func(e streetEnd) graph.PlaceID {
		places := lines[e.line()].places
		if e&1 != 0 {
			return places[len(places)-1]
		}
		return places[0]
	}
	slices.SortFunc(ends, func(a, b streetEnd) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b)) })
	for len(ends) > 0 {
		here := 1
		for here < len(ends) && place(ends[here]) == place(ends[0]) {
			here++
		}
		linkStreets(lines, next, ends[:here])
		ends = ends[here:]
	}
	return next
}

// linkStreets joins the ends at one place.
func linkStreets(lines []streetLine, next, ends []streetEnd) {
	for i, a := range ends {
		alike, b := 0, noStreetEnd
		for j, e := range ends {
			if j != i && lines[e.line()].streetTraits == lines[a.line()].streetTraits {
				alike, b = alike+1, e
			}
		}
		if alike != 1 || a.line() == b.line() || lines[a.line()].OneWay && a&1 == b&1 {
			continue
		}
		next[a] = b
	}
}
