package traffic_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/packed"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/internal/traffic"
	"github.com/fourway-routing/fourway/profile"
)

// city is a made-up city with restrictions.
func city(tb testing.TB, size int) *extract.Result {
	tb.Helper()
	var xml bytes.Buffer
	require.NoError(tb, testmap.City(&xml, size, 7))
	f, err := osmfile.OpenReaderAt(bytes.NewReader(xml.Bytes()), int64(xml.Len()), "city")
	require.NoError(tb, err)
	car, err := profile.ByName("car")
	require.NoError(tb, err)
	r, err := extract.Run(context.Background(), f, car, extract.Options{})
	require.NoError(tb, err)
	return r
}

// turn is three OSM nodes.
type turn struct{ from, via, to int64 }

// turnOf returns the OSM nodes around a turn from a search node.
func turnOf(n *graph.Network, tail graph.NodeID, e graph.EdgeID) turn {
	places := func(arm graph.ArmID) []graph.PlaceID {
		list := n.ChainPlaces[n.ChainFirst[arm.Chain()]:n.ChainFirst[arm.Chain()+1]]
		if !arm.Reverse() {
			return list
		}
		var reversed []graph.PlaceID
		for i := range list {
			reversed = append(reversed, list[len(list)-1-i])
		}
		return reversed
	}
	in, out := places(n.NodeArm[tail]), places(n.NodeArm[n.EdgeHead[e]])
	id := func(p graph.PlaceID) int64 { return n.OSMNodes.Get(uint32(p)) }
	return turn{id(in[len(in)-2]), id(in[len(in)-1]), id(out[1])}
}

// copies is a small town with restrictions that make copies of search nodes.
func copies(t *testing.T) *extract.Result {
	t.Helper()
	m := extracttest.Car(t, testmap.Drawing{
		Map: `
			a-b-c-d
			| | | |
			e-f-g-h
			| | | |
			i-j-k-l`,
		Ways: []testmap.Row{
			{"ab", ""},
			{"bcd", ""},
			{"ef", ""},
			{"fg", ""},
			{"gh", "oneway=yes"},
			{"ij", ""},
			{"jk", ""},
			{"kl", ""},
			{"aei", ""},
			{"bf", ""},
			{"fj", ""},
			{"cgk", ""},
			{"dh", ""},
			{"hl", ""},
		},
		Nodes: []testmap.Row{{"e", "highway=traffic_signals"}},
		Relations: []testmap.Row{
			{"from=ab via=bf to=fg", "restriction=no_left_turn"},
			{"from=bcd via=bf via=fj to=ij", "restriction=no_left_turn"},
			{"from=gh via=hl to=kl", "restriction=only_right_turn"},
		},
	})
	require.Greater(t, m.Network.NumNodes(), int(m.Network.Originals))
	return m.Result
}

// A metric with updates is what looking at every segment and turn gives, whatever
// the order of changes to different ones.
func TestAgainstEverySegment(t *testing.T) {
	t.Run("city", func(t *testing.T) { compareWithNaive(t, city(t, 400)) })
	t.Run("copies", func(t *testing.T) {
		compareWithNaive(t, copies(t))
	})
}

func compareWithNaive(t *testing.T, r *extract.Result) {
	n, base := r.Network, r.Metric
	rng := rand.New(rand.NewPCG(8, 9))
	type pair struct{ from, to int64 }
	var pairs []pair
	var turns []turn
	for c := range n.NumChains() {
		for s := n.ChainFirst[c]; s+1 < n.ChainFirst[c+1]; s++ {
			a, b := n.OSMNodes.Get(uint32(n.ChainPlaces[s])), n.OSMNodes.Get(uint32(n.ChainPlaces[s+1]))
			pairs = append(pairs, pair{a, b}, pair{b, a})
		}
	}
	for v := range graph.NodeID(n.NumNodes()) {
		for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
			turns = append(turns, turnOf(n, v, e))
		}
	}
	for round := range 20 {
		speeds, penalties := make(map[pair]traffic.Speed), make(map[turn]traffic.Penalty)
		report := &traffic.Report{}
		u := traffic.NewUpdater(traffic.NewIndex(n), base, report)
		source, err := u.Source("one")
		require.NoError(t, err)
		for range rng.IntN(200*round*round/100 + 2) {
			p := pairs[rng.IntN(len(pairs))]
			s := traffic.Speed{KMH: float64(rng.IntN(5) * 30), Rate: rng.Float64() * 20, Rule: traffic.WeightRule(rng.IntN(3))}
			if u.Segment(p.from, p.to, s, source) {
				speeds[p] = s
			}
			w := turns[rng.IntN(len(turns))]
			c := traffic.Penalty{Seconds: math.Round(rng.NormFloat64()*300) / 10, Weight: math.NaN()}
			if rng.IntN(2) == 0 {
				c.Weight = math.Round(rng.NormFloat64()*300) / 10
			}
			require.True(t, u.Turn(w.from, w.via, w.to, c))
			penalties[w] = c
		}
		m, changed := u.Finish()
		require.NoError(t, m.Check(n))

		for c := range n.NumChains() {
			for s := n.ChainFirst[c]; s+1 < n.ChainFirst[c+1]; s++ {
				for d := range 2 {
					a, b := n.ChainPlaces[s], n.ChainPlaces[s+1]
					p := pair{n.OSMNodes.Get(uint32(a)), n.OSMNodes.Get(uint32(b))}
					if d == 1 {
						p.from, p.to = p.to, p.from
					}
					weight, duration, from := base.SegmentWeight[d][s], base.SegmentDuration[d][s], uint8(0)
					if change, ok := speeds[p]; ok {
						from = source
						weight, duration = naive(change, geo.Distance(n.Coords[a], n.Coords[b]), weight)
					}
					require.Equal(t, weight, m.SegmentWeight[d][s])
					require.Equal(t, duration, m.SegmentDuration[d][s])
					if m.SegmentSource[d] != nil {
						require.Equal(t, from, m.SegmentSource[d][s])
					} else {
						require.Zero(t, from)
					}
				}
			}
		}
		touched := make(map[graph.NodeID]bool)
		for _, v := range changed {
			touched[v] = true
		}
		for v := range graph.NodeID(n.NumNodes()) {
			same := m.NodeWeight[v] == base.NodeWeight[v] && m.NodeDuration[v] == base.NodeDuration[v]
			for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
				same = same && m.TurnWeight[e] == base.TurnWeight[e] && m.TurnDuration[e] == base.TurnDuration[e]
				weight, duration := int64(base.TurnWeight[e]), int64(base.TurnDuration[e])
				if p, ok := penalties[turnOf(n, v, e)]; ok {
					duration = int64(math.Round(p.Seconds * 10))
					if weight = duration; !math.IsNaN(p.Weight) {
						weight = int64(math.Round(p.Weight * 10))
					}
				}
				if c := n.NodeArm[v].Chain(); touched[v] && m.NodeWeight[v] != graph.InvalidWeight {
					least := int64(n.ChainFirst[c+1] - n.ChainFirst[c])
					if weight < 0 {
						weight = max(weight, least-int64(m.NodeWeight[v]))
					}
					if duration < 0 {
						duration = max(duration, least-int64(m.NodeDuration[v]))
					}
				}
				require.Equal(t, [2]int64{weight, duration}, [2]int64{int64(m.TurnWeight[e]), int64(m.TurnDuration[e])})
			}
			require.True(t, same || touched[v], "node %d has changed", v)
		}
	}
}

