package routing

import (
	"context"
	"time"

	"github.com/fourway-routing/fourway/graph"
)

// applyClosures makes data sets with other closures, one for each metric, the current
// ones: only search nodes that they are about are customized anew.
func (e *Engine) applyClosures(ctx context.Context, all *catalog, c *closureChange) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	changed := graph.MakeBits(all.net.NumNodes())
	c.nodes = addNodes(all.net, changed, c.added) + addNodes(all.net, changed, c.removed)
	x := e.draft(all)
	for _, d := range all.all() {
		if err := x.remake(ctx, d, d.metricName, e.live[d.metricName], &c.closureSet, changed); err != nil {
			x.discard()
			return err
		}
	}
	x.install()
	return nil
}

// renewClosed returns a dataset with another metric whose roads are closed, which may
// be nil. It differs from d where search nodes have changed.
func (d *dataset) renewClosed(ctx context.Context, under *graph.Metric, closed *closureSet, changed graph.Bits) (*dataset, error) {
	metric, _ := closed.close(d.parts.index(), under)
	next, err := d.renew(ctx, metric, changed, newLifetime())
	if err != nil {
		return nil, err
	}
	next.turnLayer = d.turnLayer
	if closed != nil {
		next.under, next.closed = under, closed
	}
	return next, nil
}

// longestWait is how long the Engine waits for the end of a closure before it looks
// at the clock again, which may have been set.
const longestWait = time.Minute

// awaitEnd has the first closure that ends by itself end. It is called under changing.
func (e *Engine) awaitEnd(closed *closureSet) {
	e.stopAwaiting()
	if closed == nil || e.closed {
		return
	}
	at := closed.next()
	if at.IsZero() {
		return
	}
	// No goroutine waits: the timer starts one.
	e.awaiting.Add(1)
	e.ends = time.AfterFunc(min(max(0, time.Until(at)), longestWait), func() {
		defer e.awaiting.Done()
		e.endClosures()
	})
}

// stopAwaiting drops the timer. It is called under changing.
func (e *Engine) stopAwaiting() {
	if e.ends != nil && e.ends.Stop() {
		e.awaiting.Done()
	}
	e.ends = nil
}

// endClosures ends the closures that are over. Where that fails, on damaged data that
// queries fail on too, it is tried again after longestWait.
func (e *Engine) endClosures() {
	e.changing <- struct{}{}
	defer e.unlock()
	if e.closed {
		return
	}
	all := e.current.Load()
	c := newClosureChange(all.closed, time.Now())
	if c.ended == 0 {
		e.awaitEnd(all.closed) // it was changed meanwhile, or the clock was
		return
	}
	if err := e.endThem(all, c); err != nil {
		e.awaitEnd(&closureSet{list: []*closure{{LiveClosure: LiveClosure{Closure: Closure{Until: time.Now().Add(longestWait)}}}}})
	}
}

// endThem is applyClosures, safe from damaged data.
func (e *Engine) endThem(all *catalog, c *closureChange) (err error) {
	defer guardData(all.dataset, &err)()
	return e.applyClosures(context.Background(), all, c)
}

// closuresOn returns closures as they are on the network of another data set, but for
// those that are over.
func closuresOn(ctx context.Context, before *closureSet, d *dataset) (*closureSet, error) {
	c := newClosureChange(nil, time.Now())
	if before == nil {
		return &c.closureSet, nil
	}
	c.made = before.made
	for i, x := range before.list {
		if !x.Until.IsZero() && !x.Until.After(c.now) {
			continue
		}
		y := &closure{LiveClosure: x.LiveClosure}
		if err := y.place(ctx, d, i); err != nil {
			return nil, err
		}
		c.put(y)
	}
	return &c.closureSet, nil
}

// live says whether there are closures.
func (s *closureSet) live() bool { return s != nil && len(s.list) > 0 }
