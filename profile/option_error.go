package profile

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// OptionError tells what is wrong with an option of a built-in profile.
type OptionError struct {
	// Profile is the name of the vehicle, Field the name of the option.
	Profile, Field string
	// Message says what is wrong and what is wanted.
	Message string
}

// Error names the vehicle and the field, and says what is wanted.
func (e *OptionError) Error() string {
	return fmt.Sprintf("profile: %s: %s %s", e.Profile, e.Field, e.Message)
}

// faults gathers what is wrong with the options of a vehicle.
type faults struct {
	vehicle string
	list    []error
}

func (f *faults) add(field, format string, args ...any) {
	f.list = append(f.list, &OptionError{Profile: f.vehicle, Field: field, Message: fmt.Sprintf(format, args...)})
}

// oneOf checks a word; an empty one stands for the default.
func (f *faults) oneOf(field, value string, words ...string) {
	if value != "" && !slices.Contains(words, value) {
		f.add(field, "is %q, want one of %s", value, strings.Join(words, ", "))
	}
}

// atLeast0 checks a number.
func (f *faults) atLeast0(field string, value float64) {
	if !(value >= 0) || math.IsInf(value, 0) {
		f.add(field, "is %v, want a number of at least 0", value)
	}
}

// penalty checks a number that may be left open.
func (f *faults) penalty(field string, value *float64) {
	if value != nil {
		f.atLeast0(field, *value)
	}
}

// speeds checks numbers by words.
func (f *faults) speeds(field string, by map[string]float64) {
	for _, word := range sortedKeys(by) {
		if v := by[word]; !(v >= 0) || math.IsInf(v, 0) {
			f.add(field, "is %v for %q, want a speed in km/h of at least 0", v, word)
		}
	}
}
