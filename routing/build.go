package routing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/mld"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/profile"
)

// BuildOptions says what to build.
type BuildOptions struct {
	// Input is the path of an OpenStreetMap file: PBF, or XML, plain or
	// compressed. With FS or Reader set it is looked up there or only names
	// the file in errors.
	Input  string
	FS     fs.FS
	Reader io.Reader // read to its end, into memory or a file beside Output
	// MaxInput is the number of bytes beyond which Reader gives an ErrTooBig error;
	// 0 stands for 1 TiB.
	MaxInput int64
	// Output is the path of the data set, to which .graph, .metric, .ch, .mld
	// and .cch are added.
	Output string
	// Create, if set, opens the files for writing instead, under their names
	// with Output before the suffix; each is closed when it is complete.
	Create func(name string) (io.WriteCloser, error)

	// Profile is the vehicle; nil stands for the one that ProfileName names.
	Profile     profile.Profile
	ProfileName string // empty stands for car
	// ProfileConfig is the path of a configuration of a built-in profile, in FS
	// if that is set; see profile.Configure. It may name the vehicle too.
	ProfileConfig string

	// Algorithms are those to prepare for; empty stands for CH and MLD.
	Algorithms []Algorithm
	// Like is the path, without suffixes, of a data set of an earlier extract of the
	// region, on disk or in FS if that is set; it may be Output. The order of its .ch
	// and .cch and the cells of its .mld are taken over as far as the roads are the
	// same, which saves most of the time after extraction. Answers do not depend on
	// it, but the files do. What does not serve is made from scratch, and
	// BuildReport.Like says why: a data set of another release too. One that is not
	// there is an error.
	Like string
	// Workers is the number of goroutines; 0 stands for one per processor.
	// The files do not depend on it.
	Workers int
	// Memory is where contraction and customization have the memory of searches
	// from. The default is the fastest; the others are there to be compared with
	// it.
	Memory pool.Kind
	// SmallComponent is the number of search nodes below which a part of the
	// network without a way out, or in, is small: coordinates snap to it only
	// where all are in it. 0 stands for 1000.
	SmallComponent int
	// DataVersion is free text that answers show as data_version.
	DataVersion string
	// LocationData are the paths of GeoJSON files of polygons with properties
	// that the profile looks up by place, driving_side for one. A way is where
	// its last node is. They are looked up in FS too.
	LocationData []string
	// LocationsOnWays takes the places of ways from the ways themselves, for
	// files that store them there; others are refused.
	LocationsOnWays bool
	// Tags keeps the tags of the network's ways and nodes in a file of its own,
	// .tags, which Lookup and Overpass answer from.
	Tags bool
	// Conditionals reads restrictions that hold at times only. Updates.At says
	// which of them count.
	Conditionals bool
	// Updates change the weights that the profile gives. Their files are looked
	// up in FS too.
	Updates Updates
	// Progress, if set, is called now and then, never by two goroutines at a
	// time.
	Progress func(Progress)
}

func (o *BuildOptions) algorithms() []Algorithm {
	if len(o.Algorithms) == 0 {
		return []Algorithm{CH, MLD}
	}
	return o.Algorithms
}

// Progress tells how far a build is.
type Progress struct {
	Stage       string
	Done, Total int64 // in units of the stage; Total is 0 if it is unknown
	// ExpectedMemory is what the build will need at most, in bytes: an
	// estimate from the size of the input.
	ExpectedMemory int64
}

// BuildReport tells what a build did.
type BuildReport struct {
	Stages         []StageReport
	ExpectedMemory int64 // bytes, as estimated before
	Extract        ExtractReport
	Updates        UpdateReport
	Like           LikeReport
	// Read from LocationData.
	LocationFeatures, LocationPolygons int
	Info                               Info // as of Open with the first of the algorithms
	Files                              []FileReport
}

// ExtractReport tells what was read, left out and made of an extract.
type ExtractReport = extract.Report

// NoRoadsError is the error for an extract that has nothing for the vehicle, with
// what was read and left out.
type NoRoadsError = extract.NoRoadsError

// StageReport is what a stage of a build took.
type StageReport struct {
	Name       string
	Wall       time.Duration
	CPU        time.Duration // of all goroutines; 0 where the system does not tell
	PeakMemory int64         // of the Go heap and stacks, in bytes
}

// FileReport is a file that a build wrote.
type FileReport struct {
	Path  string
	Bytes int64
}

// builder is the state of one build.
type builder struct {
	opt    BuildOptions
	report BuildReport
	meter  meter
	cells  *mld.Division // to be written
	metric string        // whose files are written; empty for the default one
	// base is the profile's metric if that of the parts has updates.
	base *graph.Metric
	// after is what earlier updates made of the profile's metric, if they count.
	after *graph.Metric
	// staged are the files written so far, under names that nobody else uses.
	staged []staged
	// stale are the suffixes of files that the new ones leave without use.
	stale []string
}

