package httpapi

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"time"
)

// errOverloaded: as many requests wait as may.
var errOverloaded = errors.New("httpapi: too many requests")

// queue bounds how many requests run, and how many wait to, which they do in the
// order of their arrival. Of long requests fewer run than there are processors, unless
// there have been no short ones for a while. It is safe for concurrent use.
type queue struct {
	running chan struct{}
	waiting atomic.Int64
	most    int64 // waiting
	procs   int   // processors

	long  chan struct{} // long requests that run
	last  chan struct{} // the one that may run besides while there are no short ones
	short atomic.Int64  // that run and wait
	began time.Time
	seen  atomic.Int64 // when the last short one came, in nanoseconds since began
}

// quiet is how long there have been no short requests before long ones take all
// processors.
const quiet = time.Second

func newQueue(running, waiting int) *queue {
	procs := runtime.GOMAXPROCS(0)
	q := &queue{
		running: make(chan struct{}, running), most: int64(waiting), procs: procs,
		long: make(chan struct{}, max(1, procs-1)),
		last: make(chan struct{}, 1), began: time.Now(),
	}
	q.seen.Store(-int64(quiet))
	return q
}

// enter waits until the caller may run, who calls leave with the result in the end.
func (q *queue) enter(ctx context.Context, long bool) (lane chan struct{}, err error) {
	if long {
		if lane, err = q.enterLane(ctx); err != nil {
			return nil, err
		}
	} else {
		q.short.Add(1)
		q.seen.Store(int64(time.Since(q.began)))
	}
	select {
	case q.running <- struct{}{}:
		return lane, nil
	default:
	}
	err = q.wait(func() error {
		select {
		case q.running <- struct{}{}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if err != nil {
		q.leaveLane(lane)
	}
	return lane, err
}

// wait counts the caller among those who wait.
func (q *queue) wait(f func() error) error {
	defer q.waiting.Add(-1)
	if q.waiting.Add(1) > q.most {
		return errOverloaded
	}
	return f()
}

func (q *queue) leave(lane chan struct{}) {
	<-q.running
	q.leaveLane(lane)
}

// enterLane waits until one more long request may run.
func (q *queue) enterLane(ctx context.Context) (lane chan struct{}, err error) {
	try := func() bool {
		lane = q.long
		select {
		case lane <- struct{}{}:
			return true
		default:
		}
		if time.Since(q.began)-time.Duration(q.seen.Load()) < quiet {
			return false
		}
		lane = q.last
		select {
		case lane <- struct{}{}:
			return true
		default:
			return false
		}
	}
	if try() {
		return lane, nil
	}
	err = q.wait(func() error {
		look := time.NewTicker(quiet)
		defer look.Stop()
		for {
			select {
			case q.long <- struct{}{}:
				lane = q.long
				return nil
			case <-look.C:
				if try() {
					return nil
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	})
	return lane, err
}

// leaveLane ends what enter began: that of a short request if lane is nil.
func (q *queue) leaveLane(lane chan struct{}) {
	if lane == nil {
		q.short.Add(-1)
	} else {
		<-lane
	}
}

// contended says whether short requests may want for a processor.
func (q *queue) contended() bool {
	short := int(q.short.Load())
	return short > 0 && short+len(q.long)+len(q.last) >= q.procs
}

// load returns how many requests run and wait.
func (q *queue) load() (running, waiting int) {
	// One that is being turned away is counted for a moment.
	return len(q.running), int(min(q.waiting.Load(), q.most))
}
