package ch

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// parallel calls f for the pieces [from, to) of [0, n), at most step long, on
// workers 0 to workers-1; each worker takes the next piece when it is free. It
// returns once all calls have, with the error of a done context.
func parallel(ctx context.Context, workers, n, step int, f func(worker, from, to int)) error {
	var next atomic.Int64
	var failure atomic.Pointer[error]
	work := func(worker int) {
		// A fault of mapped memory ends in an error like any other.
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() {
			if r := recover(); r != nil {
				err, ok := r.(error)
				if !ok {
					err = fmt.Errorf("%v", r)
				}
				err = fmt.Errorf("ch: worker failed: %w", err)
				failure.Store(&err)
			}
		}()
		for failure.Load() == nil && ctx.Err() == nil {
			from := int(next.Add(int64(step))) - step
			if from >= n {
				return
			}
			f(worker, from, min(from+step, n))
		}
	}
	var group sync.WaitGroup
	for worker := 1; worker < workers && worker*step < n; worker++ {
		group.Go(func() { work(worker) })
	}
	work(0)
	group.Wait()
	if err := failure.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}
