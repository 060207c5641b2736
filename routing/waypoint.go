package routing

import (
	"strings"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// waypoint describes the place that candidates share.
func (e *dataset) waypoint(candidates []graph.Phantom, hint bool) Waypoint {
	first := &candidates[0]
	if first.InArea {
		return e.areaWaypoint(first.Input, hint)
	}
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

// areaWaypoint describes a coordinate in an open area, which is where one stands.
func (e *dataset) areaWaypoint(at geo.Coord, hint bool) Waypoint {
	w := Waypoint{Location: point(at)}
	if around := e.net.Areas.AppendAround(nil, at); len(around) > 0 {
		w.Name = e.net.Strings.Get(e.net.Areas.Name(around[0]))
	}
	if hint {
		w.Hint = e.hint
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
