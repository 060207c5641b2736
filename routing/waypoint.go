package routing

import (
	"strings"

	"github.com/fourway-routing/fourway/graph"
)

// waypoint describes the place that candidates share.
func (e *Engine) waypoint(candidates []graph.Phantom, hint bool) Waypoint {
	first := &candidates[0]
	w := Waypoint{Location: point(first.Place), Distance: first.SnapDistance}
	var names []byte
	count := 0
	for i := range candidates {
		name := e.net.Roads[e.net.ArmRoad[drivable(e.net, candidates[i].Chain)]].Name
		if name == 0 {
			continue
		}
		if count++; count > 1 {
			names = append(names, " / "...)
		}
		names = e.net.Strings.Append(names, name)
	}
	w.Name = string(names)
	if hint {
		w.Hint = e.hint
		if len(candidates) > 1 {
			w.Hint = strings.Repeat(e.hint, len(candidates))
		}
	}
	return w
}

// drivable returns the direction of a chain that can be driven, the stored one
// if both can.
func drivable(n *graph.Network, c graph.ChainID) graph.ArmID {
	arm := graph.ArmID(c) << 1
	if n.ArmNode[arm] == graph.InvalidNode {
		return arm.Twin()
	}
	return arm
}
