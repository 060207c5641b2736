package routing

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/traffic"
)

// Update changes what roads and turns cost while an Engine runs. It is of one
// layer of one metric: the speeds of a layer count before those of the layers below it.
type Update struct {
	// Metric names the metric, empty for the default one. A name that is new makes a
	// metric of the default one's files, without what Update has told of that; it is
	// of letters, digits, - and _.
	Metric string
	// Layer is one of Options.Layers.
	Layer string
	// Clear forgets what the layer has, before the rest is added to it.
	Clear  bool
	Speeds []SegmentSpeed
	Ways   []WaySpeed
	Turns  []TurnPenalty
}

// SegmentSpeed is the speed from an OSM node to its neighbor. It counts before that
// of a way of the same layer.
type SegmentSpeed struct {
	From, To int64 // OSM nodes
	// Speed is in km/h; 0 closes the segment in this direction, and a negative
	// speed takes the segment out of the layer again.
	Speed float64
	// Rate is in meters per unit of weight; 0 lets the weight follow the speed.
	Rate float64
	// KeepWeight, without a Rate, leaves the weight what it is in the files.
	KeepWeight bool
}

// WaySpeed is the speed along an OSM way.
type WaySpeed struct {
	Way      int64 // OSM way
	Backward bool  // against the order of the way's nodes
	// Speed, Rate and KeepWeight are as those of a SegmentSpeed.
	Speed, Rate float64
	KeepWeight  bool
}

// TurnPenalty is what the turn costs at an OSM node, from one neighbor to another.
type TurnPenalty struct {
	From, Via, To int64   // OSM nodes
	Penalty       float64 // seconds; it may be negative
	// Weight is in units of weight; 0 stands for the Penalty's.
	Weight float64
	// Remove takes the turn out of the layer again.
	Remove bool
}

// ChangeReport tells what became of Updates.
type ChangeReport struct {
	// Layers are all of the metrics that were updated, in the order of their names
	// and the layers' own.
	Layers []LayerReport
	// Metrics are those that were updated, as they are now, in the order of their names.
	Metrics []MetricInfo
	// Nodes counts the search nodes of these metrics whose costs differ from those in
	// the files.
	Nodes int
	// Took is the time from the call until the first query could see the change.
	Took time.Duration
}

// LayerReport tells what a layer has, and how much of it the network has too.
type LayerReport struct {
	Metric string
	Name   string // one of Options.Layers
	// Speeds, Ways and Turns count what the layer has, the others what of it is in
	// the network.
	Speeds, Ways, Turns                int
	FoundSpeeds, FoundWays, FoundTurns int
}

// defaultLayers are the layers unless Options name others.
var defaultLayers = []string{"historic", "live", "closures"}

// Update changes costs, for queries that begin after it has returned; those that run
// finish with the costs that they began with. Either all of the updates count or, if
// there is an error, none. The data set's files stay as they are.
//
// Speeds and penalties are matched by OSM ids; what is not in the network, or
// cannot be driven, is kept but has no effect: the report has the numbers. With MLD,
// cells are customized that have changed, with CCH arcs; CH needs a new contraction,
// and Update is an ErrNotImplemented error. Updates of one Engine wait for each
// other. Errors are an *Error, or the context's.
func (e *Engine) Update(ctx context.Context, updates ...Update) (report *ChangeReport, err error) {
	began := time.Now()
	if err := e.lock(ctx); err != nil {
		return nil, err
	}
	defer e.unlock()
	if e.closed {
		return nil, &Error{Code: ErrClosed, Index: -1, Message: "the engine is closed"}
	}
	c := e.current.Load()
	if c.overlay == nil && c.order == nil {
		return nil, &Error{
			Code: ErrNotImplemented, Index: -1,
			Message: "With CH costs cannot change while the engine runs.",
			Detail:  "Open the data set with MLD or CCH, or contract it again with Updates.",
		}
	}
	defer guardData(c.dataset, &err)()
	x := e.draft(c)
	if report, err = x.update(ctx, c, updates); err != nil {
		x.discard()
		return nil, err
	}
	x.install()
	report.Took = time.Since(began)
	return report, nil
}

