package extract

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// parallel calls f for each chunk 0 … n-1, spread over workers, and returns the
// error of the first chunk that failed. A panic in f becomes an error.
func parallel(ctx context.Context, workers, n int, f func(worker, chunk int) error) error {
	var (
		next  atomic.Int64
		mu    sync.Mutex
		first = math.MaxInt
		err   error
		wg    sync.WaitGroup
	)
	fail := func(chunk int, e error) {
		mu.Lock()
		if chunk < first {
			first, err = chunk, e
		}
		mu.Unlock()
		next.Store(int64(n))
	}
	for w := range min(workers, n) {
		wg.Go(func() {
			chunk := -1
			defer func() {
				if p := recover(); p != nil {
					fail(chunk, fmt.Errorf("extract: panic: %v\n%s", p, debug.Stack()))
				}
			}()
			for {
				chunk = int(next.Add(1) - 1)
				if chunk >= n {
					return
				}
				if e := ctx.Err(); e != nil {
					fail(-1, e)
					return
				}
				if e := f(w, chunk); e != nil {
					fail(chunk, e)
					return
				}
			}
		})
	}
	wg.Wait()
	return err
}
