package routing

import (
	"context"
	"slices"
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
			w := newWorkspace(e.dataset)
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

// TestCustomizeOnce: those who want a set at the same time share it, those in a
// hurry do not spoil it, and nothing is made that nobody waits for.
func TestCustomizeOnce(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	d := andorras(t)[MLD].current.Load()
	c := d.customized
	get := d.customizedTo
	c.turn <- struct{}{} // nobody gets to work yet
	hasty, cancel := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		_, err := get(hasty, 3)
		first <- err
	}()
	for len(snapshot(c)) == 0 {
		time.Sleep(time.Millisecond)
	}
	var wg sync.WaitGroup
	results := make([]any, 6)
	for i := range results {
		wg.Go(func() {
			q, err := get(t.Context(), 3)
			if err != nil {
				results[i] = err
			} else {
				results[i] = q.cliques
			}
		})
	}
	for _, mask := range []graph.ClassMask{3, 5} {
		impatient, stop := context.WithTimeout(t.Context(), 5*time.Millisecond)
		_, err := get(impatient, mask)
		stop()
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
	cancel()
	require.ErrorIs(t, <-first, context.Canceled)
	require.Len(t, snapshot(c), 1, "nobody waits for the other set")
	<-c.turn
	wg.Wait()
	for _, r := range results {
		require.Same(t, results[0], r)
	}
	require.Len(t, snapshot(c), 1)
}

// TestCustomizeToTheEnd: what is being made when the last caller leaves is made to
// the end, unless the data set is closed.
func TestCustomizeToTheEnd(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	d := andorras(t)[MLD].current.Load()
	for _, closed := range []bool{false, true} {
		c := newShared[graph.ClassMask, customized](newLifetime())
		get := func(ctx context.Context, mask graph.ClassMask) (customized, error) {
			return c.get(ctx, mask, func(ctx context.Context) (customized, error) { return d.customize(ctx, excluded(d.net, mask)) })
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := get(ctx, 3)
			done <- err
		}()
		started := func() bool {
			c.mu.Lock()
			defer c.mu.Unlock()
			return len(c.kept) > 0 && c.kept[0].started
		}
		for !started() {
			time.Sleep(10 * time.Microsecond)
		}
		cancel()
		if err := <-done; err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
		if closed {
			c.life.close()
			continue
		}
		x := snapshot(c)[0]
		<-x.ready
		require.NoError(t, x.err)
		q, err := get(t.Context(), 3)
		require.NoError(t, err)
		require.Same(t, x.value.cliques, q.cliques)
		c.life.close()
	}
}

func snapshot(c *shared[graph.ClassMask, customized]) []*entry[graph.ClassMask, customized] {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.kept)
}
