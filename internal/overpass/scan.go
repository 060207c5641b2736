package overpass

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner reads the text of a query from left to right. Between tokens it passes over
// white space and comments.
type scanner struct {
	text string
	at   int
	// placed is the largest offset that place was asked for, and its position: a query
	// of many statements is counted through once.
	placed struct {
		offset int
		position
	}
}

// place returns the position of an offset.
func (s *scanner) place(offset int) position {
	from, p := s.placed.offset, s.placed.position
	if p.line == 0 || offset < from {
		from, p = 0, position{1, 1}
	}
	part := s.text[from:offset]
	if line := strings.LastIndexByte(part, '\n'); line >= 0 {
		p.line += strings.Count(part, "\n")
		p.column, part = 1, part[line+1:]
	}
	p.column += utf8.RuneCountInString(part)
	if offset >= s.placed.offset {
		s.placed.offset, s.placed.position = offset, p
	}
	return p
}

// failAt returns an error at an offset.
func (s *scanner) failAt(offset int, format string, args ...any) error {
	p := s.place(offset)
	return &SyntaxError{Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)}
}

func (s *scanner) staticAt(offset int, format string, args ...any) error {
	p := s.place(offset)
	return &SyntaxError{Line: p.line, Column: p.column, Static: true, Message: fmt.Sprintf(format, args...)}
}

// space passes over white space and comments.
func (s *scanner) space() error {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r':
			s.at++
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			s.at += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return s.failAt(s.at, "the comment does not end")
			}
			s.at += 2 + end + 2
		default:
			return nil
		}
	}
	return nil
}

// has says whether a literal is next, without reading it.
func (s *scanner) has(literal string) bool { return strings.HasPrefix(s.text[s.at:], literal) }

// take reads a literal, and what space there is behind it, if it is next.
func (s *scanner) take(literal string) (bool, error) {
	if !s.has(literal) {
		return false, nil
	}
	s.at += len(literal)
	return true, s.space()
}

// expect reads a literal or fails.
func (s *scanner) expect(literal string) error {
	ok, err := s.take(literal)
	if err == nil && !ok {
		return s.failAt(s.at, "'%s' expected - %s found", literal, s.found())
	}
	return err
}

// found describes what is next, for errors.
func (s *scanner) found() string {
	if s.at == len(s.text) {
		return "the end of the query"
	}
	rest := s.text[s.at:]
	if n := wordLength(rest); n > 0 {
		return "'" + rest[:min(n, 40)] + "'"
	}
	_, size := utf8.DecodeRuneInString(rest)
	return strconv.QuoteToASCII(rest[:size])
}

func wordLength(text string) int {
	n := 0
	for n < len(text) && isWord(text[n]) {
		n++
	}
	return n
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// word reads letters, digits and underscores; it is empty if there is none of them.
func (s *scanner) word() (string, error) {
	n := wordLength(s.text[s.at:])
	w := s.text[s.at : s.at+n]
	s.at += n
	if n == 0 {
		return "", nil
	}
	return w, s.space()
}

// peekWord returns the word that is next without reading it.
func (s *scanner) peekWord() string {
	return s.text[s.at : s.at+wordLength(s.text[s.at:])]
}

// number reads a number.
func (s *scanner) number() (float64, error) {
	end := s.at
	for end < len(s.text) && strings.IndexByte("+-.0123456789eE", s.text[end]) >= 0 {
		end++
	}
	v, err := strconv.ParseFloat(s.text[s.at:end], 64)
	if err != nil {
		return 0, s.failAt(s.at, "number expected - %s found", s.found())
	}
	s.at = end
	return v, s.space()
}

// natural reads an integer from 0 on that fits 63 bits.
func (s *scanner) natural() (int64, error) {
	end := s.at
	for end < len(s.text) && s.text[end] >= '0' && s.text[end] <= '9' {
		end++
	}
	v, err := strconv.ParseInt(s.text[s.at:end], 10, 64)
	if err != nil {
		return 0, s.failAt(s.at, "non-negative integer expected - %s found", s.found())
	}
	s.at = end
	return v, s.space()
}

// quoted reads a string in quotes, or a word.
func (s *scanner) quoted() (string, error) {
	if s.at == len(s.text) || s.text[s.at] != '"' && s.text[s.at] != '\'' {
		start := s.at
		w, err := s.word()
		if err == nil && w == "" {
			return "", s.failAt(start, "string expected - %s found", s.found())
		}
		return w, err
	}
	start, quote := s.at, s.text[s.at]
	end := start + 1
	for end < len(s.text) && s.text[end] != quote && s.text[end] != '\\' {
		end++
	}
	if end < len(s.text) && s.text[end] == quote {
		s.at = end + 1
		return s.text[start+1 : end], s.space()
	}
	return s.escaped(start, end, quote)
}

// escaped reads a string with escapes, the first of which is at end.
func (s *scanner) escaped(start, end int, quote byte) (string, error) {
	out := []byte(s.text[start+1 : end])
	for end < len(s.text) {
		switch c := s.text[end]; {
		case c == quote:
			s.at = end + 1
			return string(out), s.space()
		case c != '\\':
			out = append(out, c)
			end++
		case end+1 == len(s.text):
			end++
		default:
			switch c := s.text[end+1]; c {
			case 'n':
				out = append(out, '\n')
			case 't':
				out = append(out, '\t')
			case 'u':
				if end+6 > len(s.text) {
					return "", s.failAt(end, "four hexadecimal digits expected after \\u")
				}
				code, err := strconv.ParseUint(s.text[end+2:end+6], 16, 16)
				if err != nil {
					return "", s.failAt(end, "four hexadecimal digits expected after \\u")
				}
				out = utf8.AppendRune(out, rune(code))
				end += 4
			default:
				out = append(out, c)
			}
			end += 2
		}
	}
	return "", s.failAt(start, "the string does not end")
}
