package routing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
	"github.com/fourway-routing/fourway/pool"
)

// stored writes the files of a drawing to a folder and returns the data set's name.
func stored(t *testing.T) (name string) {
	t.Helper()
	folder := t.TempDir()
	for name, f := range buildFS(t, loop, 1) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), f.Data, 0o600))
	}
	return filepath.Join(folder, "town")
}

// within fails a test that has come to a standstill.
func within(t *testing.T, d time.Duration, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(d):
		t.Fatal("standstill: " + what)
	}
}

// Close waits for a loop over rows, in which the Engine is asked for changes.
func TestUpdateInsideRowsWhileClosing(t *testing.T) {
	updatable(t, func(t *testing.T, m *town) {
		closed, changed := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(changed)
			for _, err := range TableRows(t.Context(), m.Engine, TableRequest{Coordinates: m.points("ab")}) {
				if err != nil {
					t.Error(err)
				}
				select {
				case <-closed:
				default:
					go func() {
						_ = m.Close()
						close(closed)
					}()
					for m.current.Load().queries.state.Load()&1 == 0 {
						time.Sleep(time.Millisecond)
					}
				}
				if _, err := m.Update(t.Context(), Update{Layer: "live"}); !isClosed(err) {
					t.Error(err)
				}
				if err := m.Replace(t.Context(), "town"); !isClosed(err) {
					t.Error(err)
				}
				return
			}
		}()
		within(t, 10*time.Second, "the loop", changed)
		within(t, 10*time.Second, "Close", closed)
		require.NoError(t, m.Close())
	})
}

func isClosed(err error) bool {
	e, ok := err.(*Error)
	return ok && e.Code == ErrClosed
}

// An Update that waits for another gives up when its context is done.
func TestUpdateDoesNotWaitForever(t *testing.T) {
	updatable(t, func(t *testing.T, m *town) {
		require.NoError(t, m.lock(t.Context()))
		defer m.unlock()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := m.Update(ctx, Update{Layer: "live"})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, m.Replace(ctx, "town"), context.DeadlineExceeded)
	})
}

// A metric's id stands for one content, also of data sets that were replaced.
func TestMetricIDsAreNotUsedTwice(t *testing.T) {
	name := stored(t)
	for _, a := range []Algorithm{MLD, CCH} {
		e, err := Open(name, Options{Algorithm: a})
		require.NoError(t, err)
		plain, seen := e.Info().MetricID, map[string]bool{}
		note := func() {
			id := e.Info().MetricID
			require.False(t, seen[id], id)
			seen[id] = true
		}
		from, to := loop.NodeID('a'), loop.NodeID('b')
		for _, kmh := range []float64{10, 20, 30} {
			_, err = e.Update(t.Context(), Update{Layer: "live", Speeds: []SegmentSpeed{{From: from, To: to, Speed: kmh}}})
			require.NoError(t, err)
			note()
			require.NoError(t, e.Replace(t.Context(), name))
			note()
		}
		_, err = e.Update(t.Context(), Update{Layer: "live", Clear: true})
		require.NoError(t, err)
		note()
		require.NoError(t, e.Replace(t.Context(), name))
		require.Equal(t, plain, e.Info().MetricID, "without updates it is the files'")
		_, err = e.Update(t.Context(), Update{Layer: "live", Speeds: []SegmentSpeed{{From: from, To: to, Speed: 77}}})
		require.NoError(t, err)
		note()
		require.NoError(t, e.Close())
	}
}

// What is being made for a data set ends with it, also where that was made of a
// data set that avoids something and that others have since taken the place of.
func TestNothingIsMadeOfARetiredDataset(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	updatable(t, func(t *testing.T, m *town) {
		d := m.current.Load()
		v, err := d.avoiding(t.Context(), []Avoid{{Ways: []int64{1}}})
		require.NoError(t, err)
		working, ended := make(chan struct{}), make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-working
			cancel()
		}()
		_, err = v.customized.get(ctx, 1, func(ctx context.Context) (customized, error) {
			defer close(ended)
			close(working)
			<-ctx.Done()
			return customized{}, ctx.Err()
		})
		require.ErrorIs(t, err, context.Canceled)
		for i := range 2 * keptCustomizations {
			_, err := d.avoiding(t.Context(), []Avoid{{Ways: []int64{int64(i) + 2}}})
			require.NoError(t, err)
		}
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			_ = m.Close()
		}()
		within(t, 10*time.Second, "Close", closed)
		select {
		case <-ended:
		default:
			t.Fatal("it goes on after the data set is closed")
		}
	})
}

