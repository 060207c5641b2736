package profile

import "strings"

// spaceList puts a space behind every delimiter of a list and leaves only the
// first of several white space characters in a row: "a;b;  c" becomes
// "a; b; c".
func spaceList(s string, delimiter byte) string {
	if strings.IndexByte(s, delimiter) < 0 && !hasDoubleSpace(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + strings.Count(s, string(delimiter)))
	space := false
	write := func(c byte) {
		if !space || !isSpace(c) {
			b.WriteByte(c)
		}
		space = isSpace(c)
	}
	for i := range len(s) {
		write(s[i])
		if s[i] == delimiter {
			write(' ')
		}
	}
	return b.String()
}

func hasDoubleSpace(s string) bool {
	for i := 1; i < len(s); i++ {
		if isSpace(s[i]) && isSpace(s[i-1]) {
			return true
		}
	}
	return false
}
