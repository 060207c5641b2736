package lua

import (
	"fmt"

	"github.com/paulmach/osm"
	glua "github.com/yuin/gopher-lua"

	"github.com/fourway-routing/fourway/profile"
)

// worker is one interpreter with the script loaded. It belongs to one
// goroutine at a time.
type worker struct {
	script     *script
	state      *glua.LState
	budget     *budget // nil for none
	broken     error   // set once the interpreter cannot be used any more
	properties profile.Properties

	// Results by tags. personal is set where a call has asked for more than tags
	// or has done more than to set its result.
	ways     *cache[profile.WayResult]
	nodes    *cache[[]profile.Obstacle]
	personal bool

	version int
	table   glua.LValue // what setup returned
	// functions is what a script of version 2 or later returned.
	functions *glua.LTable

	process struct {
		node, way, relation, segment, turn *glua.LFunction
	}
	types usertypes

	// What the script is working on, and the objects that show it. There is
	// one of each, reused for every call.
	node, way   element
	nodeObject  *glua.LUserData
	wayObject   *glua.LUserData
	nodeResult  *profile.NodeResult
	nodeTarget  *glua.LUserData
	wayResult   wayResult
	wayTarget   *glua.LUserData
	wayClass    *glua.LUserData
	turn        *profile.Turn
	turnObject  *glua.LUserData
	turnLegs    [2]*glua.LUserData
	segment     *profile.Segment
	segObject   *glua.LUserData
	segParts    segmentParts
	relations   *profile.Relations
	locations   profile.Locations
	areas       *profile.Relations
	relationSet *glua.LUserData

	relationResult *profile.RelationResult
}

// call runs a function of the script.
func (w *worker) call(name string, f *glua.LFunction, results int, args ...glua.LValue) (err error) {
	if w.broken != nil {
		return w.broken
	}
	// The interpreter recovers from panics, but has been seen to panic once
	// more while it describes one. Nothing is sure about it from then on.
	defer func() {
		if r := recover(); r != nil {
			w.broken = &Error{Path: w.script.path, Function: name, Message: fmt.Sprintf("the interpreter failed: %v", r)}
			err = w.broken
		}
	}()
	L := w.state
	if w.budget != nil {
		w.budget.left = int64(w.script.options.MaxInstructions)
	}
	L.Push(f)
	for _, a := range args {
		L.Push(a)
	}
	if err := L.PCall(len(args), results, nil); err != nil {
		L.SetTop(0)
		err = scriptError(w.script.path, name, err)
		if own, ok := err.(*Error); ok && w.budget != nil && w.budget.left < 0 {
			own.Message, own.cause = ErrLimit.Error(), ErrLimit
		}
		return err
	}
	return nil
}

// Node runs process_node.
func (w *worker) Node(n *osm.Node, r *profile.NodeResult) error {
	r.Reset()
	f := w.process.node
	if f == nil || len(n.Tags) == 0 && !w.properties.TaglessNodes {
		return nil
	}
	cacheable := w.cacheable(n.FeatureID())
	if cacheable && w.findNode(n, r) {
		return nil
	}
	w.node.setNode(n)
	w.nodeResult, w.personal = r, false
	defer func() { w.nodeResult = nil }()
	var err error
	switch w.version {
	case 0, 1:
		err = w.call("node_function", f, 0, w.nodeObject, w.nodeTarget)
	case 2:
		err = w.call("process_node", f, 0, w.table, w.nodeObject, w.nodeTarget)
	default:
		err = w.call("process_node", f, 0, w.table, w.nodeObject, w.nodeTarget, w.relationSet)
	}
	if cacheable && !w.personal && err == nil {
		w.keepNode(n, r)
	}
	return err
}

