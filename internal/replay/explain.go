package replay

import (
	"context"
	"io"
	"time"

	"github.com/fourway-routing/fourway/routing"
)

// Explained is a slow request, asked again alone.
type Explained struct {
	Slow
	Alone time.Duration // the shortest of three times
	// Seen is what the engine did then; of no service where nobody told.
	Seen routing.Observation
}

// Explain asks slow requests again, one by one: what takes long alone is much
// work, what does not had to wait for others, or for the collector. With seen it
// tells what an engine did for the last request; it is nil where there is none to
// ask.
func Explain(ctx context.Context, slow []Slow, target Target, seen func() routing.Observation) ([]Explained, error) {
	asker := target()
	var all []Explained
	for _, s := range slow {
		e := Explained{Slow: s}
		for try := range 3 {
			start := time.Now()
			_, _, _ = asker.Ask(ctx, s.Path) // failed before, and counted then
			if took := time.Since(start); try == 0 || took < e.Alone {
				e.Alone = took
				if seen != nil {
					e.Seen = seen()
				}
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		all = append(all, e)
	}
	return all, nil
}

// WriteSlow writes slow requests as a table.
func WriteSlow(w io.Writer, all []Explained) error {
	p := printer{w: w}
	p.f("%8s %8s %8s %8s %8s %8s %8s %8s  %s\n", "took", "waited", "alone", "snap", "search", "write", "settled", "cells", "line, path")
	for i := range all {
		e := &all[i]
		p.f("%8s %8s %8s", Brief(e.Took), Brief(e.Waited), Brief(e.Alone))
		if e.Seen.Service == "" {
			p.f(" %8s %8s %8s %8s %8s", "", "", "", "", "")
		} else {
			// What is left of the time is parsing and writing.
			rest := max(e.Alone-e.Seen.Snap-e.Seen.Search, 0)
			p.f(" %8s %8s %8s %8d %8d", Brief(e.Seen.Snap), Brief(e.Seen.Search), Brief(rest), e.Seen.Settled, e.Seen.Cells)
		}
		p.f("  %d %s\n", e.Line, e.Path)
	}
	return p.err
}
