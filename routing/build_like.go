package routing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/relate"
	"github.com/fourway-routing/fourway/mld"
)

// LikeReport tells what a build took over from an earlier data set of the region.
type LikeReport struct {
	// Name is that of the earlier data set; empty if none was given.
	Name string
	// Nodes is the number of search nodes, and Matched that of those which the
	// earlier data set has: the same directed road, by the OSM nodes that it begins
	// or ends with.
	Nodes, Matched int
	// Reused are the algorithms whose order or cells were taken over.
	Reused []Algorithm
	// Anew says by algorithm why nothing was taken over.
	Anew []AnewReport
	// Cells is the number of cells of all levels for MLD, and Recut that of the
	// earlier ones that were divided anew, each with the cells within it.
	Cells, Recut int
}

// AnewReport says why an algorithm was prepared for from scratch.
type AnewReport struct {
	Algorithm Algorithm
	Reason    string
}

const (
	// mostNew is the part of the nodes, as one in so many, that may be new or have
	// other weights where something is taken over.
	mostNew = 4
	// An order that is taken over serves if it takes no more arcs a node than before,
	// and one in so many on top.
	orderSlack = 20
)

// earlier is the data set to take over from.
type earlier struct {
	*parts
	of      []graph.NodeID
	useless string // why nothing can be taken over, or empty
}

// openLike opens the earlier data set, if there is one, and relates its nodes.
func (b *builder) openLike(p *parts) (*earlier, error) {
	if b.opt.Like == "" {
		return nil, nil
	}
	e := &earlier{parts: &parts{name: b.opt.Like}}
	report := &b.report.Like
	report.Name = b.opt.Like
	report.Nodes = p.net.NumNodes()
	err := b.stage("relate", func() error {
		if _, err := e.openNetwork(&Options{FS: b.opt.FS}); err != nil {
			return err
		}
		r := relate.Nodes(e.net, p.net)
		e.of, report.Matched = r.Of, r.Matched
		return nil
	})
	p.files = append(p.files, e.files...)
	e.files = nil
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err != nil: // of another release, say: the new data set need not suffer
		e.useless = err.Error()
	case report.Nodes-report.Matched > report.Nodes/mostNew:
		e.useless = fmt.Sprintf("%d of %d search nodes are new", report.Nodes-report.Matched, report.Nodes)
	}
	return e, nil
}

// reuse opens what the earlier data set has for an algorithm, and says whether it can
// be taken over.
func (b *builder) reuse(p *parts, e *earlier, a Algorithm, open func(*earlier) error) bool {
	if e == nil {
		return false
	}
	if e.useless != "" {
		b.anew(a, e.useless)
		return false
	}
	err := open(e)
	p.files = append(p.files, e.files...)
	e.files = nil
	if err != nil {
		b.anew(a, err.Error())
	}
	return err == nil
}

func (b *builder) anew(a Algorithm, reason string) {
	b.report.Like.Anew = append(b.report.Like.Anew, AnewReport{a, reason})
}

func (b *builder) reused(a Algorithm) { b.report.Like.Reused = append(b.report.Like.Reused, a) }

// contractLike contracts in the order of the earlier data set, if that serves.
func (b *builder) contractLike(ctx context.Context, p *parts, e *earlier) error {
	if !b.reuse(p, e, CH, func(e *earlier) error {
		_, err := e.openHierarchy(&Options{FS: b.opt.FS}, e.network)
		return err
	}) {
		return b.contract(ctx, p, nil)
	}
	return b.contractAgain(ctx, p, e.hierarchy, e.hierarchy.RanksFor(e.of, p.net.EdgeFirst, p.net.EdgeHead))
}

