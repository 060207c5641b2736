package batch_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/batch"
	"github.com/fourway-routing/fourway/routing"
)

func matrixFiles(t testing.TB, opt batch.MatrixOptions, f batch.MatrixFileOptions) map[string]int64 {
	p, s := beam.NewPipelineWithRoot()
	_, err := batch.MatrixFiles(s, pinned(t), opt, f)
	require.NoError(t, err)
	return runPipeline(t, p)
}

func both() batch.MatrixOptions {
	return batch.MatrixOptions{Table: routing.TableRequest{Annotations: routing.TableDurations | routing.TableDistances}}
}

// The size of the full test is FOURWAY_BATCH_MATRIX=5000.
func TestFilesOfAMatrixAreWhatTheLibraryAnswers(t *testing.T) {
	e := open(t)
	n := size(t, "FOURWAY_BATCH_MATRIX", 150)
	points := somewhere(t, e, 2*n, 5)
	places := func(prefix string, points []orb.Point) (list []any) {
		for i, p := range points {
			list = append(list, batch.Place{ID: fmt.Sprint(prefix, i), Coordinate: p})
		}
		return list
	}
	sources := append(places("s", points[:n]), `{"id": "off", "coordinate": [400, 0]}`, "no JSON")
	from, to := lines(t, sources...), lines(t, places("d", points[n:])...)
	indices := make([]int, n)
	for i := range indices {
		indices[i] = i
	}
	whole := routing.TableRequest{Coordinates: points, Sources: indices, Annotations: both().Table.Annotations}
	for i := range n {
		whole.Destinations = append(whole.Destinations, n+i)
	}
	want, err := routing.Table(t.Context(), e, whole)
	require.NoError(t, err)

	// Parquet, in blocks of several sizes.
	for _, block := range []int{0, n / 2, n/3 + 1} {
		opt := both()
		opt.Rows, opt.Columns = block, block
		out := filepath.Join(t.TempDir(), "out")
		counts := matrixFiles(t, opt, batch.MatrixFileOptions{Sources: from, Destinations: to, Output: out, Format: batch.Parquet})
		require.EqualValues(t, n*n, counts["answered"])
		require.EqualValues(t, 1, counts["failed"], "the place off the globe, once")
		check := newCellCheck(want, n)
		eachRow(t, out, func(c batch.Cell) { check.cell(t, int(c.Source), int(c.Destination), c.Duration, c.Distance) })
		check.complete(t)
		failures := linesOf[batch.Failure](t, out, "failures-0*")
		require.Len(t, failures, 1)
		require.Equal(t, "off", failures[0].ID)
		require.Len(t, linesOf[batch.Failure](t, out, "failures-sources*"), 1)
	}

	// Lines, twice: the second time there is nothing left to do.
	out := filepath.Join(t.TempDir(), "out")
	opt := both()
	opt.Columns = n/2 + 1
	matrixFiles(t, opt, batch.MatrixFileOptions{Sources: from, Destinations: to, Output: out})
	before := contents(t, out)
	counts := matrixFiles(t, opt, batch.MatrixFileOptions{Sources: from, Destinations: to, Output: out})
	require.EqualValues(t, 2, counts["found"])
	require.Equal(t, before, contents(t, out))
	check := newCellCheck(want, n)
	eachLine(t, out, "part-*", func(row batch.MatrixRow) { check.row(t, &row) })
	check.complete(t)
}

// cellCheck compares the cells of n places s0… and d0… with a table.
type cellCheck struct {
	want *routing.TableResponse
	n    int
	seen []bool
	rest int
}

func newCellCheck(want *routing.TableResponse, n int) *cellCheck {
	return &cellCheck{want, n, make([]bool, n*n), n * n}
}

func (c *cellCheck) cell(t testing.TB, i, j int, duration, distance float64) {
	if c.want.Durations[i][j] != duration || c.want.Distances[i][j] != distance || c.seen[i*c.n+j] { // require is slow
		require.Equal(t, c.want.Durations[i][j], duration)
		require.Equal(t, c.want.Distances[i][j], distance)
		require.Fail(t, "a cell came twice", "from %d to %d", i, j)
	}
	c.seen[i*c.n+j] = true
	c.rest--
}

func (c *cellCheck) row(t testing.TB, row *batch.MatrixRow) {
	number := func(id, prefix string) int {
		n, err := strconv.Atoi(strings.TrimPrefix(id, prefix))
		require.NoError(t, err)
		return n
	}
	i := number(row.Source, "s")
	for k, d := range row.Destinations {
		c.cell(t, i, number(d, "d"), row.Durations[k], row.Distances[k])
	}
}

func (c *cellCheck) complete(t testing.TB) { require.Zero(t, c.rest) }

func TestMatrixOfCollections(t *testing.T) {
	e := open(t)
	const n = 40
	points := somewhere(t, e, 2*n, 6)
	var sources, destinations []batch.Place
	request := routing.TableRequest{Coordinates: points, Annotations: both().Table.Annotations}
	for i := range n {
		sources = append(sources, batch.Place{ID: fmt.Sprint("s", i), Coordinate: points[i]})
		destinations = append(destinations, batch.Place{ID: fmt.Sprint("d", i), Coordinate: points[n+i]})
		request.Sources, request.Destinations = append(request.Sources, i), append(request.Destinations, n+i)
	}
	want, err := routing.Table(t.Context(), e, request)
	require.NoError(t, err)
	destinations = append(destinations, batch.Place{ID: "bad", Coordinate: orb.Point{math.NaN(), 1}})

	opt := both()
	opt.Rows, opt.Columns = 17, 23
	p, s := beam.NewPipelineWithRoot()
	rows, failures := batch.Matrix(s, pinned(t), opt, beam.CreateList(s, sources), beam.CreateList(s, destinations))
	gotRows, gotFailures := gather[batch.MatrixRow](s, rows), gather[batch.Failure](s, failures)
	runPipeline(t, p)
	check := newCellCheck(want, n)
	for _, row := range gotRows(t) {
		check.row(t, &row)
	}
	check.complete(t)
	bad := gotFailures(t)
	require.Len(t, bad, 1)
	require.Equal(t, "bad", bad[0].ID)
}

func TestMatrixOptions(t *testing.T) {
	_, s := beam.NewPipelineWithRoot()
	_, err := batch.MatrixFiles(s, batch.Dataset{}, batch.MatrixOptions{}, batch.MatrixFileOptions{})
	require.Error(t, err)
	opt := batch.MatrixOptions{Table: routing.TableRequest{Sources: []int{1}}, Rows: -1}
	_, err = batch.MatrixFiles(s, batch.Dataset{}, opt, batch.MatrixFileOptions{Sources: "a", Destinations: "b", Output: "c"})
	require.ErrorContains(t, err, "coordinates")
	require.ErrorContains(t, err, "-1")
}