// Build prepares an OpenStreetMap extract for a vehicle. The files take their
// names when all are complete: an error, a done context or a crash before that
// leaves what was there.
func Build(ctx context.Context, opt BuildOptions) (*BuildReport, error) {
	b := builder{opt: opt}
	if err := b.needOutput("build"); err != nil {
		return nil, err
	}
	for _, a := range opt.Algorithms {
		if !a.valid() {
			return nil, fmt.Errorf("routing: build %s: Algorithms has no value %d", opt.Output, uint8(a))
		}
	}
	return b.do(ctx, "build", func(p *parts) error { return b.prepare(ctx, p) })
}

// do builds what work adds to the parts, and writes it.
func (b *builder) do(ctx context.Context, what string, work func(*parts) error) (*BuildReport, error) {
	if err := b.needOutput(what); err != nil {
		return nil, err
	}
	if !b.opt.Memory.Valid() {
		return nil, fmt.Errorf("routing: %s %s: Memory has no value %d", what, b.opt.Output, uint8(b.opt.Memory))
	}
	if b.opt.Create == nil {
		// Better now than after hours.
		if err := b.tryOutput(); err != nil {
			return nil, fmt.Errorf("routing: %s %s: %w", what, b.opt.Output, err)
		}
	}
	if err := b.run(ctx, work); err != nil {
		return nil, fmt.Errorf("routing: %s %s: %w", what, b.opt.Output, err)
	}
	return &b.report, nil
}

func (b *builder) needOutput(what string) error {
	if b.opt.Output == "" {
		return fmt.Errorf("routing: %s: Output is empty", what)
	}
	return nil
}

// run builds and writes.
func (b *builder) run(ctx context.Context, work func(*parts) error) error {
	defer b.discard()
	p := &parts{name: b.opt.Output}
	defer func() { _ = closeAll(p.files) }() // they were only read
	if err := work(p); err != nil {
		return err
	}
	if err := b.stage("finish", func() error { return b.write(ctx, p) }); err != nil {
		return err
	}
	b.report.Info = describe(p, b.opt.algorithms()[0])
	// Some systems do not rename a file that is mapped.
	if err := closeAll(p.files); err != nil {
		return err
	}
	p.files = nil
	return b.commit()
}

// stage runs a part of the work and takes note of what it took.
func (b *builder) stage(name string, run func() error) error {
	b.progress(name, 0, 0)
	b.meter.start()
	err := run()
	s := b.meter.stop()
	s.Name = name
	b.report.Stages = append(b.report.Stages, s)
	return err
}

func (b *builder) progress(stage string, done, total int64) {
	if b.opt.Progress != nil {
		b.opt.Progress(Progress{stage, done, total, b.report.ExpectedMemory})
	}
}

// prepare makes the parts of an engine.
func (b *builder) prepare(ctx context.Context, p *parts) error {
	if err := b.extract(ctx, p); err != nil {
		return err
	}
	return b.prepareSearch(ctx, p)
}

// extract makes the network and the metric, and writes them where files are the
// builder's to write.
func (b *builder) extract(ctx context.Context, p *parts) error {
	vehicle, err := b.vehicle()
	if err != nil {
		return err
	}
	input, err := b.open(ctx, p)
	if err != nil {
		return err
	}
	// Contraction needs about as much as extraction did.
	b.report.ExpectedMemory = extract.EstimateMemory(input) * 5 / 4
	locations, err := b.locations()
	if err != nil {
		return err
	}
	var result *extract.Result
	if err := b.stage("extract", func() (err error) {
		result, err = extract.Run(ctx, input, vehicle, extract.Options{
			Workers: b.opt.Workers, DataVersion: b.opt.DataVersion, SmallComponent: b.opt.SmallComponent,
			Conditionals: b.opt.Conditionals, Tags: b.opt.Tags,
			Locations: locations, LocationsOnWays: b.opt.LocationsOnWays,
			Progress: func(stage string, done, total int64) { b.progress("extract: "+stage, done, total) },
		})
		return err
	}); err != nil {
		return err
	}
	b.report.Extract = result.Report
	p.net, p.metric, p.tags = result.Network, result.Metric, result.Elements
	if p.tags == nil {
		b.stale = append(b.stale, tagsSuffix)
	}
	result = nil
	if !b.onDisk() {
		return nil
	}
	// What follows reads the files: their memory is the system's to reclaim.
	return b.stage("write", func() error { return b.writeBase(p) })
}

// vehicle returns the profile.
func (b *builder) vehicle() (profile.Profile, error) {
	name, path := b.opt.ProfileName, b.opt.ProfileConfig
	switch {
	case path != "" && b.opt.Profile != nil:
		return nil, errors.New("ProfileConfig is for built-in profiles; leave out Profile")
	case path != "":
		config, err := b.readConfig(path)
		if err != nil {
			return nil, err
		}
		return profile.Configure(name, path, config)
	case b.opt.Profile != nil:
		return b.opt.Profile, nil
	case name == "":
		name = "car"
	}
	return profile.ByName(name)
}

