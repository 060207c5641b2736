package lua

import "fmt"

const (
	// maxCaptures and maxMatchDepth are Lua's own limits.
	maxCaptures   = 32
	maxMatchDepth = 200

	captureOpen     = -1
	capturePosition = -2
)

// capture is a part of the source that a pattern captures.
type capture struct {
	start int
	// length, or one of the constants above.
	length int
}

// matcher matches Lua's patterns, as version 5.4 has them. It exists because
// the interpreter's own matching recurses for every character and cannot be
// stopped.
type matcher struct {
	source, pattern string
	captures        []capture
	depth           int
	// step is called before every step of the search and may panic.
	step func()
	// fail panics with a message.
	fail func(message string)
}

// match matches the pattern from p at s and returns the end of the match or
// -1.
func (m *matcher) match(s, p int) int {
	if m.depth++; m.depth > maxMatchDepth {
		m.fail("pattern too complex")
	}
	defer func() { m.depth-- }()
	for p < len(m.pattern) {
		m.step()
		switch m.pattern[p] {
		case '(':
			if p+1 < len(m.pattern) && m.pattern[p+1] == ')' {
				return m.open(s, p+2, capturePosition)
			}
			return m.open(s, p+1, captureOpen)
		case ')':
			return m.close(s, p+1)
		case '$':
			if p+1 == len(m.pattern) {
				if s == len(m.source) {
					return s
				}
				return -1
			}
		case '%':
			if p+1 < len(m.pattern) {
				var ok bool
				switch c := m.pattern[p+1]; {
				case c == 'b':
					if s, ok = m.balanced(s, p+2); !ok {
						return -1
					}
					p += 4
					continue
				case c == 'f':
					if p, ok = m.frontier(s, p+2); !ok {
						return -1
					}
					continue
				case '0' <= c && c <= '9':
					if s, ok = m.again(s, c); !ok {
						return -1
					}
					p += 2
					continue
				}
			}
		}
		end := m.itemEnd(p)
		var suffix byte
		if end < len(m.pattern) {
			suffix = m.pattern[end]
		}
		switch suffix {
		case '?':
			if m.single(s, p, end) {
				if e := m.match(s+1, end+1); e >= 0 {
					return e
				}
			}
			p = end + 1
		case '+':
			if !m.single(s, p, end) {
				return -1
			}
			return m.greedy(s+1, p, end)
		case '*':
			return m.greedy(s, p, end)
		case '-':
			return m.lazy(s, p, end)
		default:
			if !m.single(s, p, end) {
				return -1
			}
			s++
			p = end
		}
	}
	return s
}

// greedy matches as many as possible of the item at p.
func (m *matcher) greedy(s, p, end int) int {
	n := 0
	for m.single(s+n, p, end) {
		m.step()
		n++
	}
	for ; n >= 0; n-- {
		if e := m.match(s+n, end+1); e >= 0 {
			return e
		}
	}
	return -1
}

// lazy matches as few as possible of the item at p.
func (m *matcher) lazy(s, p, end int) int {
	for {
		if e := m.match(s, end+1); e >= 0 {
			return e
		}
		if !m.single(s, p, end) {
			return -1
		}
		m.step()
		s++
	}
}

// open begins a capture.
func (m *matcher) open(s, p, kind int) int {
	if len(m.captures) == maxCaptures {
		m.fail("too many captures")
	}
	n := len(m.captures)
	m.captures = append(m.captures, capture{s, kind})
	e := m.match(s, p)
	if e < 0 {
		m.captures = m.captures[:n]
	}
	return e
}

// close ends the innermost open capture.
func (m *matcher) close(s, p int) int {
	i := len(m.captures) - 1
	for ; i >= 0 && m.captures[i].length != captureOpen; i-- {
	}
	if i < 0 {
		m.fail("invalid pattern capture")
	}
	m.captures[i].length = s - m.captures[i].start
	e := m.match(s, p)
	if e < 0 {
		m.captures[i].length = captureOpen
	}
	return e
}

