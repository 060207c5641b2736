package profile

import (
	"context"
	"math"
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"
)

func newWorker(tb testing.TB, name string) Worker {
	tb.Helper()
	p, err := ByName(name)
	require.NoError(tb, err)
	w, err := p.NewWorker()
	require.NoError(tb, err)
	return w
}

// A worker's result does not depend on what it evaluated before.
func TestWorkerKeepsNothing(t *testing.T) {
	_, ways := delaware(t)
	ways = ways[len(ways)-2000:]
	for _, name := range Names() {
		old := newWorker(t, name)
		var a, b WayResult
		for _, way := range ways {
			require.NoError(t, old.Way(way, &a))
			require.NoError(t, newWorker(t, name).Way(way, &b))
			require.Equal(t, b, a, name)
		}
	}
}

func TestProfileIsShared(t *testing.T) {
	for _, name := range Names() {
		p, err := ByName(name)
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		done := make(chan error)
		for range 4 {
			go func() {
				w, err := p.NewWorker()
				var r WayResult
				for i := 0; i < 1000 && err == nil && ctx.Err() == nil; i++ {
					err = w.Way(&osm.Way{Tags: parseTags("highway=primary, maxspeed=DE:Rural")}, &r)
				}
				done <- err
			}()
		}
		for range 4 {
			require.NoError(t, <-done)
		}
	}
}

// Nothing said is nothing found.
func TestClosedWithoutTags(t *testing.T) {
	for _, name := range Names() {
		var r, closed WayResult
		closed.Reset()
		w := newWorker(t, name)
		require.NoError(t, w.Way(&osm.Way{}, &r))
		require.Equal(t, closed, r)
		require.NoError(t, w.Segment(&Segment{}))
		n := NodeResult{Obstacles: []Obstacle{{}}}
		require.NoError(t, w.Node(&osm.Node{}, &n))
		require.Empty(t, n.Obstacles)
	}
}

func FuzzWay(f *testing.F) {
	f.Add("highway", "primary", "maxspeed", "50", "turn:lanes", "left|through")
	f.Add("route", "ferry", "duration", "PT1H", "access", " ;no")
	f.Add("highway", "motorway", "lanes:psv:forward", "0x1p3", "turn:lanes:forward", "||left||")
	f.Add("highway", "track", "destination:ref", "A;B", "motor_vehicle", "yes;no")
	f.Add("highway", "steps", "foot:forward", "no;yes", "conveying", "forward")
	f.Add("bridge", "movable", "cycleway:left", "opposite", "maxspeed:forward", "5 mph")
	f.Fuzz(func(t *testing.T, k1, v1, k2, v2, k3, v3 string) {
		tags := osm.Tags{{Key: k1, Value: v1}, {Key: k2, Value: v2}, {Key: k3, Value: v3}}
		for _, name := range Names() {
			p, err := ByName(name)
			require.NoError(t, err)
			w, err := p.NewWorker()
			require.NoError(t, err)
			durationIsWeight := p.Properties().DurationIsWeight()
			var r WayResult
			require.NoError(t, w.Way(&osm.Way{Tags: tags}, &r))
			for _, x := range []float64{r.ForwardSpeed, r.BackwardSpeed, r.ForwardRate, r.BackwardRate, r.Duration, r.Weight} {
				require.False(t, math.IsNaN(x))
			}
			if r.Routable(durationIsWeight) && r.Forward() {
				require.True(t, durationIsWeight || r.Weight > 0 || r.ForwardRate > 0)
				require.True(t, r.Duration > 0 || r.ForwardSpeed > 0)
			}
			r.Split(false)
			var n NodeResult
			require.NoError(t, w.Node(&osm.Node{Tags: tags}, &n))
			require.LessOrEqual(t, len(n.Obstacles), 2)
		}
	})
}
