package batch

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// block is a part of a matrix that one worker finds.
type block struct {
	// find is Session.TableRows.
	find                  func(*routing.Session, context.Context, routing.TableRequest) iter.Seq2[routing.TableRow, error]
	template              *routing.TableRequest
	sources, destinations []Place
	// row gets the rows, in the order of the sources: the position of the source, and
	// those of the columns among the destinations.
	row func(i int, columns []int, row *routing.TableRow) error
	// fail gets what is left out. Places come before all rows, unless looking for them
	// panics.
	fail func(what faulty, f Failure) error

	// bad are the places that fail has got.
	badSources, badDestinations map[int]bool
}

// faulty is what of a block a failure is about.
type faulty uint8

const (
	faultySource faulty = iota
	faultyDestination
	faultyCell
)

// toldBy says whether a block is to tell of a failure, by whether it is among the
// first rows and the first columns of its matrix: of a place one block tells.
func (f faulty) toldBy(firstRow, firstColumn bool) bool {
	switch f {
	case faultySource:
		return firstColumn
	case faultyDestination:
		return firstRow
	}
	return true
}

// table finds a block.
func (w *worker) table(ctx context.Context, b *block) error {
	b.badSources, b.badDestinations = map[int]bool{}, map[int]bool{}
	return w.piece(ctx, b, numbers(len(b.sources)), numbers(len(b.destinations)))
}

// piece finds some rows and columns of a block. Where that panics it goes on from the
// row that did not come, in halves, until a cell is left.
func (w *worker) piece(ctx context.Context, b *block, rows, columns []int) error {
	for {
		rows = slices.DeleteFunc(slices.Clone(rows), func(i int) bool { return b.badSources[i] })
		columns = slices.DeleteFunc(slices.Clone(columns), func(j int) bool { return b.badDestinations[j] })
		if len(rows) == 0 || len(columns) == 0 {
			return nil
		}
		r := b.request(rows, columns)
		came, taking := 0, false
		var fault error
		failed, err := w.attempt(ctx, 0, func(ctx context.Context, s *routing.Session) error {
			return inOrder(b.find(s, ctx, r), func(t *routing.TableRow) error {
				taking = true
				fault = b.row(rows[t.Source], columns, t)
				taking = false
				came++
				return fault
			})
		})
		switch {
		case fault != nil:
			return fault
		case err != nil || failed == nil:
			return err
		case taking || failed.Code != CodePanic && failed.Index < 0:
			return fmt.Errorf("batch: a block of %d by %d failed: %s: %s", len(rows), len(columns), failed.Code, failed.Message)
		case failed.Code == CodePanic:
			return w.halves(ctx, b, rows[came:], columns, failed)
		}
		// A place is in the way.
		if k := int(failed.Index) - len(rows); k < 0 {
			i := rows[failed.Index]
			b.badSources[i] = true
			err = b.fail(faultySource, failureOfPlace(failed, &b.sources[i]))
		} else {
			j := columns[k]
			b.badDestinations[j] = true
			err = b.fail(faultyDestination, failureOfPlace(failed, &b.destinations[j]))
		}
		if err != nil {
			return err
		}
	}
}

// halves goes on after a panic.
func (w *worker) halves(ctx context.Context, b *block, rows, columns []int, failed *Failure) error {
	if len(rows) == 0 {
		return nil // they had all come
	}
	switch n, m := len(rows)/2, len(columns)/2; {
	case n == 0 && m == 0:
		source, destination := &b.sources[rows[0]], &b.destinations[columns[0]]
		return b.fail(faultyCell, failureOfCell(failed, source, destination))
	case n >= m:
		if err := w.piece(ctx, b, rows[:n], columns); err != nil {
			return err
		}
		return w.piece(ctx, b, rows[n:], columns)
	default:
		if err := w.piece(ctx, b, rows, columns[:m]); err != nil {
			return err
		}
		return w.piece(ctx, b, rows, columns[m:])
	}
}

// request asks for the costs between some sources and destinations.
func (b *block) request(rows, columns []int) routing.TableRequest {
	r := *b.template
	r.Coordinates = make([]orb.Point, 0, len(rows)+len(columns))
	r.Sources, r.Destinations = make([]int, len(rows)), make([]int, len(columns))
	for k, i := range rows {
		r.Sources[k] = len(r.Coordinates)
		r.Coordinates = append(r.Coordinates, b.sources[i].Coordinate)
	}
	for k, j := range columns {
		r.Destinations[k] = len(r.Coordinates)
		r.Coordinates = append(r.Coordinates, b.destinations[j].Coordinate)
	}
	return r
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

func failureOfCell(f *Failure, source, destination *Place) Failure {
	from, _ := encodePlace(*source) // likewise
	to, _ := encodePlace(*destination)
	request := fmt.Sprintf(`{"source":%s,"destination":%s}`, from, to)
	return Failure{ID: source.ID, Code: f.Code, Index: -1, Message: f.Message, Request: request}
}

// inOrder takes rows that come in any order in that of the sources.
func inOrder(rows iter.Seq2[routing.TableRow, error], take func(*routing.TableRow) error) error {
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
