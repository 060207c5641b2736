package lua

import (
	"errors"
	"fmt"
	"math"

	glua "github.com/yuin/gopher-lua"

	"github.com/fourway-routing/fourway/profile"
)

// defaultProperties hold where a script says nothing.
func defaultProperties() profile.Properties {
	return profile.Properties{
		WeightName:                 "duration",
		WeightPrecision:            1,
		ContinueStraightAtWaypoint: true,
		TaglessNodes:               true,
		MaxSpeedForMapMatching:     180 / 3.6,
		MaxCollapseDistance:        30,
		AreaWalkingSpeed:           1.4,
	}
}

// maxPrecision keeps weights within 32 bits.
const maxPrecision = 9

// readPropertiesTable takes over the table properties of what setup returned.
func (w *worker) readPropertiesTable(table *glua.LTable) (err error) {
	value := table.RawGetString("properties")
	if value == glua.LNil {
		return nil
	}
	from, ok := value.(*glua.LTable)
	if !ok {
		return w.fault("properties must be a table, not a %s", value.Type())
	}
	get := func(name string, want glua.LValueType) glua.LValue {
		v := from.RawGetString(name)
		if v != glua.LNil && v.Type() != want {
			err = errors.Join(err, w.fault("properties.%s must be a %s, not a %s", name, want, v.Type()))
		}
		return v
	}
	p := &w.properties
	if s, ok := get("weight_name", glua.LTString).(glua.LString); ok {
		p.WeightName = string(s)
	}
	number := func(name string, take func(float64)) {
		if n, ok := get(name, glua.LTNumber).(glua.LNumber); ok {
			take(float64(n))
		}
	}
	flag := func(name string, to *bool) {
		if b, ok := get(name, glua.LTBool).(glua.LBool); ok {
			*to = bool(b)
		}
	}
	// OSRM reads both penalties as whole numbers.
	number("traffic_signal_penalty", func(n float64) { p.TrafficSignalPenalty = float64(toInt32(n)) })
	number("u_turn_penalty", func(n float64) { p.UTurnPenalty = float64(toInt32(n)) })
	number("max_speed_for_map_matching", func(n float64) { p.MaxSpeedForMapMatching = n })
	number("max_collapse_distance", func(n float64) { p.MaxCollapseDistance = n })
	number("weight_precision", func(n float64) { p.WeightPrecision = int(toInt32(n)) })
	number("area_walking_speed", func(n float64) { p.AreaWalkingSpeed = n })
	flag("continue_straight_at_waypoint", &p.ContinueStraightAtWaypoint)
	flag("use_turn_restrictions", &p.UseTurnRestrictions)
	flag("left_hand_driving", &p.LeftHandDriving)
	flag("force_split_edges", &p.ForceSplitEdges)
	flag("area_emit_visibility_graph", &p.AreaVisibilityGraph)
	flag("call_tagless_node_function", &p.TaglessNodes)
	return err
}

// readProperties reads the lists of the script and checks all properties.
func (w *worker) readProperties() error {
	p := &w.properties
	switch w.version {
	case 0:
	case 1:
		for _, list := range [...]struct {
			function string
			to       *[]string
		}{{"get_name_suffix_list", &p.SuffixList}, {"get_restrictions", &p.Restrictions}} {
			f, ok := w.getGlobal(list.function).(*glua.LFunction)
			if !ok {
				continue
			}
			if err := w.call(list.function, f, 0, w.newVector(list.to)); err != nil {
				return err
			}
		}
	default:
		table, ok := w.table.(*glua.LTable)
		if !ok {
			return nil
		}
		if err := w.readLists(table); err != nil {
			return err
		}
		if err := w.warnOfNames(table); err != nil {
			return err
		}
	}
	return w.checkProperties()
}

