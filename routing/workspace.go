package routing

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/guidance"
	"github.com/fourway-routing/fourway/matching"
	"github.com/fourway-routing/fourway/pool"
)

// workspace holds the memory of one query. It belongs to one goroutine at a
// time, and is kept for the next query.
type workspace struct {
	data     *dataset
	memory   *pool.Allocator
	least    int64 // bytes that a new workspace holds
	searcher searcher
	snapper  *graph.Snapper
	stops    []stop
	visits   []stop // of a trip, in its order
	paths    pathSearch
	rows     tableSearch
	areas    areaCells
	reach    *isochrones // nil until it is needed
	traces   traceMatch
	answers  assembler
	budget   budget
	damaged  bool // a query ended in the midst of its work
}

func newWorkspace(e *dataset) *workspace {
	memory := pool.NewKind(e.opt.Memory)
	w := &workspace{data: e, memory: memory, searcher: e.newSearcher(memory)}
	w.snapper = graph.NewSnapper(e.net, e.metric, memory)
	w.paths = pathSearch{net: e.net, metric: e.metric, searcher: w.searcher, countCells: e.opt.CountCells}
	w.traces.matcher = matching.New(e.net, e.metric, w.searcher, memory)
	w.answers = assembler{data: e, guide: guidance.NewBuilder(e.net)}
	w.least = memory.Held()
	return w
}

// What is larger is not kept for the next query: some megabytes each.
const (
	keptStops    = 1 << 13
	keptSeeds    = 1 << 17
	keptPhantoms = 1 << 15
)

// keep prepares a workspace for the next query and says whether it is fit. It does
// not look at the data set, whose files may be closed.
func (w *workspace) keep() bool {
	if w.damaged {
		return false
	}
	if cap(w.stops) > keptStops {
		w.stops = nil
	}
	if cap(w.rows.seeds) > keptSeeds {
		w.rows = tableSearch{}
	}
	if cap(w.traces.phantoms) > keptPhantoms {
		w.traces.matcher.Free()
		w.traces = traceMatch{matcher: w.traces.matcher}
	}
	if w.memory.Held() > w.data.opt.WorkspaceBytes {
		w.traces.matcher.Free()
		w.memory.Trim(w.data.opt.WorkspaceBytes)
	}
	// What a search has grown stays live; where that is much, a new workspace
	// costs less than the memory. A limit below what every search needs does not
	// make each query start anew.
	return w.memory.Held() <= max(w.data.opt.WorkspaceBytes, 2*w.least)
}
