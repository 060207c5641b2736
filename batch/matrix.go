package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/fourway-routing/fourway/routing"
)

// MatrixOptions says what is asked of the pairs of a matrix, and how it is cut.
type MatrixOptions struct {
	// Table is what is asked of each pair: annotations, classes to exclude and so
	// on. Its coordinates and the lists that go with them must be empty.
	Table routing.TableRequest
	// Rows and Columns are the most sources and destinations of a block; 0 stands
	// for DefaultBlock. Each source and each destination of a block costs a search
	// of its own, which a larger block spreads over more cells; memory grows with
	// the columns.
	Rows, Columns int
}

// DefaultBlock is the number of rows and columns of a block. docs/batch.md has
// the measurements that it comes from.
const DefaultBlock = 8192

// validate returns everything that is wrong with the options.
func (o *MatrixOptions) validate() error {
	var faults []error
	t := &o.Table
	if len(t.Coordinates)+len(t.Sources)+len(t.Destinations)+len(t.Radiuses)+len(t.Bearings)+len(t.Approaches) > 0 {
		faults = append(faults, errors.New("batch: MatrixOptions.Table has coordinates, or lists by coordinate"))
	}
	if o.Rows < 0 || o.Columns < 0 {
		faults = append(faults, fmt.Errorf("batch: blocks of %d by %d", o.Rows, o.Columns))
	}
	return errors.Join(faults...)
}

// MatrixRow has the costs from one source to some destinations: those of a block, or
// of a part of one that has cells whose search panics.
type MatrixRow struct {
	Source       string   `json:"source"`       // ID of the place
	Destinations []string `json:"destinations"` // likewise
	// Durations in seconds and Distances in meters are by destination, +Inf where
	// there is no route, and nil unless asked for.
	Durations Costs `json:"durations,omitempty"`
	Distances Costs `json:"distances,omitempty"`
}

// Matrix finds the costs of the fastest routes from each source to each
// destination. Sources and destinations are Place, the rows MatrixRow: one a source
// and block. A place that no road is near is a Failure, whose Index is -1, and has
// no cells. A cell whose search panics is a Failure of its source's ID, whose Request
// has source and destination.
//
// Both are gathered on one worker to be sorted by place and cut into blocks, which
// is for some hundred thousand of them; MatrixFiles takes more.
func Matrix(s beam.Scope, d Dataset, opt MatrixOptions, sources, destinations beam.PCollection) (rows, failures beam.PCollection) {
	s = s.Scope("batch.Matrix")
	if err := opt.validate(); err != nil {
		panic(err) // as Beam does where a pipeline cannot be
	}
	gathered := beam.CoGroupByKey(s, beam.AddFixedKey(s, sources), beam.AddFixedKey(s, destinations))
	blocks := beam.Reshuffle(s, beam.ParDo(s, &cutFn{Opt: opt}, gathered))
	return beam.ParDo2(s, &blockFn{base: base{Data: d}, Table: opt.Table}, blocks)
}

func init() {
	beam.RegisterDoFn(&cutFn{})
	beam.RegisterDoFn(&blockFn{})
	register.Iter1[Place]()
	register.Emitter1[matrixBlock]()
	register.Emitter1[MatrixRow]()
}

// matrixBlock is the part of a matrix that is found at once.
type matrixBlock struct {
	Sources, Destinations []Place
	// FirstRow and FirstColumn tell that the block is the one to say which
	// destinations, or sources, have no road near.
	FirstRow, FirstColumn bool
}

type cutFn struct{ Opt MatrixOptions }

func (f *cutFn) ProcessElement(_ int, source, destination func(*Place) bool, emit func(matrixBlock)) {
	sources, destinations := collect(source), collect(destination)
	itself := func(p *Place) *Place { return p }
	sortByPlace(sources, itself)
	sortByPlace(destinations, itself)
	for i, rows := range cut(len(sources), f.Opt.Rows) {
		for j, columns := range cut(len(destinations), f.Opt.Columns) {
			emit(matrixBlock{sources[rows.from:rows.to], destinations[columns.from:columns.to], i == 0, j == 0})
		}
	}
}

func collect[T any](next func(*T) bool) (all []T) {
	for {
		var v T
		if !next(&v) {
			return all
		}
		all = append(all, v)
	}
}

type span struct{ from, to int }

// cut divides n things into as few parts as can be of at most size, or of
// DefaultBlock if that is 0, none more than one longer than another.
func cut(n, size int) []span {
	if size == 0 {
		size = DefaultBlock
	}
	parts := make([]span, (n+size-1)/size)
	for i := range parts {
		parts[i] = span{i * n / len(parts), (i + 1) * n / len(parts)}
	}
	return parts
}

type blockFn struct {
	base
	Table routing.TableRequest
}

func (f *blockFn) StartBundle(context.Context, func(MatrixRow), func(Failure))  { f.startBundle() }
func (f *blockFn) FinishBundle(context.Context, func(MatrixRow), func(Failure)) { f.finishBundle() }

func (f *blockFn) ProcessElement(ctx context.Context, b matrixBlock, emit func(MatrixRow), fail func(Failure)) error {
	var names []string // of the columns
	var of []int
	return f.table(ctx, &block{
		find: (*routing.Session).TableRows, template: &f.Table, sources: b.Sources, destinations: b.Destinations,
		row: func(i int, columns []int, row *routing.TableRow) error {
			if !slices.Equal(columns, of) {
				of, names = slices.Clone(columns), make([]string, len(columns))
				for k, j := range columns {
					names[k] = b.Destinations[j].ID
				}
			}
			f.answered.Inc(ctx, int64(len(columns)))
			emit(MatrixRow{b.Sources[i].ID, names, slices.Clone(row.Durations), slices.Clone(row.Distances)})
			return nil
		},
		fail: func(what faulty, failure Failure) error {
			if what.toldBy(b.FirstRow, b.FirstColumn) {
				f.failed.Inc(ctx, 1)
				fail(failure)
			}
			return nil
		},
	})
}
