package routing

import (
	"strings"

	"github.com/fourway-routing/fourway/graph"
)

// waypoint describes the place that candidates share.
func (e *dataset) waypoint(candidates []graph.Phantom, hint bool) Waypoint {
	first := &candidates[0]
	w := Waypoint{Location: point(first.Place), Distance: first.SnapDistance}
	w.Name = e.names(candidates)
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

// names returns the names of the candidates' roads, joined.
func (e *dataset) names(candidates []graph.Phantom) string {
	var one graph.StringID
	var all []byte
	for i := range candidates {
		name := e.net.Roads[e.net.ArmRoad[drivable(e.net, candidates[i].Chain)]].Name
		switch {
		case name == 0:
			continue
		case one == 0:
			one = name
			continue
		case all == nil:
			all = e.net.Strings.Append(all, one)
		}
		all = append(all, " / "...)
		all = e.net.Strings.Append(all, name)
	}
	if all == nil {
		return e.net.Strings.Get(one)
	}
	return string(all)
}
