package lua

import (
	"github.com/paulmach/osm"
	glua "github.com/yuin/gopher-lua"
)

// element is a node, way or relation as scripts see it.
type element struct {
	id      osm.FeatureID
	version int
	tags    osm.Tags

	node     *osm.Node
	way      *osm.Way
	relation *osm.Relation
	// stored relations tell empty values apart from missing ones.
	stored bool
}

func (e *element) setNode(n *osm.Node) {
	*e = element{id: n.FeatureID(), version: n.Version, tags: n.Tags, node: n}
}

func (e *element) setWay(w *osm.Way) {
	*e = element{id: w.FeatureID(), version: w.Version, tags: w.Tags, way: w}
}

// The types of elements as scripts number them.
const (
	itemNode     = 1
	itemWay      = 2
	itemRelation = 3
)

func itemType(t osm.Type) glua.LNumber {
	switch t {
	case osm.TypeNode:
		return itemNode
	case osm.TypeWay:
		return itemWay
	}
	return itemRelation
}

// value returns the value of the first tag with a key.
func (e *element) value(key string) (value string, ok bool) {
	for i := range e.tags {
		if e.tags[i].Key == key {
			return e.tags[i].Value, true
		}
	}
	return "", false
}

// checkElement returns the element that a method was called for.
func checkElement(L *glua.LState) *element {
	if u, ok := L.Get(1).(*glua.LUserData); ok {
		if e, ok := u.Value.(*element); ok {
			return e
		}
	}
	L.ArgError(1, "a node, way or relation is expected; call methods with a colon")
	return nil
}

// elementMethods are the methods of nodes, ways and relations.
func (w *worker) elementMethods() map[string]glua.LGFunction {
	value := func(L *glua.LState) (value string, ok bool) {
		e, key := checkElement(L), L.CheckString(2)
		w.ask(e, key)
		return e.value(key)
	}
	return map[string]glua.LGFunction{
		"id": func(L *glua.LState) int {
			w.personal = true
			L.Push(glua.LNumber(checkElement(L).id.Ref()))
			return 1
		},
		"type": func(L *glua.LState) int {
			L.Push(itemType(checkElement(L).id.Type()))
			return 1
		},
		"version": func(L *glua.LState) int {
			w.personal = true
			L.Push(glua.LNumber(checkElement(L).version))
			return 1
		},
		"has_key": func(L *glua.LState) int {
			v, _ := value(L)
			L.Push(glua.LBool(v != ""))
			return 1
		},
		"has_tag": func(L *glua.LState) int {
			v, ok := value(L)
			L.Push(glua.LBool(ok && v == L.CheckString(3)))
			return 1
		},
		"has_true_tag": func(L *glua.LState) int {
			v, _ := value(L)
			L.Push(glua.LBool(isTrue(v)))
			return 1
		},
		"has_false_tag": func(L *glua.LState) int {
			v, _ := value(L)
			L.Push(glua.LBool(isFalse(v)))
			return 1
		},
		"get_value_by_key": w.getValueByKey,
	}
}

// getValueByKey returns the value of a tag, else the default if one is given,
// else nil. An empty value is none.
func (w *worker) getValueByKey(L *glua.LState) int {
	e, key := checkElement(L), L.CheckString(2)
	w.ask(e, key)
	v, ok := e.value(key)
	switch {
	case !ok && L.GetTop() >= 3:
		v = L.OptString(3, "")
		fallthrough
	case !ok, v == "" && !e.stored:
		if v == "" {
			L.Push(glua.LNil)
			return 1
		}
	}
	L.Push(glua.LString(v))
	return 1
}

func isTrue(v string) bool { return v == "yes" || v == "true" || v == "1" }

func isFalse(v string) bool { return v == "no" || v == "false" || v == "0" }

