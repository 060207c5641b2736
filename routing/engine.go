package routing

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/profile"
)

// Load is how an Engine gets at its files.
type Load uint8

// The ways.
const (
	// Map maps the files into memory: opening is immediate, and processes
	// share what they read. The files must not change while they are open.
	Map Load = iota
	// Heap reads the files into memory.
	Heap
)

// Options configures an Engine. The zero value is a sensible default.
type Options struct {
	Algorithm Algorithm // which must be among those that the data set was built for
	Load      Load
	// FS is where the files are read from, always into memory; nil stands
	// for the file system of the machine.
	FS fs.FS
	// Limits bounds requests; the default has no limits.
	Limits Limits
	// Workspaces is the number of query workspaces kept while nobody uses
	// them; 0 stands for one per processor. Queries beyond it are served,
	// but their memory is given back.
	Workspaces int
	// WorkspaceBytes is the size in bytes to which a workspace is trimmed
	// before it is kept, as far as what every search needs lets it; 0 stands
	// for 256 MiB.
	WorkspaceBytes int64
	// Memory is where workspaces have the memory of searches from. The default
	// is the fastest; the others are there to be compared with it.
	Memory pool.Kind
	// Layers are the layers of Update, from the bottom up; nil stands for
	// historic, live and closures.
	Layers []string
	// Metrics are the names of the metrics to open besides the default one, which
	// Rebuild wrote. All share the network.
	Metrics []string
	// Week says which metric counts in each hour of the week, for requests with
	// Depart.
	Week Week
	// Profile is what explanations ask about tags, nil the built-in profile that has
	// the name of the data set's. It is one with which the data set was built.
	Profile profile.Profile
	// Observe, if set, is called at the end of each query, by the goroutine
	// that ran it.
	Observe func(Observation)
	// CountCells has Observation.Cells counted, with MLD, which takes longer
	// than many a search.
	CountCells bool
}

func (o *Options) ensureDefaults() {
	if o.Workspaces == 0 {
		o.Workspaces = runtime.GOMAXPROCS(0)
	}
	if o.WorkspaceBytes == 0 {
		o.WorkspaceBytes = 256 << 20
	}
	if o.Layers == nil {
		o.Layers = defaultLayers
	}
}

// Engine answers queries about a data set, which Update and Replace change while it
// runs. It is safe for concurrent use.
type Engine struct {
	opt     Options
	current atomic.Pointer[catalog]

	// changing holds a token while another data set is made to take the place of
	// the current one.
	changing chan struct{}
	retiring sync.WaitGroup
	ending   sync.Once
	live     map[string]live // by metric, those that are there; under changing
	changes  int             // metrics that had an id; under changing
	closed   bool            // under changing

	ends     *time.Timer    // when the next closure ends; under changing
	awaiting sync.WaitGroup // what ends started
}

func newEngine(p parts, opt Options) *Engine {
	e := emptyEngine(opt)
	x := e.draft(nil)
	x.open(&p)
	x.install()
	return e
}

func emptyEngine(opt Options) *Engine {
	opt.ensureDefaults()
	return &Engine{opt: opt, changing: make(chan struct{}, 1)}
}

// enter returns a catalog and the dataset of it that is wished for, which stays open
// until it is left; with hours set, likewise the others of all hours of the week.
func (e *Engine) enter(of wish, hours bool) (c *catalog, d *dataset, others []*dataset, err error) {
	for {
		c := e.current.Load()
		d, err := c.choose(of)
		if err != nil {
			return nil, nil, nil, err
		}
		if hours {
			others = c.ofWeek(d)
		}
		if d.queries.enter() {
			if enterAll(others) {
				return c, d, others, nil
			}
			d.queries.leave()
		}
		// One was retired since, unless the Engine is closed.
		if e.current.Load() == c {
			return nil, nil, nil, errClosed()
		}
	}
}

