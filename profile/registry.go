package profile

import (
	"fmt"
	"strings"
)

// UnknownError tells that no profile has the name.
type UnknownError struct {
	// Name is the name asked for.
	Name string
}

// Error names the profile that is not known, and those that are.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("profile: no profile is called %q; choose one of %s", e.Name, strings.Join(Names(), ", "))
}

// Names lists the built-in profiles.
func Names() []string { return []string{vehicleBicycle, vehicleCar, vehicleFoot} }

// ByName returns the built-in profile of that name with its default settings,
// or an *UnknownError.
func ByName(name string) (Profile, error) {
	switch name {
	case vehicleBicycle:
		return NewBicycle(BicycleOptions{})
	case vehicleCar:
		return NewCar(CarOptions{})
	case vehicleFoot:
		return NewFoot(FootOptions{})
	}
	return nil, &UnknownError{Name: name}
}
