package batch

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/fourway-routing/fourway/routing"
)

// worker is what a function of a pipeline answers with. It belongs to one
// goroutine at a time, as Beam has it of functions.
type worker struct {
	data             *held[*routing.Engine]
	session          *routing.Session // of the bundle
	answered, failed beam.Counter
}

// Namespace is that of the counters of pipelines: answered and failed count
// requests, or cells and places of a matrix, found the files of results that were
// there from a run before. Those of Files and MatrixFiles are counted at the end of
// the pipeline, of the others as they are answered: of these Prism may lose what
// bundles count that end at the same time.
const Namespace = "fourway"

// setUp opens the data set, if no other worker of the process has.
func (w *worker) setUp(ctx context.Context, d Dataset) (err error) {
	w.answered = beam.NewCounter(Namespace, "answered")
	w.failed = beam.NewCounter(Namespace, "failed")
	w.data, err = acquire(ctx, d)
	return err
}

func (w *worker) tearDown() {
	w.finishBundle()
	if w.data != nil {
		w.data.release()
		w.data = nil
	}
}

func (w *worker) startBundle() {
	w.finishBundle() // of a bundle that has failed
	w.session = w.data.value.Session()
}

func (w *worker) finishBundle() {
	if w.session != nil {
		w.session.Close()
		w.session = nil
	}
}

// attempt runs one query under a deadline, if that is not 0. What is wrong with
// the request, and a panic or a deadline that it brings about, is a failure, whose
// ID and Request the caller adds; what is wrong with the worker is an error, which
// fails the bundle, so that the runner tries it elsewhere.
func (w *worker) attempt(ctx context.Context, deadline time.Duration, query func(context.Context, *routing.Session) error) (failed *Failure, err error) {
	limited := ctx
	if deadline > 0 {
		c, cancel := context.WithTimeout(ctx, deadline)
		defer cancel()
		limited = c
	}
	defer func() {
		if p := recover(); p != nil {
			// The session's memory may be in disorder.
			w.session.Close()
			w.session = w.data.value.Session()
			failed, err = &Failure{Code: CodePanic, Index: -1, Message: fmt.Sprintf("panic: %v\n%s", p, debug.Stack())}, nil
		}
	}()
	err = query(limited, w.session)
	switch {
	case err == nil:
		return nil, nil
	case ctx.Err() != nil:
		return nil, err
	case errors.Is(err, routing.ErrCorrupt), errors.Is(err, routing.ErrClosed):
		return nil, fmt.Errorf("%w: %w", ErrDataset, err)
	case errors.Is(err, context.DeadlineExceeded):
		return &Failure{Code: CodeDeadline, Index: -1, Message: fmt.Sprintf("no answer in %v", deadline)}, nil
	}
	return failureOf(err), nil
}
