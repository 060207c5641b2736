package options

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

var errInvalid = errors.New("options: value is invalid")

// hintError is the error of a value with words on what is valid.
type hintError struct{ text string }

func (e *hintError) Error() string { return "options: " + e.text }

// Text takes any value.
func Text(s string) (string, error) { return s, nil }

// Path takes the name of a file, which is not empty.
func Path(s string) (string, error) {
	if s == "" {
		return "", errInvalid
	}
	return s, nil
}

// Unsigned reads a whole number from 0, below 2^31.
func Unsigned(s string) (int, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "+"), 10, 31)
	if err != nil {
		return 0, errInvalid
	}
	return int(n), nil
}

// Integer reads a whole number of 32 bits.
func Integer(s string) (int, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		return 0, errInvalid
	}
	return int(n), nil
}

// Integer64 reads a whole number of 64 bits.
func Integer64(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, errInvalid
	}
	return n, nil
}

// Number reads a number.
func Number(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) {
		return 0, errInvalid
	}
	return f, nil
}

// Limit reads a number, or unlimited, which is -1.
func Limit(s string) (float64, error) {
	if s == "unlimited" {
		return -1, nil
	}
	return Number(s)
}

// Bool reads on, yes, 1 or true, and off, no, 0 or false.
func Bool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "", "on", "yes", "1", "true":
		return true, nil
	case "off", "no", "0", "false":
		return false, nil
	}
	return false, &hintError{"Valid choices are 'on|off', 'yes|no', '1|0' and 'true|false'"}
}

// Sizes reads whole numbers from 0 separated by commas.
func Sizes(s string) ([]int, error) {
	var sizes []int
	for part := range strings.SplitSeq(s, ",") {
		n, err := Unsigned(part)
		if err != nil {
			return nil, errInvalid
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}
