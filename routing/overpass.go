package routing

import (
	"context"
	"errors"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/overpass"
)

// OverpassQuery is a query in the Overpass query language that was understood. It is
// immutable and safe for concurrent use.
type OverpassQuery = overpass.Query

// OverpassError is a query that was not understood, or asks for what there is not.
type OverpassError = overpass.SyntaxError

// OverpassLimits bound the elements and the memory of a query. The zero value stands
// for the defaults: 2,000,000 elements in a set and 256 MiB.
type OverpassLimits = overpass.Limits

// ParseOverpass reads a query in the part of the Overpass query language that
// docs/lookup.md describes. Errors are an *OverpassError.
func ParseOverpass(text string) (*OverpassQuery, error) { return overpass.Parse(text) }

// AppendOverpass appends the answer to a query in JSON, as Overpass gives it. The
// time that the query sets is the caller's to enforce by the context: where that,
// memory or elements run out, the answer has what was printed until then and a
// remark. It fails with ErrNotImplemented for a data set that was built without
// tags, other *Errors, or context.Canceled.
//
// It is safe for concurrent use.
func AppendOverpass(ctx context.Context, e *Engine, dst []byte, q *OverpassQuery, l OverpassLimits) ([]byte, error) {
	out := dst
	// A time that is over already is the answer's to tell.
	err := e.elements(context.WithoutCancel(ctx), "overpass", func(x *graph.Elements) (err error) {
		out, err = q.Append(ctx, dst, x, l)
		return err
	})
	if errors.Is(err, overpass.ErrNoTags) {
		err = &Error{
			Code: ErrNotImplemented, Index: -1,
			Message: "The data set was built without tags: build it again with BuildOptions.Tags, or by fourway build --tags",
		}
	}
	if err != nil {
		return dst, err
	}
	return out, nil
}
