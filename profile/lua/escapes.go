package lua

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// oldEscapes writes what newer versions of Lua have in strings, \x41, \u{41} and
// \z, in the way of version 5.1, which would take the letters as they are. Lines
// keep their numbers. What is not well formed stays, for the compiler to refuse or
// to take.
func oldEscapes(source string) string {
	if !strings.Contains(source, `\x`) && !strings.Contains(source, `\u`) && !strings.Contains(source, `\z`) {
		return source
	}
	e := escaper{rest: source}
	for e.rest != "" {
		switch c := e.rest[0]; {
		case c == '"' || c == '\'':
			e.quoted(c)
		case c == '[':
			if n := longBracket(e.rest); n > 0 {
				e.copy(n)
			} else {
				e.copy(1)
			}
		case strings.HasPrefix(e.rest, "--"):
			e.copy(2)
			n := longBracket(e.rest)
			if n == 0 {
				n = lineEnd(e.rest)
			}
			e.copy(n)
		default:
			e.copy(1)
		}
	}
	return e.out.String()
}

// escaper copies source to out.
type escaper struct {
	rest string
	out  strings.Builder
}

func (e *escaper) copy(n int) {
	e.out.WriteString(e.rest[:n])
	e.rest = e.rest[n:]
}

// longBracket returns the length of [[...]], with any number of = between the
// brackets, that s begins with, else 0.
func longBracket(s string) int {
	level := 0
	for 1+level < len(s) && s[1+level] == '=' {
		level++
	}
	if len(s) < level+2 || s[0] != '[' || s[1+level] != '[' {
		return 0
	}
	closing := "]" + strings.Repeat("=", level) + "]"
	end := strings.Index(s, closing)
	if end < 0 {
		return len(s)
	}
	return end + len(closing)
}

func lineEnd(s string) int {
	if end := strings.IndexByte(s, '\n'); end >= 0 {
		return end
	}
	return len(s)
}

// quoted copies a string in quotes.
func (e *escaper) quoted(quote byte) {
	e.copy(1)
	lines := 0 // left out
	for e.rest != "" && e.rest[0] != quote && e.rest[0] != '\n' {
		if e.rest[0] != '\\' || len(e.rest) < 2 {
			e.copy(1)
			continue
		}
		switch e.rest[1] {
		case 'x':
			if n, err := strconv.ParseUint(e.rest[2:min(4, len(e.rest))], 16, 8); err == nil && len(e.rest) >= 4 {
				fmt.Fprintf(&e.out, `\%03d`, n)
				e.rest = e.rest[4:]
				continue
			}
		case 'u':
			end := strings.IndexByte(e.rest, '}')
			if strings.HasPrefix(e.rest, `\u{`) && end > 0 {
				if n, err := strconv.ParseUint(e.rest[3:end], 16, 31); err == nil {
					for _, b := range utf8.AppendRune(nil, rune(n)) {
						fmt.Fprintf(&e.out, `\%03d`, b)
					}
					e.rest = e.rest[end+1:]
					continue
				}
			}
		case 'z':
			trimmed := strings.TrimLeft(e.rest[2:], space)
			lines += strings.Count(e.rest[:len(e.rest)-len(trimmed)], "\n")
			e.rest = trimmed
			continue
		}
		e.copy(2)
	}
	if e.rest != "" {
		e.copy(1)
	}
	e.out.WriteString(strings.Repeat("\n", lines))
}
