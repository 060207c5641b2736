package lua

import (
	glua "github.com/yuin/gopher-lua"
)

// areaAlgorithm is the one way of meshing areas that there is.
const areaAlgorithm = "visgraph+dijkstra"

// registerAreas defines the global area_manager, by which scripts choose the areas
// to make ways across.
func (w *worker) registerAreas() {
	w.setGlobal("area_manager", w.newObject(w.methodType("area_manager", map[string]glua.LGFunction{
		"init": func(L *glua.LState) int {
			if name := L.CheckString(2); name != areaAlgorithm {
				L.RaiseError("there is no way %q of meshing areas; want %q", name, areaAlgorithm)
			}
			return 0
		},
		"way": func(L *glua.LState) int {
			w.personal = true // the places of the way decide
			e := argument(L)
			if e == nil || e.way == nil || w.wayResult.WayResult == nil {
				L.ArgError(2, "the way that process_way was called for is expected")
			}
			if nodes := e.way.Nodes; len(nodes) > 1 && nodes[0].ID == nodes[len(nodes)-1].ID {
				w.wayResult.Area = true
			}
			return 0
		},
		"relation": func(L *glua.LState) int {
			e := argument(L)
			if e == nil || e.relation == nil || e.stored || w.relationResult == nil {
				L.ArgError(2, "the relation that process_relation was called for is expected")
			}
			if kind, _ := e.value("type"); kind == "multipolygon" {
				w.relationResult.Area = true
			}
			return 0
		},
		"get_relations": func(L *glua.LState) int {
			e := argument(L)
			if e == nil || e.relation != nil {
				L.ArgError(2, "a node or way is expected")
			}
			L.Push(idList(L, w.areas.Of(e.id)))
			return 1
		},
	})))
}

// argument returns the element that a method of area_manager was given, nil if it
// was given anything else.
func argument(L *glua.LState) *element {
	u, ok := L.Get(2).(*glua.LUserData)
	if !ok {
		return nil
	}
	e, _ := u.Value.(*element)
	return e
}