// enterAll enters all of some datasets or, if one is retired, none.
func enterAll(list []*dataset) bool {
	for i, d := range list {
		if !d.queries.enter() {
			for _, before := range list[:i] {
				before.queries.leave()
			}
			return false
		}
	}
	return true
}

// Info tells what the Engine knows of its data set. The slices in it are
// shared and must not be changed.
func (e *Engine) Info() Info { return e.current.Load().info }

// Close waits for the queries that run, and gives the files back. Queries after
// it fail with ErrClosed. It may be called more than once.
func (e *Engine) Close() (err error) {
	e.changing <- struct{}{}
	e.closed = true
	e.stopAwaiting()
	e.unlock() // a query that Close waits for may be about to ask for a change
	e.ending.Do(func() {
		e.awaiting.Wait()
		for _, d := range e.current.Load().all() {
			err = errors.Join(err, d.retire())
		}
		e.retiring.Wait()
	})
	return err
}

// lock waits until nobody else changes the Engine, or the context is done.
func (e *Engine) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case e.changing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (e *Engine) unlock() { <-e.changing }

// put makes a catalog the current one. Datasets that it lacks end with their last
// queries.
func (e *Engine) put(c *catalog) {
	before := e.current.Swap(c)
	if before == nil {
		return
	}
	all := c.all()
	for _, d := range before.all() {
		if !slices.Contains(all, d) {
			e.retiring.Go(func() { _ = d.retire() }) // its files were only read
		}
	}
}

// Info tells what an Engine knows of its data set.
type Info struct {
	Profile     string     // name of the profile, such as car
	WeightName  string     // what is minimized, such as routability or duration
	Bounds      orb.Bound  // of all roads, longitude and latitude in degrees
	Classes     []string   // of roads, as the profile names them
	Excludable  [][]string // sets of classes that the profile says can be excluded
	DataVersion string     // free text given at build
	DataTime    time.Time  // of the extract, zero if unknown
	Algorithm   Algorithm  // as of Options
	// IDs name the content of the graph, the metric and the file of the
	// algorithm.
	GraphID, MetricID, HierarchyID string
	// Metrics are all that there are, the default one first.
	Metrics []MetricInfo

	Places, Chains, Segments int // of the road network
	Nodes, Edges             int // of the search graph
	Arcs                     int // of the hierarchy, shortcuts included; 0 with MLD
	Levels                   int // of cells; 0 but with MLD
}

func describe(p *parts, a Algorithm) Info {
	n := p.net
	at := &n.Properties
	info := Info{
		Profile: at.Profile, WeightName: at.WeightName,
		Bounds:      orb.Bound{Min: point(at.Min), Max: point(at.Max)},
		Classes:     slices.Clone(at.Classes),
		DataVersion: at.DataVersion,
		Algorithm:   a,
		Metrics:     []MetricInfo{{ID: p.metricID.String()}},
		GraphID:     p.graphID.String(), MetricID: p.metricID.String(), HierarchyID: p.overlayID.String(),
		Places: len(n.Coords), Chains: n.NumChains(), Segments: len(n.ChainPlaces) - n.NumChains(),
		Nodes: n.NumNodes(), Edges: n.NumEdges(),
	}
	switch a {
	case CH:
		info.HierarchyID, info.Arcs = p.hierarchyID.String(), p.hierarchy.NumArcs()
	case MLD:
		info.HierarchyID = p.overlayID.String()
		if p.overlay != nil { // steps of a build come before it
			info.Levels = p.overlay.Cells().NumLevels()
		}
	case CCH:
		info.HierarchyID, info.Arcs = p.orderID.String(), p.ordered.NumArcs()
	}
	if at.DataTime != 0 {
		info.DataTime = time.Unix(at.DataTime, 0).UTC()
	}
	for _, mask := range at.Excludable {
		var names []string
		for i, class := range at.Classes {
			if mask>>i&1 != 0 {
				names = append(names, class)
			}
		}
		info.Excludable = append(info.Excludable, names)
	}
	return info
}
