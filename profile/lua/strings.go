package lua

import (
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// maxText bounds the length of a string that an untrusted script makes: the
// interpreter compares and hashes strings of any length as one instruction.
const maxText = 64 << 10

// charge makes a limited script pay for work that the interpreter does not
// count, and stops it where it cannot.
func (w *worker) charge(n int) {
	if w.budget != nil && !w.budget.take(n) {
		w.state.RaiseError("%v", ErrLimit)
	}
}

// chargeText makes a limited script pay for a string.
func (w *worker) chargeText(length int) {
	if w.budget == nil {
		return
	}
	if length > maxText && !w.script.options.Trusted {
		w.state.RaiseError("a string of %d bytes is too long", length)
	}
	w.charge(length / 32)
}

// newMatcher prepares a match of a pattern.
func (w *worker) newMatcher(source, pattern string) *matcher {
	m := &matcher{source: source, pattern: pattern, step: func() {}}
	if w.budget != nil {
		m.step = func() { w.charge(1) }
	}
	m.fail = func(message string) { w.state.RaiseError("%s", message) }
	return m
}

// value returns a capture of a match, or the whole match if there are none.
func (m *matcher) value(i, start, end int) glua.LValue {
	if i >= len(m.captures) {
		if i != 0 {
			m.fail(fmt.Sprintf("invalid capture index %%%d", i+1))
		}
		return glua.LString(m.source[start:end])
	}
	c := m.captures[i]
	switch c.length {
	case capturePosition:
		return glua.LNumber(c.start + 1)
	case captureOpen:
		m.fail("unfinished capture")
		return glua.LNil
	}
	return glua.LString(m.source[c.start : c.start+c.length])
}

// push pushes all captures of a match and returns their number.
func (m *matcher) push(L *glua.LState, start, end int) int {
	n := max(len(m.captures), 1)
	for i := range n {
		L.Push(m.value(i, start, end))
	}
	return n
}

// patchStrings replaces the functions of the string library that match
// patterns or make long strings.
func (w *worker) patchStrings(lib *glua.LTable) {
	L := w.state
	for name, f := range map[string]glua.LGFunction{
		"find":   func(*glua.LState) int { return w.find(true) },
		"match":  func(*glua.LState) int { return w.find(false) },
		"gmatch": func(*glua.LState) int { return w.gmatch() },
		"gsub":   func(*glua.LState) int { return w.gsub() },
		"rep":    func(*glua.LState) int { return w.rep() },
	} {
		lib.RawSetString(name, L.NewFunction(f))
	}
	lib.RawSetString("gfind", glua.LNil)
	lib.RawSetString("dump", glua.LNil)
	for _, name := range []string{"byte", "lower", "reverse", "upper"} {
		w.wrap(lib, name, func(L *glua.LState) int { return len(L.CheckString(1)) / 32 })
	}
	w.wrapFormat(lib)
}

// wrap makes an untrusted script pay a price for each call of a function of a
// library.
func (w *worker) wrap(lib *glua.LTable, name string, price func(*glua.LState) int) {
	original, ok := lib.RawGetString(name).(*glua.LFunction)
	if !ok || w.script.options.Trusted {
		return
	}
	lib.RawSetString(name, w.state.NewFunction(func(L *glua.LState) int {
		w.charge(price(L))
		return original.GFunction(L)
	}))
}

// startIndex reads an optional position counted from 1, or from the end if
// negative, as an index.
func startIndex(L *glua.LState, n, length int) int {
	i := int(toInt64(float64(L.OptNumber(n, 1))))
	switch {
	case i > 0:
		return i - 1
	case i == 0 || i < -length:
		return 0
	}
	return length + i
}

// find is string.find, or string.match if positions are not wanted.
func (w *worker) find(positions bool) int {
	L := w.state
	source, pattern := L.CheckString(1), L.CheckString(2)
	start := startIndex(L, 3, len(source))
	if start > len(source) {
		L.Push(glua.LNil)
		return 1
	}
	w.charge(len(source) / 32)
	if positions && (L.ToBool(4) || !strings.ContainsAny(pattern, "^$*+?.([%-")) {
		i := strings.Index(source[start:], pattern)
		if i < 0 {
			L.Push(glua.LNil)
			return 1
		}
		L.Push(glua.LNumber(start + i + 1))
		L.Push(glua.LNumber(start + i + len(pattern)))
		return 2
	}
	p := 0
	if strings.HasPrefix(pattern, "^") {
		p = 1
	}
	m := w.newMatcher(source, pattern)
	for s := start; s <= len(source); s++ {
		m.captures = m.captures[:0]
		if end := m.match(s, p); end >= 0 {
			if !positions {
				return m.push(L, s, end)
			}
			L.Push(glua.LNumber(s + 1))
			L.Push(glua.LNumber(end))
			if len(m.captures) == 0 {
				return 2
			}
			return 2 + m.push(L, s, end)
		}
		if p == 1 {
			break
		}
	}
	L.Push(glua.LNil)
	return 1
}

// gmatch is string.gmatch.
func (w *worker) gmatch() int {
	L := w.state
	source, pattern := L.CheckString(1), L.CheckString(2)
	at, last := startIndex(L, 3, len(source)), -1
	m := w.newMatcher(source, pattern)
	L.Push(L.NewFunction(func(L *glua.LState) int {
		for ; at <= len(source); at++ {
			m.captures = m.captures[:0]
			if end := m.match(at, 0); end >= 0 && end != last {
				start := at
				at, last = end, end
				return m.push(L, start, end)
			}
		}
		L.Push(glua.LNil)
		return 1
	}))
	return 1
}

// gsub is string.gsub.
func (w *worker) gsub() int {
	L := w.state
	source, pattern := L.CheckString(1), L.CheckString(2)
	by := L.Get(3)
	switch by.Type() {
	case glua.LTString, glua.LTNumber, glua.LTTable, glua.LTFunction:
	default:
		L.ArgError(3, "string, function or table expected, got "+by.Type().String())
	}
	limit := int(toInt64(float64(L.OptNumber(4, glua.LNumber(len(source)+1)))))
	p := 0
	if strings.HasPrefix(pattern, "^") {
		p = 1
	}
	m := w.newMatcher(source, pattern)
	var out strings.Builder
	count, last := 0, -1
	at := 0
	for count < limit {
		m.captures = m.captures[:0]
		if end := m.match(at, p); end >= 0 && end != last {
			count++
			w.replacement(&out, m, by, at, end)
			w.chargeText(out.Len())
			at, last = end, end
		} else if at < len(source) {
			out.WriteByte(source[at])
			at++
		} else {
			break
		}
		if p == 1 {
			break
		}
	}
	if at < len(source) {
		out.WriteString(source[at:])
	}
	w.chargeText(out.Len())
	L.Push(glua.LString(out.String()))
	L.Push(glua.LNumber(count))
	return 2
}

// replacement writes what stands for a match.
func (w *worker) replacement(out *strings.Builder, m *matcher, by glua.LValue, start, end int) {
	L := w.state
	var v glua.LValue
	switch by := by.(type) {
	case *glua.LTable:
		v = L.GetTable(by, m.value(0, start, end))
	case *glua.LFunction:
		L.Push(by)
		n := m.push(L, start, end)
		L.Call(n, 1)
		v = L.Get(-1)
		L.Pop(1)
	default:
		m.expand(out, by.String(), start, end)
		return
	}
	switch {
	case v == glua.LNil || v == glua.LFalse:
		out.WriteString(m.source[start:end])
	case v.Type() == glua.LTString || v.Type() == glua.LTNumber:
		out.WriteString(v.String())
	default:
		m.fail("invalid replacement value (a " + v.Type().String() + ")")
	}
}

// expand writes a replacement text with its references to captures.
func (m *matcher) expand(out *strings.Builder, text string, start, end int) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '%' {
			out.WriteByte(c)
			continue
		}
		i++
		switch {
		case i < len(text) && text[i] == '%':
			out.WriteByte('%')
		case i < len(text) && text[i] == '0':
			out.WriteString(m.source[start:end])
		case i < len(text) && '1' <= text[i] && text[i] <= '9':
			out.WriteString(m.value(int(text[i]-'1'), start, end).String())
		default:
			m.fail("invalid use of '%' in replacement string")
		}
	}
}

