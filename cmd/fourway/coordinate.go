package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// shieldCoordinates keeps western longitudes from being taken for flags: a
// leading blank hides the minus sign from the parser of the command line.
func shieldCoordinates(args []string) []string {
	shielded := make([]string, len(args))
	for i, a := range args {
		if len(a) > 1 && a[0] == '-' && (a[1] == '.' || '0' <= a[1] && a[1] <= '9') && strings.Contains(a, ",") {
			a = " " + a
		}
		shielded[i] = a
	}
	return shielded
}

// parseCoordinate reads "longitude,latitude" in degrees.
func parseCoordinate(s string) (orb.Point, error) {
	lon, lat, found := strings.Cut(strings.TrimSpace(s), ",")
	if !found {
		return orb.Point{}, fmt.Errorf("%q is no coordinate: write longitude,latitude, like -75.52,39.74", s)
	}
	var p orb.Point
	for i, part := range []string{lon, lat} {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			return orb.Point{}, fmt.Errorf("%q is no coordinate: %q is no number of degrees", s, part)
		}
		p[i] = v
	}
	return p, nil
}

func parseCoordinates(args []string) ([]orb.Point, error) {
	points := make([]orb.Point, len(args))
	for i, a := range args {
		var err error
		if points[i], err = parseCoordinate(a); err != nil {
			return nil, err
		}
	}
	return points, nil
}