// guardData makes faults of damaged data an error of the function that defers what
// it returns.
func guardData(d *dataset, err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		p := recover()
		if p == nil {
			if *err != nil && fromData(*err) {
				*err = d.corrupt(*err)
			}
			return
		}
		fault, ok := p.(error)
		if !ok || !fromData(fault) {
			panic(p)
		}
		*err = d.corrupt(fault)
	}
}

// update puts in datasets of metrics after updates.
func (x *draft) update(ctx context.Context, c *catalog, updates []Update) (*ChangeReport, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	names := []string{""}
	if len(updates) > 0 {
		names = names[:0]
		for i := range updates {
			names = append(names, updates[i].Metric)
		}
		slices.Sort(names)
		names = slices.Compact(names)
	}
	report := new(ChangeReport)
	for _, name := range names {
		if err := x.updateMetric(ctx, c, name, updates); err != nil {
			return nil, err
		}
		info := x.list[x.index(name)].metricInfo()
		report.Metrics = append(report.Metrics, info)
		report.Nodes += info.Nodes
		l := x.live[name].layers
		for i, layer := range x.engine.opt.Layers {
			n := l.Count(i)
			report.Layers = append(report.Layers, LayerReport{
				Metric: name, Name: layer, Speeds: n.Speeds, Ways: n.Ways, Turns: n.Turns,
				FoundSpeeds: n.FoundSpeeds, FoundWays: n.FoundWays, FoundTurns: n.FoundTurns,
			})
		}
	}
	return report, nil
}

// updateMetric puts in the dataset of a metric after those of updates that are of it.
func (x *draft) updateMetric(ctx context.Context, c *catalog, name string, updates []Update) error {
	from, l := c.find(name), x.live[name]
	made := from == nil
	if made {
		if !validMetric(name) {
			return errMetricName(name)
		}
		from, l = c.dataset, live{files: x.live[""].files}
	}
	names := x.engine.opt.Layers
	changes, err := changesOf(name, updates, names)
	if err != nil {
		return err
	}
	if l.layers == nil {
		l.layers = traffic.NewLayers(l.files.index(), l.files.metric, names)
	}
	next, changed, err := l.layers.With(ctx, changes)
	if errors.Is(err, traffic.ErrTooManySources) {
		return tooBig(traffic.MaxSources, "The layers in use and the files of the data set are more than %d sources.", traffic.MaxSources)
	}
	if err != nil {
		return err
	}
	if of := x.engine.live[""].layers; made && of != nil {
		others, _ := of.Changed()
		for i, word := range others {
			changed[i] |= word
		}
	}
	return x.remake(ctx, from, name, live{l.files, next}, c.closed, changed)
}

