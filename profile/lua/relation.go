package lua

import (
	"github.com/paulmach/osm"
	glua "github.com/yuin/gopher-lua"
)

// newRelation shows a relation to the script. Those from the set of relations
// are stored ones.
func (w *worker) newRelation(r *osm.Relation, stored bool) glua.LValue {
	u := w.newObject(w.types.relation)
	u.Value = &element{id: r.FeatureID(), version: r.Version, tags: r.Tags, relation: r, stored: stored}
	return u
}

// relationMethods are those of relations alone.
func (w *worker) relationMethods() map[string]glua.LGFunction {
	check := func(L *glua.LState) *osm.Relation {
		e := checkElement(L)
		if e.relation == nil {
			L.ArgError(1, "a relation is expected")
		}
		return e.relation
	}
	return map[string]glua.LGFunction{
		"get_role": func(L *glua.LState) int {
			r := check(L)
			u, _ := L.Get(2).(*glua.LUserData)
			var member *element
			if u != nil {
				member, _ = u.Value.(*element)
			}
			if member == nil {
				L.ArgError(2, "a node, way or relation is expected")
			}
			for i := range r.Members {
				if m := &r.Members[i]; m.FeatureID() == member.id {
					L.Push(glua.LString(m.Role))
					return 1
				}
			}
			L.Push(glua.LNil)
			return 1
		},
		"get_members": func(L *glua.LState) int {
			r := check(L)
			list := L.CreateTable(len(r.Members), 0)
			for i := range r.Members {
				u := w.newObject(w.types.member)
				u.Value = &r.Members[i]
				list.Append(u)
			}
			L.Push(list)
			return 1
		},
	}
}

// idList makes a list of ids.
func idList(L *glua.LState, ids []osm.RelationID) *glua.LTable {
	list := L.CreateTable(len(ids), 0)
	for _, id := range ids {
		list.Append(glua.LNumber(id))
	}
	return list
}

// memberMethods are those of members of relations.
func memberMethods() map[string]glua.LGFunction {
	check := func(L *glua.LState) *osm.Member {
		if u, ok := L.Get(1).(*glua.LUserData); ok {
			if m, ok := u.Value.(*osm.Member); ok {
				return m
			}
		}
		L.ArgError(1, "a member of a relation is expected; call methods with a colon")
		return nil
	}
	return map[string]glua.LGFunction{
		"ref": func(L *glua.LState) int {
			L.Push(glua.LNumber(check(L).Ref))
			return 1
		},
		"type": func(L *glua.LState) int {
			L.Push(itemType(check(L).Type))
			return 1
		},
		"role": func(L *glua.LState) int {
			L.Push(glua.LString(check(L).Role))
			return 1
		},
	}
}

// relationSetMethods are those of the relations that the script asked for.
func (w *worker) relationSetMethods() map[string]glua.LGFunction {
	return map[string]glua.LGFunction{
		"get_relations": func(L *glua.LState) int {
			u, _ := L.Get(2).(*glua.LUserData)
			var of *element
			if u != nil {
				of, _ = u.Value.(*element)
			}
			if of == nil {
				L.ArgError(2, "a node, way or relation is expected")
			}
			L.Push(idList(L, w.relations.Of(of.id)))
			return 1
		},
		"relation": func(L *glua.LState) int {
			id := osm.RelationID(toInt64(float64(L.CheckNumber(2))))
			r := w.relations.Relation(id)
			if r == nil {
				L.RaiseError("there is no relation %d among those of relation_types", int64(id))
			}
			L.Push(w.newRelation(r, true))
			return 1
		},
	}
}
