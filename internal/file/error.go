package file

import (
	"errors"
	"fmt"
	"strings"
)

// What can be wrong with a file. Each says what to do.
var (
	// ErrForeign: the file is not ours, or is of another kind than asked for.
	ErrForeign = errors.New("not the expected kind of file; check its name")
	// ErrVersion: another release wrote the file.
	ErrVersion = errors.New("file has another format version; build it again with this release")
	// ErrTruncated: the file ends early.
	ErrTruncated = errors.New("file is cut short; copy it again or build it again")
	// ErrCorrupt: the file contradicts itself.
	ErrCorrupt = errors.New("file is damaged; copy it again or build it again")
	// ErrMismatch: the file was made for another one than given.
	ErrMismatch = errors.New("files do not belong together; build the second again from the first")
)

// Error says what is wrong with a file and where. It wraps one of the package's
// errors, or one of the operating system's.
type Error struct {
	File    string
	Section string // empty: the header or the whole file
	Offset  int64  // in the file, in bytes
	Err     error
}

// Error implements error.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Section != "" {
		fmt.Fprintf(&b, ": section %q", e.Section)
	}
	if e.Offset != 0 {
		fmt.Fprintf(&b, ": offset %d", e.Offset)
	}
	b.WriteString(": ")
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
