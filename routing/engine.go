package routing

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
	"github.com/fourway-routing/fourway/mld"
	"github.com/fourway-routing/fourway/pool"
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
	// Observe, if set, is called at the end of each query, by the goroutine
	// that ran it.
	Observe func(Observation)
}

func (o *Options) ensureDefaults() {
	if o.Workspaces == 0 {
		o.Workspaces = runtime.GOMAXPROCS(0)
	}
	if o.WorkspaceBytes == 0 {
		o.WorkspaceBytes = 256 << 20
	}
}

// Engine answers queries about one data set. It is safe for concurrent use.
type Engine struct {
	name       string
	opt        Options
	net        *graph.Network
	metric     *graph.Metric
	hierarchy  *ch.Hierarchy // or
	overlay    *mld.Overlay
	customized *customizations // of overlay
	info       Info
	sets       []graph.ClassMask // prepared to be excluded, by set of the searcher
	hint       string
	unit       float64  // of weight
	sources    []string // names of data sources, the profile first
	workspaces *pool.Bounded[*workspace]

	queries *gate
	files   []io.Closer
}

// Info tells what an Engine knows of its data set.
type Info struct {
	Profile     string
	WeightName  string
	Bounds      orb.Bound
	Classes     []string
	Excludable  [][]string // sets of classes that are prepared to be excluded
	DataVersion string
	DataTime    time.Time // of the extract, zero if unknown
	Algorithm   Algorithm
	// IDs name the content of the graph, the metric and the file of the
	// algorithm.
	GraphID, MetricID, HierarchyID string

	Places, Chains, Segments int // of the road network
	Nodes, Edges             int // of the search graph
	Arcs                     int // of the hierarchy, shortcuts included; 0 with MLD
}

// parts are what an Engine is made of.
type parts struct {
	name                   string
	net                    *graph.Network
	metric                 *graph.Metric
	metricFile             *graph.MetricFile // that metric is from, or nil
	hierarchy              *ch.Hierarchy     // or nil
	overlay                *mld.Overlay      // or nil
	graphID, metricID      file.ID
	hierarchyID, overlayID file.ID
	files                  []io.Closer
}

func newEngine(p parts, opt Options) *Engine {
	opt.ensureDefaults()
	e := &Engine{
		name: p.name, opt: opt, net: p.net, metric: p.metric, files: p.files,
		sets: []graph.ClassMask{0}, queries: newGate(),
		unit: math.Pow10(p.net.Properties.WeightPrecision),
		hint: hint(p.graphID), sources: p.metric.Sources,
	}
	if len(e.sources) == 0 {
		e.sources = []string{profileSource}
	}
	e.sets = append(e.sets, p.net.Properties.Excludable...)
	if opt.Algorithm == MLD {
		e.overlay, e.customized = p.overlay, newCustomizations(p.overlay, p.net)
	} else {
		e.hierarchy = p.hierarchy
	}
	e.info = describe(&p, opt.Algorithm)
	e.workspaces = pool.NewBounded(pool.BoundedOptions[*workspace]{
		Max:  opt.Workspaces,
		New:  func() *workspace { return newWorkspace(e) },
		Keep: (*workspace).keep,
	})
	return e
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
		GraphID:     p.graphID.String(), MetricID: p.metricID.String(), HierarchyID: p.overlayID.String(),
		Places: len(n.Coords), Chains: n.NumChains(), Segments: len(n.ChainPlaces) - n.NumChains(),
		Nodes: n.NumNodes(), Edges: n.NumEdges(),
	}
	if a == CH {
		info.HierarchyID, info.Arcs = p.hierarchyID.String(), p.hierarchy.NumArcs()
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

// hint returns the token that stands for a candidate: the 84 bytes of OSRM's,
// of which only the last four say anything, namely which data set it is from.
func hint(id file.ID) string {
	var raw [84]byte
	binary.LittleEndian.PutUint32(raw[80:], binary.LittleEndian.Uint32(id[:4]))
	return base64.URLEncoding.EncodeToString(raw[:])
}

// profileSource is how OSRM calls the profile among the data sources.
const profileSource = "lua profile"

// Info tells what the Engine knows of its data set. The slices in it are
// shared and must not be changed.
func (e *Engine) Info() Info { return e.info }

// Close waits for the queries that run, and gives the files back. Queries after
// it fail with ErrClosed. It may be called more than once.
func (e *Engine) Close() error {
	if !e.queries.close() {
		return nil
	}
	e.workspaces.Close()
	return closeAll(e.files)
}

func closeAll(files []io.Closer) error {
	var errs []error
	for _, f := range files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// weight returns a weight in the unit that answers use.
func (e *Engine) weight(w graph.Weight) float64 { return float64(w) / e.unit }
