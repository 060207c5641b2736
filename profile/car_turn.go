package profile

import "math"

// carTurnBias makes turns across the oncoming traffic dearer than the others.
const carTurnBias = 1.075

// carStopReach is how far before its junction, in meters, a stop sign may
// stand.
const carStopReach = 20

// Turn adds the delays of obstacles and of the turn itself, which grows with
// the angle along a sigmoid fitted to real driving.
func (w *carWorker) Turn(t *Turn) error {
	for i := range t.Obstacles {
		if o := &t.Obstacles[i]; carHeeds(t, o) {
			t.Duration += float64(o.Duration)
		}
	}
	if t.NumRoads > 2 || t.Source.Mode != t.Target.Mode || t.IsUTurn {
		t.Duration += w.turnDuration(t.Angle, t.IsLeftHandDriving)
		if t.IsUTurn {
			t.Duration += w.properties.UTurnPenalty
		}
	}
	t.Weight = t.Duration
	switch w.options.WeightName {
	case weightDistance:
		t.Weight = 0
	case weightRoutability:
		// Roads for local traffic are entered from the outside only if nothing
		// else leads there.
		if t.Target.Restricted && !t.Source.Restricted {
			t.Weight = math.MaxInt16
		}
	}
	t.Finish(&w.properties)
	return nil
}

// turnDuration is the delay of a turn by an angle in degrees.
func (w *carWorker) turnDuration(angle float64, leftHand bool) float64 {
	bias := w.options.TurnBias
	if leftHand {
		bias = 1 / bias
	}
	steepness, shift := 13*bias, 6.5/bias
	if angle >= 0 {
		steepness, shift = 13/bias, 6.5*bias
	}
	// The conversion keeps the product from being fused with the difference.
	x := float64(steepness*math.Abs(angle)/180) - shift
	return *w.options.TurnPenalty / (1 + math.Exp(-x))
}

// carHeeds tells whether a driver has to mind the obstacle at this turn.
func carHeeds(t *Turn, o *Obstacle) bool {
	switch o.Type {
	case ObstacleStopMinor:
		return entersByMinorRoad(t)
	case ObstacleStop:
		// A sign without a direction belongs to the nearer junction: behind a
		// short road it is for those who come the other way.
		behind := t.NumRoads == 2 && o.Direction == DirectionNone &&
			t.SourceRoad.Distance < carStopReach && t.TargetRoad.Distance > carStopReach
		return !behind
	}
	return true
}

// entersByMinorRoad tells whether another road of the junction is faster than
// the one that the turn comes from.
func entersByMinorRoad(t *Turn) bool {
	fastest := t.Target.Speed
	for i := range t.RoadsRight {
		fastest = max(fastest, t.RoadsRight[i].Speed)
	}
	for i := range t.RoadsLeft {
		fastest = max(fastest, t.RoadsLeft[i].Speed)
	}
	return fastest > t.Source.Speed
}