// A polygon that takes long to compare with the roads does not keep an Engine open.
func TestClosingRoadsEndsWithTheDataset(t *testing.T) {
	updatable(t, func(t *testing.T, m *town) {
		d := m.current.Load()
		s := graph.NewSnapper(d.net, d.metric, pool.New())
		avoid := Avoid{Polygon: d.info.Bounds.Pad(0.001).ToPolygon()}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		b, err := d.block(&avoid, "Avoid", 0)
		require.NoError(t, err)
		_, err = b.segments(ctx, d.net, d.parts.index(), s)
		require.ErrorIs(t, err, context.Canceled)
		list, err := b.segments(t.Context(), d.net, d.parts.index(), s)
		require.NoError(t, err)
		require.Len(t, list, 2*d.info.Segments)
	})
}

// Whatever comes in at once while data sets come and go: all answers are of the
// data, and nothing is left behind.
func TestEverythingWhileCostsAndDataChange(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	name := stored(t)
	for _, a := range []Algorithm{MLD, CCH} {
		e, err := Open(name, Options{Algorithm: a})
		require.NoError(t, err)
		ways := []int64{loop.WayID("ab"), loop.WayID("bd"), loop.WayID("aced")}
		route, table := request(&loop, "ad"), TableRequest{Coordinates: request(&loop, "abcde").Coordinates}
		var stop atomic.Bool
		var group sync.WaitGroup
		work := func(f func(rng *rand.Rand, s *Session, ctx context.Context) error) {
			group.Go(func() {
				rng := rand.New(rand.NewPCG(1, 1))
				s := e.Session()
				defer s.Close()
				for !stop.Load() {
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.IntN(3000))*time.Microsecond)
					err := f(rng, s, ctx)
					if err != nil && ctx.Err() == nil {
						t.Errorf("%v", err)
					}
					cancel()
				}
			})
		}
		work(func(rng *rand.Rand, s *Session, ctx context.Context) error {
			r := route
			r.Avoid = []Avoid{{Ways: []int64{ways[rng.IntN(2)]}}, {Ways: []int64{int64(rng.IntN(30)) + 1e6}}}
			if rng.IntN(2) == 0 {
				r.Exclude = []string{[]string{"ferry", "motorway", "toll"}[rng.IntN(3)]}
			}
			_, err := s.Route(ctx, r)
			return err
		})
		work(func(rng *rand.Rand, s *Session, ctx context.Context) error {
			r := route
			r.Exclude = []string{[]string{"ferry", "motorway", "toll"}[rng.IntN(3)], "tunnel"}
			_, err := s.Route(ctx, r)
			return err
		})
		work(func(rng *rand.Rand, s *Session, ctx context.Context) error {
			for row, err := range s.TableRows(ctx, table) {
				if err != nil {
					return err
				}
				if len(row.Durations) != len(table.Coordinates) {
					return fmt.Errorf("row %v", row)
				}
				time.Sleep(time.Millisecond)
			}
			return nil
		})
		work(func(rng *rand.Rand, s *Session, ctx context.Context) error {
			_, err := s.Match(ctx, MatchRequest{Coordinates: table.Coordinates[:2]})
			return err
		})
		for i := range 100 {
			switch {
			case i%10 == 9:
				require.NoError(t, e.Replace(t.Context(), name))
			case i%10 == 4:
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Microsecond)
				_, _ = e.Update(ctx, Update{Layer: "live", Clear: true})
				cancel()
			default:
				_, err := e.Update(t.Context(), Update{Layer: "live", Ways: []WaySpeed{{Way: ways[i%3], Speed: float64(10 + i)}}})
				require.NoError(t, err)
			}
			time.Sleep(time.Millisecond)
		}
		stop.Store(true)
		group.Wait()
		require.NoError(t, e.Close())
		require.Zero(t, e.current.Load().parts.users.Load())
	}
}

// Sets of classes that were prepared in the files are excluded after an update too.
func TestExcludeAfterUpdate(t *testing.T) {
	for a, e := range andorras(t) {
		if Algorithm(a) == CH {
			continue
		}
		t.Run(Algorithm(a).String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(8, uint64(a)))
			_, err := e.Update(t.Context(), Update{Layer: "live", Speeds: changes(rng, e.current.Load().net, 0.2, 50)})
			require.NoError(t, err)
			defer func() {
				_, err := e.Update(t.Context(), Update{Layer: "live", Clear: true})
				require.NoError(t, err)
			}()
			d := e.current.Load().dataset
			g := graph.Expand(d.net, d.metric)
			w := newWorkspace(d)
			for _, names := range d.info.Excludable {
				x, err := d.exclude(t.Context(), names)
				require.NoError(t, err)
				w.searcher.exclude(x)
				barred := excluded(d.net, x.mask)
				for range 10 {
					from := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
					tree := oracle.Grow(g, barred, from)
					for range 10 {
						to := []graph.Seed{{Node: graph.NodeID(rng.IntN(g.NumNodes()))}}
						q := oracle.Question{Sources: from, Targets: to, Want: tree.To(to)}
						oracle.CheckShortest(t, g, barred, w.searcher, &q, "")
					}
				}
			}
		})
	}
}
