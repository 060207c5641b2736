package routing

import (
	"fmt"
	"strings"
)

// Code says what kind of failure an Error is. The codes are those of OSRM's
// HTTP interface; a Code is an error itself, so that
//
//	errors.Is(err, routing.ErrNoRoute)
//
// holds for every *Error that carries it.
type Code string

// The codes.
const (
	// ErrInvalidOptions: the request contradicts itself (lists of different
	// lengths, an index or bearing out of range, too few coordinates).
	ErrInvalidOptions Code = "InvalidOptions"
	// ErrInvalidValue: a value has no meaning for this data set (a
	// coordinate off the globe, an unknown set of classes to exclude).
	ErrInvalidValue Code = "InvalidValue"
	// ErrInvalidQuery: a query that could not be parsed. Only interfaces
	// that parse text, such as httpapi, return it.
	ErrInvalidQuery Code = "InvalidQuery"
	// ErrNoSegment: no road was found for a coordinate under the request's
	// radius, bearing, approach and exclusions. Index names the coordinate.
	ErrNoSegment Code = "NoSegment"
	// ErrNoRoute: the coordinates are not connected.
	ErrNoRoute Code = "NoRoute"
	// ErrNoTrips: no order visits all coordinates. Indices names those that
	// are in the way.
	ErrNoTrips Code = "NoTrips"
	// ErrNoMatch: no way fits the trace, or not with its waypoints.
	ErrNoMatch Code = "NoMatch"
	// ErrTooBig: the request exceeds a limit of Options; Limit tells it.
	ErrTooBig Code = "TooBig"
	// ErrDisabled: the request asks for what Options.Limits refuses.
	ErrDisabled Code = "DisabledDataset"
	// ErrNotImplemented: the service or option is not available.
	ErrNotImplemented Code = "NotImplemented"
	// ErrCorrupt: the data set is damaged. Nothing more can be expected of
	// this Engine: close it, verify the files, and build them anew.
	ErrCorrupt Code = "Corrupt"
	// ErrClosed: the Engine or Session was closed.
	ErrClosed Code = "Closed"
	// ErrBusy: the Session is in the middle of TableRows.
	ErrBusy Code = "Busy"
)

// Error makes a Code an error, to be compared with errors.Is.
func (c Code) Error() string { return "routing: " + string(c) }

// Error is how every function of this package fails, apart from a done
// context, whose own error is wrapped.
type Error struct {
	Code Code
	// Index is the offending coordinate's position in the request, -1 if
	// the failure is not about one coordinate.
	Index int
	// Indices are the coordinates to leave out so that the others can be
	// visited (ErrNoTrips), ascending; else nil.
	Indices []int
	// Limit is the limit that was exceeded (ErrTooBig), else 0.
	Limit int64
	// Message says what was wrong, in the words of OSRM where it has the same
	// failure.
	Message string
	// Detail says more, empty if there is nothing to add: what stands in the
	// way, or what may be asked for instead.
	Detail string
	cause  error
}

// Error returns the message with its code.
func (e *Error) Error() string {
	text := fmt.Sprintf("routing: %s: %s", string(e.Code), e.Message)
	if e.Detail != "" {
		text += " " + e.Detail
	}
	if e.cause != nil {
		text = strings.TrimSuffix(text, ".") + ": " + e.cause.Error()
	}
	return text
}

// Is says whether target is the error's Code.
func (e *Error) Is(target error) bool { return target == e.Code }

// Unwrap returns what caused the failure, nil if it was the request itself.
func (e *Error) Unwrap() error { return e.cause }

// invalid returns an ErrInvalidOptions error about one coordinate.
func invalid(index int, format string, args ...any) *Error {
	return &Error{Code: ErrInvalidOptions, Index: index, Message: fmt.Sprintf(format, args...)}
}

func tooBig[N int | int64](limit N, format string, args ...any) *Error {
	return &Error{Code: ErrTooBig, Index: -1, Limit: int64(limit), Message: fmt.Sprintf(format, args...)}
}
