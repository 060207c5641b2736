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

func (e *UnknownError) Error() string {
	return fmt.Sprintf("profile: no profile is called %q; choose one of %s", e.Name, strings.Join(Names(), ", "))
}

// Names lists the built-in profiles.
func Names() []string { return []string{"bicycle", "car", "foot"} }

// ByName returns the built-in profile of that name with its default settings,
// or an *UnknownError.
func ByName(name string) (Profile, error) {
	switch name {
	case "bicycle":
		return NewBicycle(BicycleOptions{})
	case "car":
		return NewCar(CarOptions{})
	case "foot":
		return NewFoot(), nil
	}
	return nil, &UnknownError{Name: name}
}
