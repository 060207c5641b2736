package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// patchOutput makes what trusted scripts write to the standard output and error
// go where print writes: both are the program's own.
func (w *worker) patchOutput(io *glua.LTable) {
	L := w.state
	standard := w.newObject(w.methodType("file", map[string]glua.LGFunction{
		"write": func(L *glua.LState) int {
			w.writeFrom(2)
			L.Push(L.Get(1))
			return 1
		},
		"flush":   func(*glua.LState) int { return 0 },
		"setvbuf": func(*glua.LState) int { return 0 },
		"close": func(L *glua.LState) int {
			L.RaiseError("a profile must not close the program's output")
			return 0
		},
	}))
	io.RawSetString("stdout", standard)
	io.RawSetString("stderr", standard)
	// A script may name another file to write to.
	var other glua.LValue = glua.LNil
	output, kind := io.RawGetString("output"), io.RawGetString("type")
	io.RawSetString("output", L.NewFunction(func(L *glua.LState) int {
		switch to := L.Get(1); {
		case to == standard:
			other = glua.LNil
		case to != glua.LNil:
			L.Push(output)
			L.Push(to)
			L.Call(1, 1)
			other = L.Get(-1)
		}
		if other != glua.LNil {
			L.Push(other)
		} else {
			L.Push(standard)
		}
		return 1
	}))
	write := io.RawGetString("write")
	io.RawSetString("write", L.NewFunction(func(L *glua.LState) int {
		if other == glua.LNil {
			w.writeFrom(1)
			L.Push(standard)
			return 1
		}
		n := L.GetTop()
		L.Insert(write, 1)
		L.Call(n, 1)
		return 1
	}))
	io.RawSetString("type", L.NewFunction(func(L *glua.LState) int {
		if L.Get(1) == standard {
			L.Push(glua.LString("file"))
			return 1
		}
		L.Push(kind)
		L.Push(L.Get(1))
		L.Call(1, 1)
		return 1
	}))
}

// writeFrom writes the arguments from number n on.
func (w *worker) writeFrom(n int) {
	L := w.state
	var b strings.Builder
	for ; n <= L.GetTop(); n++ {
		b.WriteString(L.CheckString(n))
	}
	w.write(b.String())
}
