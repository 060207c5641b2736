package matching

import (
	"cmp"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// sharpestTurn is the angle in degrees up to which a trace is taken to turn back.
const sharpestTurn = 45

// TurnsBack says whether a trace that comes from a to b and goes on to c may have
// made a U-turn at b.
func TurnsBack(a, b, c geo.Coord) bool {
	angle := geo.Angle(a, b, c)
	return angle <= sharpestTurn || angle >= 360-sharpestTurn
}

// Candidates makes phantoms, nearest first, the candidates of a point: of each
// chain the nearest one counts. Without turn, a candidate has one direction, so
// that a way goes on as it came; with turn it may leave by the other. They are
// returned in the memory of phantoms, or, as they may be more, of a copy.
func Candidates(phantoms []graph.Phantom, turn bool) []graph.Phantom {
	slices.SortStableFunc(phantoms, func(a, b graph.Phantom) int { return cmp.Compare(a.Chain, b.Chain) })
	phantoms = slices.CompactFunc(phantoms, func(a, b graph.Phantom) bool { return a.Chain == b.Chain })
	if !turn {
		for i := range phantoms {
			if phantoms[i].Nodes[0] == graph.InvalidNode || phantoms[i].Nodes[1] == graph.InvalidNode {
				continue
			}
			other := phantoms[i]
			disable(&other, 0)
			disable(&phantoms[i], 1)
			phantoms = append(phantoms, other)
		}
	}
	slices.SortStableFunc(phantoms, func(a, b graph.Phantom) int { return cmp.Compare(a.SnapDistance, b.SnapDistance) })
	return phantoms
}

// disable takes a direction away from a phantom.
func disable(p *graph.Phantom, direction int) {
	p.Nodes[direction] = graph.InvalidNode
	p.Source[direction], p.Target[direction] = false, false
}
