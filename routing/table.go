package routing

import (
	"context"
	"errors"
	"iter"
	"math"
	"runtime/debug"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
)

// Table finds the costs of the fastest routes from each source to each
// destination. A cell is what Route answers for its two coordinates, whatever
// else is in the table; of routes of equal weight the table may take another one.
// Errors are an *Error, or the context's.
//
// It is safe for concurrent use. A caller with many requests saves a little by
// a Session; one whose table is too big to be kept takes TableRows.
func Table(ctx context.Context, e *Engine, r TableRequest) (*TableResponse, error) {
	s := Session{engine: e}
	defer s.Close()
	return s.Table(ctx, r)
}

// TableRows is Table by rows, one for each source, as they are found: the order
// is not fixed. What a row holds is overwritten by the next one. An error comes
// last, with an empty row. Breaking off the loop ends the work.
//
// The Engine cannot be closed from inside the loop.
func TableRows(ctx context.Context, e *Engine, r TableRequest) iter.Seq2[TableRow, error] {
	return func(yield func(TableRow, error) bool) {
		s := Session{engine: e}
		defer s.Close()
		s.TableRows(ctx, r)(yield)
	}
}

// Table is the function Table.
func (s *Session) Table(ctx context.Context, r TableRequest) (res *TableResponse, err error) {
	if err := s.enterFor("table", wish{r.Metric, r.Depart}, false); err != nil {
		return nil, err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	d, err := s.data.avoiding(ctx, r.Avoid)
	if err != nil {
		return nil, err
	}
	return s.workspaceOf(d).wholeTable(ctx, &r, &s.seen)
}

// TableRows is the function TableRows. Before the loop is over the Session answers
// nothing else, but with ErrBusy.
func (s *Session) TableRows(ctx context.Context, r TableRequest) iter.Seq2[TableRow, error] {
	return func(yield func(TableRow, error) bool) {
		stopped := false
		err := s.tableRows(ctx, &r, func(row *TableRow) error {
			s.outside = true
			stopped = !yield(*row, nil)
			s.outside = false
			if stopped {
				return errStopped
			}
			return nil
		})
		if err != nil && !stopped {
			yield(TableRow{}, err)
		}
	}
}

// errStopped ends a table whose reader wants no more rows.
var errStopped = errors.New("routing: stopped")

func (s *Session) tableRows(ctx context.Context, r *TableRequest, row func(*TableRow) error) (err error) {
	if err := s.enterFor("table", wish{r.Metric, r.Depart}, false); err != nil {
		return err
	}
	defer s.leave(debug.SetPanicOnFault(true), &err)
	d, err := s.data.avoiding(ctx, r.Avoid)
	if err != nil {
		return err
	}
	err = s.workspaceOf(d).table(ctx, r, &s.seen, row)
	if errors.Is(err, errStopped) {
		return nil
	}
	return err
}

func (w *workspace) wholeTable(ctx context.Context, r *TableRequest, seen *Observation) (*TableResponse, error) {
	res := &TableResponse{
		DataVersion:   w.data.net.Properties.DataVersion,
		Metric:        w.data.metricName,
		skipWaypoints: r.SkipWaypoints,
		tellMetric:    told(r.Metric, r.Depart),
		estimates:     r.FallbackSpeed > 0,
	}
	sources, _ := r.size()
	err := w.table(ctx, r, seen, func(row *TableRow) error {
		if row.Durations != nil {
			if res.Durations == nil {
				res.Durations = make([][]float64, sources)
			}
			res.Durations[row.Source] = slices.Clone(row.Durations)
		}
		if row.Distances != nil {
			if res.Distances == nil {
				res.Distances = make([][]float64, sources)
			}
			res.Distances[row.Source] = slices.Clone(row.Distances)
		}
		res.Estimated = appendCells(res.Estimated, row.Source, row.Estimated)
		res.Moved = appendCells(res.Moved, row.Source, row.Moved)
		return nil
	})
	if err != nil {
		return nil, err
	}
	sortCells(res.Estimated)
	sortCells(res.Moved)
	if !r.SkipWaypoints {
		res.Sources = w.tableWaypoints(r.Sources, !r.NoHints)
		res.Destinations = w.tableWaypoints(r.Destinations, !r.NoHints)
	}
	return res, nil
}

func appendCells(dst []TableCell, source int, destinations []int) []TableCell {
	for _, j := range destinations {
		dst = append(dst, TableCell{source, j})
	}
	return dst
}

// sortCells sorts by rows what came row by row, in order within each.
func sortCells(cells []TableCell) {
	slices.SortStableFunc(cells, func(a, b TableCell) int { return a.Source - b.Source })
}

// tableWaypoints describes the nearest places of some coordinates, or of all.
func (w *workspace) tableWaypoints(indices []int, hint bool) []Waypoint {
	if len(indices) == 0 {
		out := make([]Waypoint, len(w.stops))
		for i := range w.stops {
			out[i] = w.data.waypoint(w.stops[i].nearest, hint)
		}
		return out
	}
	out := make([]Waypoint, len(indices))
	for i, at := range indices {
		out[i] = w.data.waypoint(w.stops[at].nearest, hint)
	}
	return out
}

// tableSearch is a table in the making. Its memory is kept for the next one.
type tableSearch struct {
	r        *TableRequest
	seeds    []graph.Seed
	base     int            // seeds that are not of near
	sources  [][]graph.Seed // in the big component, by row
	targets  [][]graph.Seed // by column
	near     nearCells
	row      TableRow
	distance []float64
	duration []float64
}

// nearCells are the cells of a block of rows whose two ends have candidates in
// one small component, so that their route stays in it.
type nearCells struct {
	rows, columns    []int // of the table
	sources, targets [][]graph.Seed
	first            []int // of cells, by row of the block
	cells            []nearCell
}

type nearCell struct {
	column int
	cell   graph.Cell
}

// maxNearCells bounds the memory of nearCells; a table with more is made in
// blocks of rows.
const maxNearCells = 1 << 20

// table finds a table row by row.
func (w *workspace) table(ctx context.Context, r *TableRequest, seen *Observation, row func(*TableRow) error) error {
	e := w.data
	if err := r.Validate(); err != nil {
		return err
	}
	if err := e.opt.Limits.CheckTable(r); err != nil {
		return err
	}
	ctx = w.budgeted(ctx)
	exclude, err := e.exclude(ctx, r.Exclude)
	if err != nil {
		return err
	}
	if err := w.snap(ctx, r.places(), exclude); err != nil {
		return err
	}
	seen.lap(&seen.Snap)
	w.searcher.exclude(exclude)
	t := &w.rows
	t.r = r
	defer func() { t.r = nil }()
	w.seedTable()
	if err := w.findBehind(ctx, r.Sources, r.Destinations, pairCandidates); err != nil {
		return err
	}
	count := len(t.sources)
	for from := 0; from < count; {
		to, err := w.nearBlock(ctx, from)
		if err != nil {
			return err
		}
		if err := w.searcher.Table(ctx, t.sources[from:to], t.targets, func(source int, cells []graph.Cell) error {
			seen.Settled = w.searcher.Settled()
			return row(w.finish(from, source, cells))
		}); err != nil {
			return err
		}
		from = to
	}
	seen.lap(&seen.Search)
	return ctx.Err()
}

// stopOf returns the stop of the i-th of the sources or destinations.
func (w *workspace) stopOf(indices []int, i int) *stop {
	if len(indices) > 0 {
		i = indices[i]
	}
	return &w.stops[i]
}

// far returns the candidates of a stop that count unless both ends of a pair are
// in one small component.
func (s *stop) far() []graph.Phantom {
	if len(s.big) > 0 {
		return s.big
	}
	return s.nearest
}

// pairCandidates returns the candidates that count between two stops.
func pairCandidates(from, to *stop) (a, b []graph.Phantom) {
	if meetNear(from, to) {
		return from.nearest, to.nearest
	}
	return from.far(), to.far()
}

// seedTable makes the sets of seeds of the rows and columns.
func (w *workspace) seedTable() {
	t := &w.rows
	sources, destinations := t.r.size()
	t.seeds, t.sources, t.targets = t.seeds[:0], t.sources[:0], t.targets[:0]
	for i := range sources {
		t.sources = append(t.sources, w.sourceSeeds(w.stopOf(t.r.Sources, i).far()))
	}
	for j := range destinations {
		t.targets = append(t.targets, w.targetSeeds(w.stopOf(t.r.Destinations, j).far()))
	}
	t.base = len(t.seeds)
}

// sourceSeeds returns the seeds that start at phantoms.
func (w *workspace) sourceSeeds(phantoms []graph.Phantom) []graph.Seed {
	t := &w.rows
	start := len(t.seeds)
	for i := range phantoms {
		t.seeds = phantoms[i].AppendSourceSeeds(t.seeds)
	}
	return t.seeds[start:len(t.seeds):len(t.seeds)]
}

func (w *workspace) targetSeeds(phantoms []graph.Phantom) []graph.Seed {
	t := &w.rows
	start := len(t.seeds)
	for i := range phantoms {
		t.seeds = phantoms[i].AppendTargetSeeds(t.seeds, w.data.net)
	}
	return t.seeds[start:len(t.seeds):len(t.seeds)]
}

// meetNear says whether the route between two stops stays in a small component
// though one of them has a place in a big one.
func meetNear(a, b *stop) bool {
	if len(a.big) == 0 && len(b.big) == 0 {
		return false
	}
	for i := range a.nearest {
		if c := a.nearest[i].Component; c.Small() && hasComponent(b.nearest, c) {
			return true
		}
	}
	return false
}

func hasSmall(phantoms []graph.Phantom) bool {
	for i := range phantoms {
		if phantoms[i].Component.Small() {
			return true
		}
	}
	return false
}

// nearBlock fills t.near for rows from on, as many as fit, and returns the row
// after them.
func (w *workspace) nearBlock(ctx context.Context, from int) (int, error) {
	t := &w.rows
	n := &t.near
	sources, destinations := len(t.sources), len(t.targets)
	n.rows, n.columns, n.first, n.cells = n.rows[:0], n.columns[:0], n.first[:0], n.cells[:0]
	for j := range destinations {
		if hasSmall(w.stopOf(t.r.Destinations, j).nearest) {
			n.columns = append(n.columns, j)
		}
	}
	to := from
	for ; to < sources && (to == from || len(n.cells)+len(n.columns) <= maxNearCells); to++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n.first = append(n.first, len(n.cells))
		a := w.stopOf(t.r.Sources, to)
		if len(n.columns) == 0 || !hasSmall(a.nearest) {
			continue
		}
		for k, j := range n.columns {
			if meetNear(a, w.stopOf(t.r.Destinations, j)) {
				n.cells = append(n.cells, nearCell{column: k})
			}
		}
		if len(n.cells) > n.first[to-from] {
			n.rows = append(n.rows, to-from)
		}
	}
	n.first = append(n.first, len(n.cells))
	if len(n.cells) == 0 {
		return to, nil
	}
	t.seeds, n.sources, n.targets = t.seeds[:t.base], n.sources[:0], n.targets[:0]
	for _, i := range n.rows {
		n.sources = append(n.sources, w.sourceSeeds(w.stopOf(t.r.Sources, from+i).nearest))
	}
	for _, j := range n.columns {
		n.targets = append(n.targets, w.targetSeeds(w.stopOf(t.r.Destinations, j).nearest))
	}
	return to, w.searcher.Table(ctx, n.sources, n.targets, func(source int, cells []graph.Cell) error {
		row := n.rows[source]
		for i := n.first[row]; i < n.first[row+1]; i++ {
			x := &n.cells[i]
			x.cell = cells[x.column]
			x.column = n.columns[x.column]
		}
		return nil
	})
}