// readLists takes over the lists of what setup returned.
func (w *worker) readLists(table *glua.LTable) (err error) {
	p := &w.properties
	list := func(name string) *glua.LTable {
		v := table.RawGetString(name)
		t, ok := v.(*glua.LTable)
		if !ok && v != glua.LNil {
			err = errors.Join(err, w.fault("%s must be a table, not a %s", name, v.Type()))
		}
		return t
	}
	p.Classes = stringList(list("classes"))
	p.SuffixList = stringList(list("suffix_list"))
	p.Restrictions = stringList(list("restrictions"))
	if w.version >= 3 {
		p.RelationTypes = stringList(list("relation_types"))
	}
	if sets := list("excludable"); sets != nil {
		forEach(sets, func(key, value glua.LValue) {
			set, ok := value.(*glua.LTable)
			if !ok {
				err = errors.Join(err, w.fault("excludable must hold tables of classes, not a %s", value.Type()))
				return
			}
			p.Excludable = append(p.Excludable, stringList(set))
		})
	}
	return err
}

// warnOfNames tells of names in the tables of the script that look like
// misspelled ones of the interface. Scripts may have names of their own, so
// these are no errors.
func (w *worker) warnOfNames(table *glua.LTable) (err error) {
	warn := func(where string, in *glua.LTable, known []string) {
		forEach(in, func(key, _ glua.LValue) {
			if name, ok := key.(glua.LString); ok {
				if meant := misspelled(string(name), known); meant != "" {
					e := w.script.print(fmt.Sprintf("lua: %s: nothing reads %s%s; is %s meant?\n", w.script.path, where, string(name), meant))
					err = errors.Join(err, e)
				}
			}
		})
	}
	warn("", w.functions, functionNames)
	warn("", table, listNames)
	if properties, ok := table.RawGetString("properties").(*glua.LTable); ok {
		warn("properties.", properties, propertyNames)
	}
	return err
}

// The names that the interface knows.
var (
	functionNames = []string{"setup", "process_node", "process_way", "process_segment", "process_turn", "process_relation"}
	listNames     = []string{"properties", "classes", "excludable", "restrictions", "suffix_list", "relation_types"}
	propertyNames = []string{
		"weight_name", "weight_precision", "left_hand_driving", "use_turn_restrictions", "continue_straight_at_waypoint",
		"max_speed_for_map_matching", "max_collapse_distance", "traffic_signal_penalty", "u_turn_penalty", "max_turn_weight",
		"force_split_edges", "call_tagless_node_function", "area_walking_speed", "area_emit_visibility_graph",
	}
)

// checkProperties refuses what the extractor could not use.
func (w *worker) checkProperties() error {
	p := &w.properties
	fail := w.fault
	if p.WeightPrecision < 0 || p.WeightPrecision > maxPrecision {
		return fail("weight_precision is %d, want 0 to %d", p.WeightPrecision, maxPrecision)
	}
	for _, n := range [...]struct {
		name  string
		value float64
	}{
		{"max_speed_for_map_matching", p.MaxSpeedForMapMatching},
		{"max_collapse_distance", p.MaxCollapseDistance},
	} {
		if !(n.value >= 0) || math.IsInf(n.value, 0) {
			return fail("%s is %v, want a number of at least 0", n.name, n.value)
		}
	}
	if s := p.AreaWalkingSpeed; !(s > 0) || math.IsInf(s, 0) {
		return fail("area_walking_speed is %v, want a number above 0", s)
	}
	if len(p.Classes) > profile.MaxClasses {
		return fail("there are %d classes, want at most %d", len(p.Classes), profile.MaxClasses)
	}
	if len(p.Excludable) > profile.MaxClasses {
		return fail("there are %d excludable sets, want at most %d", len(p.Excludable), profile.MaxClasses)
	}
	for _, set := range p.Excludable {
		if _, err := p.ClassMask(set...); err != nil {
			return fail("excludable: %v", err)
		}
	}
	return nil
}