// naive is what a segment of a length costs, in tenths.
func naive(s traffic.Speed, meters float64, kept graph.Weight) (graph.Weight, graph.Duration) {
	if s.KMH <= 0 || s.Rule == traffic.WeightRate && s.Rate <= 0 {
		return graph.InvalidWeight, graph.InvalidDuration
	}
	tenths := func(rate float64) float64 { return min(max(math.Round(meters/rate*10), 1), 1<<22-2) }
	duration := graph.Duration(tenths(s.KMH / 3.6))
	switch s.Rule {
	case traffic.WeightKept:
		return kept, duration
	case traffic.WeightRate:
		return graph.Weight(tenths(s.Rate)), duration
	}
	return graph.Weight(duration), duration
}

// Places need not be in the order of their OSM nodes.
func TestIndexOfUnsortedPlaces(t *testing.T) {
	r := city(t, 50)
	n := *r.Network
	// The places change their numbers for the mirror images.
	last := graph.PlaceID(len(n.Coords) - 1)
	mirror := func(p graph.PlaceID) graph.PlaceID { return last - p }
	ids := make([]int64, len(n.Coords))
	n.Coords = make([]geo.Coord, len(n.Coords))
	for p := range n.Coords {
		n.Coords[mirror(graph.PlaceID(p))] = r.Network.Coords[p]
		ids[mirror(graph.PlaceID(p))] = r.Network.OSMNodes.Get(uint32(p))
	}
	n.OSMNodes = packed.NewInts(ids)
	n.ChainPlaces = make([]graph.PlaceID, len(r.Network.ChainPlaces))
	for i, p := range r.Network.ChainPlaces {
		n.ChainPlaces[i] = mirror(p)
	}
	update := func(n *graph.Network) *graph.Metric {
		u := traffic.NewUpdater(traffic.NewIndex(n), r.Metric, &traffic.Report{})
		matched := 0
		for i := range n.ChainPlaces[1:] {
			a, b := n.OSMNodes.Get(uint32(n.ChainPlaces[i])), n.OSMNodes.Get(uint32(n.ChainPlaces[i+1]))
			if u.Segment(a, b, traffic.Speed{KMH: 17}, 0) {
				matched++
			}
		}
		require.Greater(t, matched, len(n.ChainPlaces)/2)
		m, _ := u.Finish()
		return m
	}
	require.Equal(t, update(r.Network), update(&n))
}

func BenchmarkUpdate(b *testing.B) {
	r := city(b, 20_000)
	n := r.Network
	index := traffic.NewIndex(n)
	for _, share := range []int{1, 100} {
		b.Run(fmt.Sprintf("percent=%d", share), func(b *testing.B) {
			for b.Loop() {
				u := traffic.NewUpdater(index, r.Metric, &traffic.Report{})
				for i := 0; i+1 < len(n.ChainPlaces); i += 100 / share {
					u.Segment(n.OSMNodes.Get(uint32(n.ChainPlaces[i])), n.OSMNodes.Get(uint32(n.ChainPlaces[i+1])), traffic.Speed{KMH: 30}, 0)
				}
				u.Finish()
			}
			b.ReportMetric(float64(len(n.ChainPlaces)), "segments")
		})
	}
}