// contractAgain contracts in a known order, or from scratch if that takes many more
// arcs than the hierarchy that it comes from has.
func (b *builder) contractAgain(ctx context.Context, p *parts, before *ch.Hierarchy, ranks []uint32) error {
	if err := b.contract(ctx, p, ranks); err != nil {
		return err
	}
	if grown(before.NumArcs(), before.NumNodes(), p.hierarchy.NumArcs(), p.hierarchy.NumNodes()) {
		b.anew(CH, "its order takes many more arcs now")
		p.hierarchy = nil
		return b.contract(ctx, p, nil)
	}
	b.reused(CH)
	return nil
}

// changedMuch says whether the weights of so many nodes have changed that an order
// made for those before suits them badly.
func (b *builder) changedMuch(before, now *graph.Metric) bool {
	changed := 0
	for v, w := range now.NodeWeight {
		if before.NodeWeight[v] != w {
			changed++
		}
	}
	if changed <= len(now.NodeWeight)/mostNew {
		return false
	}
	b.anew(CH, fmt.Sprintf("the weights of %d of %d search nodes have changed", changed, len(now.NodeWeight)))
	return true
}

// orderLike takes over the order of the earlier data set, if that serves.
func (b *builder) orderLike(ctx context.Context, p *parts, e *earlier) error {
	if !b.reuse(p, e, CCH, func(e *earlier) error {
		_, err := e.openOrder(&Options{FS: b.opt.FS}, e.network)
		return err
	}) {
		return b.order(ctx, p)
	}
	if err := b.stage("order", func() (err error) {
		p.order, err = ch.OrderBy(ctx, p.net, e.order.RanksFor(e.of, p.net.EdgeFirst, p.net.EdgeHead))
		return err
	}); err != nil {
		return err
	}
	if grown(e.order.NumArcs(), e.order.NumNodes(), p.order.NumArcs(), p.order.NumNodes()) {
		b.anew(CCH, "its order takes many more arcs now")
		p.order = nil
		return b.order(ctx, p)
	}
	b.reused(CCH)
	return b.customizeOrder(ctx, p)
}

// grown says whether there are many more arcs a node than before.
func grown(arcs, nodes, nowArcs, nowNodes int) bool {
	return int64(nowArcs)*int64(nodes)*orderSlack > int64(arcs)*int64(nowNodes)*(orderSlack+1)
}

// partitionLike takes over the cells of the earlier data set, as far as they serve.
func (b *builder) partitionLike(ctx context.Context, p *parts, e *earlier) error {
	if !b.reuse(p, e, MLD, b.openCells) {
		return b.partitionAll(ctx, p)
	}
	var cells *mld.Cells
	if err := b.stage("partition", func() error {
		var r mld.Inherited
		var err error
		cells, r, err = mld.PartitionLike(ctx, p.net, e.cells(), b.partition(p, nil))
		b.inherited(r, err)
		return err
	}); err != nil {
		return err
	}
	return b.customize(ctx, p, cells)
}

// divideLike is partitionLike for what .cells holds.
func (b *builder) divideLike(ctx context.Context, p *parts, sizes []int) (cells *mld.Division, err error) {
	e, err := b.openLike(p)
	if err != nil {
		return nil, err
	}
	if !b.reuse(p, e, MLD, b.openCells) {
		return b.divide(ctx, p, sizes)
	}
	err = b.stage("partition", func() (err error) {
		var r mld.Inherited
		cells, r, err = mld.DivideLike(ctx, p.net, e.cells(), b.partition(p, sizes))
		b.inherited(r, err)
		return err
	})
	return cells, err
}

func (b *builder) openCells(e *earlier) error {
	_, err := e.openOverlay(&Options{FS: b.opt.FS}, e.network)
	return err
}

func (e *earlier) cells() mld.Earlier {
	return mld.Earlier{Network: e.net, Cells: e.overlay.Cells(), Of: e.of}
}

// inherited reports what became of the cells.
func (b *builder) inherited(r mld.Inherited, err error) {
	switch {
	case err != nil:
	case r.Anew != "":
		b.anew(MLD, r.Anew)
	default:
		b.reused(MLD)
		b.report.Like.Cells, b.report.Like.Recut = r.Cells, r.Recut
	}
}