// finish makes a row of cells, that of a source of the block of rows from on.
func (w *workspace) finish(from, source int, cells []graph.Cell) *TableRow {
	t := &w.rows
	r, row := t.r, &t.row
	row.Source = from + source
	row.Estimated, row.Moved = row.Estimated[:0], row.Moved[:0]
	row.Durations, row.Distances = nil, nil
	t.duration, t.distance = t.duration[:0], t.distance[:0]
	a := w.stopOf(r.Sources, row.Source)
	near := t.near.cells[t.near.first[source]:t.near.first[source+1]]
	for j := range cells {
		cell := cells[j]
		b := w.stopOf(r.Destinations, j)
		from, to := a.far(), b.far()
		switch {
		case len(near) > 0 && near[0].column == j:
			cell, near = near[0].cell, near[1:]
			from, to = a.nearest, b.nearest
		case len(a.big) > 0 || len(b.big) > 0:
			row.Moved = append(row.Moved, j)
		}
		if c, ok := w.areaCell(a, b, row.Source, j); ok {
			cell = c
		}
		duration, distance := cell.Duration, float64(0)
		if cell.Weight != graph.InvalidWeight {
			duration, distance = max(0, duration), meters(int64(cell.Distance))
		} else {
			duration, distance = graph.InvalidDuration, math.Inf(1)
			if r.FallbackSpeed > 0 {
				duration, distance = r.estimate(&from[0], &to[0])
				row.Estimated = append(row.Estimated, j)
			}
		}
		t.duration = append(t.duration, scaled(duration, r.ScaleFactor))
		t.distance = append(t.distance, distance)
	}
	if r.Annotations == 0 || r.Annotations&TableDurations != 0 {
		row.Durations = t.duration
	}
	if r.Annotations&TableDistances != 0 {
		row.Distances = t.distance
	}
	return row
}

// estimate returns what the way of the crow takes.
func (r *TableRequest) estimate(a, b *graph.Phantom) (graph.Duration, float64) {
	from, to := a.Input, b.Input
	if r.FallbackCoordinate == FallbackSnapped {
		from, to = placeOf(a), placeOf(b)
	}
	distance := geo.Distance(from, to)
	duration := min(distance/r.FallbackSpeed*10, float64(graph.InvalidDuration-1))
	return graph.Duration(duration), math.Round(distance*10) / 10
}

// placeOf returns where a candidate's coordinate has its place.
func placeOf(p *graph.Phantom) geo.Coord {
	if p.InArea {
		return p.Input
	}
	return p.Place
}

// scaled returns a duration in seconds times a factor; what exceeds the largest
// duration is that.
func scaled(d graph.Duration, factor float64) float64 {
	switch {
	case d == graph.InvalidDuration:
		return math.Inf(1)
	case d == 0 || factor == 0 || factor == 1:
		return seconds(d)
	case factor >= float64(graph.InvalidDuration/d):
		return seconds(graph.InvalidDuration - 1)
	}
	return math.Round(float64(d)*factor) / 10
}
