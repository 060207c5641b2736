package routing

import "sync/atomic"

// gate counts queries, and lets none in once it is closed. It is safe for
// concurrent use; make it with newGate.
type gate struct {
	state atomic.Int64  // twice the number of queries, plus 1 when closed
	idle  chan struct{} // closed when the gate is closed and the last query has left
}

func newGate() *gate { return &gate{idle: make(chan struct{})} }

// enter counts a query in, unless the gate is closed.
func (g *gate) enter() bool {
	for {
		v := g.state.Load()
		if v&1 != 0 {
			return false
		}
		if g.state.CompareAndSwap(v, v+2) {
			return true
		}
	}
}

// leave counts a query out.
func (g *gate) leave() {
	if g.state.Add(-2) == 1 {
		close(g.idle)
	}
}

// close lets nobody in anymore, waits until all have left, and says whether this
// call was the first.
func (g *gate) close() bool {
	before := g.state.Or(1)
	if before == 0 {
		close(g.idle)
	}
	<-g.idle
	return before&1 == 0
}
