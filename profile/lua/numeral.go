package lua

import (
	"math"
	"strconv"
	"strings"
)

// space holds the characters that C's isspace accepts.
const space = " \t\n\v\f\r"

// parseNumeral reads a number by the rules of Lua 5.4: surrounding space, a
// sign, fractions, exponents and hexadecimal digits are fine, words and
// leading zeros of other meanings are not. The interpreter's own rules would
// take "010" for eight.
func parseNumeral(s string) (float64, bool) {
	s = strings.Trim(s, space)
	if s == "" || strings.ContainsAny(s, "nN_") { // no inf, nan and digit separators
		return 0, false
	}
	digits := strings.TrimLeft(s[:1], "+-") + s[1:]
	if len(digits) > 2 && digits[0] == '0' && digits[1]|0x20 == 'x' {
		return parseHex(s, digits[2:])
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// parseHex reads a hexadecimal number; whole ones wrap around at 64 bits.
func parseHex(s, digits string) (float64, bool) {
	var u uint64
	for i := range len(digits) {
		d, err := strconv.ParseUint(digits[i:i+1], 16, 8)
		if err != nil {
			if !strings.ContainsAny(s, "pP") {
				s += "p0"
			}
			f, err := strconv.ParseFloat(s, 64)
			return f, err == nil || math.IsInf(f, 0)
		}
		u = u<<4 | d
	}
	if s[0] == '-' {
		u = -u
	}
	return float64(int64(u)), true
}