// methodType makes a metatable for objects that have only methods.
func (w *worker) methodType(name string, methods ...map[string]glua.LGFunction) *glua.LTable {
	L := w.state
	index := L.NewTable()
	for _, m := range methods {
		L.SetFuncs(index, m)
	}
	mt := L.NewTable()
	mt.RawSetString("__index", index)
	mt.RawSetString("__newindex", L.NewFunction(func(L *glua.LState) int {
		L.RaiseError("%s has no fields that can be set", name)
		return 0
	}))
	mt.RawSetString("__metatable", glua.LString(name))
	return mt
}

// nodeMethods are those of nodes alone.
func (w *worker) nodeMethods() map[string]glua.LGFunction {
	return map[string]glua.LGFunction{
		"get_location_tag": w.getLocationTag,
		"location": func(L *glua.LState) int {
			w.personal = true
			e := checkElement(L)
			if e.node == nil {
				L.ArgError(1, "a node is expected")
			}
			L.Push(w.newLocation(e.node.Lon, e.node.Lat, true))
			return 1
		},
	}
}

// wayMethods are those of ways alone.
func (w *worker) wayMethods() map[string]glua.LGFunction {
	check := func(L *glua.LState) osm.WayNodes {
		w.personal = true
		e := checkElement(L)
		if e.way == nil {
			L.ArgError(1, "a way is expected")
		}
		return e.way.Nodes
	}
	return map[string]glua.LGFunction{
		"get_location_tag": w.getLocationTag,
		"size": func(L *glua.LState) int {
			L.Push(glua.LNumber(len(check(L))))
			return 1
		},
		"is_closed": func(L *glua.LState) int {
			nodes := check(L)
			L.Push(glua.LBool(len(nodes) > 0 && nodes[0].ID == nodes[len(nodes)-1].ID))
			return 1
		},
		"get_nodes": func(L *glua.LState) int {
			nodes := check(L)
			list := L.CreateTable(len(nodes), 0)
			for i := range nodes {
				u := w.newObject(w.types.nodeRef)
				u.Value = nodes[i]
				list.Append(u)
			}
			L.Push(list)
			return 1
		},
	}
}

// nodeRefMethods are those of the nodes of a way.
func (w *worker) nodeRefMethods() map[string]glua.LGFunction {
	check := func(L *glua.LState) osm.WayNode {
		if u, ok := L.Get(1).(*glua.LUserData); ok {
			if n, ok := u.Value.(osm.WayNode); ok {
				return n
			}
		}
		L.ArgError(1, "a node of a way is expected; call methods with a colon")
		return osm.WayNode{}
	}
	return map[string]glua.LGFunction{
		"id": func(L *glua.LState) int {
			L.Push(glua.LNumber(check(L).ID))
			return 1
		},
		// Few files tell the places of nodes with their ways.
		"location": func(L *glua.LState) int {
			n := check(L)
			L.Push(w.newLocation(n.Lon, n.Lat, n.Lon != 0 || n.Lat != 0))
			return 1
		},
	}
}

// location is a place, in degrees.
type location struct {
	lon, lat float64
	valid    bool
}

func (w *worker) newLocation(lon, lat float64, valid bool) glua.LValue {
	u := w.newObject(w.types.location)
	u.Value = location{lon, lat, valid}
	return u
}

func locationMethods() map[string]glua.LGFunction {
	check := func(L *glua.LState) location {
		if u, ok := L.Get(1).(*glua.LUserData); ok {
			if l, ok := u.Value.(location); ok {
				return l
			}
		}
		L.ArgError(1, "a location is expected; call methods with a colon")
		return location{}
	}
	degrees := func(of func(location) float64) glua.LGFunction {
		return func(L *glua.LState) int {
			l := check(L)
			if !l.valid {
				L.RaiseError("the place of the node is not known; the file would have to store it with the way")
			}
			L.Push(glua.LNumber(of(l)))
			return 1
		}
	}
	return map[string]glua.LGFunction{
		"lon": degrees(func(l location) float64 { return l.lon }),
		"lat": degrees(func(l location) float64 { return l.lat }),
		"valid": func(L *glua.LState) int {
			L.Push(glua.LBool(check(L).valid))
			return 1
		},
	}
}
