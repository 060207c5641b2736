package replay

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fourway-routing/fourway/internal/measure"
)

// Options says how to play.
type Options struct {
	Workers int // at least 1
	// Speed is how many seconds of the log are played in one; 0 stands for as
	// fast as the workers can.
	Speed float64
	// Slowest is the number of slow requests that the Result lists.
	Slowest int
	// Progress, if set, is called by one goroutine now and then with the number
	// of requests handed out.
	Progress func(requests int)
}

// Slow is a request that took long.
type Slow struct {
	Request
	Took time.Duration
	// Waited is the part of Took that passed before a worker was free.
	Waited  time.Duration
	Outcome Outcome
	Bytes   int64
}

// Result is what came of a replay.
type Result struct {
	Took     time.Duration
	All      *measure.Histogram
	Services map[string]*measure.Histogram
	// Requests is the sum of the others.
	Requests, Answered, Unanswered, Failed int
	Bytes                                  int64
	Failures                               map[string]int // by cause
	Slowest                                []Slow         // slowest first
	Collector                              measure.Collector
}

// Play reads the log to its end and asks the target. Failed requests are counted;
// an error of the log or of the context ends the replay, and comes with what was
// measured so far.
func Play(ctx context.Context, log *Reader, target Target, opt Options) (*Result, error) {
	p := player{opt: opt, ctx: ctx, due: make(chan task, 4*opt.Workers)}
	meter := measure.NewCollectorMeter()
	p.start = time.Now()
	var wg sync.WaitGroup
	workers := make([]*worker, opt.Workers)
	for i := range workers {
		w := &worker{player: &p, asker: target(), result: newResult()}
		workers[i] = w
		wg.Go(w.run)
	}
	err := p.feed(log)
	close(p.due)
	wg.Wait()
	r := newResult()
	r.Took = time.Since(p.start)
	for _, w := range workers {
		r.merge(w.result)
	}
	r.Collector = meter.Stop()
	slices.SortFunc(r.Slowest, bySlowness)
	r.Slowest = r.Slowest[:min(len(r.Slowest), opt.Slowest)]
	return r, err
}

func newResult() *Result {
	return &Result{All: new(measure.Histogram), Services: map[string]*measure.Histogram{}, Failures: map[string]int{}}
}

// merge adds what another worker saw.
func (r *Result) merge(o *Result) {
	r.All.Merge(o.All)
	for name, h := range o.Services {
		r.service(name).Merge(h)
	}
	r.Requests += o.Requests
	r.Answered += o.Answered
	r.Unanswered += o.Unanswered
	r.Failed += o.Failed
	r.Bytes += o.Bytes
	for cause, n := range o.Failures {
		r.Failures[cause] += n
	}
	r.Slowest = append(r.Slowest, o.Slowest...)
}

func (r *Result) service(name string) *measure.Histogram {
	h := r.Services[name]
	if h == nil {
		h = new(measure.Histogram)
		r.Services[name] = h
	}
	return h
}

// bySlowness puts slow requests first.
func bySlowness(a, b Slow) int {
	return cmp.Or(cmp.Compare(b.Took, a.Took), cmp.Compare(a.Line, b.Line))
}

// task is a request and when it is due.
type task struct {
	Request
	due time.Time // zero for as soon as a worker is free
}

type player struct {
	opt   Options
	ctx   context.Context
	start time.Time
	due   chan task
}

// feed hands the requests out.
func (p *player) feed(log *Reader) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	for n := 0; ; n++ {
		q, err := log.Next()
		if err == io.EOF {
			return p.ctx.Err()
		}
		if err != nil {
			return err
		}
		t := task{Request: q}
		if p.opt.Speed > 0 {
			t.due = p.start.Add(time.Duration(float64(q.At) / p.opt.Speed))
			if wait := time.Until(t.due); wait > 0 {
				timer.Reset(wait)
				select {
				case <-timer.C:
				case <-p.ctx.Done():
					return p.ctx.Err()
				}
			}
		}
		select {
		case p.due <- t:
		case <-p.ctx.Done():
			return p.ctx.Err()
		}
		if p.opt.Progress != nil && n%256 == 0 {
			p.opt.Progress(n)
		}
	}
}

// worker asks.
type worker struct {
	*player
	asker  Asker
	result *Result
}

func (w *worker) run() {
	for t := range w.due {
		begun := time.Now()
		if t.due.IsZero() {
			t.due = begun
		}
		outcome, size, err := w.asker.Ask(w.ctx, t.Path)
		if w.ctx.Err() != nil {
			continue // cut off, not slow
		}
		s := Slow{Request: t.Request, Took: time.Since(t.due), Waited: begun.Sub(t.due), Outcome: outcome, Bytes: size}
		w.note(&s, err)
	}
}

func (w *worker) note(s *Slow, err error) {
	r := w.result
	r.Requests++
	r.Bytes += s.Bytes
	switch s.Outcome {
	case Answered:
		r.Answered++
	case Unanswered:
		r.Unanswered++
	default:
		r.Failed++
		r.Failures[cause(err)]++
	}
	r.All.Record(s.Took)
	r.service(serviceOf(s.Path)).Record(s.Took)
	// The slowest so far, the least slow of them last.
	list := r.Slowest
	if n := w.opt.Slowest; len(list) < n {
		list = append(list, *s)
	} else if n == 0 || bySlowness(*s, list[n-1]) > 0 {
		return
	} else {
		list[n-1] = *s
	}
	for i := len(list) - 1; i > 0 && bySlowness(list[i], list[i-1]) < 0; i-- {
		list[i], list[i-1] = list[i-1], list[i]
	}
	r.Slowest = list
}

// services are those that are told apart.
var services = [...]string{"route", "nearest", "match", "table", "trip", "tile", "other"}

// serviceOf returns the service of a path, or other.
func serviceOf(path string) string {
	name, _, _ := strings.Cut(path[1:], "/")
	if !slices.Contains(services[:], name) {
		return "other"
	}
	return name
}

// cause takes URL and ports off an error, so that equal ones are counted together.
func cause(err error) string {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		return e.Op + ": " + e.Err.Error()
	}
	return err.Error()
}
