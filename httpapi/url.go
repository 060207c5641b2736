package httpapi

import (
	"fmt"
	"strings"

	"github.com/fourway-routing/fourway/routing"
)

func fail(code routing.Code, format string, args ...any) *routing.Error {
	return &routing.Error{Code: code, Index: -1, Message: fmt.Sprintf(format, args...)}
}

// target is a request's URL taken apart: /service/v1/profile/query.
type target struct {
	service, version, profile string
	query                     string
	offset                    int // of query in the URL
}

// parseURL takes a percent-decoded URL apart.
func parseURL(url string) (target, error) {
	s := scanner{text: url}
	var t target
	ok := s.prefix(&t) && s.lit("/")
	t.offset = s.at
	if !ok || !s.span(&t.query, queryChar) || !s.done() {
		return t, s.malformed()
	}
	return t, nil
}

// parsePrefix takes a percent-decoded URL without a query apart.
func parsePrefix(url string) (target, error) {
	s := scanner{text: url}
	var t target
	ok := s.prefix(&t)
	if ok {
		s.lit("/")
	}
	if !ok || !s.done() {
		return t, s.malformed()
	}
	return t, nil
}

// prefix reads /service/v1/profile.
func (s *scanner) prefix(t *target) bool {
	return s.lit("/") && s.span(&t.service, identifier) &&
		s.lit("/") && s.lit("v") && s.span(&t.version, digit) &&
		s.lit("/") && s.span(&t.profile, identifier)
}

// ValidProfile says whether a URL can name a data set so: by letters and digits
// of ASCII and any of _.~:-
func ValidProfile(name string) bool {
	s := scanner{text: name}
	return s.span(&name, identifier) && s.done()
}

func (s *scanner) malformed() error {
	context := s.text[max(0, s.at-3):min(len(s.text), s.at+3)]
	return fail(codeInvalidURL, "URL string malformed close to position %d: \"%s\"", s.at, context)
}

// decode replaces each %hh by its byte, and leaves what only looks like it.
func decode(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				out = append(out, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// charset is a set of ASCII characters.
type charset [2]uint64

func chars(s string) (set charset) {
	for i := range len(s) {
		set[s[i]>>6] |= 1 << (s[i] & 63)
	}
	return set
}

func (set charset) has(c byte) bool { return c < 0x80 && set[c>>6]>>(c&63)&1 != 0 }

const (
	digits   = "0123456789"
	letters  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alphanum = letters + digits
)

var (
	digit        = chars(digits)
	identifier   = chars(alphanum + "_.~:-")
	queryChar    = chars(alphanum + "_[]{}@?|\\~`^%=,;:&().-")
	polylineChar = chars(letters + "_[]{}@?|\\~`^")
	hintChar     = chars(alphanum + "-_=")
	classChar    = chars(alphanum)
)

// scanner reads a text from left to right. Its methods return false, and stay
// where they are, if what they look for is not next.
type scanner struct {
	text string
	at   int
}

func (s *scanner) done() bool { return s.at == len(s.text) }

// lit reads a literal.
func (s *scanner) lit(want string) bool {
	if strings.HasPrefix(s.text[s.at:], want) {
		s.at += len(want)
		return true
	}
	return false
}

// span reads one or more characters of a set.
func (s *scanner) span(to *string, set charset) bool {
	end := s.at
	for end < len(s.text) && set.has(s.text[end]) {
		end++
	}
	if end == s.at {
		return false
	}
	*to = s.text[s.at:end]
	s.at = end
	return true
}
