// Package dissect halves road networks again and again, so that few roads cross
// from one half to the other. Cells of a partition and the order of a nested
// dissection come from it. A Part is the caller's; nothing is shared.
package dissect

import (
	"context"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/parallel"
)

// Part is a part of a network: a node of the tree of bisections.
type Part struct {
	Nodes     int // search nodes that begin at its junctions
	Halves    [2]*Part
	Junctions []uint32 // of a part without halves
}

// Options are the options of Run. The zero value is the default.
type Options struct {
	// Small is the number of search nodes of a part that stays whole.
	Small int
	// Workers is the number of goroutines; 0 means one per processor. The result
	// does not depend on it.
	Workers int
	// Loaded, if set, is called once, when the network has been read.
	Loaded func()
	// Progress is called now and then with the number of junctions that are in
	// their part and that of all, by one goroutine at a time.
	Progress func(done, total int)
}

// Run bisects the junctions of a network by inertial flow (Schild and Sommer, On
// Balanced Separators in Road Networks, 2015), with a minimum cut for each of a few
// directions. A part of one junction stays whole at any size. A done context ends
// it with the context's error.
func Run(ctx context.Context, n *graph.Network, o Options) (*Part, error) {
	workers := parallel.Workers(o.Workers)
	g := makeRoads(n)
	if o.Loaded != nil {
		o.Loaded()
	}
	b := bisector{
		ctx:      ctx,
		small:    o.Small,
		tokens:   make(chan struct{}, workers-1),
		total:    g.size(),
		progress: o.Progress,
	}
	tree := b.run(g)
	if err := b.failure.Load(); err != nil {
		return nil, *err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return tree, nil
}
