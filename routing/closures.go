package routing

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/paulmach/orb"
)

// Closure closes roads for all requests, until it ends: they are neither driven nor
// snapped to.
type Closure struct {
	// ID names the closure. One with the ID of another takes its place. Empty, it is
	// given one: a number that no closure has.
	ID string
	// Avoid says which roads.
	Avoid
	// Until is when it ends; the zero Time stands for the day when OpenRoads ends it.
	Until time.Time
	// Note is free text: why, who says so.
	Note string
}

// LiveClosure is a closure that counts.
type LiveClosure struct {
	Closure
	// Segments counts the segments of road that it closes, by direction: those that
	// could be driven but for closures and updates.
	Segments int
	// FoundWays and FoundSegments count which of Ways and Avoid.Segments the network
	// has, and can be driven.
	FoundWays, FoundSegments int
	// Bounds is the rectangle around the polygon and all that is closed; it is empty
	// if there is nothing of it on the map.
	Bounds orb.Bound
}

// ClosureReport tells what became of closures.
type ClosureReport struct {
	// Closures are those that CloseRoads was given, in their order, with their IDs.
	Closures []LiveClosure
	// Ended counts those that were replaced, removed or over.
	Ended int
	// Live counts the closures that count now.
	Live int
	// Nodes counts the search nodes that were looked at: those near what has changed.
	Nodes int
	// Took is the time from the call until the first query could see the change.
	Took time.Duration
}

// CloseRoads closes roads, for queries that begin after it has returned; those that
// run finish with the roads that they began with. Either all closures count or, if
// there is an error, none.
//
// A closure that ends by itself is over for queries that begin once the Engine has
// noticed and customized anew, with nobody calling: within some ten milliseconds of
// Until in a small country, the time that Took tells. Where the system's clock is
// set, or the machine slept, it may take a minute more. Closures count above all
// layers of Update, follow Replace, and are forgotten with the Engine.
//
// As with Update, cells are customized that have changed, or arcs; CH needs a new
// contraction, and CloseRoads is an ErrNotImplemented error. Errors are an *Error, or
// the context's.
func (e *Engine) CloseRoads(ctx context.Context, closures ...Closure) (*ClosureReport, error) {
	return e.changeClosures(ctx, func(d *dataset, c *closureChange) error {
		for i := range closures {
			if err := c.add(ctx, d, &closures[i], i); err != nil {
				return err
			}
		}
		return nil
	})
}

// OpenRoads ends closures before their time. One that is not there is an
// ErrInvalidValue error, and then none is ended. All else is as with CloseRoads.
func (e *Engine) OpenRoads(ctx context.Context, ids ...string) (*ClosureReport, error) {
	return e.changeClosures(ctx, func(_ *dataset, c *closureChange) error {
		for _, id := range ids {
			if !c.remove(id) {
				return &Error{
					Code: ErrInvalidValue, Index: -1, Message: fmt.Sprintf("There is no closure %q.", id),
					Detail: "It may be over; Closures tells those that count.",
				}
			}
		}
		return nil
	})
}

// Closures returns the closures that count, in the order in which they came.
func (e *Engine) Closures() []LiveClosure {
	all := e.current.Load().closed
	if all == nil {
		return nil
	}
	return copies(all.list)
}

// ClosuresIn returns the closures whose bounds meet a rectangle, in the order in
// which they came.
func (e *Engine) ClosuresIn(b orb.Bound) []LiveClosure {
	all := e.current.Load().closed
	if all == nil {
		return nil
	}
	return copies(all.in(b))
}

func copies(list []*closure) []LiveClosure {
	out := make([]LiveClosure, len(list))
	for i, c := range list {
		out[i] = c.LiveClosure
		out[i].Avoid = cloneAvoid(&c.Avoid)
	}
	return out
}

func cloneAvoid(a *Avoid) Avoid {
	out := Avoid{
		Classes: slices.Clone(a.Classes), Ways: slices.Clone(a.Ways), Segments: slices.Clone(a.Segments),
	}
	if a.Polygon != nil {
		out.Polygon = a.Polygon.Clone()
	}
	return out
}

// changeClosures makes a data set the current one whose closures change has changed.
func (e *Engine) changeClosures(ctx context.Context, change func(*dataset, *closureChange) error) (report *ClosureReport, err error) {
	began := time.Now()
	if err := e.lock(ctx); err != nil {
		return nil, err
	}
	defer e.unlock()
	if e.closed {
		return nil, &Error{Code: ErrClosed, Index: -1, Message: "the engine is closed"}
	}
	all := e.current.Load()
	d := all.dataset
	if d.overlay == nil && d.order == nil {
		return nil, &Error{
			Code: ErrNotImplemented, Index: -1, Message: "With CH roads cannot be closed while the engine runs.",
			Detail: "Open the data set with MLD or CCH.",
		}
	}
	defer guardData(d, &err)()
	c := newClosureChange(d.closed, began)
	if err := change(d, c); err != nil {
		return nil, err
	}
	if err := e.applyClosures(ctx, all, c); err != nil {
		return nil, err
	}
	report = &ClosureReport{Closures: copies(c.added), Ended: c.ended, Live: len(c.list), Nodes: c.nodes}
	report.Took = time.Since(began)
	return report, nil
}
