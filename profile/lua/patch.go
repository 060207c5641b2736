package lua

import (
	"io"
	"math"
	"math/bits"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// patchLibraries adds what newer versions of Lua have and the interpreter
// lacks, and takes away what would lead out of the sandbox.
func (w *worker) patchLibraries() {
	L, trusted := w.state, w.script.options.Trusted
	library := func(name string) *glua.LTable {
		t, ok := w.getGlobal(name).(*glua.LTable)
		if !ok {
			t = L.NewTable()
		}
		return t
	}
	w.patchStrings(library("string"))
	w.patchTable(library("table"))
	patchMath(L, library("math"))
	personal := func() { w.personal = true }
	w.watch(library("math"), personal, "random", "randomseed")
	w.global("tonumber", toNumber)
	w.global("print", w.print)
	w.global("rawlen", func(L *glua.LState) int {
		n := 0
		switch v := L.Get(1).(type) {
		case *glua.LTable:
			n = v.Len()
		case glua.LString:
			n = len(v)
		default:
			L.ArgError(1, "table or string expected")
		}
		L.Push(glua.LNumber(n))
		return 1
	})
	w.patchPairs()
	w.openUTF8()
	w.global("load", w.loadChunk)
	w.global("loadstring", w.loadChunk)
	for _, name := range []string{"module", "newproxy", "_printregs", "setfenv", "getfenv"} {
		w.setGlobal(name, glua.LNil)
	}
	if trusted {
		w.patchOutput(library("io"))
		w.watch(library("os"), personal, "time", "clock", "date")
		stateful := func() { w.script.stateful.Store(true) }
		w.watch(library("io"), stateful, "open", "popen", "tmpfile", "lines", "read", "input", "output")
		w.watch(library("coroutine"), stateful, "create", "wrap")
		library("os").RawSetString("exit", L.NewFunction(func(L *glua.LState) int {
			L.RaiseError("a profile must not end the program")
			return 0
		}))
		return
	}
	w.global(concatName, w.concat)
	for _, name := range []string{"dofile", "loadfile", "collectgarbage"} {
		w.setGlobal(name, glua.LNil)
	}
}

// watch calls a function before functions of a library whose outcome depends on
// more than their arguments.
func (w *worker) watch(library *glua.LTable, before func(), names ...string) {
	for _, name := range names {
		f, ok := library.RawGetString(name).(*glua.LFunction)
		if !ok {
			continue
		}
		library.RawSetString(name, w.state.NewFunction(func(L *glua.LState) int {
			before()
			L.Insert(f, 1)
			L.Call(L.GetTop()-1, glua.MultRet)
			return L.GetTop()
		}))
	}
}

// print writes to the output of all workers.
func (s *script) print(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := io.WriteString(s.options.Output, text)
	return err
}

// write is print for functions of the script.
func (w *worker) write(s string) {
	w.personal = true
	if err := w.script.print(s); err != nil {
		w.state.RaiseError("output: %v", err)
	}
}

// print writes its arguments in a line.
func (w *worker) print(L *glua.LState) int {
	var b strings.Builder
	for i := 1; i <= L.GetTop(); i++ {
		if i > 1 {
			b.WriteByte('\t')
		}
		b.WriteString(L.ToStringMeta(L.Get(i)).String())
	}
	b.WriteByte('\n')
	w.chargeText(b.Len())
	w.write(b.String())
	return 0
}

// patchPairs makes pairs ask for the metamethod __pairs.
func (w *worker) patchPairs() {
	pairs := w.getGlobal("pairs")
	w.global("pairs", func(L *glua.LState) int {
		f, n := pairs, 3
		if own := L.GetMetaField(L.CheckAny(1), "__pairs"); own != glua.LNil {
			f = own
		}
		L.Push(f)
		L.Push(L.Get(1))
		L.Call(1, n)
		return n
	})
}

// toNumber is tonumber by the rules of Lua 5.4.
func toNumber(L *glua.LState) int {
	if L.GetTop() < 2 || L.Get(2) == glua.LNil {
		switch v := L.CheckAny(1).(type) {
		case glua.LNumber:
			L.Push(v)
			return 1
		case glua.LString:
			if n, ok := parseNumeral(string(v)); ok {
				L.Push(glua.LNumber(n))
				return 1
			}
		}
		L.Push(glua.LNil)
		return 1
	}
	base := toInt64(float64(L.CheckNumber(2)))
	if base < 2 || base > 36 {
		L.ArgError(2, "base out of range")
	}
	digits := strings.Trim(strings.ToLower(L.CheckString(1)), space)
	negative := strings.HasPrefix(digits, "-")
	digits = strings.TrimPrefix(digits, "-")
	var n int64
	for _, c := range []byte(digits) {
		d := int64(36)
		switch {
		case '0' <= c && c <= '9':
			d = int64(c - '0')
		case 'a' <= c && c <= 'z':
			d = int64(c-'a') + 10
		}
		if d >= base {
			L.Push(glua.LNil)
			return 1
		}
		n = n*base + d
	}
	if digits == "" {
		L.Push(glua.LNil)
		return 1
	}
	if negative {
		n = -n
	}
	L.Push(glua.LNumber(n))
	return 1
}

// loadChunk is load: it compiles a string, or the strings that a function
// returns, and gives back the function, or nil and a message.
func (w *worker) loadChunk(L *glua.LState) int {
	var source string
	switch v := L.Get(1).(type) {
	case glua.LString:
		source = string(v)
	case *glua.LFunction:
		var b strings.Builder
		for {
			L.Push(v)
			L.Call(0, 1)
			piece, ok := L.Get(-1).(glua.LString)
			L.Pop(1)
			if !ok || piece == "" {
				break
			}
			b.WriteString(string(piece))
			w.chargeText(b.Len())
		}
		source = b.String()
	default:
		L.ArgError(1, "string or function expected")
	}
	name := strings.TrimLeft(L.OptString(2, "chunk"), "=@")
	w.charge(len(source))
	w.personal = true // whatever the code may do
	proto, err := compile(name, source, !w.script.options.Trusted, newVariables())
	if err != nil {
		L.Push(glua.LNil)
		L.Push(glua.LString(strings.TrimPrefix(err.Error(), "lua: ")))
		return 2
	}
	f := L.NewFunctionFromProto(proto)
	if env, ok := L.Get(4).(*glua.LTable); ok {
		f.Env = env
		env.RawSetString(concatName, w.getGlobal(concatName))
	}
	L.Push(f)
	return 1
}

// patchTable adds table.pack, table.unpack and table.move.
func (w *worker) patchTable(lib *glua.LTable) {
	L := w.state
	if unpack := w.getGlobal("unpack"); unpack != glua.LNil {
		lib.RawSetString("unpack", unpack)
	}
	length := func(L *glua.LState) int { return L.CheckTable(1).Len() }
	for _, name := range []string{"insert", "remove", "unpack", "maxn"} {
		w.wrap(lib, name, func(L *glua.LState) int {
			if name == "insert" && L.GetTop() < 3 || name == "remove" && L.GetTop() < 2 {
				return 0 // at the end
			}
			return length(L)
		})
	}
	w.setGlobal("unpack", lib.RawGetString("unpack"))
	w.wrap(lib, "sort", func(L *glua.LState) int {
		n := length(L)
		return n * bits.Len(uint(n))
	})
	lib.RawSetString("pack", L.NewFunction(func(L *glua.LState) int {
		n := L.GetTop()
		t := L.CreateTable(n, 1)
		for i := 1; i <= n; i++ {
			t.RawSetInt(i, L.Get(i))
		}
		t.RawSetString("n", glua.LNumber(n))
		L.Push(t)
		return 1
	}))
	lib.RawSetString("move", L.NewFunction(func(L *glua.LState) int {
		from, first, last, at := L.CheckTable(1), L.CheckInt(2), L.CheckInt(3), L.CheckInt(4)
		to := L.OptTable(5, from)
		if last >= first {
			w.charge(last - first)
		}
		if at > first && at <= last && to == from {
			for i := last; i >= first; i-- {
				to.RawSet(glua.LNumber(at+i-first), from.RawGet(glua.LNumber(i)))
			}
		} else {
			for i := first; i <= last; i++ {
				to.RawSet(glua.LNumber(at+i-first), from.RawGet(glua.LNumber(i)))
			}
		}
		L.Push(to)
		return 1
	}))
	lib.RawSetString("concat", L.NewFunction(func(L *glua.LState) int {
		t, separator := L.CheckTable(1), L.OptString(2, "")
		first, last := L.OptInt(3, 1), L.OptInt(4, t.Len())
		var b strings.Builder
		for i := first; i <= last; i++ {
			w.charge(1)
			v := t.RawGet(glua.LNumber(i))
			if v.Type() != glua.LTString && v.Type() != glua.LTNumber {
				L.RaiseError("invalid value (at index %d) in table for 'concat'", i)
			}
			b.WriteString(v.String())
			if i < last {
				b.WriteString(separator)
			}
			if !w.script.options.Trusted && b.Len() > maxText {
				break
			}
		}
		w.chargeText(b.Len())
		L.Push(glua.LString(b.String()))
		return 1
	}))
}

// patchMath adds math.tointeger, math.type and the limits of integers.
func patchMath(L *glua.LState, lib *glua.LTable) {
	whole := func(n float64) bool { return n == math.Floor(n) && !math.IsInf(n, 0) }
	lib.RawSetString("tointeger", L.NewFunction(func(L *glua.LState) int {
		var v glua.LValue = glua.LNil
		if n, ok := L.Get(1).(glua.LNumber); ok && whole(float64(n)) {
			v = n
		}
		L.Push(v)
		return 1
	}))
	lib.RawSetString("type", L.NewFunction(func(L *glua.LState) int {
		var v glua.LValue = glua.LNil
		if n, ok := L.CheckAny(1).(glua.LNumber); ok {
			v = glua.LString("float")
			if whole(float64(n)) {
				v = glua.LString("integer")
			}
		}
		L.Push(v)
		return 1
	}))
	lib.RawSetString("huge", glua.LNumber(math.Inf(1)))
	lib.RawSetString("maxinteger", glua.LNumber(math.MaxInt64))
	lib.RawSetString("mininteger", glua.LNumber(math.MinInt64))
}

// concatName is the global function that stands for the operator of
// concatenation in untrusted scripts. No identifier is spelled like that.
const concatName = "(concatenation)"

// concat is the operator that joins strings, which pays for what it makes.
func (w *worker) concat(L *glua.LState) int {
	a, b := L.Get(1), L.Get(2)
	joinable := func(v glua.LValue) bool { return v.Type() == glua.LTString || v.Type() == glua.LTNumber }
	if joinable(a) && joinable(b) {
		s, t := a.String(), b.String()
		w.chargeText(len(s) + len(t))
		L.Push(glua.LString(s + t))
		return 1
	}
	for _, v := range [...]glua.LValue{a, b} {
		if f, ok := L.GetMetaField(v, "__concat").(*glua.LFunction); ok {
			L.Push(f)
			L.Push(a)
			L.Push(b)
			L.Call(2, 1)
			return 1
		}
	}
	wrong := a
	if joinable(a) {
		wrong = b
	}
	L.RaiseError("attempt to concatenate a %s value", wrong.Type())
	return 0
}
