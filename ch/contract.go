package ch

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
	"github.com/fourway-routing/fourway/pool"
)

// Options are the options of Contract. The zero value is the default.
type Options struct {
	// Workers is the number of goroutines; 0 means one per processor. The
	// result does not depend on it.
	Workers int
	// Progress is called now and then with the number of contracted nodes and
	// that of all nodes, by the goroutine that called Contract. The rest of the
	// sets in Exclude comes after the last call.
	Progress func(done, total int)
	// Exclude are sets of nodes that a search can exclude: set i+1 of
	// Search.SetExclude excludes the nodes whose bit is set in Exclude[i].
	Exclude []graph.Bits
	// Ranks, by node, is the order to contract in if it is known, the top one's being
	// 0, as Hierarchy.RanksFor gives it: contraction then rates no nodes, which is most
	// of its work. Any order gives the same answers; one that suits the graph badly
	// takes more arcs. Nodes that a set excludes are above all others whatever their
	// rank. Nil lets priorities decide.
	Ranks []uint32
	// Again, if set, makes the graph once more, which is needed at the beginning and at
	// the end: what the caller does not keep is not in memory meanwhile.
	Again func() *graph.Expanded
	// Memory is where the workers have their memory from. The default is the
	// fastest; the others are there to be compared with it.
	Memory pool.Kind
}

// ErrGraph is wrapped by the errors for a graph that cannot be contracted.
var ErrGraph = errors.New("ch: graph is malformed")

// coreShare is the part of the nodes, as one in so many, that each set of excluded
// nodes contracts on its own. With a tenth, Delaware's file is a fifth larger and
// its searches are 2 % faster; with a fortieth, a tenth smaller and 4 % slower.
const coreShare = 20

// Contract builds the contraction hierarchy of a graph. Nodes are contracted in
// order of a priority of the shortcuts that it takes, the arcs that go, and the
// levels below (Geisberger et al., Contraction Hierarchies, 2008), many at a
// time where they are independent (Vetter, Parallel Time-Dependent Contraction
// Hierarchies, 2009).
//
// The result depends on the graph and Options.Exclude alone. Paths whose weight
// reaches graph.InvalidWeight count as none. A done context ends the
// contraction with the context's error.
func Contract(ctx context.Context, x *graph.Expanded, o Options) (*Hierarchy, error) {
	return contract(ctx, x, o, defaultTuning)
}

func contract(ctx context.Context, x *graph.Expanded, o Options, t tuning) (*Hierarchy, error) {
	if err := check(x, o); err != nil {
		return nil, err
	}
	workers := parallel.Workers(o.Workers)
	again := o.Again
	if again == nil {
		again = func() *graph.Expanded { return x }
	}
	nodes, edges := x.NumNodes(), len(x.Arcs)
	b := builder{x: x, nodes: nodes, edges: edges, tuning: t, ranks: o.Ranks, workers: workers, memory: o.Memory, progress: o.Progress}
	if o.Again != nil {
		x = nil // garbage once it is loaded
	}
	b.distinguish(o.Exclude)
	if err := b.contract(ctx); err != nil {
		return nil, err
	}
	reclaim(nodes)
	return b.assemble(again)
}

func check(x *graph.Expanded, o Options) error {
	if len(x.First) == 0 {
		return fmt.Errorf("%w: First is empty; it needs one entry more than there are nodes", ErrGraph)
	}
	n := x.NumNodes()
	if uint64(n) >= math.MaxUint32/2 || uint64(len(x.Arcs)) >= math.MaxUint32/2 {
		return fmt.Errorf("%w: %d nodes and %d edges are too many; ids are 32 bit", ErrGraph, n, len(x.Arcs))
	}
	if x.First[0] != 0 || int(x.First[n]) != len(x.Arcs) {
		return fmt.Errorf("%w: First runs from %d to %d, but there are %d edges", ErrGraph, x.First[0], x.First[n], len(x.Arcs))
	}
	for v := range n {
		if x.First[v] > x.First[v+1] {
			return fmt.Errorf("%w: First decreases after node %d", ErrGraph, v)
		}
	}
	for e := range x.Arcs {
		if a := &x.Arcs[e]; int64(a.Head) >= int64(n) || a.Weight < 0 {
			return fmt.Errorf("%w: edge %d has head %d of %d nodes and weight %d", ErrGraph, e, a.Head, n, a.Weight)
		}
	}
	if o.Ranks != nil {
		if err := checkRanks(o.Ranks, n); err != nil {
			return err
		}
	}
	for i, set := range o.Exclude {
		if len(set) != 0 && len(set) < (n+63)/64 {
			return fmt.Errorf("%w: excluded set %d has bits for %d nodes, the graph %d nodes", ErrGraph, i, 64*len(set), n)
		}
	}
	return nil
}