// stringList reads a list, or a set whose keys are the strings.
func stringList(table *glua.LTable) []string {
	if table == nil {
		return nil
	}
	var list []string
	forEach(table, func(key, value glua.LValue) {
		if s, ok := value.(glua.LString); ok {
			list = append(list, string(s))
		} else if s, ok := key.(glua.LString); ok {
			list = append(list, string(s))
		}
	})
	return list
}

// forEach visits the entries of a table in the order in which they were made.
// The table's own ForEach has no order.
func forEach(table *glua.LTable, visit func(key, value glua.LValue)) {
	for key, value := table.Next(glua.LNil); key != glua.LNil; key, value = table.Next(key) {
		visit(key, value)
	}
}

// newVector is the list that scripts of version 1 add strings to.
func (w *worker) newVector(to *[]string) glua.LValue {
	L := w.state
	methods := L.NewTable()
	methods.RawSetString("Add", L.NewFunction(func(L *glua.LState) int {
		*to = append(*to, L.CheckString(2))
		return 0
	}))
	return methods
}

// registerPropertiesGlobal defines the global properties of versions 0 and 1.
func (w *worker) registerPropertiesGlobal() {
	p := &w.properties
	number := func(v float64) glua.LValue { return glua.LNumber(v) }
	get := func(key string) glua.LValue {
		switch key {
		case "traffic_signal_penalty":
			return number(p.TrafficSignalPenalty)
		case "u_turn_penalty":
			return number(p.UTurnPenalty)
		case "max_speed_for_map_matching":
			return number(p.MaxSpeedForMapMatching)
		case "max_collapse_distance":
			return number(p.MaxCollapseDistance)
		case "continue_straight_at_waypoint":
			return glua.LBool(p.ContinueStraightAtWaypoint)
		case "use_turn_restrictions":
			return glua.LBool(p.UseTurnRestrictions)
		case "left_hand_driving":
			return glua.LBool(p.LeftHandDriving)
		case "weight_precision":
			return number(float64(p.WeightPrecision))
		case "area_walking_speed":
			return number(p.AreaWalkingSpeed)
		case "area_emit_visibility_graph":
			return glua.LBool(p.AreaVisibilityGraph)
		case "weight_name":
			return glua.LString(p.WeightName)
		case "max_turn_weight":
			return number(p.MaxTurnWeight())
		case "force_split_edges":
			return glua.LBool(p.ForceSplitEdges)
		case "call_tagless_node_function":
			return glua.LBool(p.TaglessNodes)
		}
		return glua.LNil
	}
	// Penalties are kept in tenths of a second.
	tenths := func(v float64) float64 { return math.Trunc(v*10) / 10 }
	set := func(f *field) {
		switch f.key {
		case "traffic_signal_penalty":
			p.TrafficSignalPenalty = tenths(f.number())
		case "u_turn_penalty":
			p.UTurnPenalty = tenths(f.number())
		case "max_speed_for_map_matching":
			p.MaxSpeedForMapMatching = f.number()
		case "max_collapse_distance":
			p.MaxCollapseDistance = f.number()
		case "continue_straight_at_waypoint":
			p.ContinueStraightAtWaypoint = f.flag()
		case "use_turn_restrictions":
			p.UseTurnRestrictions = f.flag()
		case "left_hand_driving":
			p.LeftHandDriving = f.flag()
		case "weight_precision":
			p.WeightPrecision = int(f.int32())
		case "area_walking_speed":
			p.AreaWalkingSpeed = f.number()
		case "area_emit_visibility_graph":
			p.AreaVisibilityGraph = f.flag()
		case "weight_name":
			p.WeightName = f.text()
		case "force_split_edges":
			p.ForceSplitEdges = f.flag()
		case "call_tagless_node_function":
			p.TaglessNodes = f.flag()
		default:
			f.refuse()
		}
	}
	w.setGlobal("properties", w.newObject(w.newType("properties", get, set)))
}
