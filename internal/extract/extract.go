package extract

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/region"
	"github.com/fourway-routing/fourway/profile"
)

// Options of an extraction. The zero value is fine.
type Options struct {
	// Workers is the number of goroutines; 0 means one per available core.
	Workers int
	// Conditionals reads restrictions that hold at times only. Their turns
	// become part of the network, and Network.Conditions lists them.
	Conditionals bool
	// Locations are what profiles can look up by place, or nil.
	Locations *region.Set
	// LocationsOnWays takes the places of ways from the ways themselves, which
	// saves reading nodes twice; a file that does not store them is refused.
	LocationsOnWays bool
	// Tags keeps the tags of the network's ways and nodes: Result.Elements.
	Tags bool
	// SmallComponent is the number of search nodes below which a component is
	// small; 0 stands for 1000.
	SmallComponent int
	// DataVersion is free text that answers show as data_version; "osmosis"
	// stands for the time of the file's replication, if it tells one.
	DataVersion string
	// Progress, if set, is called now and then with the stage and how much of
	// it is done, never by two goroutines at a time.
	Progress func(stage string, done, total int64)
}

// Result of an extraction. It shares no memory with the file or the profile.
type Result struct {
	Network *graph.Network
	Metric  *graph.Metric
	// Elements are the OSM ways and nodes with their tags; nil without Options.Tags.
	Elements *graph.Elements
	Report   Report
}

// collectFrom is the size of a file, in bytes, from which garbage is worth
// collecting between stages.
const collectFrom = 1 << 20

// ErrNoRoads tells that nothing in the file can be used by the vehicle.
var ErrNoRoads = errors.New("extract: no road can be used; check that the file holds roads and that the profile fits it")

// NoRoadsError is an ErrNoRoads with what was read and left out.
type NoRoadsError struct{ Report Report }

// Error returns the text of ErrNoRoads.
func (e *NoRoadsError) Error() string { return ErrNoRoads.Error() }

// Is reports that it is an ErrNoRoads.
func (e *NoRoadsError) Is(target error) bool { return target == ErrNoRoads }

// extraction is the state of one run; stages release what the next ones do not
// need.
type extraction struct {
	file    *osmfile.File
	profile profile.Profile
	props   *profile.Properties
	opts    Options
	report  Report
	workers []profile.Worker
	// relations are those that the profile looks at.
	relations *profile.Relations
	areas     areaPass
	ends      *wayEnds   // nil if places do not matter
	tags      *tagKeeper // nil if tags are not kept
	wayPass   wayPass
	nodePass  nodePass
	// restrictions by places, then by the ends of chains.
	restrictions []turnRestriction
	obstacles    obstacleMap
}

// Run extracts the network of a vehicle. It fails where the file cannot be
// read, where the profile fails, where nothing is left (a *NoRoadsError), where ids
// do not fit (a *SizeError), or with the context's error.
func Run(ctx context.Context, file *osmfile.File, p profile.Profile, opts Options) (*Result, error) {
	if opts.Workers <= 0 {
		opts.Workers = defaultWorkers()
	}
	if opts.SmallComponent == 0 {
		opts.SmallComponent = smallComponent
	}
	x := &extraction{file: file, profile: p, props: p.Properties(), opts: opts}
	if opts.Tags {
		x.tags = newTagKeeper()
	}
	var (
		segs     segments
		roads    *roadGraph
		chains   *chains
		expander *expander
		result   *Result
	)
	type stage struct {
		name string
		run  func() error
	}
	stages := []stage{
		{"ways", func() error { return x.readWays(ctx) }},
		{"nodes", func() error { return x.readNodes(ctx) }},
		{"segments", func() (err error) {
			segs, err = x.cutWays()
			if err == nil {
				x.obstacles = x.placeObstacles()
				x.nodePass.refs = nil
				roads = x.newRoadGraph(&segs)
				segs = segments{}
			}
			return err
		}},
		{"compress", func() (err error) {
			if err = x.compress(roads); err == nil {
				chains, err = x.newChains(roads)
				roads = nil
			}
			return err
		}},
		{"expand", func() (err error) {
			if len(chains.graph.Edges) == 0 {
				return &NoRoadsError{x.report}
			}
			expander, err = x.expand(ctx, chains)
			return err
		}},
		{"assemble", func() (err error) {
			result, err = x.assemble(chains, expander)
			chains, expander = nil, nil
			x.release()
			return err
		}},
		{"components", func() error {
			x.complete(result)
			return nil
		}},
		{"index", func() error {
			result.Network.Complete()
			return nil
		}},
	}
	if opts.Tags {
		stages = append(stages, stage{"tags", func() error {
			result.Elements = x.tags.elements(result.Network)
			x.tags = nil
			return nil
		}})
	}
	for _, s := range stages {
		start := time.Now()
		if x.opts.Progress != nil {
			x.opts.Progress(s.name, 0, 1)
		}
		if err := s.run(); err != nil {
			return nil, err
		}
		x.report.Stages = append(x.report.Stages, Stage{s.name, time.Since(start)})
		// Stages leave much behind and hand over little: collecting it here
		// keeps the peak near what the largest stage needs.
		if file.Size() >= collectFrom {
			runtime.GC()
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	result.Report = x.report
	return result, nil
}

// release forgets what is in the result already.
func (x *extraction) release() {
	x.wayPass, x.nodePass, x.areas, x.restrictions, x.obstacles = wayPass{}, nodePass{}, areaPass{}, nil, obstacleMap{}
}
