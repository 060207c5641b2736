// Package parallel spreads work over goroutines that end with the call. What it
// gives back does not depend on their number.
package parallel

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Workers returns the number of goroutines asked for, that of processors if it is
// not positive.
func Workers(asked int) int {
	if asked <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return asked
}

// Each calls f for 0 to n-1, as Pieces does with pieces of one.
func Each(ctx context.Context, workers, n int, f func(worker, i int) error) error {
	return Pieces(ctx, workers, n, 1, func(worker, from, _ int) error { return f(worker, from) })
}

// Pieces calls f for the pieces [from, to) of [0, n), at most step long, on workers 0
// to workers-1; each takes the next piece when it is free. It returns once all calls
// have. Of calls that failed the error of the first piece counts, and no more are made;
// a panic, a fault of mapped memory too, is an error like any other. The error of a
// done context comes before all others.
func Pieces(ctx context.Context, workers, n, step int, f func(worker, from, to int) error) error {
	p := pieces{ctx: ctx, n: n, step: step, f: f, first: math.MaxInt}
	var group sync.WaitGroup
	for worker := 1; worker < workers && worker*step < n; worker++ {
		group.Go(func() { p.work(worker) })
	}
	p.work(0)
	group.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.err
}

type pieces struct {
	ctx     context.Context
	n, step int
	f       func(worker, from, to int) error
	next    atomic.Int64

	mu    sync.Mutex
	first int // piece that failed
	err   error
}

func (p *pieces) work(worker int) {
	from := -1
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err, ok := r.(error)
			if !ok {
				err = fmt.Errorf("%v", r)
			}
			p.fail(from, fmt.Errorf("worker failed: %w\n%s", err, debug.Stack()))
		}
	}()
	for p.ctx.Err() == nil {
		from = int(p.next.Add(int64(p.step))) - p.step
		if from >= p.n {
			return
		}
		if err := p.f(worker, from, min(from+p.step, p.n)); err != nil {
			p.fail(from, err)
			return
		}
	}
}

func (p *pieces) fail(from int, err error) {
	p.mu.Lock()
	if from < p.first {
		p.first, p.err = from, err
	}
	p.mu.Unlock()
	p.next.Store(int64(p.n))
}
