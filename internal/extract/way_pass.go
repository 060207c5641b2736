package extract

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/profile"
)

// pace is what a segment costs: from 0 on, an amount for the segment whatever
// its length; below 0, the negated number of meters that one unit buys.
type pace float32

// paceOf prefers an amount for the whole way, shared equally among its
// segments; rate is in meters per unit.
func paceOf(whole float64, segments int, rate float64) pace {
	if whole >= 0 {
		return pace(whole / float64(segments))
	}
	return -pace(rate)
}

// of returns the cost of a segment.
func (p pace) of(meters float64) float64 {
	if p >= 0 {
		return float64(p)
	}
	return -meters / float64(p)
}

// annotation is what a direction of a way shows in answers, and what must not
// change along a chain; of the lanes, the last on the chain count.
type annotation struct {
	labels   uint32
	lanes    uint32
	classes  graph.ClassMask
	mode     graph.Mode
	leftHand bool
}

// sameRoad tells whether two stretches are one road but for their lanes.
func (a *annotation) sameRoad(b *annotation) bool {
	return a.labels == b.labels && a.classes == b.classes && a.mode == b.mode && a.leftHand == b.leftHand
}

// way is a way that may be used. Its node ids are refs[firstRef:] up to the
// next way's.
type way struct {
	id       int64
	firstRef uint32
	flags    roadFlags       // of both directions
	dir      [2]wayDirection // along the nodes, against
	split    bool            // the directions differ in more than restrictions
}

// separate tells whether a direction has edges of its own. Both directions of
// a way share one where they do not differ, with the values of the first.
func (w *way) separate(dir int) bool {
	return w.dir[dir].open && (dir == 0 || w.split || !w.dir[0].open)
}

// wayDirection is one direction of a way.
type wayDirection struct {
	duration, weight pace
	note             uint32
	open, restricted bool
}

// wayPass is what the pass over ways and relations collects.
type wayPass struct {
	texts  *stringTable
	labels *unique[nbg.Label]
	lanes  *laneTable
	notes  *unique[annotation]
	ways   []way
	refs   []int64
	// restrictions as relations tell them.
	restrictions []relationRestriction
}

// namedWay is a way with texts that are not numbered yet.
type namedWay struct {
	way
	firstRef, endRef int // in the batch
	lanes            [2]string
	ref              [2]string
	classes          [2]graph.ClassMask
	mode             [2]graph.Mode
	leftHand         bool
	tags             osm.Tags // the block's

	name, pronunciation, destinations, exits string
}

// wayBatch is what one worker makes of one block.
type wayBatch struct {
	worker       profile.Worker
	ends         *wayEnds
	way          osm.Way
	result       profile.WayResult
	ways         []namedWay
	refs         []int64
	restrictions []relationRestriction
	members      map[int64]bool // of areas
	outlines     []outline
	faults       []DroppedRestriction
	dropped      Dropped
	numRelations int
}

// readWays runs the first pass over ways, after one over relations for profiles
// that want them.
func (x *extraction) readWays(ctx context.Context) error {
	if err := x.readWayEnds(ctx); err != nil {
		return err
	}
	if err := x.readRelations(ctx); err != nil {
		return err
	}
	p := &x.wayPass
	*p = wayPass{
		texts:  newStringTable(),
		labels: newUnique(nbg.Label{}),
		lanes:  newLaneTable(),
		notes:  newUnique[annotation](),
	}
	batches := make([]wayBatch, x.opts.Workers)
	for i := range batches {
		w, err := x.worker(i)
		if err != nil {
			return err
		}
		batches[i].worker, batches[i].ends, batches[i].members = w, x.ends, x.areas.members
	}
	reader := newRestrictionReader(x.props, x.opts.Conditionals)
	options := x.scan("ways", osmfile.Ways|osmfile.Relations)
	options.WayEnds = x.ends != nil && x.ends.onWays
	stats, err := x.file.Scan(ctx, options, osmfile.Handler{
		Parallel: func(b *osmfile.Block) error { return batches[b.Worker].fill(b, reader, x.props) },
		Ordered:  func(b *osmfile.Block) error { return x.addWays(&batches[b.Worker]) },
	})
	if err != nil {
		return err
	}
	x.report.Ways, x.report.Relations = int(stats.Ways), int(stats.Relations)
	x.report.UsedWays = len(p.ways)
	for i := range p.restrictions {
		if p.restrictions[i].told == nil {
			x.report.Restrictions++
		}
	}
	p.ways = append(p.ways, way{firstRef: uint32(len(p.refs))})
	x.ends = nil
	return nil
}

// fill evaluates a block.
func (b *wayBatch) fill(block *osmfile.Block, reader *restrictionReader, props *profile.Properties) error {
	b.ways, b.refs, b.restrictions, b.outlines = b.ways[:0], b.refs[:0], b.restrictions[:0], b.outlines[:0]
	b.faults, b.dropped, b.numRelations = b.faults[:0], Dropped{}, 0
	for i := range block.Ways {
		if err := b.addWay(&block.Ways[i], props); err != nil {
			return err
		}
	}
	for i := range block.Relations {
		var fault RestrictionFault
		before := len(b.restrictions)
		b.restrictions, fault = reader.append(b.restrictions, &block.Relations[i])
		if len(b.restrictions) > before {
			b.numRelations++
		}
		if fault > restrictionNone {
			b.faults = append(b.faults, DroppedRestriction{int64(block.Relations[i].ID), fault})
		}
		b.restrictions = appendTold(b.restrictions, &block.Relations[i])
	}
	return nil
}

