package profile

import "github.com/paulmach/osm"

// Node finds barriers, gates, signals, signs and places to turn around.
func (w *carWorker) Node(n *osm.Node, r *NodeResult) error {
	r.Reset()
	if len(n.Tags) == 0 {
		return nil
	}
	w.barriers(n.Tags, r)
	if highway := n.Tags.Find("highway"); highway != "" {
		w.addHighwayObstacle(highway, n.Tags, r)
	}
	return nil
}

// barriers adds what blocks or delays a car. Where an access tag says for whom
// the place is, the barrier tag does not matter.
func (w *carWorker) barriers(tags osm.Tags, r *NodeResult) {
	if v := w.tuner.nodeAccess(tags, "motorcar", "motor_vehicle", "vehicle", "access"); v != "" {
		if set := w.tuner.rules.resolve(v).set; set&accessForbidden != 0 && set&accessRestricted == 0 {
			r.add(Obstacle{Type: ObstacleBarrier})
		}
		return
	}
	barrier := tags.Find("barrier")
	if passes, ok := w.options.Barriers[barrier]; ok {
		if !passes {
			r.add(Obstacle{Type: ObstacleBarrier})
		}
		return
	}
	switch barrier {
	case "":
	case "gate", "lift_gate":
		r.add(Obstacle{Type: ObstacleGate, Direction: DirectionBoth, Duration: float32(*w.options.GatePenalty)})
	case "cattle_grid", "border_control", "toll_booth", "sally_port", "no", "entrance", "arch":
	case "height_restrictor":
		if height, ok := parseMaxHeight(tags.Find("maxheight")); ok && height < w.options.Height {
			r.add(Obstacle{Type: ObstacleBarrier})
		}
	default:
		if !carPassesBarrier(barrier, tags) {
			r.add(Obstacle{Type: ObstacleBarrier})
		}
	}
}

// carPassesBarrier knows the details that make a barrier none: bollards that
// sink, flat kerbs, and virtual fences for cattle.
func carPassesBarrier(barrier string, tags osm.Tags) bool {
	if tags.Find("bollard") == "rising" {
		return true
	}
	switch tags.Find("kerb") {
	case "lowered", "flush":
		return true
	}
	switch barrier {
	case "kerb":
		return tags.Find("highway") == "crossing"
	case "fence":
		sensory := tags.Find("sensory")
		return sensory == "audible" || sensory == "audio"
	}
	return false
}

// addHighwayObstacle adds the obstacle that a node's highway tag names.
func (w *carWorker) addHighwayObstacle(highway string, tags osm.Tags, r *NodeResult) {
	o := Obstacle{Direction: obstacleDirection(tags.Find("direction"))}
	switch highway {
	case "none":
		o.Type = ObstacleNone
	case "traffic_signals":
		o.Type, o.Duration = ObstacleTrafficSignals, float32(*w.options.SignalPenalty)
		if direction := tags.Find("traffic_signals:direction"); direction != "" {
			o.Direction = obstacleDirection(direction)
		}
	case "stop":
		o.Type, o.Duration = ObstacleStop, float32(*w.options.StopPenalty)
		if tags.Find("stop") == "minor" {
			o.Type = ObstacleStopMinor
		}
	case "stop_minor":
		o.Type = ObstacleStopMinor
	case "give_way":
		o.Type, o.Duration = ObstacleGiveWay, float32(*w.options.GiveWayPenalty)
	case "crossing":
		o.Type = ObstacleCrossing
	case "traffic_calming":
		o.Type = ObstacleTrafficCalming
	case "mini_roundabout":
		o.Type = ObstacleMiniRoundabout
	case "turning_loop":
		o.Type = ObstacleTurningLoop
	case "turning_circle":
		o.Type = ObstacleTurningCircle
	case "gate":
		o.Type = ObstacleGate
	default:
		return
	}
	r.add(o)
}

func obstacleDirection(s string) ObstacleDirection {
	switch s {
	case "forward":
		return DirectionForward
	case "backward":
		return DirectionBackward
	case "both":
		return DirectionBoth
	}
	return DirectionNone
}
