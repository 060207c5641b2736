package batch

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/fourway-routing/fourway/routing"
)

// MatrixFileOptions says which files are read and written.
type MatrixFileOptions struct {
	// Sources and Destinations are paths of files of places, a line of JSON each.
	// They may be one file.
	Sources, Destinations string
	// Output is the folder for results. Another job's results may not be there.
	Output string
	Format Format // JSONLines if empty
}

// Cell is a pair of a matrix in a Parquet file.
type Cell struct {
	// Source and Destination are numbers of lines of the files of places, from 0;
	// empty lines do not count.
	Source      int32 `parquet:"source,delta"`
	Destination int32 `parquet:"destination,delta"`
	// Duration is in seconds and Distance in meters, +Inf where there is no route,
	// and NaN if it was not asked for.
	Duration float64 `parquet:"duration,split"`
	Distance float64 `parquet:"distance,split"`
}

// MatrixFiles finds the costs of the fastest routes from each source to each
// destination, and writes them to a file for each block: Cells with Parquet, and
// else a MatrixRow a line. Places without a road near them, lines that are none, and
// cells whose search panics are in files of failures. Files come to be, and a job goes on, as with Files.
//
// Every worker reads the files of places, and keeps them in memory. Returned are
// Parts. An error tells what is wrong with the options.
func MatrixFiles(s beam.Scope, d Dataset, opt MatrixOptions, f MatrixFileOptions) (beam.PCollection, error) {
	s = s.Scope("batch.MatrixFiles")
	if f.Format == "" {
		f.Format = JSONLines
	}
	if err := opt.validate(); err != nil {
		return beam.PCollection{}, err
	}
	if f.Sources == "" || f.Destinations == "" || f.Output == "" || !f.Format.valid() {
		return beam.PCollection{}, fmt.Errorf("batch: files of a matrix need sources, destinations, an output and a format, not %+v", f)
	}
	blocks := beam.Reshuffle(s, beam.ParDo(s, &planMatrixFn{Data: d, Opt: opt, Files: f}, beam.Impulse(s)))
	return counted(s, beam.ParDo(s, &fileBlockFn{base: base{Data: d}, Table: opt.Table, Files: f}, blocks)), nil
}

func init() {
	beam.RegisterDoFn(&planMatrixFn{})
	beam.RegisterDoFn(&fileBlockFn{})
	register.Emitter1[filedBlock]()
}

// filedBlock is a block of a matrix whose places are in files.
type filedBlock struct {
	Part, Parts           int
	Rows, Columns         [2]int // from and to, among the places sorted
	Sources, Destinations input
}

// numbered is a place of a file.
type numbered struct {
	Place
	line int32
}

// places are those of a file, sorted, and the lines that are none.
type places struct {
	sorted []numbered
	bad    []Failure
}

// placeFiles are the files of places that this process has in memory: see datasets.
var placeFiles shared[input, *places]

func acquirePlaces(ctx context.Context, in input) (*held[*places], error) {
	return placeFiles.acquire(in, func() (*places, error) { return readPlaces(ctx, in) }, func(*places) {})
}

func readPlaces(ctx context.Context, in input) (*places, error) {
	p := &places{}
	whole := fileRange{Path: in.Path, End: in.Size}
	line := int32(0)
	err := whole.each(ctx, func(text []byte, fault error) error {
		if line == math.MaxInt32 {
			return fmt.Errorf("batch: %s has more than %d lines", in.Path, line)
		}
		var place Place
		if fault == nil {
			place, fault = parsePlace(text)
		}
		if fault != nil {
			f := failureOf(fault)
			f.ID, f.Request = place.ID, string(text)
			p.bad = append(p.bad, *f)
		} else {
			p.sorted = append(p.sorted, numbered{place, line})
		}
		line++
		return nil
	})
	sortByPlace(p.sorted, func(n *numbered) *Place { return &n.Place })
	return p, err
}

// of returns the places in a part of the list.
func (p *places) of(part [2]int) []Place {
	list := make([]Place, 0, part[1]-part[0])
	for i := part[0]; i < part[1]; i++ {
		list = append(list, p.sorted[i].Place)
	}
	return list
}

type planMatrixFn struct {
	Data  Dataset
	Opt   MatrixOptions
	Files MatrixFileOptions
}

