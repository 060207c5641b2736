package routing

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
	"github.com/fourway-routing/fourway/internal/reach"
	"github.com/fourway-routing/fourway/internal/traffic"
	"github.com/fourway-routing/fourway/mld"
	"github.com/fourway-routing/fourway/pool"
)

// dataset is what an Engine answers from at a time. Only the queries of a dataset
// that is retired still use it.
type dataset struct {
	name      string
	opt       *Options
	parts     *parts
	net       *graph.Network
	metric    *graph.Metric
	hierarchy *ch.Hierarchy // or
	overlay   *mld.Overlay
	order     *ch.Order // of hierarchy, or nil
	// customized is by excluded classes; nil if these are excluded as prepared.
	customized *shared[graph.ClassMask, customized]
	// With closures, metric is under with their roads closed.
	closed *closureSet   // or nil
	under  *graph.Metric // or nil
	// turnLayer finds the layer of Update with a turn, if there are any.
	turnLayer  func(from, via, to int64) string
	avoided    *shared[string, *dataset] // by what is avoided
	metricName string                    // empty for the default
	info       Info
	// changedNodes and bytes are what MetricInfo tells.
	changedNodes int
	bytes        int64
	sets         []graph.ClassMask // prepared to be excluded, by set of the searcher
	hint         string
	unit         float64  // of weight
	sources      []string // names of data sources, the profile first
	workspaces   *pool.Bounded[*workspace]

	queries *gate
	life    *lifetime // shared with the datasets in avoided
}

// parts are what a dataset is made of.
type parts struct {
	name                   string
	metricName             string             // of a metric beside the default one
	network                *graph.NetworkFile // of net, or nil
	net                    *graph.Network
	metric                 *graph.Metric
	metricFile             *graph.MetricFile // that metric is from, or nil
	hierarchy              *ch.Hierarchy     // or nil
	overlay                *mld.Overlay      // or nil
	order                  *ch.Order         // or nil
	ordered                *ch.Hierarchy     // of order
	graphID, metricID      file.ID
	hierarchyID, overlayID file.ID
	orderID                file.ID
	files                  []io.Closer
	committing             commit // that was not finished when looked
	looked                 bool
	users                  *atomic.Int64 // datasets that are not retired and use the files
	below                  *parts        // whose files are used too, or nil
	index                  func() *traffic.Index
	incoming               func() *reach.Incoming
	tags                   *graph.Elements // or nil
	elements               func() *graph.Elements
	overviews              [len(streetTiers)]func() *streetOverview
}

func newDataset(p *parts, opt *Options, life *lifetime) *dataset {
	e := &dataset{
		name: p.name, opt: opt, parts: p, net: p.net, metric: p.metric,
		sets: []graph.ClassMask{0}, queries: newGate(), life: life, avoided: newShared[string, *dataset](life),
		unit: math.Pow10(p.net.Properties.WeightPrecision),
		hint: hint(p.graphID), sources: p.metric.Sources,
	}
	if len(e.sources) == 0 {
		e.sources = []string{profileSource}
	}
	switch opt.Algorithm {
	case MLD:
		e.overlay = p.overlay
		if e.overlay.NumSets() > 1 { // none is prepared after an update
			e.sets = append(e.sets, p.net.Properties.Excludable...)
		}
		e.customized = newShared[graph.ClassMask, customized](life)
	case CCH:
		e.order, e.hierarchy = p.order, p.ordered
		e.customized = newShared[graph.ClassMask, customized](life)
	default:
		e.hierarchy = p.hierarchy
		e.sets = append(e.sets, p.net.Properties.Excludable...)
	}
	e.info = describe(p, opt.Algorithm)
	e.workspaces = pool.NewBounded(pool.BoundedOptions[*workspace]{
		Max:  opt.Workspaces,
		New:  func() *workspace { return newWorkspace(e) },
		Keep: (*workspace).keep,
	})
	return e
}

// use counts a dataset among those that use the files, until it is retired.
func (p *parts) use() *parts {
	if p.users == nil {
		p.share()
	}
	p.users.Add(1)
	return p
}

// release counts a dataset out. The files are closed behind the last one.
func (p *parts) release() error {
	if p.users.Add(-1) > 0 {
		return nil
	}
	err := closeAll(p.files)
	if p.below != nil {
		err = errors.Join(err, p.below.release())
	}
	return err
}

// share makes what copies of the parts have in common.
func (p *parts) share() {
	p.users = new(atomic.Int64)
	if p.below != nil {
		of := p.below.use()
		p.index, p.elements, p.overviews = of.index, of.elements, of.overviews
	} else {
		net := p.net
		p.index = sync.OnceValue(func() *traffic.Index { return traffic.NewIndex(net) })
		p.incoming = sync.OnceValue(func() *reach.Incoming { return reach.NewIncoming(net) })
		tags := p.tags
		p.elements = sync.OnceValue(func() *graph.Elements {
			if tags != nil {
				return tags
			}
			return graph.ElementsOf(net)
		})
		for tier := range p.overviews {
			p.overviews[tier] = sync.OnceValue(func() *streetOverview { return newStreetOverview(net, tier) })
		}
	}
}

// customize prepares the search to keep out of a set of nodes.
func (d *dataset) customize(ctx context.Context, excluded graph.Bits) (c customized, err error) {
	if d.overlay != nil {
		c.cliques, err = d.overlay.Customize(ctx, excluded, 0)
	} else {
		c.hierarchy, err = d.order.Customize(ctx, graph.Expand(d.net, d.metric), ch.CustomizeOptions{Exclude: excluded})
	}
	return c, err
}

// renew returns a dataset with another metric, which differs from d's where search
// nodes have changed.
func (d *dataset) renew(ctx context.Context, m *graph.Metric, changed graph.Bits, life *lifetime) (*dataset, error) {
	p := *d.parts
	p.metric = m
	if !slices.ContainsFunc(changed, func(word uint64) bool { return word != 0 }) {
		return newDataset(&p, d.opt, life), nil
	}
	x := graph.Expand(p.net, m)
	var err error
	if d.overlay != nil {
		p.overlay, err = d.overlay.Update(ctx, x, changed, 0)
	} else {
		p.ordered, err = d.order.Update(ctx, d.hierarchy, x, changed, ch.CustomizeOptions{})
	}
	if err != nil {
		return nil, err
	}
	return newDataset(&p, d.opt, life), nil
}

// hint returns the token that stands for a candidate: the 84 bytes of OSRM's,
// of which only the last four say anything, namely which data set it is from.
func hint(id file.ID) string {
	var raw [84]byte
	binary.LittleEndian.PutUint32(raw[80:], binary.LittleEndian.Uint32(id[:4]))
	return base64.URLEncoding.EncodeToString(raw[:])
}

// profileSource is how OSRM calls the profile among the data sources.
const profileSource = "lua profile"

// retire waits for the queries that run, lets none in after them, and gives the
// files back unless another dataset uses them.
func (d *dataset) retire() error {
	if !d.queries.close() {
		return nil
	}
	d.life.close()
	d.workspaces.Close()
	return d.parts.release()
}

func closeAll(files []io.Closer) error {
	var errs []error
	for _, f := range files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// weight returns a weight in the unit that answers use.
func (e *dataset) weight(w graph.Weight) float64 { return float64(w) / e.unit }
