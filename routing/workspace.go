package routing

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

// searcher is what a workspace asks of a search algorithm.
type searcher interface {
	graph.Searcher
	// SetExclude chooses the set of classes that searches keep out of: 0 for
	// none, i+1 for the i-th of Properties.Excludable.
	SetExclude(set int)
	// Settled returns the number of search nodes that the last search settled.
	Settled() int
}

// workspace holds the memory of one query. It belongs to one goroutine at a
// time, and is kept for the next query.
type workspace struct {
	engine   *Engine
	memory   *pool.Allocator
	searcher searcher
	snapper  *graph.Snapper
	stops    []stop
	paths    pathSearch
	answers  assembler
	seen     Observation
	damaged  bool // a query ended in the midst of its work
}

func newWorkspace(e *Engine) *workspace {
	memory := pool.New()
	w := &workspace{engine: e, memory: memory, searcher: e.hierarchy.NewSearch(memory)}
	w.snapper = graph.NewSnapper(e.net, e.metric, memory)
	w.paths = pathSearch{net: e.net, searcher: w.searcher}
	w.answers = assembler{engine: e}
	return w
}

// keep prepares a workspace for the next query and says whether it is fit.
func (w *workspace) keep() bool {
	if w.damaged {
		return false
	}
	if w.memory.Held() > w.engine.opt.WorkspaceBytes {
		w.memory.Trim(w.engine.opt.WorkspaceBytes)
	}
	return w.memory.Held() <= w.engine.opt.WorkspaceBytes || w.memory.Held() == w.memory.Live()
}

// enter begins a query. Each successful enter is followed by a deferred leave
// in the same function.
func (w *workspace) enter(service string) error {
	e := w.engine
	e.running.RLock()
	if e.closed {
		e.running.RUnlock()
		return &Error{Code: ErrClosed, Index: -1, Message: "the engine is closed"}
	}
	if e.opt.Observe != nil {
		w.seen = Observation{Service: service, start: time.Now()}
	}
	w.damaged = true
	return nil
}

// leave ends a query. A fault of the mapped files' memory, and an index out of
// range, which only wrong data can bring about, become an ErrCorrupt error.
func (w *workspace) leave(panicOnFault bool, err *error) {
	debug.SetPanicOnFault(panicOnFault)
	e := w.engine
	e.running.RUnlock()
	if p := recover(); p != nil {
		fault, ok := p.(runtime.Error)
		if !ok || !fromData(fault) {
			panic(p)
		}
		*err = &Error{
			Code: ErrCorrupt, Index: -1, cause: fault,
			Message: fmt.Sprintf("the data set %s is damaged; verify its files and build it again", e.name),
		}
	} else {
		w.damaged = false
	}
	if e.opt.Observe != nil {
		w.seen.Err = *err
		w.lap(&w.seen.Assemble)
		e.opt.Observe(w.seen)
	}
}

// fromData says whether a panic can come from damaged data.
func fromData(fault runtime.Error) bool {
	if _, ok := fault.(interface{ Addr() uintptr }); ok {
		return true
	}
	return strings.Contains(fault.Error(), "out of range")
}

// lap adds the time since the last lap, or since the query began, to a stage.
func (w *workspace) lap(stage *time.Duration) {
	if w.engine.opt.Observe != nil {
		now := time.Now()
		*stage += now.Sub(w.seen.start)
		w.seen.start = now
	}
}

// Observation is what Options.Observe is told of a query.
type Observation struct {
	Service string // route or nearest
	// Snap, Search and Assemble are the times that the stages took; a stage
	// that was not reached took none.
	Snap, Search, Assemble time.Duration
	Settled                int   // search nodes visited
	Err                    error // nil if the query was answered

	start time.Time
}
