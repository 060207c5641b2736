package overpass

import (
	"errors"
	"fmt"
)

// SyntaxError is a query that is not understood, or that asks for what there is not.
type SyntaxError struct {
	Line, Column int // from 1 on
	// Static tells a query that can be read and makes no sense from one that
	// cannot be read.
	Static  bool
	Message string
}

// Error tells what is wrong, as Overpass servers do, and where.
func (e *SyntaxError) Error() string {
	kind := "parse"
	if e.Static {
		kind = "static"
	}
	return fmt.Sprintf("line %d: %s error: %s (column %d)", e.Line, kind, e.Message, e.Column)
}

// ErrNoTags: the data set was built without tags.
var ErrNoTags = errors.New("overpass: the data set was built without tags")
