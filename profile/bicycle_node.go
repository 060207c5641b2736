package profile

import "github.com/paulmach/osm"

// Node finds barriers and signals.
func (w *bicycleWorker) Node(n *osm.Node, r *NodeResult) error {
	r.Reset()
	if len(n.Tags) == 0 {
		return nil
	}
	highway := n.Tags.Find("highway")
	barrier := n.Tags.Find("barrier")
	if value := w.tuner.nodeAccess(n.Tags, "bicycle", "vehicle", "access"); value != "" {
		// Crossings are for those who cross the road.
		if w.tuner.rules(value)&accessForbidden != 0 && highway != "crossing" {
			r.addBarrier()
		}
	} else if passes, ok := w.options.Barriers[barrier]; ok {
		if !passes {
			r.addBarrier()
		}
	} else if blocksSlowTraffic(barrier) && !isVirtualFence(n.Tags) {
		r.addBarrier()
	}
	if w.options.CargoBike && n.Tags.Find("cargo_bike") == "no" {
		r.addBarrier()
	}
	if w.options.Width > 0 {
		passage := min(metersOr(n.Tags.Find("maxwidth:physical"), wideOpen), metersOr(n.Tags.Find("opening"), wideOpen))
		if passage < w.options.Width {
			r.addBarrier()
		}
	}
	if highway == "traffic_signals" {
		o := Obstacle{Type: ObstacleTrafficSignals, Direction: DirectionBoth, Duration: float32(*w.options.SignalPenalty)}
		switch n.Tags.Find("traffic_signals:direction") {
		case "forward":
			o.Direction = DirectionForward
		case "backward":
			o.Direction = DirectionBackward
		}
		r.add(o)
	}
	return nil
}

// wideOpen, in meters, is as wide as no vehicle.
const wideOpen = 99

func metersOr(s string, otherwise float64) float64 {
	if meters, ok := parseMeters(s); ok {
		return meters
	}
	return otherwise
}

// firstTag returns the value of the first key that has one.
func firstTag(tags osm.Tags, keys ...string) string {
	for _, k := range keys {
		if v := tags.Find(k); v != "" {
			return v
		}
	}
	return ""
}

// blocksSlowTraffic knows the barriers that stop cyclists and walkers too.
func blocksSlowTraffic(barrier string) bool {
	return barrier == "yes" || barrier == "wall" || barrier == "fence"
}

// isVirtualFence knows the fences that only cattle with collars notice.
func isVirtualFence(tags osm.Tags) bool {
	if tags.Find("barrier") != "fence" {
		return false
	}
	sensory := tags.Find("sensory")
	return sensory == "audible" || sensory == "audio"
}