// changesOf returns those of updates that are of a metric.
func changesOf(metric string, updates []Update, layers []string) ([]traffic.LayerChange, error) {
	var changes []traffic.LayerChange
	for i := range updates {
		u := &updates[i]
		if u.Metric != metric {
			continue
		}
		at := slices.Index(layers, u.Layer)
		if at < 0 {
			return nil, &Error{
				Code: ErrInvalidValue, Index: -1, Message: fmt.Sprintf("There is no layer %q.", u.Layer),
				Detail: fmt.Sprintf("The layers are %s.", strings.Join(layers, ", ")),
			}
		}
		c, err := u.change(at)
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// change returns the change that an update makes to a layer.
func (u *Update) change(layer int) (traffic.LayerChange, error) {
	c := traffic.LayerChange{Layer: layer, Clear: u.Clear, Speeds: make([]traffic.SegmentSpeed, len(u.Speeds))}
	for i, s := range u.Speeds {
		speed, remove, err := speedOf(s.Speed, s.Rate, s.KeepWeight, "Speeds", i)
		if err != nil {
			return c, err
		}
		c.Speeds[i] = traffic.SegmentSpeed{From: s.From, To: s.To, Speed: speed, Remove: remove}
	}
	for i, s := range u.Ways {
		speed, remove, err := speedOf(s.Speed, s.Rate, s.KeepWeight, "Ways", i)
		if err != nil {
			return c, err
		}
		c.Ways = append(c.Ways, traffic.WaySpeed{Way: traffic.DirectedWay{ID: s.Way, Backward: s.Backward}, Speed: speed, Remove: remove})
	}
	for i, t := range u.Turns {
		p := traffic.Penalty{Seconds: t.Penalty, Weight: t.Weight}
		if math.IsNaN(t.Penalty+t.Weight) || math.IsInf(t.Penalty+t.Weight, 0) {
			return c, invalid(-1, "Turns[%d] costs %v s and %v of weight: both must be finite", i, t.Penalty, t.Weight)
		}
		if t.Weight == 0 {
			p.Weight = math.NaN()
		}
		c.Turns = append(c.Turns, traffic.TurnPenalty{From: t.From, Via: t.Via, To: t.To, Penalty: p, Remove: t.Remove})
	}
	return c, nil
}

func speedOf(speed, rate float64, keep bool, list string, i int) (s traffic.Speed, remove bool, err error) {
	if math.IsNaN(speed) || math.IsInf(speed, 0) || !(rate >= 0) || math.IsInf(rate, 0) {
		return s, false, invalid(-1, "%s[%d] has a speed of %v and a rate of %v: both must be finite, the rate 0 or more", list, i, speed, rate)
	}
	s = traffic.Speed{KMH: speed, Rate: rate}
	switch {
	case rate > 0:
		s.Rule = traffic.WeightRate
	case keep:
		s.Rule = traffic.WeightKept
	}
	return s, speed < 0, nil
}

// Replace makes another data set, which Build wrote, the one that queries are
// answered from: those that begin after it has returned. Those that run finish on
// the one before, whose files are closed behind the last of them. It is opened with
// the Engine's Options, and what Update and CloseRoads have told is told to it too, so
// that a data set can follow the map under live traffic. If there is an error, it is that of
// Open or Update, and nothing has changed.
func (e *Engine) Replace(ctx context.Context, name string) error {
	if err := e.lock(ctx); err != nil {
		return err
	}
	defer e.unlock()
	if e.closed {
		return &Error{Code: ErrClosed, Index: -1, Message: "the engine is closed"}
	}
	opened, err := openAll(name, &e.opt)
	if err != nil {
		return damage(name, err)
	}
	x := e.draft(nil)
	if err := x.replace(ctx, e.current.Load(), opened); err != nil {
		x.discard()
		for _, p := range opened {
			_ = closeAll(p.files) // the first error says more
		}
		return err
	}
	x.install()
	return nil
}

// replace puts in datasets of files, the default metric's first, with what Update and
// CloseRoads have told before.
func (x *draft) replace(ctx context.Context, c *catalog, opened []*parts) (err error) {
	e := x.engine
	for _, p := range opened {
		p.share()
		x.live[p.metricName] = live{files: p}
	}
	x.week = c.week
	base := newDataset(opened[0], &e.opt, newLifetime())
	defer func() {
		base.life.close()
		base.workspaces.Close()
	}()
	defer guardData(base, &err)()
	closed, err := closuresOn(ctx, c.closed, base)
	if err != nil {
		return err
	}
	for name := range e.live {
		if _, ok := x.live[name]; !ok {
			x.live[name] = live{files: opened[0]}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x.live)) {
		l, before := x.live[name], e.live[name]
		changed := graph.MakeBits(base.net.NumNodes())
		if !before.plain() {
			changes, err := changesBefore(c.dataset, before.layers)
			if err != nil {
				return err
			}
			l.layers = traffic.NewLayers(l.files.index(), l.files.metric, e.opt.Layers)
			if l.layers, changed, err = l.layers.With(ctx, changes); err != nil {
				return err
			}
		}
		if closed != nil {
			addNodes(base.net, changed, closed.list)
		}
		from := base
		if l.files != opened[0] {
			from = newDataset(l.files, &e.opt, base.life)
		}
		if err := x.remake(ctx, from, name, l, closed, changed); err != nil {
			return err
		}
	}
	return nil
}

// changesBefore returns what Update has told of a dataset, which may be damaged.
func changesBefore(d *dataset, l *traffic.Layers) (changes []traffic.LayerChange, err error) {
	defer guardData(d, &err)()
	return l.Changes(), nil
}
