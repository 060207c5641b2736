package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/paulmach/orb"

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

// MatrixRow has the costs from one source to some destinations: those of a block.
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
// no cells.
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
	var names []string
	return f.table(ctx, &f.Table, b.Sources, b.Destinations, func(i int, columns []int, row *routing.TableRow) error {
		if names == nil {
			names = make([]string, len(columns))
			for k, j := range columns {
				names[k] = b.Destinations[j].ID
			}
		}
		f.answered.Inc(ctx, int64(len(columns)))
		emit(MatrixRow{b.Sources[i].ID, names, slices.Clone(row.Durations), slices.Clone(row.Distances)})
		return nil
	}, func(source bool, _ int, failure Failure) error {
		if source && b.FirstColumn || !source && b.FirstRow {
			f.failed.Inc(ctx, 1)
			fail(failure)
		}
		return nil
	})
}

// table finds the rows of a block in order. A row is told with its position among
// the sources, and those of its columns among the destinations; what has no road
// near is left out, and told to fail before all rows.
func (w *worker) table(ctx context.Context, template *routing.TableRequest, sources, destinations []Place,
	row func(i int, columns []int, row *routing.TableRow) error, fail func(source bool, i int, f Failure) error) error {
	rows, columns := numbers(len(sources)), numbers(len(destinations))
	for len(rows) > 0 && len(columns) > 0 {
		r := *template
		r.Coordinates = make([]orb.Point, 0, len(rows)+len(columns))
		r.Sources, r.Destinations = make([]int, len(rows)), make([]int, len(columns))
		for k, i := range rows {
			r.Sources[k] = len(r.Coordinates)
			r.Coordinates = append(r.Coordinates, sources[i].Coordinate)
		}
		for k, j := range columns {
			r.Destinations[k] = len(r.Coordinates)
			r.Coordinates = append(r.Coordinates, destinations[j].Coordinate)
		}
		failed, err := w.attempt(ctx, 0, func(ctx context.Context, s *routing.Session) error {
			return inOrder(s.TableRows(ctx, r), func(t *routing.TableRow) error { return row(rows[t.Source], columns, t) })
		})
		if err != nil || failed == nil {
			return err
		}
		// Drop what is in the way, and go on.
		switch k := int(failed.Index) - len(rows); {
		case failed.Index < 0:
			return fmt.Errorf("batch: a block of %d by %d failed: %s: %s", len(rows), len(columns), failed.Code, failed.Message)
		case k < 0:
			i := rows[failed.Index]
			rows = slices.Delete(rows, int(failed.Index), int(failed.Index)+1)
			err = fail(true, i, failureOfPlace(failed, &sources[i]))
		default:
			j := columns[k]
			columns = slices.Delete(columns, k, k+1)
			err = fail(false, j, failureOfPlace(failed, &destinations[j]))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func failureOfPlace(f *Failure, p *Place) Failure {
	request, _ := encodePlace(*p) // a string and finite numbers
	return Failure{ID: p.ID, Code: f.Code, Index: -1, Message: f.Message, Request: string(request)}
}

// inOrder takes rows that come in any order in that of the sources.
func inOrder(rows func(func(routing.TableRow, error) bool), take func(*routing.TableRow) error) error {
	early := map[int]routing.TableRow{}
	next := 0
	for row, err := range rows {
		if err != nil {
			return err
		}
		if row.Source != next {
			row.Durations, row.Distances = slices.Clone(row.Durations), slices.Clone(row.Distances)
			early[row.Source] = row
			continue
		}
		for ok := true; ok; row, ok = early[next] {
			delete(early, next)
			if err := take(&row); err != nil {
				return err
			}
			next++
		}
	}
	return nil
}
