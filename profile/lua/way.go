package lua

import (
	"fmt"

	glua "github.com/yuin/gopher-lua"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/profile"
)

// wayResult is a result under construction.
type wayResult struct {
	*profile.WayResult
	// Tables of classes by name, nil until the script asks for them.
	classes [2]*glua.LTable
}

// takeClasses turns the names of classes into masks.
func (w *worker) takeClasses() error {
	r := &w.wayResult
	for i, mask := range [...]*graph.ClassMask{&r.ForwardClasses, &r.BackwardClasses} {
		if r.classes[i] == nil {
			continue
		}
		var err error
		forEach(r.classes[i], func(key, value glua.LValue) {
			if err != nil || !glua.LVAsBool(value) {
				return
			}
			name, ok := key.(glua.LString)
			if !ok {
				err = fmt.Errorf("classes must be named by strings, not by a %s", key.Type())
				return
			}
			m, e := w.script.properties.ClassMask(string(name))
			if e != nil {
				err = fmt.Errorf("a way has the class %q, which is not in the list classes of setup", string(name))
			}
			*mask |= m
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// classTable returns the table of classes of a direction.
func (w *worker) classTable(direction int) glua.LValue {
	t := &w.wayResult.classes[direction]
	if *t == nil {
		*t = w.state.NewTable()
	}
	return *t
}

// getWay reads a field of the result of process_way.
func (w *worker) getWay(key string) glua.LValue {
	r := w.wayResult.WayResult
	if r == nil {
		return glua.LNil
	}
	switch key {
	case "forward_speed":
		return glua.LNumber(r.ForwardSpeed)
	case "backward_speed":
		return glua.LNumber(r.BackwardSpeed)
	case "forward_mode":
		return glua.LNumber(r.ForwardMode)
	case "backward_mode":
		return glua.LNumber(r.BackwardMode)
	case "forward_rate":
		return glua.LNumber(r.ForwardRate)
	case "backward_rate":
		return glua.LNumber(r.BackwardRate)
	case "duration":
		return glua.LNumber(r.Duration)
	case "weight":
		return glua.LNumber(r.Weight)
	case "road_classification":
		return w.wayClass
	case "forward_classes":
		return w.classTable(0)
	case "backward_classes":
		return w.classTable(1)
	case "forward_restricted":
		return glua.LBool(r.ForwardRestricted)
	case "backward_restricted":
		return glua.LBool(r.BackwardRestricted)
	case "is_startpoint":
		return glua.LBool(r.IsStartPoint)
	case "roundabout":
		return glua.LBool(r.Roundabout)
	case "circular":
		return glua.LBool(r.Circular)
	case "is_left_hand_driving":
		return glua.LBool(r.IsLeftHandDriving)
	case "highway_turn_classification":
		return glua.LNumber(r.HighwayTurnClass)
	case "access_turn_classification":
		return glua.LNumber(r.AccessTurnClass)
	}
	if text := wayText(r, key); text != nil {
		return glua.LString(*text)
	}
	return glua.LNil
}

// wayText returns a field that is a text, or nil.
func wayText(r *profile.WayResult, key string) *string {
	switch key {
	case "name":
		return &r.Name
	case "ref", "forward_ref":
		return &r.ForwardRef
	case "backward_ref":
		return &r.BackwardRef
	case "pronunciation":
		return &r.Pronunciation
	case "destinations":
		return &r.Destinations
	case "exits":
		return &r.Exits
	case "turn_lanes_forward":
		return &r.TurnLanesForward
	case "turn_lanes_backward":
		return &r.TurnLanesBackward
	}
	return nil
}

// lowNibble cuts a number to the four bits that OSRM keeps of it.
func lowNibble(n int32) uint8 { return uint8(n) & 15 }

// setWay writes a field of the result of process_way.
func (w *worker) setWay(f *field) {
	r := w.wayResult.WayResult
	if r == nil {
		f.state.RaiseError("the result can be changed only while the way is processed")
		return
	}
	switch f.key {
	case "forward_speed":
		r.ForwardSpeed = f.number()
	case "backward_speed":
		r.BackwardSpeed = f.number()
	case "forward_mode":
		r.ForwardMode = graph.Mode(lowNibble(f.int32()))
	case "backward_mode":
		r.BackwardMode = graph.Mode(lowNibble(f.int32()))
	case "forward_rate":
		r.ForwardRate = f.number()
	case "backward_rate":
		r.BackwardRate = f.number()
	case "duration":
		r.Duration = f.number()
	case "weight":
		r.Weight = f.number()
	case "forward_classes":
		w.setClassTable(f, 0)
	case "backward_classes":
		w.setClassTable(f, 1)
	case "forward_restricted":
		r.ForwardRestricted = f.flag()
	case "backward_restricted":
		r.BackwardRestricted = f.flag()
	case "is_startpoint":
		r.IsStartPoint = f.flag()
	case "roundabout":
		r.Roundabout = f.flag()
	case "circular":
		r.Circular = f.flag()
	case "is_left_hand_driving":
		r.IsLeftHandDriving = f.flag()
	case "highway_turn_classification":
		r.HighwayTurnClass = lowNibble(f.int32())
	case "access_turn_classification":
		r.AccessTurnClass = lowNibble(f.int32())
	case "ref":
		r.ForwardRef = f.text()
		r.BackwardRef = r.ForwardRef
	default:
		text := wayText(r, f.key)
		if text == nil {
			f.refuse()
			return
		}
		*text = f.text()
	}
}

func (w *worker) setClassTable(f *field, direction int) {
	table, ok := f.value.(*glua.LTable)
	if !ok {
		f.fail("table")
	}
	w.wayResult.classes[direction] = table
}

// roadClass returns a field of a road classification.
func roadClass(c *profile.RoadClass, key string) glua.LValue {
	switch key {
	case "motorway_class":
		return glua.LBool(c.IsMotorway())
	case "link_class":
		return glua.LBool(c.Link)
	case "may_be_ignored":
		return glua.LBool(c.MayBeIgnored)
	case "road_priority_class":
		return glua.LNumber(c.Priority)
	case "num_lanes":
		return glua.LNumber(c.NumLanes)
	}
	return glua.LNil
}

func (w *worker) getClass(key string) glua.LValue {
	if w.wayResult.WayResult == nil {
		return glua.LNil
	}
	return roadClass(&w.wayResult.Class, key)
}

func (w *worker) setClass(f *field) {
	if w.wayResult.WayResult == nil {
		f.state.RaiseError("the result can be changed only while the way is processed")
		return
	}
	c := &w.wayResult.Class
	switch f.key {
	case "motorway_class":
		c.Motorway = f.flag()
	case "link_class":
		c.Link = f.flag()
	case "may_be_ignored":
		c.MayBeIgnored = f.flag()
	case "road_priority_class":
		c.Priority = profile.Priority(f.int32() & 31)
	case "num_lanes":
		c.NumLanes = uint8(f.int32())
	default:
		f.refuse()
	}
}
