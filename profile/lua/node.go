package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/profile"
)

// setNode writes a field of the result of process_node. Both fields are the
// old way to say what obstacle_map says.
func (w *worker) setNode(f *field) {
	r := w.nodeResult
	if r == nil {
		f.state.RaiseError("the result can be changed only while the node is processed")
		return
	}
	switch f.key {
	case "barrier":
		if f.value == glua.LTrue {
			r.Obstacles = append(r.Obstacles, profile.Obstacle{Type: profile.ObstacleBarrier, Direction: profile.DirectionBoth})
		}
	case "traffic_lights":
		o := profile.Obstacle{
			Type: profile.ObstacleTrafficSignals, Direction: profile.DirectionBoth,
			Duration: float32(w.properties.TrafficSignalPenalty),
		}
		switch v := f.value.(type) {
		case glua.LNumber:
			// Any number means signals, even traffic_lights.none.
			o.Direction = profile.ObstacleDirection(toInt32(float64(v)) & 3)
		case glua.LBool:
			if !v {
				return
			}
		default:
			return
		}
		r.Obstacles = append(r.Obstacles, o)
	default:
		f.refuse()
	}
}

// newObstacle shows an obstacle to the script.
func (w *worker) newObstacle(o profile.Obstacle) glua.LValue {
	u := w.newObject(w.types.obstacle)
	u.Value = o
	return u
}

func checkObstacle(L *glua.LState, n int) profile.Obstacle {
	if u, ok := L.Get(n).(*glua.LUserData); ok {
		if o, ok := u.Value.(profile.Obstacle); ok {
			return o
		}
	}
	L.ArgError(n, "an obstacle is expected")
	return profile.Obstacle{}
}

// obstacleType is the type of obstacles.
func (w *worker) obstacleType() *glua.LTable {
	L := w.state
	mt := L.NewTable()
	mt.RawSetString("__index", L.NewFunction(func(L *glua.LState) int {
		o := checkObstacle(L, 1)
		var v glua.LValue = glua.LNil
		switch L.CheckString(2) {
		case "type":
			v = glua.LNumber(o.Type)
		case "direction":
			v = glua.LNumber(o.Direction)
		case "duration":
			v = glua.LNumber(o.Duration)
		case "weight":
			v = glua.LNumber(o.Weight)
		}
		L.Push(v)
		return 1
	}))
	mt.RawSetString("__newindex", L.NewFunction(func(L *glua.LState) int {
		L.RaiseError("obstacles cannot be changed; make a new one")
		return 0
	}))
	return mt
}

// registerObstacles defines the globals Obstacle and obstacle_map.
func (w *worker) registerObstacles() {
	L := w.state
	w.types.obstacle = w.obstacleType()
	constructor := L.NewTable()
	constructor.RawSetString("new", L.NewFunction(func(L *glua.LState) int {
		number := func(n int) float64 {
			if L.Get(n) == glua.LNil {
				return 0
			}
			return float64(L.CheckNumber(n))
		}
		L.Push(w.newObstacle(profile.Obstacle{
			Type:      profile.ObstacleType(toInt32(float64(L.CheckNumber(1)))),
			Direction: profile.ObstacleDirection(toInt32(number(2)) & 3),
			Duration:  float32(number(3)), Weight: float32(number(4)),
		}))
		return 1
	}))
	w.setGlobal("Obstacle", constructor)
	w.setGlobal("obstacle_map", w.newObject(w.methodType("obstacle_map", map[string]glua.LGFunction{
		"add": w.addObstacle,
		"get": func(L *glua.LState) int {
			found := w.findObstacles(L)
			list := L.CreateTable(len(found), 0)
			for _, o := range found {
				list.Append(w.newObstacle(o))
			}
			L.Push(list)
			return 1
		},
		"any": func(L *glua.LState) int {
			L.Push(glua.LBool(len(w.findObstacles(L)) > 0))
			return 1
		},
	})))
}

// addObstacle adds an obstacle at the node that is processed.
func (w *worker) addObstacle(L *glua.LState) int {
	u, _ := L.Get(2).(*glua.LUserData)
	if u != w.nodeObject || w.nodeResult == nil {
		L.ArgError(2, "the node that is being processed is expected")
	}
	w.nodeResult.Obstacles = append(w.nodeResult.Obstacles, checkObstacle(L, 3))
	return 0
}

// findObstacles finds what counts at a node of the network: (to), (from, to)
// or (from, to, types).
func (w *worker) findObstacles(L *glua.LState) []profile.Obstacle {
	number := func(n int) uint32 { return uint32(toInt64(float64(L.CheckNumber(n)))) }
	from, to, types := uint32(graph.InvalidPlace), number(2), profile.ObstacleAll
	if L.GetTop() >= 3 {
		from, to = to, number(3)
	}
	if L.GetTop() >= 4 {
		types = profile.ObstacleType(number(4))
	}
	if w.turn == nil {
		return nil
	}
	if w.turn.Finder == nil {
		return matchingObstacles(w.turn, from, to, types)
	}
	return w.turn.Finder.AppendObstacles(nil, from, to, types)
}

// matchingObstacles are those that a turn itself tells.
func matchingObstacles(t *profile.Turn, from, to uint32, types profile.ObstacleType) []profile.Obstacle {
	if to != t.Via || from != t.From && from != uint32(graph.InvalidPlace) {
		return nil
	}
	var found []profile.Obstacle
	for _, o := range t.Obstacles {
		if o.Type&types != 0 {
			found = append(found, o)
		}
	}
	return found
}