// Way runs process_way.
func (w *worker) Way(way *osm.Way, r *profile.WayResult) error {
	r.Reset()
	f := w.process.way
	if f == nil {
		return w.missingWay()
	}
	cacheable := w.cacheable(way.FeatureID())
	if cacheable {
		if found, ok := w.ways.find(way.Tags); ok {
			*r = found
			return nil
		}
	}
	w.way.setWay(way)
	w.wayResult, w.personal = wayResult{WayResult: r}, false
	defer func() { w.wayResult.WayResult = nil }()
	name := "process_way"
	var err error
	switch w.version {
	case 0, 1:
		name = "way_function"
		err = w.call(name, f, 0, w.wayObject, w.wayTarget)
	case 2:
		err = w.call(name, f, 0, w.table, w.wayObject, w.wayTarget)
	default:
		err = w.call(name, f, 0, w.table, w.wayObject, w.wayTarget, w.relationSet)
	}
	if err != nil {
		return err
	}
	if err := w.takeClasses(); err != nil {
		return &Error{Path: w.script.path, Function: name, Message: err.Error(), cause: err}
	}
	if cacheable && !w.personal {
		w.ways.keep(way.Tags, detach(*r))
	}
	return nil
}

// missingWay is the error of a script that says nothing of ways.
func (w *worker) missingWay() error {
	if w.version < 2 {
		return w.fault("there is no function way_function; newer scripts set api_version")
	}
	return w.fault("there is no function process_way in the table that the script returns")
}

// relationWorker is a worker of a script that looks at relations.
type relationWorker struct{ *worker }

// SetRelations gives the relations that the script can look up.
func (w relationWorker) SetRelations(r *profile.Relations) {
	w.relations = r
	w.forget()
}

// SetAreas gives the relations that the script has chosen as areas.
func (w relationWorker) SetAreas(r *profile.Relations) {
	w.areas = r
	w.forget()
}

// Relation runs process_relation.
func (w relationWorker) Relation(r *osm.Relation, result *profile.RelationResult) error {
	*result = profile.RelationResult{}
	if w.process.relation == nil {
		return nil
	}
	w.relationResult = result
	defer func() { w.worker.relationResult = nil }()
	return w.call("process_relation", w.process.relation, 0, w.table, w.newRelation(r, false), w.relationSet)
}

// Segment runs process_segment.
func (w *worker) Segment(s *profile.Segment) error {
	f := w.process.segment
	if f == nil {
		return nil
	}
	w.segment = s
	defer func() { w.segment = nil }()
	switch w.version {
	case 0:
		err := w.call("segment_function", f, 0, w.segParts.source, w.segParts.target,
			glua.LNumber(s.Distance), glua.LNumber(s.Duration))
		s.Weight = s.Duration
		return err
	case 1:
		return w.call("segment_function", f, 0, w.segObject)
	}
	return w.call("process_segment", f, 0, w.table, w.segObject)
}

// Turn runs process_turn.
func (w *worker) Turn(t *profile.Turn) error {
	if w.version == 0 {
		return w.turnByAngle(t)
	}
	if f := w.process.turn; f != nil {
		w.turn = t
		defer func() { w.turn = nil }()
		var err error
		if w.version == 1 {
			err = w.call("turn_function", f, 0, w.turnObject)
		} else {
			err = w.call("process_turn", f, 0, w.table, w.turnObject)
		}
		if err != nil {
			return err
		}
		t.Finish(&w.properties)
	}
	return nil
}

// turnByAngle is how the oldest scripts price a turn: by a function of the
// angle that returns tenths of a second.
func (w *worker) turnByAngle(t *profile.Turn) error {
	if f := w.process.turn; f != nil && t.NumRoads > 2 {
		if err := w.call("turn_function", f, 1, glua.LNumber(t.Angle)); err != nil {
			return err
		}
		tenths, ok := w.state.Get(-1).(glua.LNumber)
		w.state.Pop(1)
		if !ok {
			return &Error{Path: w.script.path, Function: "turn_function", Message: "must return a number"}
		}
		t.Duration = float64(tenths) / 10
		if t.IsUTurn {
			t.Duration += w.properties.UTurnPenalty
		}
	}
	if t.HasTrafficLight {
		t.Duration += w.properties.TrafficSignalPenalty
	}
	t.Weight = t.Duration
	t.Finish(&w.properties)
	return nil
}
