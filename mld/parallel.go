package mld

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

func workersOf(workers int) int {
	if workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return workers
}

// parallel calls f for 0 to n-1 on workers 0 to workers-1; each worker takes the
// next number when it is free. It returns once all calls have, with the error of
// a done context.
func parallel(ctx context.Context, workers, n int, f func(worker, i int)) error {
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
				err = fmt.Errorf("mld: worker failed: %w", err)
				failure.Store(&err)
			}
		}()
		for failure.Load() == nil && ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			f(worker, i)
		}
	}
	var group sync.WaitGroup
	for worker := 1; worker < min(workers, n); worker++ {
		group.Go(func() { work(worker) })
	}
	work(0)
	group.Wait()
	if err := failure.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}
