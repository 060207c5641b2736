package profile

// parseDuration reads a duration in seconds: "M", "H:M" or "H:M:S" with one or
// two digits each, or an ISO 8601 period of weeks, or of days, hours, minutes
// and seconds ("P2W", "P1DT2H30M", "PT123000"). Of the latter every part may be
// missing, even all of them. Sums wrap around at 32 bits.
func parseDuration(s string) (seconds uint32, ok bool) {
	if seconds, ok = parseClock(s); ok {
		return seconds, true
	}
	if s == "" || s[0] != 'P' {
		return 0, false
	}
	s = s[1:]
	if weeks, rest, ok := cutUnit(s, 'w'); ok && rest == "" {
		return weeks * 604800, true
	}
	if seconds, rest, ok := cutTimeOfDay(s); ok {
		return seconds, rest == ""
	}
	if days, rest, ok := cutUnit(s, 'd'); ok {
		seconds, s = days*86400, rest
	}
	if s == "" || s[0] != 'T' {
		return seconds, s == ""
	}
	s = s[1:]
	for _, unit := range [...]struct {
		letter  byte
		seconds uint32
	}{{'h', 3600}, {'m', 60}, {'s', 1}} {
		if n, rest, ok := cutUnit(s, unit.letter); ok {
			seconds += n * unit.seconds
			s = rest
		}
	}
	return seconds, s == ""
}

// parseClock reads "M", "H:M" or "H:M:S". Values above 59 are fine.
func parseClock(s string) (seconds uint32, ok bool) {
	var parts [3]uint32
	n := 0
	for {
		digits := leadingDigits(s)
		if digits == "" || len(digits) > 2 {
			return 0, false
		}
		parts[n] = uint32(digitsNumeral(digits).i)
		n++
		s = s[len(digits):]
		if s == "" {
			break
		}
		if s[0] != ':' || n == len(parts) {
			return 0, false
		}
		s = s[1:]
	}
	if n == 1 {
		return parts[0] * 60, true
	}
	return parts[0]*3600 + parts[1]*60 + parts[2], true
}

// cutTimeOfDay reads "Thhmmss" or "Thh:mm:ss" from the start of s.
func cutTimeOfDay(s string) (seconds uint32, rest string, ok bool) {
	if len(s) < len("Thhmmss") || s[0] != 'T' {
		return 0, s, false
	}
	rest = s[1:]
	colons := rest[2] == ':'
	for i, limit := range [...]uint32{24, 60, 60} {
		if i > 0 && colons {
			if rest == "" || rest[0] != ':' {
				return 0, s, false
			}
			rest = rest[1:]
		}
		if len(rest) < 2 || !isDigit(rest[0]) || !isDigit(rest[1]) {
			return 0, s, false
		}
		part := uint32(rest[0]-'0')*10 + uint32(rest[1]-'0')
		if part >= limit {
			return 0, s, false
		}
		seconds = seconds*60 + part
		rest = rest[2:]
	}
	return seconds, rest, true
}

// cutUnit reads a 32-bit number and the letter, in either case, from the start
// of s.
func cutUnit(s string, letter byte) (n uint32, rest string, ok bool) {
	digits := leadingDigits(s)
	rest = s[len(digits):]
	if digits == "" || rest == "" || rest[0]|0x20 != letter {
		return 0, s, false
	}
	value := digitsNumeral(digits)
	if value.isFloat || value.i > 1<<32-1 {
		return 0, s, false
	}
	return uint32(value.i), rest[1:], true
}
