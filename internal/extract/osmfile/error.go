package osmfile

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// Kinds of failure, to be tested with [errors.Is].
var (
	// ErrNotOSM means that the file is neither PBF nor XML, or XML of another kind.
	ErrNotOSM = errors.New("osmfile: not an OpenStreetMap file")
	// ErrUnsupported means a valid file that needs what this package does not have; the text names it.
	ErrUnsupported = errors.New("osmfile: unsupported")
	// ErrTruncated means that the file ends too early, usually from a broken download or copy.
	ErrTruncated = errors.New("osmfile: truncated")
	// ErrCorrupt means that the content contradicts the format.
	ErrCorrupt = errors.New("osmfile: corrupt")
	// ErrTooBig means that a size is beyond the format's limits or beyond any sensible OSM data.
	ErrTooBig = errors.New("osmfile: over the size limit")
	// ErrRead means that the operating system or the caller's reader failed.
	ErrRead = errors.New("osmfile: cannot read")
)

// An Error says which file failed, where and why. It unwraps to Kind and to Err.
type Error struct {
	File   string // as given when opening
	Offset int64  // byte at which the failing blob or XML tag starts, after decompression of XML; -1 if unknown
	Block  int    // number of the PBF blob from 0, the header included; -1 for XML and if unknown
	Kind   error  // one of the sentinels of this package
	Err    error  // what exactly; nil if Kind says it all
}

// Error tells what is wrong, and where as far as that is known.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Kind.Error())
	if e.File != "" {
		fmt.Fprintf(&b, ": %s", e.File)
	}
	if e.Block >= 0 {
		fmt.Fprintf(&b, ", blob %d", e.Block)
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, ", byte %d", e.Offset)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %s", strings.Map(printable, e.Err.Error()))
	}
	return b.String()
}

// printable replaces what a damaged file may send to a terminal.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '\uFFFD'
}

// Unwrap gives Kind and Err.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// fault makes an Error whose place the caller fills in.
func fault(kind error, format string, args ...any) *Error {
	return &Error{Offset: -1, Block: -1, Kind: kind, Err: fmt.Errorf(format, args...)}
}

// located adds file and place to a fault that has none yet. Other errors (of handlers, of contexts) pass unchanged.
func located(err error, file string, block int, offset int64) error {
	var e *Error
	if !errors.As(err, &e) || e.File != "" {
		return err
	}
	e.File = file
	if e.Block < 0 {
		e.Block = block
	}
	if e.Offset < 0 {
		e.Offset = offset
	}
	return e
}
