package routing

import (
	"context"
)

// budget is the context of a request that may settle so many search nodes. Searches
// that look whether their context is done end by it. It belongs to the goroutine that
// searches.
type budget struct {
	context.Context
	w    *workspace
	most int // of spent
	err  *Error
}

// budgeted returns the context of a request that begins.
func (w *workspace) budgeted(ctx context.Context) context.Context {
	limit := w.data.opt.Limits.Work
	if limit <= 0 {
		return ctx
	}
	w.budget = budget{Context: ctx, w: w, most: w.spent() + limit}
	return &w.budget
}

// spent returns the number of search nodes settled since the workspace was made.
func (w *workspace) spent() int {
	n := w.searcher.Spent() + w.traces.matcher.Spent()
	if w.reach != nil {
		n += w.reach.search.Spent()
	}
	return n
}

// Err implements context.Context.
func (b *budget) Err() error {
	if err := b.Context.Err(); err != nil {
		return err
	}
	if b.err == nil && b.w.spent() > b.most {
		limit := b.w.data.opt.Limits.Work
		b.err = tooBig(limit, "Request takes more work than the %d search nodes that are allowed.", limit)
	}
	if b.err != nil {
		return b.err
	}
	return nil
}
