package traffic_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/traffic"
)

// told is what layers were told, as maps.
type told struct {
	speeds map[[2]int64]traffic.Speed
	ways   map[traffic.DirectedWay]traffic.Speed
	turns  map[turn]traffic.Penalty
}

func newTold() told {
	return told{map[[2]int64]traffic.Speed{}, map[traffic.DirectedWay]traffic.Speed{}, map[turn]traffic.Penalty{}}
}

func (l *told) tell(c *traffic.LayerChange) {
	if c.Clear {
		*l = newTold()
	}
	for _, s := range c.Speeds {
		set(l.speeds, [2]int64{s.From, s.To}, s.Speed, s.Remove)
	}
	for _, s := range c.Ways {
		set(l.ways, s.Way, s.Speed, s.Remove)
	}
	for _, s := range c.Turns {
		set(l.turns, turn{s.From, s.Via, s.To}, s.Penalty, s.Remove)
	}
}

func set[K comparable, V any](m map[K]V, key K, value V, remove bool) {
	if remove {
		delete(m, key)
	} else {
		m[key] = value
	}
}

// anew makes the metric of layers from the bottom up, and counts.
func anew(t *testing.T, x *traffic.Index, base *graph.Metric, layers []told, names []string) (*graph.Metric, []traffic.LayerCount) {
	u := traffic.NewUpdater(x, base, &traffic.Report{})
	counts := make([]traffic.LayerCount, len(layers))
	for i, l := range layers {
		c := &counts[i]
		*c = traffic.LayerCount{Speeds: len(l.speeds), Ways: len(l.ways), Turns: len(l.turns)}
		if c.Speeds+c.Ways+c.Turns == 0 {
			continue
		}
		source, err := u.Source(names[i])
		require.NoError(t, err)
		c.FoundWays = u.Ways(l.ways, source)
		for at, s := range l.speeds {
			if u.Segment(at[0], at[1], s, source) {
				c.FoundSpeeds++
			}
		}
		for at, p := range l.turns {
			if u.Turn(at.from, at.via, at.to, p) {
				c.FoundTurns++
			}
		}
	}
	m, _ := u.Finish()
	return m, counts
}

// Layers that change step by step are what their content makes of the metric at once.
func TestLayersAgainstUpdater(t *testing.T) {
	t.Run("city", func(t *testing.T) { compareLayers(t, city(t, 150), 60) })
	t.Run("copies", func(t *testing.T) {
		compareLayers(t, copies(t), 200)
	})
}

// changer makes random changes to the layers of a network.
type changer struct {
	n     *graph.Network
	pairs [][2]int64
	turns []turn
}

func newChanger(n *graph.Network) *changer {
	c := &changer{n: n, pairs: [][2]int64{{7, 8}, {1, math.MaxInt64}}, turns: []turn{{7777, 8888, 9999}}}
	for i := range n.NumChains() {
		for s := n.ChainFirst[i]; s+1 < n.ChainFirst[i+1]; s++ {
			a, b := n.OSMNodes.Get(uint32(n.ChainPlaces[s])), n.OSMNodes.Get(uint32(n.ChainPlaces[s+1]))
			c.pairs = append(c.pairs, [2]int64{a, b}, [2]int64{b, a})
		}
	}
	for v := range graph.NodeID(n.NumNodes()) {
		for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
			c.turns = append(c.turns, turnOf(n, v, e))
		}
	}
	return c
}

func (c *changer) speed(rng *rand.Rand) traffic.Speed {
	s := traffic.Speed{KMH: float64(rng.IntN(5)) * 9, Rule: traffic.WeightRule(rng.IntN(3))}
	if s.Rule == traffic.WeightRate {
		s.Rate = float64(rng.IntN(4))
	}
	return s
}

func (c *changer) change(rng *rand.Rand, layers int) traffic.LayerChange {
	out := traffic.LayerChange{Layer: rng.IntN(layers), Clear: rng.IntN(6) == 0}
	most := []int{2, len(c.pairs) / 20, len(c.pairs)}[rng.IntN(3)]
	for range rng.IntN(most + 1) {
		p := c.pairs[rng.IntN(len(c.pairs))]
		out.Speeds = append(out.Speeds, traffic.SegmentSpeed{From: p[0], To: p[1], Speed: c.speed(rng), Remove: rng.IntN(3) == 0})
	}
	for range rng.IntN(3) {
		id := c.n.Ways.Get(uint32(rng.IntN(c.n.Ways.Len())))
		way := traffic.DirectedWay{ID: max(id, -id) + int64(rng.IntN(8)/7), Backward: rng.IntN(2) == 0}
		out.Ways = append(out.Ways, traffic.WaySpeed{Way: way, Speed: c.speed(rng), Remove: rng.IntN(3) == 0})
	}
	for range rng.IntN(12) {
		x := c.turns[rng.IntN(len(c.turns))]
		p := traffic.Penalty{Seconds: float64(rng.IntN(100) - 50), Weight: math.NaN()}
		if rng.IntN(2) == 0 {
			p.Weight = float64(rng.IntN(100) - 50)
		}
		out.Turns = append(out.Turns, traffic.TurnPenalty{From: x.from, Via: x.via, To: x.to, Penalty: p, Remove: rng.IntN(3) == 0})
	}
	return out
}

