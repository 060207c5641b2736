package graph

import (
	"github.com/fourway-routing/fourway/internal/file"
)

// ID names the content of a file.
type ID = file.ID

// FileOptions say how to open a file.
type FileOptions = file.Options

// FileError says what is wrong with a file and where. It wraps one of the errors
// below, or one of the operating system's.
type FileError = file.Error

// What can be wrong with a file.
var (
	ErrForeign   = file.ErrForeign   // not ours, or of another kind
	ErrVersion   = file.ErrVersion   // written by another release
	ErrTruncated = file.ErrTruncated // ends early
	ErrCorrupt   = file.ErrCorrupt   // contradicts itself
	ErrMismatch  = file.ErrMismatch  // made for another network or metric
)

// sections reads sections until one fails.
type sections struct {
	f   *file.File
	err error
}

// get returns a section, and nil after an error.
func get[T any](s *sections, name string) []T {
	if s.err != nil {
		return nil
	}
	var v []T
	v, s.err = file.Section[T](s.f, name)
	return v
}

// sized returns a section of n elements.
func sized[T any](s *sections, name string, n int) []T {
	v := get[T](s, name)
	s.length(name, len(v), n)
	return v
}

// optional returns a section of n elements or none.
func optional[T any](s *sections, name string, n int) []T {
	v := get[T](s, name)
	if len(v) == 0 {
		return nil
	}
	s.length(name, len(v), n)
	return v
}

// firsts returns a section that says where each of n lists begins among total
// elements, with one more entry for the end of the last. Only its ends are
// looked at here.
func firsts[T ~uint32](s *sections, name string, n, total int) []T {
	v := sized[T](s, name, n+1)
	if s.err != nil {
		return nil
	}
	if v[0] != 0 || int64(v[n]) != int64(total) {
		s.fail(name, n, "lists do not cover %d elements", total)
	}
	return v
}

func (s *sections) length(name string, have, want int) {
	if s.err == nil && have != want {
		s.fail(name, 0, "%d elements, not %d", have, want)
	}
}

func (s *sections) fail(name string, element int, format string, args ...any) {
	if s.err == nil {
		s.err = s.f.Fault(name, element, format, args...)
	}
}