// readConfig reads a configuration, or its beginning if it is too large.
func (b *builder) readConfig(path string) ([]byte, error) {
	var (
		f   fs.File
		err error
	)
	if b.opt.FS != nil {
		f, err = b.opt.FS.Open(path)
	} else {
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return io.ReadAll(io.LimitReader(f, profile.MaxConfig+1))
}

func (b *builder) prepareSearch(ctx context.Context, p *parts) error {
	if err := b.update(ctx, p); err != nil {
		return err
	}
	like, err := b.openLike(p)
	if err != nil {
		return err
	}
	if slices.Contains(b.opt.algorithms(), CH) {
		if err := b.contractLike(ctx, p, like); err != nil {
			return err
		}
	}
	if slices.Contains(b.opt.algorithms(), CCH) {
		if err := b.orderLike(ctx, p, like); err != nil {
			return err
		}
	}
	if !slices.Contains(b.opt.algorithms(), MLD) {
		return nil
	}
	return b.partitionLike(ctx, p, like)
}

// partitionAll makes cells and customizes them.
func (b *builder) partitionAll(ctx context.Context, p *parts) error {
	var cells *mld.Cells
	if err := b.stage("partition", func() (err error) {
		cells, err = mld.Partition(ctx, p.net, b.partition(p, nil))
		return err
	}); err != nil {
		return err
	}
	return b.customize(ctx, p, cells)
}

// update applies the updates, if there are any.
func (b *builder) update(ctx context.Context, p *parts) error {
	if b.opt.Updates.empty() && b.after == nil {
		return nil
	}
	return b.stage("update", func() error {
		m, report, err := b.opt.Updates.apply(ctx, p.net, p.metric, b.after, b.opt.FS)
		if err == nil {
			b.base, p.metric, b.report.Updates = p.metric, m, *report
		}
		return err
	})
}

// expand returns the arcs to search. Each stage makes its own, which it drops as soon
// as it can.
func (p *parts) expand() *graph.Expanded {
	arcs := graph.Expand(p.net, p.metric)
	p.evict()
	return arcs
}

// contract contracts, by ranks if they are known.
func (b *builder) contract(ctx context.Context, p *parts, ranks []uint32) error {
	return b.stage("contract", func() (err error) {
		p.hierarchy, err = ch.Contract(ctx, p.expand(), ch.Options{
			Again:    p.expand,
			Workers:  b.opt.Workers,
			Memory:   b.opt.Memory,
			Exclude:  excludable(p.net),
			Ranks:    ranks,
			Progress: func(done, total int) { b.progress("contract", int64(done), int64(total)) },
		})
		return err
	})
}

// order makes an order and customizes it.
func (b *builder) order(ctx context.Context, p *parts) error {
	if err := b.stage("dissect", func() (err error) {
		p.order, err = ch.Dissect(ctx, p.net, ch.OrderOptions{
			Workers:  b.opt.Workers,
			Progress: func(done, total int) { b.progress("dissect", int64(done), int64(total)) },
		})
		return err
	}); err != nil {
		return err
	}
	return b.customizeOrder(ctx, p)
}

func (b *builder) customizeOrder(ctx context.Context, p *parts) error {
	return b.stage("customize order", func() (err error) {
		p.ordered, err = p.order.Customize(ctx, p.expand(), ch.CustomizeOptions{Workers: b.opt.Workers})
		return err
	})
}

// divide finds cells of the given sizes.
func (b *builder) divide(ctx context.Context, p *parts, sizes []int) (cells *mld.Division, err error) {
	err = b.stage("partition", func() (err error) {
		cells, err = mld.Divide(ctx, p.net, b.partition(p, sizes))
		return err
	})
	return cells, err
}

// partition returns the options of a partition into cells of the given sizes.
func (b *builder) partition(p *parts, sizes []int) mld.Options {
	return mld.Options{
		CellSizes: sizes,
		Workers:   b.opt.Workers,
		Loaded:    p.evict,
		Progress:  func(done, total int) { b.progress("partition", int64(done), int64(total)) },
	}
}

func (b *builder) customize(ctx context.Context, p *parts, cells *mld.Cells) error {
	return b.stage("customize", func() (err error) {
		p.overlay, err = mld.Customize(ctx, cells, p.expand(), mld.CustomizeOptions{
			Exclude: excludable(p.net), Workers: b.opt.Workers, Memory: b.opt.Memory,
		})
		return err
	})
}

// open opens the input.
func (b *builder) open(ctx context.Context, p *parts) (*osmfile.File, error) {
	switch {
	case b.opt.Reader != nil:
		folder := ""
		if b.opt.Create == nil {
			folder = filepath.Dir(b.opt.Output)
		}
		data, err := spool(ctx, b.opt.Reader, cmp.Or(b.opt.MaxInput, defaultMaxInput), folder)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", b.opt.Input, err)
		}
		p.files = append(p.files, data)
		return osmfile.OpenReaderAt(data.ReaderAt, data.size, b.opt.Input)
	case b.opt.FS != nil:
		return osmfile.OpenFS(b.opt.FS, b.opt.Input)
	}
	return osmfile.Open(b.opt.Input)
}