// balanced matches from one delimiter to the other that balances it.
func (m *matcher) balanced(s, p int) (end int, ok bool) {
	if p+1 >= len(m.pattern) {
		m.fail("malformed pattern (missing arguments to '%b')")
	}
	if s >= len(m.source) || m.source[s] != m.pattern[p] {
		return 0, false
	}
	depth := 1
	for i := s + 1; i < len(m.source); i++ {
		m.step()
		switch m.source[i] {
		case m.pattern[p+1]:
			if depth--; depth == 0 {
				return i + 1, true
			}
		case m.pattern[p]:
			depth++
		}
	}
	return 0, false
}

// frontier matches where a set begins to hold, and returns the end of the set.
func (m *matcher) frontier(s, p int) (end int, ok bool) {
	if p >= len(m.pattern) || m.pattern[p] != '[' {
		m.fail("missing '[' after '%f' in pattern")
	}
	end = m.itemEnd(p)
	var before, here byte
	if s > 0 {
		before = m.source[s-1]
	}
	if s < len(m.source) {
		here = m.source[s]
	}
	return end, !m.inSet(before, p, end) && m.inSet(here, p, end)
}

// again matches what a capture holds already.
func (m *matcher) again(s int, digit byte) (end int, ok bool) {
	i := int(digit) - '1'
	if i < 0 || i >= len(m.captures) || m.captures[i].length == captureOpen {
		m.fail(fmt.Sprintf("invalid capture index %%%c", digit))
	}
	c := m.captures[i]
	if c.length < 0 {
		return 0, false
	}
	if end = s + c.length; end > len(m.source) || m.source[s:end] != m.source[c.start:c.start+c.length] {
		return 0, false
	}
	return end, true
}

// itemEnd returns the end of the character, class or set at p.
func (m *matcher) itemEnd(p int) int {
	c := m.pattern[p]
	p++
	switch c {
	case '%':
		if p == len(m.pattern) {
			m.fail("malformed pattern (ends with '%')")
		}
		return p + 1
	case '[':
		if p < len(m.pattern) && m.pattern[p] == '^' {
			p++
		}
		for first := true; ; first = false {
			if p == len(m.pattern) {
				m.fail("malformed pattern (missing ']')")
			}
			c := m.pattern[p]
			p++
			switch {
			case c == ']' && !first:
				return p
			case c == '%':
				p = min(p+1, len(m.pattern))
			}
		}
	}
	return p
}

// single tells whether the item at p matches the character at s.
func (m *matcher) single(s, p, end int) bool {
	if s >= len(m.source) {
		return false
	}
	c := m.source[s]
	switch m.pattern[p] {
	case '.':
		return true
	case '%':
		return inClass(c, m.pattern[p+1])
	case '[':
		return m.inSet(c, p, end)
	}
	return m.pattern[p] == c
}

// inSet tells whether the set between p and end holds a character.
func (m *matcher) inSet(c byte, p, end int) bool {
	p++
	end-- // the bracket
	found := true
	if p < end && m.pattern[p] == '^' {
		found = false
		p++
	}
	for p < end {
		switch {
		case m.pattern[p] == '%':
			p++
			if inClass(c, m.pattern[p]) {
				return found
			}
			p++
		case p+2 < end && m.pattern[p+1] == '-':
			if m.pattern[p] <= c && c <= m.pattern[p+2] {
				return found
			}
			p += 3
		default:
			if m.pattern[p] == c {
				return found
			}
			p++
		}
	}
	return !found
}

// inClass tells whether a class like %a holds a character; anything that is no
// letter stands for itself.
func inClass(c, class byte) bool {
	lower := 'a' <= c && c <= 'z'
	upper := 'A' <= c && c <= 'Z'
	digit := '0' <= c && c <= '9'
	var in bool
	switch class | 0x20 {
	case 'a':
		in = lower || upper
	case 'c':
		in = c < ' ' || c == 0x7F
	case 'd':
		in = digit
	case 'g':
		in = '!' <= c && c <= '~'
	case 'l':
		in = lower
	case 'p':
		in = '!' <= c && c <= '~' && !lower && !upper && !digit
	case 's':
		in = c == ' ' || '\t' <= c && c <= '\r'
	case 'u':
		in = upper
	case 'w':
		in = lower || upper || digit
	case 'x':
		in = digit || 'a' <= c|0x20 && c|0x20 <= 'f'
	default:
		return class == c
	}
	if 'A' <= class && class <= 'Z' {
		return !in
	}
	if 'a' <= class && class <= 'z' {
		return in
	}
	return class == c
}
