package lua

import (
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"
)

// openUTF8 defines the library utf8 of Lua 5.3, for valid text.
func (w *worker) openUTF8() {
	L := w.state
	lib := L.SetFuncs(L.NewTable(), map[string]glua.LGFunction{
		"char": func(L *glua.LState) int {
			var b []byte
			for i := 1; i <= L.GetTop(); i++ {
				b = utf8.AppendRune(b, rune(toInt32(float64(L.CheckNumber(i)))))
			}
			w.chargeText(len(b))
			L.Push(glua.LString(b))
			return 1
		},
		"len":       w.utf8Len,
		"codepoint": w.utf8CodePoint,
		"offset":    w.utf8Offset,
		"codes": func(L *glua.LState) int {
			s := L.CheckString(1)
			L.Push(L.NewFunction(func(L *glua.LState) int {
				at := L.CheckInt(2)
				if at > 0 && at <= len(s) {
					_, size := utf8.DecodeRuneInString(s[at-1:])
					at += size - 1
				}
				if at < 0 || at >= len(s) {
					return 0
				}
				L.Push(glua.LNumber(at + 1))
				L.Push(glua.LNumber(w.decode(L, s, at)))
				return 2
			}))
			L.Push(glua.LString(s))
			L.Push(glua.LNumber(0))
			return 3
		},
	})
	lib.RawSetString("charpattern", glua.LString("[\x00-\x7F\xC2-\xFD][\x80-\xBF]*"))
	w.setGlobal("utf8", lib)
}

// decode returns the character at an offset, which must be there.
func (w *worker) decode(L *glua.LState, s string, at int) rune {
	r, size := utf8.DecodeRuneInString(s[at:])
	if r == utf8.RuneError && size <= 1 {
		L.RaiseError("invalid UTF-8 code")
	}
	return r
}

// span returns the part of a string from byte i to byte j, counted from 1, or from
// the end if negative.
func span(L *glua.LState, s string, i, j int) (from, to int) {
	if i < 0 {
		i += len(s) + 1
	}
	if j < 0 {
		j += len(s) + 1
	}
	if i < 1 || i > len(s)+1 || j > len(s) {
		L.RaiseError("position out of bounds")
	}
	return i - 1, max(j, i-1)
}

// utf8Len counts characters, or returns nil and the first byte that is in none.
func (w *worker) utf8Len(L *glua.LState) int {
	s := L.CheckString(1)
	w.charge(len(s) / 8)
	from, to := span(L, s, L.OptInt(2, 1), L.OptInt(3, -1))
	n := 0
	for from < to {
		r, size := utf8.DecodeRuneInString(s[from:])
		if r == utf8.RuneError && size <= 1 {
			L.Push(glua.LNil)
			L.Push(glua.LNumber(from + 1))
			return 2
		}
		from += size
		n++
	}
	L.Push(glua.LNumber(n))
	return 1
}

// utf8CodePoint returns the characters that begin between two bytes.
func (w *worker) utf8CodePoint(L *glua.LState) int {
	s := L.CheckString(1)
	i := L.OptInt(2, 1)
	from, to := span(L, s, i, L.OptInt(3, i))
	w.charge(len(s) / 8)
	n := 0
	for from < to {
		r := w.decode(L, s, from)
		L.Push(glua.LNumber(r))
		from += utf8.RuneLen(r)
		n++
	}
	return n
}

// utf8Offset returns the byte where a character begins: the n-th from byte i on, or
// before it if negative, or the one that holds byte i if 0.
func (w *worker) utf8Offset(L *glua.LState) int {
	s, n := L.CheckString(1), L.CheckInt(2)
	usual := 1
	if n <= 0 {
		usual = len(s) + 1
	}
	i := L.OptInt(3, usual)
	if i < 0 {
		i += len(s) + 1
	}
	if i < 1 || i > len(s)+1 {
		L.RaiseError("position out of bounds")
	}
	w.charge(len(s) / 8)
	at := i - 1
	begins := func(at int) bool { return at >= len(s) || utf8.RuneStart(s[at]) }
	if n == 0 {
		for at > 0 && !begins(at) {
			at--
		}
		L.Push(glua.LNumber(at + 1))
		return 1
	}
	if !begins(at) {
		L.RaiseError("initial position is a continuation byte")
	}
	for ; n > 1 && at < len(s); n-- {
		for at++; !begins(at); at++ {
		}
	}
	for ; n < 0 && at > 0; n++ {
		for at--; at > 0 && !begins(at); at-- {
		}
	}
	if n > 1 || n < 0 {
		L.Push(glua.LNil)
		return 1
	}
	L.Push(glua.LNumber(at + 1))
	return 1
}
