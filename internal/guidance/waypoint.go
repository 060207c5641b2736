package guidance

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// placeWaypoints tells on which side of the road the places lie that were asked
// for, unless they are on it or far away.
func (b *Builder) placeWaypoints(line []geo.Coord) {
	n := len(line)
	first, last := &b.steps[0], &b.steps[len(b.steps)-1]
	first.setModifier(side(b.leg.From, line[0], b.leg.From, line[0], line[1]))
	last.setModifier(side(b.leg.To, line[n-1], line[n-2], line[n-1], b.leg.To))
}

// side is the direction of the turn from a over at to c, if asked is at a
// distance of at; UTurn stands for none.
func side(asked, at, a, m, c geo.Coord) graph.Modifier {
	const (
		least = 5.0 // meters
		most  = 300.0
	)
	if d := geo.Distance(asked, at); d < least || d > most {
		return graph.UTurn
	}
	switch angle := geo.Angle(a, m, c); {
	case angle < 135:
		return graph.Right
	case angle <= 225:
		return graph.Straight
	}
	return graph.Left
}
