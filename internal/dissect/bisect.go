package dissect

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// bisector halves a graph until the parts are small enough, by inertial flow
// (Schild and Sommer, On Balanced Separators in Road Networks, 2015).
type bisector struct {
	ctx     context.Context
	small   int
	tokens  chan struct{} // one for each further goroutine
	idle    sync.Pool     // of *flow
	failure atomic.Pointer[error]

	mu       sync.Mutex
	done     int // vertices in leaves
	total    int
	progress func(done, total int)
}

// endShare is the part of the vertices that are sources, and sinks, as one in so
// many.
const endShare = 4

func (b *bisector) run(g *roads) *Part {
	n := &Part{Nodes: g.nodes()}
	if n.Nodes <= b.small || g.size() < 2 || b.ctx.Err() != nil || b.failure.Load() != nil {
		n.Junctions = g.name
		b.report(g.size())
		return n
	}
	parts := g.split(b.best(g))
	half := func(i int) {
		p := parts[i]
		parts[i] = nil // garbage as soon as it has been split
		n.Halves[i] = b.run(p)
	}
	b.fork(func() { half(0) }, func() { half(1) })
	return n
}

func (b *bisector) report(vertices int) {
	if b.progress == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done += vertices
	b.progress(b.done, b.total)
}

// fork calls both functions, at the same time if a goroutine is to be had.
func (b *bisector) fork(f, g func()) {
	select {
	case b.tokens <- struct{}{}:
		var group sync.WaitGroup
		group.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					err := fmt.Errorf("dissect: worker failed: %v", r)
					b.failure.Store(&err)
				}
			}()
			f()
		})
		g()
		group.Wait()
		<-b.tokens
	default:
		f()
		g()
	}
}

// best returns a side for each vertex by the best of the cuts in all directions.
func (b *bisector) best(g *roads) []bool {
	var mu sync.Mutex
	var best cut
	var bestDirection int
	better := func(value int64, part, direction int) bool {
		if best.side == nil {
			return true
		}
		// Capacity for each vertex cut off.
		x, y := value*int64(best.part), best.value*int64(part)
		return x < y || x == y && direction < bestDirection
	}
	half := g.size() / 2
	try := func(direction int) {
		f, _ := b.idle.Get().(*flow)
		if f == nil {
			f = new(flow)
		}
		hopeless := func(value int64) bool {
			mu.Lock()
			defer mu.Unlock()
			return !better(value, half, direction)
		}
		ends := max(1, g.size()/endShare)
		c, ok := f.minimum(g, g.orders[direction], ends, hopeless)
		f.first, f.arcs = nil, nil
		if ok {
			mu.Lock()
			if better(c.value, c.part, direction) {
				best, bestDirection = c, direction
			}
			mu.Unlock()
		}
		b.idle.Put(f)
	}
	const worth = 2000 // vertices from which a goroutine pays
	if g.size() < worth {
		for d := range directions {
			try(d)
		}
	} else {
		b.fork(
			func() { b.fork(func() { try(0) }, func() { try(1) }) },
			func() { b.fork(func() { try(2) }, func() { try(3) }) },
		)
	}
	return best.side
}
