package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/profile"
)

// enumValue is a name for a number.
type enumValue struct {
	name  string
	value float64
}

// enum defines a global table of names for numbers.
func (w *worker) enum(name string, values []enumValue) {
	t := w.state.CreateTable(0, len(values))
	for _, v := range values {
		t.RawSetString(v.name, glua.LNumber(v.value))
	}
	w.setGlobal(name, t)
}

// registerEnums defines the enumerations of all versions.
func (w *worker) registerEnums() {
	w.enum("mode", []enumValue{
		{"inaccessible", float64(graph.ModeInaccessible)},
		{"driving", float64(graph.ModeDriving)},
		{"cycling", float64(graph.ModeCycling)},
		{"walking", float64(graph.ModeWalking)},
		{"ferry", float64(graph.ModeFerry)},
		{"train", float64(graph.ModeTrain)},
		{"pushing_bike", float64(graph.ModePushingBike)},
		{"steps_up", float64(graph.ModeStepsUp)},
		{"steps_down", float64(graph.ModeStepsDown)},
		{"river_up", float64(graph.ModeRiverUp)},
		{"river_down", float64(graph.ModeRiverDown)},
		{"route", float64(graph.ModeRoute)},
	})
	w.enum("road_priority_class", []enumValue{
		{"motorway", float64(profile.PriorityMotorway)},
		{"motorway_link", float64(profile.PriorityMotorwayLink)},
		{"trunk", float64(profile.PriorityTrunk)},
		{"trunk_link", float64(profile.PriorityTrunkLink)},
		{"primary", float64(profile.PriorityPrimary)},
		{"primary_link", float64(profile.PriorityPrimaryLink)},
		{"secondary", float64(profile.PrioritySecondary)},
		{"secondary_link", float64(profile.PrioritySecondaryLink)},
		{"tertiary", float64(profile.PriorityTertiary)},
		{"tertiary_link", float64(profile.PriorityTertiaryLink)},
		{"main_residential", float64(profile.PriorityMainResidential)},
		{"side_residential", float64(profile.PrioritySideResidential)},
		{"alley", float64(profile.PriorityAlley)},
		{"parking", float64(profile.PriorityParking)},
		{"link_road", float64(profile.PriorityLinkRoad)},
		{"unclassified", float64(profile.PriorityUnclassified)},
		{"bike_path", float64(profile.PriorityBikePath)},
		{"foot_path", float64(profile.PriorityFootPath)},
		{"connectivity", float64(profile.PriorityConnectivity)},
	})
	w.enum("item_type", []enumValue{{"node", itemNode}, {"way", itemWay}, {"relation", itemRelation}})
	w.enum("traffic_lights", []enumValue{
		{"none", float64(profile.DirectionNone)},
		{"direction_all", float64(profile.DirectionBoth)},
		{"direction_forward", float64(profile.DirectionForward)},
		{"direction_reverse", float64(profile.DirectionBackward)},
	})
	w.enum("obstacle_type", []enumValue{
		{"none", float64(profile.ObstacleNone)},
		{"barrier", float64(profile.ObstacleBarrier)},
		{"traffic_signals", float64(profile.ObstacleTrafficSignals)},
		{"stop", float64(profile.ObstacleStop)},
		{"stop_minor", float64(profile.ObstacleStopMinor)},
		{"give_way", float64(profile.ObstacleGiveWay)},
		{"crossing", float64(profile.ObstacleCrossing)},
		{"traffic_calming", float64(profile.ObstacleTrafficCalming)},
		{"mini_roundabout", float64(profile.ObstacleMiniRoundabout)},
		{"turning_loop", float64(profile.ObstacleTurningLoop)},
		{"turning_circle", float64(profile.ObstacleTurningCircle)},
		{"gate", float64(profile.ObstacleGate)},
	})
	w.enum("obstacle_direction", []enumValue{
		{"none", float64(profile.DirectionNone)},
		{"forward", float64(profile.DirectionForward)},
		{"backward", float64(profile.DirectionBackward)},
		{"both", float64(profile.DirectionBoth)},
	})
}

// Values of the old enumerations that turns have.
const (
	turnTypeTurn     = 3
	turnTypeNoTurn   = 17
	modifierUTurn    = 0
	modifierStraight = 4
)

// registerOldTurnEnums defines what scripts up to version 3 compare turns
// with. Only four of the values ever occur.
func (w *worker) registerOldTurnEnums() {
	w.enum("turn_type", []enumValue{
		{"invalid", 0},
		{"new_name", 1},
		{"continue", 2},
		{"turn", turnTypeTurn},
		{"merge", 4},
		{"on_ramp", 5},
		{"off_ramp", 6},
		{"fork", 7},
		{"end_of_road", 8},
		{"notification", 9},
		{"enter_roundabout", 10},
		{"enter_and_exit_roundabout", 11},
		{"enter_rotary", 12},
		{"enter_and_exit_rotary", 13},
		{"enter_roundabout_intersection", 14},
		{"enter_and_exit_roundabout_intersection", 15},
		{"use_lane", 18},
		{"no_turn", turnTypeNoTurn},
		{"suppressed", 18},
		{"enter_roundabout_at_exit", 19},
		{"exit_roundabout", 20},
		{"enter_rotary_at_exit", 21},
		{"exit_rotary", 22},
		{"enter_roundabout_intersection_at_exit", 23},
		{"exit_roundabout_intersection", 24},
		{"stay_on_roundabout", 25},
		{"sliproad", 26},
	})
	w.enum("direction_modifier", []enumValue{
		{"u_turn", modifierUTurn},
		{"sharp_right", 1},
		{"right", 2},
		{"slight_right", 3},
		{"straight", modifierStraight},
		{"slight_left", 5},
		{"left", 6},
		{"sharp_left", 7},
	})
}

// maxTurnWeight is the largest weight of a turn before it is scaled by the
// precision.
const maxTurnWeight = 32767

// setConstants defines the global constants; versions before 2 know no largest
// weight of a turn.
func (w *worker) setConstants(maxTurnWeight float64) {
	values := []enumValue{{"precision", coordinatePrecision}}
	if maxTurnWeight > 0 {
		values = append(values, enumValue{"max_turn_weight", maxTurnWeight})
	}
	w.enum("constants", values)
}

// coordinatePrecision is the number of units in a degree.
const coordinatePrecision = 1e6