func (b *wayBatch) addWay(w *osmfile.Way, props *profile.Properties) error {
	b.way.ID, b.way.Tags = w.ID, w.Tags
	b.way.Nodes = b.way.Nodes[:0]
	for _, ref := range w.Refs {
		b.way.Nodes = append(b.way.Nodes, osm.WayNode{ID: ref})
	}
	if b.ends != nil && len(w.Tags) > 0 {
		at, ok, err := b.ends.of(w)
		if err != nil {
			return err
		}
		if ok {
			last := &b.way.Nodes[len(b.way.Nodes)-1]
			last.Lon, last.Lat = at.LonLat()
		}
	}
	r := &b.result
	if err := b.worker.Way(&b.way, r); err != nil {
		return fmt.Errorf("extract: way %d: %w", w.ID, err)
	}
	b.outlines = appendOutline(b.outlines, w, r, b.members)
	durationIsWeight := props.DurationIsWeight()
	if !r.Routable(durationIsWeight) {
		return nil
	}
	if len(w.Refs) < 2 {
		b.dropped.ShortWays++
		return nil
	}
	segments := len(w.Refs) - 1
	n := namedWay{
		way: way{id: int64(w.ID), flags: flagsOf(r), split: r.Split(props.ForceSplitEdges)},

		firstRef: len(b.refs), endRef: len(b.refs) + len(w.Refs),
		lanes:    [2]string{r.TurnLanesForward, r.TurnLanesBackward},
		ref:      [2]string{r.ForwardRef, r.BackwardRef},
		classes:  [2]graph.ClassMask{r.ForwardClasses, r.BackwardClasses},
		mode:     [2]graph.Mode{r.ForwardMode, r.BackwardMode},
		leftHand: r.IsLeftHandDriving,
		tags:     w.Tags,
		name:     r.Name, pronunciation: r.Pronunciation, destinations: r.Destinations, exits: r.Exits,
	}
	speeds := [2]float64{r.ForwardSpeed, r.BackwardSpeed}
	rates := [2]float64{r.ForwardRate, r.BackwardRate}
	n.dir[0].open, n.dir[1].open = r.Forward(), r.Backward()
	n.dir[0].restricted, n.dir[1].restricted = r.ForwardRestricted, r.BackwardRestricted
	for i := range n.dir {
		d := &n.dir[i]
		d.duration = paceOf(r.Duration, segments, speeds[i]/3.6)
		if durationIsWeight {
			d.weight = d.duration
		} else {
			d.weight = paceOf(r.Weight, segments, rates[i])
		}
	}
	for _, ref := range w.Refs {
		b.refs = append(b.refs, int64(ref))
	}
	b.ways = append(b.ways, n)
	return nil
}

// addWays takes over a batch, in the order of the file.
func (x *extraction) addWays(b *wayBatch) error {
	p := &x.wayPass
	if uint64(len(p.refs))+uint64(len(b.refs)) > math.MaxUint32 {
		return &SizeError{What: "references to nodes of usable ways", Limit: math.MaxUint32}
	}
	for i := range b.ways {
		n := &b.ways[i]
		if err := p.number(n); err != nil {
			return err
		}
		n.way.firstRef = uint32(len(p.refs))
		p.refs = append(p.refs, b.refs[n.firstRef:n.endRef]...)
		p.ways = append(p.ways, n.way)
		if err := x.tags.addWay(n.tags); err != nil {
			return err
		}
	}
	p.restrictions = append(p.restrictions, b.restrictions...)
	x.areas.outlines = append(x.areas.outlines, b.outlines...)
	x.report.RestrictionRelations += b.numRelations
	x.report.Dropped.add(&b.dropped)
	for _, f := range b.faults {
		x.report.drop(f.Relation, f.Fault)
	}
	return nil
}

// number replaces the texts of a way by numbers.
func (p *wayPass) number(n *namedWay) error {
	var err error
	id := func(s string) graph.StringID {
		i, e := p.texts.id(s)
		if e != nil {
			err = e
		}
		return i
	}
	label := nbg.Label{
		Name: id(n.name), Destinations: id(n.destinations),
		Pronunciation: id(n.pronunciation), Exits: id(n.exits),
	}
	for i := range n.dir {
		if !n.separate(i) {
			continue
		}
		label.Ref = id(n.ref[i])
		lanes, e := p.lanes.id(n.lanes[i], p.texts)
		if e != nil {
			err = e
		}
		n.dir[i].note = p.notes.id(annotation{
			labels: p.labels.id(label), lanes: lanes,
			classes: n.classes[i], mode: n.mode[i], leftHand: n.leftHand,
		})
	}
	return err
}

// scan are the options of one pass over the file.
func (x *extraction) scan(stage string, want osmfile.Kind) osmfile.Options {
	o := osmfile.Options{Want: want, Workers: x.opts.Workers}
	if x.opts.Progress != nil {
		o.Progress = func(done, total int64) { x.opts.Progress(stage, done, total) }
	}
	return o
}

// numWays is the number of ways; the list ends with one more that bounds the
// references of the last.
func (p *wayPass) numWays() int { return len(p.ways) - 1 }

// referenced returns the ids of all nodes that ways name, and of others, sorted and
// unique.
func (p *wayPass) referenced(others []int64) []int64 {
	ids := slices.Concat(p.refs, others)
	sortIDs(ids, make([]int64, len(ids)))
	return slices.Clip(slices.Compact(ids))
}

// defaultWorkers is the number of workers unless told.
func defaultWorkers() int { return runtime.GOMAXPROCS(0) }
