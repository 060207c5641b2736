package profile

import "strings"

const (
	metersPerInch     = 0.0254
	inchesPerFoot     = 12
	kilogramsPerPound = 0.45359237
	kilometersPerMile = 1.609
	defaultMaxHeight  = 4.5 // meters, where a sign says no number
	kilogramsPerTon   = 1000
)

// parseSpeed reads a speed in km/h from the digits that s begins with; "mph"
// anywhere in s makes them miles.
func parseSpeed(s string) (float64, bool) {
	digits := leadingDigits(s)
	if digits == "" {
		return 0, false
	}
	speed := digitsNumeral(digits).float()
	if strings.Contains(s, "mph") || strings.Contains(s, "mp/h") {
		speed *= kilometersPerMile
	}
	return speed, true
}

// parseMeters reads a length in meters from the first number in s. Where s
// has an apostrophe that number is feet, and the first digits after the
// apostrophe are inches.
func parseMeters(s string) (float64, bool) {
	n, ok := firstDecimal(s)
	if !ok {
		return 0, false
	}
	_, inches, imperial := strings.Cut(s, "'")
	if !imperial {
		return n.float(), true
	}
	n = n.timesInt(inchesPerFoot)
	if digits := firstDigits(inches); digits != "" {
		n = n.plus(digitsNumeral(digits))
	}
	return n.float() * metersPerInch, true
}

// parseMaxHeight is parseMeters, with the words for "no limit given" standing
// for the usual one.
func parseMaxHeight(s string) (float64, bool) {
	switch s {
	case "default", "none", "no-sign", "unsigned":
		return defaultMaxHeight, true
	}
	return parseMeters(s)
}

// parseKilograms reads a weight in kilograms from the first number in s:
// pounds or kilograms if s says so, else metric tons.
func parseKilograms(s string) (float64, bool) {
	n, ok := firstDecimal(s)
	switch {
	case !ok:
		return 0, false
	case strings.Contains(s, "lbs"):
		return n.float() * kilogramsPerPound, true
	case strings.Contains(s, "kg"):
		return n.float(), true
	}
	return n.timesInt(kilogramsPerTon).float(), true
}
