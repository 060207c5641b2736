package httpapi

import (
	"context"
	"errors"
	"sync/atomic"
)

// errOverloaded: as many requests wait as may.
var errOverloaded = errors.New("httpapi: too many requests")

// queue bounds how many requests run, and how many wait to, which they do in the
// order of their arrival. It is safe for concurrent use.
type queue struct {
	running chan struct{}
	waiting atomic.Int64
	most    int64 // waiting
}

func newQueue(running, waiting int) *queue {
	return &queue{running: make(chan struct{}, running), most: int64(waiting)}
}

// enter waits until the caller may run, who calls leave in the end.
func (q *queue) enter(ctx context.Context) error {
	select {
	case q.running <- struct{}{}:
		return nil
	default:
	}
	if q.waiting.Add(1) > q.most {
		q.waiting.Add(-1)
		return errOverloaded
	}
	defer q.waiting.Add(-1)
	select {
	case q.running <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (q *queue) leave() { <-q.running }

// load returns how many requests run and wait.
func (q *queue) load() (running, waiting int) {
	// One that is being turned away is counted for a moment.
	return len(q.running), int(min(q.waiting.Load(), q.most))
}
