package routing

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/traffic"
)

// live is what Update has told of a metric. It is immutable.
type live struct {
	files  *parts          // as they were opened
	layers *traffic.Layers // nil before the first Update
}

// metric returns the metric but for closures.
func (l live) metric() *graph.Metric {
	if l.layers == nil {
		return l.files.metric
	}
	return l.layers.Metric()
}

// plain says whether the metric is that of the files.
func (l live) plain() bool { return l.layers == nil || l.layers.Empty() }

// draft is a catalog in the making, of which no query sees anything before it is
// installed. It is used under Engine.changing, and by one call of install or discard
// at its end.
type draft struct {
	engine *Engine
	list   []*dataset // of the catalog
	made   []*dataset // those of list that are new
	live   map[string]live
	week   Week
}

// draft begins with a catalog, or with none.
func (e *Engine) draft(c *catalog) *draft {
	x := &draft{engine: e, live: map[string]live{}, week: e.opt.Week}
	if c != nil {
		x.list, x.live, x.week = c.all(), maps.Clone(e.live), c.week
	}
	return x
}

// open puts in the dataset of files.
func (x *draft) open(p *parts) *dataset {
	d := newDataset(p, &x.engine.opt, newLifetime())
	x.put(d, p.metricName, live{files: p})
	return d
}

// put puts in a dataset that is new, in the place of that of the same metric.
func (x *draft) put(d *dataset, name string, l live) {
	d.metricName = name
	if l.layers != nil {
		d.turnLayer = l.layers.TurnLayer
	}
	x.made = append(x.made, d)
	x.live[name] = l
	d.measure(x.live[""].files, l)
	if at := x.index(name); at < 0 {
		x.list = append(x.list, d)
	} else {
		x.list[at] = d
	}
}

// index returns where in the list a metric is, -1 if it is not there.
func (x *draft) index(name string) int {
	return slices.IndexFunc(x.list, func(d *dataset) bool { return d.metricName == name })
}

// remake puts in a dataset for a metric, with closures or none. It is made of another
// one, from which it differs where search nodes have changed.
func (x *draft) remake(ctx context.Context, from *dataset, name string, l live, closed *closureSet, changed graph.Bits) error {
	if l.plain() && !closed.live() {
		d := newDataset(l.files, &x.engine.opt, newLifetime())
		d.closed = closed // with the numbers that it has given
		x.put(d, name, l)
		return nil
	}
	d, err := from.renewClosed(ctx, l.metric(), closed, changed)
	if err != nil {
		return err
	}
	x.engine.changes++
	d.info.MetricID = fmt.Sprintf("%s+%d", l.files.metricID, x.engine.changes)
	x.put(d, name, l)
	return nil
}

// install makes the draft what queries are answered from that begin from now on.
func (x *draft) install() {
	e := x.engine
	for _, d := range x.made {
		d.parts.use()
	}
	e.live = x.live
	c := newCatalog(x.list, &x.week)
	e.put(c)
	e.awaitEnd(c.closed)
}

// discard ends what the draft has made.
func (x *draft) discard() {
	for _, d := range x.made {
		d.life.close()
		d.workspaces.Close()
	}
}
