package text

import (
	"math"
	"strconv"
	"strings"
)

// unit is a measure of length.
type unit string

const (
	meters     unit = "meters"
	kilometers unit = "kilometers"
	feet       unit = "feet"
	miles      unit = "miles"
)

var units = [...]unit{meters, kilometers, feet, miles}

const (
	metersPerFoot = 0.3048
	metersPerMile = 5280 * metersPerFoot
)

// rounded returns a distance as a driver would want to hear it: near ones in
// round numbers, from a thousand small units on in large ones, with a decimal
// below ten.
func rounded(distance float64, imperial bool) (value float64, of unit) {
	round := func(v, step float64) float64 { return math.Round(v/step) * step }
	small, large := distance, distance/1000
	value, of = 0, meters
	switch {
	case imperial:
		small, large, of = distance/metersPerFoot, distance/metersPerMile, feet
		value = max(50, round(small, 50))
	case small < 100:
		value = max(10, round(small, 10))
	default:
		value = round(small, 50)
	}
	if value < 1000 {
		return value, of
	}
	if of = kilometers; imperial {
		of = miles
	}
	if tenths := math.Round(large * 10); tenths < 100 {
		return tenths / 10, of
	}
	return math.Round(large), of
}

// Distance writes a distance in meters, rounded, in metric units or in imperial
// ones. It is empty for what is none.
func (l *Language) Distance(distance float64, imperial bool) string {
	if !(distance > 0) || distance > math.MaxInt32 {
		return ""
	}
	value, of := rounded(distance, imperial)
	n := number{value: value, whole: int(value)}
	if value != math.Trunc(value) {
		n.decimals = 1
	}
	digits := strings.Replace(strconv.FormatFloat(value, 'f', n.decimals, 64), ".", l.decimal, 1)
	return string(l.units[of].render(nil, l.plural.of(n), digits))
}