func (f *planMatrixFn) ProcessElement(ctx context.Context, _ []byte, emit func(filedBlock)) error {
	var files [2]input
	var lists [2]*places
	for i, path := range [2]string{f.Files.Sources, f.Files.Destinations} {
		inputs, err := listInputs(ctx, path)
		if err != nil {
			return err
		}
		if len(inputs) > 1 {
			return fmt.Errorf("batch: %s names %d files of places; one is needed", path, len(inputs))
		}
		files[i] = inputs[0]
		files[i].seekable = false // which makes no difference
		h, err := acquirePlaces(ctx, files[i])
		if err != nil {
			return err
		}
		defer h.release()
		lists[i] = h.value
	}
	rows, columns := cut(len(lists[0].sorted), f.Opt.Rows), cut(len(lists[1].sorted), f.Opt.Columns)
	options, err := json.Marshal([]any{f.Opt, f.Files.Format})
	if err != nil {
		return err
	}
	job := Job{ServiceMatrix, len(rows) * len(columns), f.Data.ids(), files[:], options}
	if err := job.begin(ctx, f.Files.Output); err != nil {
		return err
	}
	if err := f.tellBad(ctx, lists); err != nil {
		return err
	}
	b := filedBlock{Parts: job.Parts, Sources: files[0], Destinations: files[1]}
	for _, r := range rows {
		for _, c := range columns {
			b.Rows, b.Columns = [2]int{r.from, r.to}, [2]int{c.from, c.to}
			emit(b)
			b.Part++
		}
	}
	return nil
}

// tellBad writes the lines that are no places.
func (f *planMatrixFn) tellBad(ctx context.Context, lists [2]*places) error {
	fs, err := filesystem.New(ctx, f.Files.Output)
	if err != nil {
		return err
	}
	defer fs.Close()
	for i, name := range [2]string{"failures-sources", "failures-destinations"} {
		sink := failureSink{fs: fs, dir: f.Files.Output, name: name}
		defer sink.abandon(ctx)
		for j := range lists[i].bad {
			if err := sink.write(ctx, &lists[i].bad[j]); err != nil {
				return err
			}
		}
		if err := sink.commit(ctx); err != nil {
			return err
		}
	}
	return nil
}

// fileBlockFn finds a block and writes it.
type fileBlockFn struct {
	base
	Table routing.TableRequest
	Files MatrixFileOptions
	held  []*held[*places] // of the bundle
}

func (f *fileBlockFn) StartBundle(context.Context, func(Part)) { f.startBundle() }

func (f *fileBlockFn) FinishBundle(context.Context, func(Part)) {
	f.finishBundle()
	f.letGo()
}

// Teardown gives back what a bundle that failed has held, too.
func (f *fileBlockFn) Teardown() {
	f.letGo()
	f.base.Teardown()
}

func (f *fileBlockFn) letGo() {
	for _, h := range f.held {
		h.release()
	}
	f.held = f.held[:0]
}

// hold returns places of a file, which stay in memory until the end of the bundle.
func (f *fileBlockFn) hold(ctx context.Context, in input, part [2]int) ([]Place, *places, error) {
	h, err := acquirePlaces(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	f.held = append(f.held, h)
	if part[1] > len(h.value.sorted) {
		return nil, nil, fmt.Errorf("batch: %s has changed since the pipeline began", in.Path)
	}
	return h.value.of(part), h.value, nil
}

func (f *fileBlockFn) ProcessElement(ctx context.Context, b filedBlock, emit func(Part)) error {
	p, err := f.block(ctx, &b)
	if err != nil {
		return fmt.Errorf("batch: block %d of %d: %w", b.Part, b.Parts, err)
	}
	emit(p)
	return nil
}

func (f *fileBlockFn) block(ctx context.Context, b *filedBlock) (Part, error) {
	out := f.Files.Output
	fs, err := filesystem.New(ctx, out)
	if err != nil {
		return Part{}, err
	}
	defer fs.Close()
	name := fmt.Sprintf("%05d-of-%05d", b.Part, b.Parts)
	p := Part{Path: join(out, "part-"+name+"."+string(f.Files.Format))}
	if fileExists(ctx, fs, p.Path) {
		p.Found = true
		return p, nil
	}
	sources, allSources, err := f.hold(ctx, b.Sources, b.Rows)
	if err != nil {
		return p, err
	}
	destinations, allDestinations, err := f.hold(ctx, b.Destinations, b.Columns)
	if err != nil {
		return p, err
	}
	sink, err := createMatrix(ctx, fs, out, "part-"+name, f.Files.Format)
	if err != nil {
		return p, err
	}
	defer sink.abandon(ctx)
	failures := failureSink{fs: fs, dir: out, name: "failures-" + name}
	defer failures.abandon(ctx)
	err = f.table(ctx, &block{
		find: (*routing.Session).TableRows, template: &f.Table, sources: sources, destinations: destinations,
		row: func(i int, columns []int, row *routing.TableRow) error {
			p.Answered += int64(len(columns))
			if sink.columns != nil {
				return sink.cells(allSources.sorted[b.Rows[0]+i].line, allDestinations.sorted[b.Columns[0]:], columns, row)
			}
			return sink.row(sources[i].ID, destinations, columns, row)
		},
		fail: func(what faulty, failure Failure) error {
			if !what.toldBy(b.Rows[0] == 0, b.Columns[0] == 0) {
				return nil
			}
			p.Failed++
			return failures.write(ctx, &failure)
		},
	})
	if err != nil {
		return p, err
	}
	if err := failures.commit(ctx); err != nil {
		return p, err
	}
	return p, sink.commit(ctx)
}
