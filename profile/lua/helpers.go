package lua

import (
	"math"

	glua "github.com/yuin/gopher-lua"

	"github.com/fourway-routing/fourway/profile"
)

// usertypes are the metatables of objects that are made when asked for.
type usertypes struct {
	nodeRef, location, relation, member, obstacle, leg *glua.LTable
}

// registerTypes makes the types of objects and the objects that are there
// once.
func (w *worker) registerTypes() {
	elements := w.elementMethods()
	w.nodeObject = w.newObject(w.methodType("node", elements, w.nodeMethods()))
	w.nodeObject.Value = &w.node
	w.wayObject = w.newObject(w.methodType("way", elements, w.wayMethods()))
	w.wayObject.Value = &w.way
	w.types.relation = w.methodType("relation", elements, w.relationMethods())
	w.types.nodeRef = w.methodType("node of a way", w.nodeRefMethods())
	w.types.location = w.methodType("location", locationMethods())
	w.types.member = w.methodType("member", memberMethods())
	w.relationSet = w.newObject(w.methodType("relations", w.relationSetMethods()))

	nothing := func(string) glua.LValue { return glua.LNil }
	w.nodeTarget = w.newObject(w.newType("result", nothing, w.setNode))
	w.wayTarget = w.newObject(w.newType("result", w.getWay, w.setWay))
	w.wayClass = w.newObject(w.newType("road_classification", w.getClass, w.setClass))
	w.registerSegment()
	w.registerObstacles()
	w.registerEnums()
	w.registerAreas()
}

// registerHelpers defines the global functions that read tags.
func (w *worker) registerHelpers() {
	text := func(L *glua.LState, n int) string { return L.OptString(n, "") }
	for name, f := range map[string]glua.LGFunction{
		"durationIsValid": func(L *glua.LState) int {
			_, ok := profile.ParseDuration(L.CheckString(1))
			L.Push(glua.LBool(ok))
			return 1
		},
		"parseDuration": func(L *glua.LState) int {
			seconds, ok := profile.ParseDuration(L.CheckString(1))
			if !ok {
				seconds = math.MaxUint32
			}
			L.Push(glua.LNumber(seconds))
			return 1
		},
		"trimLaneString": func(L *glua.LState) int {
			left, right := float64(L.CheckNumber(2)), float64(L.CheckNumber(3))
			L.Push(glua.LString(profile.TrimLanes(L.CheckString(1), toInt32(left), toInt32(right))))
			return 1
		},
		"applyAccessTokens": func(L *glua.LState) int {
			L.Push(glua.LString(profile.AccessibleLanes(L.CheckString(1), L.CheckString(2))))
			return 1
		},
		"canonicalizeStringList": func(L *glua.LState) int {
			L.Push(glua.LString(profile.SpaceList(L.CheckString(1), L.CheckString(2))))
			return 1
		},
		"is_true": func(L *glua.LState) int {
			L.Push(glua.LBool(isTrue(text(L, 1))))
			return 1
		},
		"is_false": func(L *glua.LState) int {
			L.Push(glua.LBool(isFalse(text(L, 1))))
			return 1
		},
	} {
		w.global(name, f)
	}
}
