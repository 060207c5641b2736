package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/fourway-routing/fourway/profile"
)

// registerTurn defines the type of turns and, for scripts up to version 3, the
// enumerations that they compare with.
func (w *worker) registerTurn() {
	get := w.getTurn
	if w.version < 4 {
		get = w.getOldTurn
		w.registerOldTurnEnums()
	}
	w.turnObject = w.newObject(w.newType("turn", get, w.setTurn))
	w.types.leg = w.legType()
	for i := range w.turnLegs {
		w.turnLegs[i] = w.newObject(w.types.leg)
	}
}

// setTurn writes what the turn costs.
func (w *worker) setTurn(f *field) {
	t := w.turn
	if t == nil {
		f.state.RaiseError("the turn can be changed only while it is processed")
		return
	}
	switch f.key {
	case "weight":
		t.Weight = f.number()
	case "duration":
		t.Duration = f.number()
	default:
		f.refuse()
	}
}

// getOldTurn reads a field of a turn as scripts up to version 3 know it.
func (w *worker) getOldTurn(key string) glua.LValue {
	t := w.turn
	if t == nil {
		return glua.LNil
	}
	switch key {
	case "turn_type":
		if t.NumRoads > 2 || t.Source.Mode != t.Target.Mode || t.IsUTurn {
			return glua.LNumber(turnTypeTurn)
		}
		return glua.LNumber(turnTypeNoTurn)
	case "direction_modifier":
		if t.IsUTurn {
			return glua.LNumber(modifierUTurn)
		}
		return glua.LNumber(modifierStraight)
	case "angle", "has_traffic_light", "weight", "duration", "source_restricted", "target_restricted", "is_left_hand_driving":
		return w.getTurn(key)
	}
	return glua.LNil
}

// getTurn reads a field of a turn.
func (w *worker) getTurn(key string) glua.LValue {
	t := w.turn
	if t == nil {
		return glua.LNil
	}
	switch key {
	case "angle":
		return glua.LNumber(t.Angle)
	case "number_of_roads":
		return glua.LNumber(t.NumRoads)
	case "is_u_turn":
		return glua.LBool(t.IsUTurn)
	case "has_traffic_light":
		return glua.LBool(t.HasTrafficLight)
	case "is_left_hand_driving":
		return glua.LBool(t.IsLeftHandDriving)
	case "weight":
		return glua.LNumber(t.Weight)
	case "duration":
		return glua.LNumber(t.Duration)
	case "from":
		return glua.LNumber(t.From)
	case "via":
		return glua.LNumber(t.Via)
	case "to":
		return glua.LNumber(t.To)
	case "source_road":
		return w.turnLeg(0, &t.SourceRoad)
	case "target_road":
		return w.turnLeg(1, &t.TargetRoad)
	case "roads_on_the_right":
		return w.legs(t.RoadsRight)
	case "roads_on_the_left":
		return w.legs(t.RoadsLeft)
	}
	if len(key) > len("source_") {
		switch key[:len("source_")] {
		case "source_":
			return turnRoad(&t.Source, key[len("source_"):])
		case "target_":
			return turnRoad(&t.Target, key[len("target_"):])
		}
	}
	return glua.LNil
}

// turnRoad reads a field of the road that a turn leaves or enters.
func turnRoad(r *profile.TurnRoad, key string) glua.LValue {
	switch key {
	case "restricted":
		return glua.LBool(r.Restricted)
	case "mode":
		return glua.LNumber(r.Mode)
	case "is_motorway":
		return glua.LBool(r.Motorway)
	case "is_link":
		return glua.LBool(r.Link)
	case "number_of_lanes":
		return glua.LNumber(r.NumLanes)
	case "highway_turn_classification":
		return glua.LNumber(r.HighwayTurnClass)
	case "access_turn_classification":
		return glua.LNumber(r.AccessTurnClass)
	case "speed":
		return glua.LNumber(r.Speed)
	case "priority_class":
		return glua.LNumber(r.Priority)
	}
	return glua.LNil
}

func (w *worker) turnLeg(i int, leg *profile.TurnLeg) glua.LValue {
	w.turnLegs[i].Value = leg
	return w.turnLegs[i]
}

func (w *worker) legs(legs []profile.TurnLeg) glua.LValue {
	list := w.state.CreateTable(len(legs), 0)
	for i := range legs {
		u := w.newObject(w.types.leg)
		u.Value = &legs[i]
		list.Append(u)
	}
	return list
}

// legType is the type of roads at an intersection.
func (w *worker) legType() *glua.LTable {
	L := w.state
	mt := L.NewTable()
	mt.RawSetString("__index", L.NewFunction(func(L *glua.LState) int {
		u, _ := L.Get(1).(*glua.LUserData)
		var leg *profile.TurnLeg
		if u != nil {
			leg, _ = u.Value.(*profile.TurnLeg)
		}
		if leg == nil {
			L.ArgError(1, "a road is expected")
			return 0
		}
		L.Push(turnLegField(leg, L.CheckString(2)))
		return 1
	}))
	mt.RawSetString("__newindex", L.NewFunction(func(L *glua.LState) int {
		L.RaiseError("roads cannot be changed")
		return 0
	}))
	return mt
}

func turnLegField(l *profile.TurnLeg, key string) glua.LValue {
	switch key {
	case "is_restricted":
		return glua.LBool(l.Restricted)
	case "is_motorway":
		return glua.LBool(l.Motorway)
	case "is_link":
		return glua.LBool(l.Link)
	case "number_of_lanes":
		return glua.LNumber(l.NumLanes)
	case "highway_turn_classification":
		return glua.LNumber(l.HighwayTurnClass)
	case "access_turn_classification":
		return glua.LNumber(l.AccessTurnClass)
	case "speed":
		return glua.LNumber(l.Speed)
	case "distance":
		return glua.LNumber(l.Distance)
	case "priority_class":
		return glua.LNumber(l.Priority)
	case "is_incoming":
		return glua.LBool(l.Incoming)
	case "is_outgoing":
		return glua.LBool(l.Outgoing)
	}
	return glua.LNil
}
