package batch

import (
	"context"
	"fmt"
	"iter"
	"os"
	"testing"

	"github.com/fourway-routing/fourway/routing"
	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
)

// sums is a find whose costs tell the pair, which cannot find cells of which bad says
// so, and which panics midway.
func sums(bad func(from, to float64) bool) func(*routing.Session, context.Context, routing.TableRequest) iter.Seq2[routing.TableRow, error] {
	return func(_ *routing.Session, _ context.Context, r routing.TableRequest) iter.Seq2[routing.TableRow, error] {
		return func(yield func(routing.TableRow, error) bool) {
			for i, p := range r.Coordinates {
				if p[0] < 0 {
					yield(routing.TableRow{}, &routing.Error{Code: routing.ErrNoSegment, Index: i})
					return
				}
			}
			for k, i := range r.Sources {
				row := routing.TableRow{Source: k}
				for _, j := range r.Destinations {
					from, to := r.Coordinates[i][0], r.Coordinates[j][0]
					if bad(from, to) {
						panic("broken")
					}
					row.Durations = append(row.Durations, 100*from+to)
				}
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}

func blockOf(rows, columns int) *block {
	b := &block{template: new(routing.TableRequest)}
	for i := range rows {
		b.sources = append(b.sources, Place{ID: fmt.Sprint("s", i), Coordinate: orb.Point{float64(i), 1}})
	}
	for j := range columns {
		b.destinations = append(b.destinations, Place{ID: fmt.Sprint("d", j), Coordinate: orb.Point{float64(j), 2}})
	}
	return b
}

func emptyWorker() *worker {
	w := &worker{data: &held[*routing.Engine]{value: new(routing.Engine)}}
	w.startBundle()
	return w
}

func TestCellsThatPanicAreFailures(t *testing.T) {
	for name, bad := range map[string]func(from, to float64) bool{
		"none":        func(_, _ float64) bool { return false },
		"cell":        func(from, to float64) bool { return from == 3 && to == 7 },
		"row":         func(from, _ float64) bool { return from == 3 },
		"column":      func(_, to float64) bool { return to == 7 },
		"all":         func(_, _ float64) bool { return true },
		"first, last": func(from, to float64) bool { return from == 0 && to == 0 || from == 10 && to == 12 },
	} {
		t.Run(name, func(t *testing.T) {
			b := blockOf(11, 13)
			b.sources[5].Coordinate[0], b.destinations[4].Coordinate[0] = -1, -1
			got := map[[2]int]float64{}
			var cells, places []string
			b.find = sums(bad)
			b.row = func(i int, columns []int, row *routing.TableRow) error {
				require.Len(t, row.Durations, len(columns))
				for k, j := range columns {
					require.NotContains(t, got, [2]int{i, j})
					got[[2]int{i, j}] = row.Durations[k]
				}
				return nil
			}
			b.fail = func(what faulty, f Failure) error {
				if what == faultyCell {
					require.Equal(t, CodePanic, f.Code)
					cells = append(cells, f.Request)
				} else {
					require.Equal(t, string(routing.ErrNoSegment), f.Code)
					places = append(places, f.ID)
				}
				return nil
			}
			require.NoError(t, emptyWorker().table(t.Context(), b))
			require.Equal(t, []string{"s5", "d4"}, places)
			want, poisoned := map[[2]int]float64{}, 0
			for i := range 11 {
				for j := range 13 {
					from, to := float64(i), float64(j)
					switch {
					case i == 5 || j == 4:
					case bad(from, to):
						poisoned++
						require.Contains(t, cells, fmt.Sprintf(
							`{"source":{"id":"s%d","coordinate":[%d,1]},"destination":{"id":"d%d","coordinate":[%d,2]}}`, i, i, j, j))
					default:
						want[[2]int{i, j}] = 100*from + to
					}
				}
			}
			require.Len(t, cells, poisoned)
			require.Equal(t, want, got)
		})
	}
}

func TestWhatCannotBeWrittenFailsTheBlock(t *testing.T) {
	b := blockOf(3, 3)
	b.find = sums(func(_, _ float64) bool { return false })
	b.fail = func(faulty, Failure) error { return nil }
	b.row = func(int, []int, *routing.TableRow) error { return os.ErrClosed }
	require.ErrorIs(t, emptyWorker().table(t.Context(), b), os.ErrClosed)
	b.row = func(int, []int, *routing.TableRow) error { panic("the sink") }
	require.ErrorContains(t, emptyWorker().table(t.Context(), b), "the sink")
	b.sources[0].Coordinate[0] = -1
	b.fail = func(faulty, Failure) error { return os.ErrClosed }
	require.ErrorIs(t, emptyWorker().table(t.Context(), b), os.ErrClosed)
}

func TestOneBlockTellsOfAPlace(t *testing.T) {
	require.True(t, faultySource.toldBy(false, true))
	require.False(t, faultySource.toldBy(true, false))
	require.True(t, faultyDestination.toldBy(true, false))
	require.False(t, faultyDestination.toldBy(false, true))
	require.True(t, faultyCell.toldBy(false, false))
}

func TestInOrder(t *testing.T) {
	come := []int{2, 0, 1, 4, 3}
	var got []float64
	require.NoError(t, inOrder(func(yield func(routing.TableRow, error) bool) {
		shared := []float64{0}
		for _, i := range come {
			shared[0] = float64(i)
			if !yield(routing.TableRow{Source: i, Durations: shared}, nil) {
				return
			}
		}
	}, func(r *routing.TableRow) error {
		got = append(got, r.Durations[0])
		return nil
	}))
	require.Equal(t, []float64{0, 1, 2, 3, 4}, got)
}

func TestCutIsEven(t *testing.T) {
	require.Equal(t, []span{{0, 3}, {3, 6}, {6, 10}}, cut(10, 4))
	require.Equal(t, []span{{0, 10}}, cut(10, 10))
	require.Empty(t, cut(0, 10))
}