func compareLayers(t *testing.T, r *extract.Result, rounds int) {
	n, base, names := r.Network, r.Metric, []string{"low", "middle", "high"}
	x := traffic.NewIndex(n)
	rng := rand.New(rand.NewPCG(5, 6))
	c := newChanger(n)
	l := traffic.NewLayers(x, base, names)
	content := []told{newTold(), newTold(), newTold()}
	check := func(l *traffic.Layers) {
		want, counts := anew(t, x, base, content, names)
		got := *l.Metric()
		if l.Empty() {
			require.Equal(t, base, &got)
			want.Sources = base.Sources
		}
		if got.SegmentSource[0] == nil || want.SegmentSource[0] == nil {
			got.SegmentSource, want.SegmentSource = [2][]uint8{}, [2][]uint8{} // no segment has changed, or none is changed any longer
		}
		require.Equal(t, want, &got)
		for i := range counts {
			require.Equal(t, counts[i], l.Count(i))
		}
		for range 10 {
			x, want := c.turns[rng.IntN(len(c.turns))], ""
			for i := range content {
				if _, ok := content[i].turns[x]; ok && x.via != 8888 { // that one is not there
					want = names[i]
				}
			}
			require.Equal(t, want, l.TurnLayer(x.from, x.via, x.to))
		}
		changed, count := l.Changed()
		require.Equal(t, count, requireDiffering(t, n, base, l.Metric(), changed, true))
	}
	for round := range rounds {
		var changes []traffic.LayerChange
		for range 1 + rng.IntN(3) {
			changes = append(changes, c.change(rng, len(names)))
		}
		if round%20 == 19 { // reset
			changes = []traffic.LayerChange{{Layer: 0, Clear: true}, {Layer: 1, Clear: true}, {Layer: 2, Clear: true}}
		}
		for i := range changes {
			content[changes[i].Layer].tell(&changes[i])
		}
		next, differing, err := l.With(t.Context(), changes)
		require.NoError(t, err)
		requireDiffering(t, n, l.Metric(), next.Metric(), differing, false)
		l = next
		check(l)
		if round%10 == 0 {
			again, _, err := traffic.NewLayers(x, base, names).With(t.Context(), l.Changes())
			require.NoError(t, err)
			check(again)
		}
	}
}

// requireDiffering checks that search nodes outside a set cost the same in two
// metrics and, if asked, that those in it do not. It returns the size of the set.
func requireDiffering(t *testing.T, n *graph.Network, a, b *graph.Metric, set graph.Bits, exactly bool) (count int) {
	t.Helper()
	for v := range graph.NodeID(n.NumNodes()) {
		from, to := n.EdgeFirst[v], n.EdgeFirst[v+1]
		same := a.NodeWeight[v] == b.NodeWeight[v] && a.NodeDuration[v] == b.NodeDuration[v] &&
			slices.Equal(a.TurnWeight[from:to], b.TurnWeight[from:to]) && slices.Equal(a.TurnDuration[from:to], b.TurnDuration[from:to])
		in := set.Get(uint32(v))
		if in {
			count++
		}
		require.True(t, same || in, "node %d", v)
		require.False(t, exactly && in && same, "node %d", v)
	}
	return count
}

func TestLayersAreLimited(t *testing.T) {
	r := city(t, 20)
	names := make([]string, 256)
	changes := make([]traffic.LayerChange, len(names))
	for i := range names {
		names[i] = fmt.Sprint(i)
		changes[i] = traffic.LayerChange{Layer: i, Speeds: []traffic.SegmentSpeed{{From: 1, To: 2}}}
	}
	l := traffic.NewLayers(traffic.NewIndex(r.Network), r.Metric, names)
	_, _, err := l.With(t.Context(), changes)
	require.ErrorIs(t, err, traffic.ErrTooManySources)
	_, _, err = l.With(t.Context(), changes[1:])
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = l.With(ctx, changes[:1])
	require.ErrorIs(t, err, context.Canceled)
}

// Of a change, the time goes by what changes.
func BenchmarkLayers(b *testing.B) {
	r := city(b, 20000)
	x := traffic.NewIndex(r.Network)
	c := newChanger(r.Network)
	all := traffic.LayerChange{}
	for _, p := range c.pairs {
		all.Speeds = append(all.Speeds, traffic.SegmentSpeed{From: p[0], To: p[1], Speed: traffic.Speed{KMH: 30}})
	}
	for _, part := range []int{1, 100} {
		b.Run(fmt.Sprintf("part=%d", part), func(b *testing.B) {
			l, _, err := traffic.NewLayers(x, r.Metric, []string{"low", "high"}).With(b.Context(), []traffic.LayerChange{all})
			require.NoError(b, err)
			change := []traffic.LayerChange{{Layer: 1, Speeds: all.Speeds[:len(all.Speeds)/part]}}
			for b.Loop() {
				_, _, err := l.With(b.Context(), change)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(change[0].Speeds)), "ns/segment")
		})
	}
}
