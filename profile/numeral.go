package profile

import (
	"strconv"
	"strings"
)

// numeral is a number as Lua 5.4 has it: an integer that wraps around, or a
// float. Quantities in tags follow its arithmetic so that absurd values come
// out as they do in OSRM.
type numeral struct {
	i       int64
	f       float64
	isFloat bool
}

// float returns the value as a float.
func (n numeral) float() float64 {
	if n.isFloat {
		return n.f
	}
	return float64(n.i)
}

// timesInt returns n·k.
func (n numeral) timesInt(k int64) numeral {
	if n.isFloat {
		// The conversion keeps the product from being fused with a later sum.
		return numeral{f: float64(n.f * float64(k)), isFloat: true}
	}
	return numeral{i: n.i * k}
}

// plus returns n+m.
func (n numeral) plus(m numeral) numeral {
	if n.isFloat || m.isFloat {
		return numeral{f: n.float() + m.float(), isFloat: true}
	}
	return numeral{i: n.i + m.i}
}

// digitsNumeral converts a non-empty string of digits that may contain one
// decimal point after the first digit. Integers too large for 64 bits become
// floats.
func digitsNumeral(s string) numeral {
	if strings.IndexByte(s, '.') < 0 {
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			return numeral{i: i}
		}
	}
	// Out of range is infinity, as in C.
	f, _ := strconv.ParseFloat(s, 64)
	return numeral{f: f, isFloat: true}
}

// leadingDigits returns the digits that s begins with.
func leadingDigits(s string) string {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return s[:i]
}

// firstDigits returns the first run of digits in s.
func firstDigits(s string) string {
	for i := range len(s) {
		if isDigit(s[i]) {
			return leadingDigits(s[i:])
		}
	}
	return ""
}

// firstDecimal finds the first decimal number in s: digits, then possibly a
// point or comma and more digits. Signs and exponents are not part of it.
func firstDecimal(s string) (n numeral, ok bool) {
	start := 0
	for start < len(s) && !isDigit(s[start]) {
		start++
	}
	if start == len(s) {
		return numeral{}, false
	}
	end := start + len(leadingDigits(s[start:]))
	if end < len(s) && (s[end] == '.' || s[end] == ',') {
		comma := s[end] == ','
		end += 1 + len(leadingDigits(s[end+1:]))
		if comma {
			return digitsNumeral(strings.Replace(s[start:end], ",", ".", 1)), true
		}
	}
	return digitsNumeral(s[start:end]), true
}

// positiveInteger reads s by Lua's rules for numbers written in strings:
// surrounding space, a sign, hexadecimal digits, fractions and exponents are
// all fine. It fails unless the value is a whole number above zero. Values
// beyond 64 bits become 0, as their conversion does in OSRM.
func positiveInteger(s string) (int64, bool) {
	s = strings.Trim(s, luaSpace)
	if s == "" {
		return 0, false
	}
	if i, ok := wholeNumber(s); ok {
		return max(i, 0), i > 0
	}
	// Go's syntax of floats is wider than C's here, and narrower there.
	if strings.ContainsAny(s, "nN_") {
		return 0, false
	}
	if len(s) > 2 && strings.ContainsAny(s, "xX") && !strings.ContainsAny(s, "pP") {
		s += "p0"
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f <= 0 || f != float64(int64(f)) && f < 1<<63 {
		return 0, false
	}
	if f >= 1<<63 {
		return 0, true
	}
	return int64(f), true
}

// wholeNumber reads an integer by Lua's rules: decimal integers must fit in 64
// bits, hexadecimal ones wrap around.
func wholeNumber(s string) (int64, bool) {
	digits := s
	negative := false
	if digits != "" && (digits[0] == '-' || digits[0] == '+') {
		negative = digits[0] == '-'
		digits = digits[1:]
	}
	if len(digits) > 2 && digits[0] == '0' && digits[1]|0x20 == 'x' {
		var u uint64
		for i := 2; i < len(digits); i++ {
			d, ok := hexDigit(digits[i])
			if !ok {
				return 0, false
			}
			u = u<<4 | uint64(d)
		}
		if negative {
			u = -u
		}
		return int64(u), true
	}
	if leadingDigits(digits) != digits {
		return 0, false
	}
	i, err := strconv.ParseInt(s, 10, 64)
	return i, err == nil
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case isDigit(c):
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// luaSpace holds the characters that C's isspace accepts.
const luaSpace = " \t\n\v\f\r"

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