// rep is string.rep with the separator of newer versions.
func (w *worker) rep() int {
	L := w.state
	s, separator := L.CheckString(1), L.OptString(3, "")
	n := toInt64(float64(L.CheckNumber(2)))
	if n <= 0 {
		L.Push(glua.LString(""))
		return 1
	}
	each := int64(len(s) + len(separator))
	if each > 0 && n > maxRepeat/each {
		L.RaiseError("the resulting string is too large")
	}
	w.chargeText(int(n * each))
	if each == 0 {
		L.Push(glua.LString(""))
		return 1
	}
	L.Push(glua.LString(strings.Repeat(s+separator, int(n-1)) + s))
	return 1
}

// maxRepeat bounds the strings that even trusted scripts repeat.
const maxRepeat = 1 << 30

// wrapFormat keeps untrusted scripts, like Lua's own string.format, from
// widths of more than two digits.
func (w *worker) wrapFormat(lib *glua.LTable) {
	original, ok := lib.RawGetString("format").(*glua.LFunction)
	if !ok || w.script.options.Trusted {
		return
	}
	lib.RawSetString("format", w.state.NewFunction(func(L *glua.LState) int {
		digits := 0
		for _, c := range []byte(L.CheckString(1)) {
			if c < '0' || c > '9' {
				digits = 0
			} else if digits++; digits > 2 {
				L.RaiseError("widths in formats must have at most two digits")
			}
		}
		n := original.GFunction(L)
		w.chargeText(len(L.Get(-1).String()))
		return n
	}))
}
