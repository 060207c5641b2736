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
// layer: the speeds of a layer count before those of the layers below it.
type Update struct {
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
	Layers []LayerReport // all, in their order
	// Nodes counts the search nodes whose costs differ from those in the files.
	Nodes int
	// Took is the time from the call until the first query could see the change.
	Took time.Duration
}

// LayerReport tells what a layer has, and how much of it the network has too.
type LayerReport struct {
	Name string // one of Options.Layers
	// Speeds, Ways and Turns count what the layer has, the others what of it is in
	// the network.
	Speeds, Ways, Turns                int
	FoundSpeeds, FoundWays, FoundTurns int
}

// layer is a layer's content.
type layer struct {
	speeds map[[2]int64]traffic.Speed
	ways   map[traffic.DirectedWay]traffic.Speed
	turns  map[[3]int64]traffic.Penalty
}

func (l *layer) empty() bool { return len(l.speeds)+len(l.ways)+len(l.turns) == 0 }

// live is the state of an Engine's updates, under Engine.changing.
type live struct {
	layers  []layer // by Options.Layers
	index   *traffic.Index
	base    *graph.Metric // of the files
	changed graph.Bits    // search nodes whose costs are not those of base
	count   int           // of metrics that had an id
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
	d := e.current.Load()
	if d.overlay == nil && d.order == nil {
		return nil, &Error{
			Code: ErrNotImplemented, Index: -1,
			Message: "With CH costs cannot change while the engine runs.",
			Detail:  "Open the data set with MLD or CCH, or contract it again with Updates.",
		}
	}
	next, err := e.live.with(updates, e.opt.Layers)
	if err != nil {
		return nil, err
	}
	defer guardData(d, &err)()
	report, err = e.apply(ctx, d, next, d.closed)
	if err != nil {
		return nil, err
	}
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

// with returns the layers after updates.
func (l *live) with(updates []Update, names []string) ([]layer, error) {
	layers := slices.Clone(l.layers)
	if layers == nil {
		layers = make([]layer, len(names))
	}
	own := make([]bool, len(layers))
	for i := range updates {
		u := &updates[i]
		at := slices.Index(names, u.Layer)
		if at < 0 {
			return nil, &Error{
				Code: ErrInvalidValue, Index: -1, Message: fmt.Sprintf("There is no layer %q.", u.Layer),
				Detail: fmt.Sprintf("The layers are %s.", strings.Join(names, ", ")),
			}
		}
		x := &layers[at]
		switch {
		case u.Clear:
			*x = layer{map[[2]int64]traffic.Speed{}, map[traffic.DirectedWay]traffic.Speed{}, map[[3]int64]traffic.Penalty{}}
		case !own[at] && x.speeds == nil:
			*x = layer{map[[2]int64]traffic.Speed{}, map[traffic.DirectedWay]traffic.Speed{}, map[[3]int64]traffic.Penalty{}}
		case !own[at]:
			*x = layer{maps.Clone(x.speeds), maps.Clone(x.ways), maps.Clone(x.turns)}
		}
		own[at] = true
		if err := x.add(u); err != nil {
			return nil, err
		}
	}
	return layers, nil
}

// add adds an update to a layer.
func (l *layer) add(u *Update) error {
	for i, s := range u.Speeds {
		speed, remove, err := speedOf(s.Speed, s.Rate, s.KeepWeight, "Speeds", i)
		if err != nil {
			return err
		}
		put(l.speeds, [2]int64{s.From, s.To}, speed, remove)
	}
	for i, s := range u.Ways {
		speed, remove, err := speedOf(s.Speed, s.Rate, s.KeepWeight, "Ways", i)
		if err != nil {
			return err
		}
		put(l.ways, traffic.DirectedWay{ID: s.Way, Backward: s.Backward}, speed, remove)
	}
	for i, t := range u.Turns {
		p := traffic.Penalty{Seconds: t.Penalty, Weight: t.Weight}
		if math.IsNaN(t.Penalty+t.Weight) || math.IsInf(t.Penalty+t.Weight, 0) {
			return invalid(-1, "Turns[%d] costs %v s and %v of weight: both must be finite", i, t.Penalty, t.Weight)
		}
		if t.Weight == 0 {
			p.Weight = math.NaN()
		}
		put(l.turns, [3]int64{t.From, t.Via, t.To}, p, t.Remove)
	}
	return nil
}

func put[K comparable, V any](m map[K]V, key K, value V, remove bool) {
	if remove {
		delete(m, key)
	} else {
		m[key] = value
	}
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

// apply makes a data set with the costs of layers, and with closures, the current one.
func (e *Engine) apply(ctx context.Context, d *dataset, layers []layer, closed *closureSet) (*ChangeReport, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.live.base == nil {
		e.live.index, e.live.base = d.parts.index(), d.underClosures()
		e.live.changed = graph.MakeBits(d.net.NumNodes())
	}
	metric, nodes, report, err := e.live.metric(layers, e.opt.Layers)
	if err != nil {
		return nil, err
	}
	changed := graph.MakeBits(d.net.NumNodes())
	for _, v := range nodes {
		changed.Set(uint32(v))
	}
	either := slices.Clone(changed)
	for i, word := range e.live.changed {
		either[i] |= word
	}
	if closed != d.closed {
		addNodes(d.net, either, closed.list)
	}
	next, err := d.renewClosed(ctx, metric, closed, either)
	if err != nil {
		return nil, err
	}
	e.install(d, next)
	e.live.layers, e.live.changed = layers, changed
	return report, nil
}

// metric returns the metric of layers, and the search nodes that it changes.
func (l *live) metric(layers []layer, names []string) (*graph.Metric, []graph.NodeID, *ChangeReport, error) {
	u := traffic.NewUpdater(l.index, l.base, new(traffic.Report))
	report := &ChangeReport{Layers: make([]LayerReport, len(layers))}
	for i := range layers {
		x, r := &layers[i], &report.Layers[i]
		*r = LayerReport{Name: names[i], Speeds: len(x.speeds), Ways: len(x.ways), Turns: len(x.turns)}
		if x.empty() {
			continue
		}
		source, err := u.Source(names[i])
		if err != nil {
			return nil, nil, nil, tooBig(traffic.MaxSources, "The layers in use and the files of the data set are more than %d sources.", traffic.MaxSources)
		}
		r.FoundWays = u.Ways(x.ways, source)
		for at, s := range x.speeds {
			if u.Segment(at[0], at[1], s, source) {
				r.FoundSpeeds++
			}
		}
		for at, p := range x.turns {
			if u.Turn(at[0], at[1], at[2], p) {
				r.FoundTurns++
			}
		}
	}
	m, nodes := u.Finish()
	report.Nodes = len(nodes)
	return m, nodes, report, nil
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
	p, err := open(name, &e.opt)
	if err != nil {
		_ = closeAll(p.files) // the first error says more
		return damage(name, err)
	}
	before := e.live
	layers, closed := before.layers, e.current.Load().closed
	e.live = live{count: before.count}
	if !closed.live() && !slices.ContainsFunc(layers, func(l layer) bool { return !l.empty() }) {
		e.put(newDataset(p.use(), &e.opt, newLifetime()))
		return nil
	}
	if err := e.replaceUnder(ctx, newDataset(p.use(), &e.opt, newLifetime()), layers, closed); err != nil {
		e.live = before
		return err
	}
	return nil
}

// replaceUnder makes a data set with the costs of layers, and with the closures of
// another one, the current one.
func (e *Engine) replaceUnder(ctx context.Context, d *dataset, layers []layer, closed *closureSet) (err error) {
	defer func() { err = errors.Join(err, d.retire()) }() // apply makes another one of it
	defer guardData(d, &err)()
	if closed, err = closuresOn(ctx, closed, d); err == nil {
		_, err = e.apply(ctx, d, layers, closed)
	}
	return err
}
