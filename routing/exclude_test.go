package routing

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/oracle"
)

// TestExcludeAnySet: with MLD and CCH every set of classes can be excluded, and all
// services keep out of its roads.
func TestExcludeAnySet(t *testing.T) {
	all := andorras(t)
	names := all[CH].Info().Classes
	prepared := map[graph.ClassMask]bool{}
	for _, mask := range all[CH].current.Load().sets {
		prepared[mask] = true
	}
	d := all[CH].current.Load()
	g := graph.Expand(d.net, d.metric)
	odd := 0
	for mask := graph.ClassMask(1); int(mask) < 1<<len(names); mask++ {
		if prepared[mask] {
			continue
		}
		odd++
		var exclude []string
		for i, name := range names {
			if mask>>i&1 != 0 {
				exclude = append(exclude, name)
			}
		}
		_, err := d.exclude(t.Context(), exclude)
		require.ErrorIs(t, err, ErrInvalidValue)
		for _, set := range d.info.Excludable {
			require.ErrorContains(t, err, set[0], "the sets that can be excluded are told")
		}
		if odd > 12 {
			continue
		}
		for _, a := range []Algorithm{MLD, CCH} {
			e := all[a].current.Load()
			x, err := e.exclude(t.Context(), exclude)
			require.NoError(t, err)
			barred := excluded(e.net, mask)
			w := newWorkspace(e)
			w.searcher.exclude(x)
			for i := range 10 {
				from := []graph.Seed{{Node: graph.NodeID(i * 531 % e.net.NumNodes())}}
				to := []graph.Seed{{Node: graph.NodeID(i * 977 % e.net.NumNodes())}}
				if from[0].Node == to[0].Node {
					continue
				}
				want := oracle.Grow(g, barred, from).To(to)
				f, ok, err := w.searcher.Shortest(t.Context(), from, to)
				require.NoError(t, err)
				require.Equal(t, want.Reached, ok)
				if ok {
					require.EqualValues(t, want.Weight, f.Weight)
				}
			}
			require.LessOrEqual(t, len(e.customized.kept), keptCustomizations)
		}
	}
	require.Greater(t, odd, keptCustomizations)
	for _, e := range all {
		_, err := e.current.Load().exclude(t.Context(), []string{"unknown"})
		require.ErrorIs(t, err, ErrInvalidValue)
	}
}

// TestCustomizeOnce: of those who want a set at the same time one makes it; if
// that one gives up another does.
func TestCustomizeOnce(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	c := andorras(t)[MLD].current.Load().customized
	c.turn <- struct{}{} // nobody gets to work yet
	hasty, cancel := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		_, err := c.get(hasty, 3)
		first <- err
	}()
	for len(snapshot(c)) == 0 {
		time.Sleep(time.Millisecond)
	}
	var wg sync.WaitGroup
	results := make([]any, 6)
	for i := range results {
		wg.Go(func() {
			q, err := c.get(t.Context(), 3)
			if err != nil {
				results[i] = err
			} else {
				results[i] = q.cliques
			}
		})
	}
	impatient, stop := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer stop()
	_, err := c.get(impatient, 3)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	cancel()
	require.True(t, errors.Is(<-first, context.Canceled))
	<-c.turn
	wg.Wait()
	for _, r := range results {
		require.Same(t, results[0], r)
	}
	require.Len(t, c.kept, 1)
}

func snapshot(c *customizations) []*customization {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*customization(nil), c.kept...)
}
