package lua

import (
	"math"

	glua "github.com/yuin/gopher-lua"
)

// field is an assignment to a field of an object.
type field struct {
	state *glua.LState
	// object is the name of the type for messages.
	object, key string
	value       glua.LValue
}

func (f *field) fail(want string) {
	f.state.RaiseError("%s.%s must be a %s, not a %s", f.object, f.key, want, f.value.Type())
}

// refuse tells that there is no such field to assign to.
func (f *field) refuse() {
	f.state.RaiseError("%s has no field %s that can be set", f.object, f.key)
}

func (f *field) number() float64 {
	n, ok := f.value.(glua.LNumber)
	if !ok {
		f.fail("number")
	}
	return float64(n)
}

func (f *field) int32() int32 { return toInt32(f.number()) }

// flag takes anything but nil and false as true.
func (f *field) flag() bool { return glua.LVAsBool(f.value) }

// text takes nil as "".
func (f *field) text() string {
	switch v := f.value.(type) {
	case glua.LString:
		return string(v)
	case glua.LNumber:
		return v.String()
	case *glua.LNilType:
		return ""
	}
	f.fail("string")
	return ""
}

// toInt64 rounds a number. What does not fit becomes the smallest integer, as
// it does on most processors.
func toInt64(n float64) int64 {
	n = math.Round(n)
	if n >= -1<<63 && n < 1<<63 {
		return int64(n)
	}
	return math.MinInt64
}

// toInt32 rounds a number and keeps its low 32 bits.
func toInt32(n float64) int32 { return int32(toInt64(n)) }

// newType makes a metatable for objects with fields. get returns nil for what
// is unknown; set may be nil.
func (w *worker) newType(name string, get func(key string) glua.LValue, set func(*field)) *glua.LTable {
	L := w.state
	mt := L.NewTable()
	mt.RawSetString("__index", L.NewFunction(func(L *glua.LState) int {
		key, ok := L.Get(2).(glua.LString)
		if !ok {
			L.Push(glua.LNil)
			return 1
		}
		L.Push(get(string(key)))
		return 1
	}))
	assign := &field{object: name}
	mt.RawSetString("__newindex", L.NewFunction(func(L *glua.LState) int {
		*assign = field{state: L, object: name, key: L.Get(2).String(), value: L.Get(3)}
		if set == nil {
			assign.refuse()
		}
		set(assign)
		return 0
	}))
	mt.RawSetString("__metatable", glua.LString(name))
	return mt
}

// newObject makes an object of a type.
func (w *worker) newObject(mt *glua.LTable) *glua.LUserData {
	return &glua.LUserData{Metatable: mt, Env: w.state.Env}
}
