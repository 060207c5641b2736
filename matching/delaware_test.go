package matching

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/mld"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/profile"
)

// country is a network with a search on it.
type country struct {
	net       *graph.Network
	metric    *graph.Metric
	hierarchy *ch.Hierarchy // nil in Delaware
	overlay   *mld.Overlay
}

var (
	cityOnce     = sync.OnceValues(prepareCity)
	delawareOnce struct {
		sync.Once
		*country
	}
)

func prepare(f *osmfile.File) (*country, error) {
	car, err := profile.ByName("car")
	if err != nil {
		return nil, err
	}
	r, err := extract.Run(context.Background(), f, car, extract.Options{})
	if err != nil {
		return nil, err
	}
	r.Network.Complete()
	c := &country{net: r.Network, metric: r.Metric}
	cells, err := mld.Partition(context.Background(), c.net, mld.Options{})
	if err != nil {
		return nil, err
	}
	var exclude []graph.Bits
	for _, mask := range c.net.Properties.Excludable {
		set := graph.MakeBits(c.net.NumNodes())
		for v, arm := range c.net.NodeArm {
			if c.net.Roads[c.net.ArmRoad[arm]].Classes&mask != 0 {
				set.Set(uint32(v))
			}
		}
		exclude = append(exclude, set)
	}
	c.overlay, err = mld.Customize(context.Background(), cells, graph.Expand(c.net, c.metric), mld.CustomizeOptions{Exclude: exclude})
	return c, err
}

func prepareCity() (*country, error) {
	var b bytes.Buffer
	if err := testmap.City(&b, 20_000, 7); err != nil {
		return nil, err
	}
	f, err := osmfile.OpenReaderAt(bytes.NewReader(b.Bytes()), int64(b.Len()), "city")
	if err != nil {
		return nil, err
	}
	c, err := prepare(f)
	if err != nil {
		return nil, err
	}
	c.hierarchy, err = ch.Contract(context.Background(), graph.Expand(c.net, c.metric), ch.Options{})
	return c, err
}

// delaware returns the state's roads for cars.
func delaware(tb testing.TB) *country {
	tb.Helper()
	delawareOnce.Do(func() {
		f, err := osmfile.Open(osmdata.Delaware(tb))
		require.NoError(tb, err)
		delawareOnce.country, err = prepare(f)
		require.NoError(tb, err)
	})
	require.NotNil(tb, delawareOnce.country, "Delaware could not be prepared")
	return delawareOnce.country
}

// drive returns places along a random drive, so many meters apart and moved by
// normal noise in meters.
func (c *country) drive(rng *rand.Rand, count int, spacing, noise float64) []geo.Coord {
	for {
		v := graph.NodeID(rng.IntN(c.net.NumNodes()))
		if c.net.NodeComponent[v].Small() {
			continue
		}
		places := c.driveFrom(rng, v, count, spacing, noise)
		if len(places) == count {
			return places
		}
	}
}

// driveFrom is drive from a search node on.
func (c *country) driveFrom(rng *rand.Rand, v graph.NodeID, count int, spacing, noise float64) []geo.Coord {
	n := c.net
	left := 100 * count
	return c.along(rng, v, func() (graph.NodeID, bool) {
		edges := n.EdgeHead[n.EdgeFirst[v]:n.EdgeFirst[v+1]]
		if left--; left < 0 || len(edges) == 0 {
			return 0, false
		}
		// Hardly ever back.
		next := edges[rng.IntN(len(edges))]
		for range 5 {
			if n.NodeArm[next] != n.NodeArm[v].Twin() {
				break
			}
			next = edges[rng.IntN(len(edges))]
		}
		v = next
		return v, true
	}, count, spacing, noise)
}

// along returns places along the search nodes from v on.
func (c *country) along(rng *rand.Rand, v graph.NodeID, next func() (graph.NodeID, bool), count int, spacing, noise float64) []geo.Coord {
	n := c.net
	var places []geo.Coord
	rest := 0.0 // meters to the next place
	for ok := true; ok; v, ok = next() {
		arm := n.NodeArm[v]
		line := n.ChainPlaces[n.ChainFirst[arm.Chain()]:n.ChainFirst[arm.Chain()+1]]
		for i := range len(line) - 1 {
			a, b := n.Coords[line[i]], n.Coords[line[i+1]]
			if arm.Reverse() {
				a, b = n.Coords[line[len(line)-1-i]], n.Coords[line[len(line)-2-i]]
			}
			length := geo.Distance(a, b)
			for ; rest < length; rest += spacing {
				share := rest / length
				north := noise * rng.NormFloat64() / 111_195 * geo.Precision
				east := noise * rng.NormFloat64() / 111_195 * geo.Precision / math.Cos(float64(a.Lat)/geo.Precision*math.Pi/180)
				places = append(places, geo.Coord{
					Lon: a.Lon + int32(math.Round(share*float64(b.Lon-a.Lon)+east)),
					Lat: a.Lat + int32(math.Round(share*float64(b.Lat-a.Lat)+north)),
				})
				if len(places) == count {
					return places
				}
			}
			rest -= length
		}
	}
	return places
}

// driveTo is drive along the lightest way to a random place.
func (c *country) driveTo(b *testing.B, rng *rand.Rand, paths graph.Searcher, count int, spacing, noise float64) []geo.Coord {
	pick := func() []graph.Seed {
		for {
			if v := rng.IntN(c.net.NumNodes()); !c.net.NodeComponent[v].Small() {
				return []graph.Seed{{Node: graph.NodeID(v)}}
			}
		}
	}
	for {
		from := pick()
		_, ok, err := paths.Shortest(b.Context(), from, pick())
		require.NoError(b, err)
		if !ok {
			continue
		}
		edges := paths.Path(nil)
		v := from[0].Node
		next := func() (graph.NodeID, bool) {
			if len(edges) == 0 {
				return 0, false
			}
			v, edges = c.net.EdgeHead[edges[0]], edges[1:]
			return v, true
		}
		if places := c.along(rng, v, next, count, spacing, noise); len(places) == count {
			return places
		}
	}
}

// trace makes a trace of places, as package routing does.
func (c *country) trace(snapper *graph.Snapper, places []geo.Coord, deviation, radius float64, exclude graph.ClassMask) Trace {
	t := Trace{WeightPerSecond: math.Pow10(c.net.Properties.WeightPrecision)}
	for i, at := range places {
		turn := i > 0 && i < len(places)-1 && TurnsBack(places[i-1], at, places[i+1])
		found, _ := snapper.Within(context.Background(), at, radius, graph.SnapOptions{AnySegment: true, Exclude: exclude})
		near := append([]graph.Phantom(nil), found...)
		t.Points = append(t.Points, Point{Place: at, Deviation: deviation, Candidates: Candidates(near, turn), Time: int64(i * 5)})
	}
	return t
}

// TestTreesAgainstTables holds matches to those whose ways are all from tables.
func TestTreesAgainstTables(t *testing.T) {
	city, err := cityOnce()
	require.NoError(t, err)
	rounds := 60
	if testing.Short() {
		rounds = 20
	}
	t.Run("city by CH", func(t *testing.T) { against(t, city, city.hierarchy.NewSearch(pool.New()), rounds) })
	t.Run("city by MLD", func(t *testing.T) { against(t, city, city.overlay.NewSearch(pool.New()), rounds) })
	t.Run("Delaware", func(t *testing.T) {
		c := delaware(t)
		against(t, c, c.overlay.NewSearch(pool.New()), rounds)
	})
}

type excluder interface{ SetExclude(set int) }

func against(t *testing.T, c *country, paths graph.ManyToMany, rounds int) {
	memory := pool.New()
	snapper := graph.NewSnapper(c.net, c.metric, memory)
	trees := New(c.net, c.metric, paths, memory)
	tables := New(c.net, nil, paths, memory)
	rng := rand.New(rand.NewPCG(3, 4))
	states, open, tied, pieces := 0, 0, 0, 0
	for round := range rounds {
		spacing := []float64{10, 30, 90, 400, 1500}[rng.IntN(5)]
		deviation := []float64{5, 10, 20}[rng.IntN(3)]
		places := c.drive(rng, 20+rng.IntN(30), spacing, deviation)
		if rng.IntN(3) == 0 { // to somewhere else
			copy(places[10:], c.drive(rng, len(places)-10, spacing, deviation))
		}
		var exclude graph.ClassMask
		if sets := c.net.Properties.Excludable; len(sets) > 0 && c.hierarchy == nil {
			set := rng.IntN(len(sets))
			exclude = sets[set]
			paths.(excluder).SetExclude(set + 1) // 0 excludes nothing
			trees.Exclude(exclude)
			tables.Exclude(exclude)
		}
		trace := c.trace(snapper, places, deviation, min(3*deviation, 40), exclude)
		if rng.IntN(3) == 0 {
			trace.Timed, trace.MaxSpeed = true, c.net.Properties.MaxSpeedForMapMatching
		}
		if rng.IntN(2) == 0 {
			trace.Model = Model{
				Beta: deviation, Stretch: 0.1 * float64(rng.IntN(2)), Outlier: 5 * float64(rng.IntN(2)),
				Pace: rng.IntN(2) == 0, Bridge: rng.IntN(2) == 0,
			}
		}
		got, err := trees.Match(t.Context(), trace)
		require.NoError(t, err)
		want, err := tables.Match(t.Context(), trace)
		require.NoError(t, err)
		// Where ways of one weight differ in length, the likeliest may be another.
		same := true
		for s := range tables.score {
			if !trees.exact(uint32(s)) {
				open++
				continue
			}
			states++
			if tables.score[s] != trees.score[s] || tables.weight[s] != trees.weight[s] || tables.parent[s] != trees.parent[s] {
				tied++
				same = false
			}
		}
		if !same {
			continue
		}
		require.Len(t, got, len(want), round)
		for i := range want {
			pieces++
			require.Equal(t, want[i].Steps, got[i].Steps)
			require.Equal(t, want[i].Confidence, got[i].Confidence)
			c.checkWays(t, trees, &trace, &got[i])
		}
	}
	t.Logf("%d states, %d of them tied or behind ties, %d put off; %d pieces", states, tied, open, pieces)
	require.Less(t, tied*500, states)
	require.Greater(t, pieces, rounds/2)
}

// checkWays holds the ways of a match to their weights and lengths.
func (c *country) checkWays(t *testing.T, m *Matcher, trace *Trace, match *Match) {
	require.Len(t, match.Ways, len(match.Steps)-1)
	for k, way := range match.Ways {
		if !way.Known {
			continue
		}
		a, b := &match.Steps[k], &match.Steps[k+1]
		from, to := &trace.Points[a.Point].Candidates[a.Candidate], &trace.Points[b.Point].Candidates[b.Candidate]
		require.True(t, from.Source[way.From])
		require.True(t, to.Target[way.To])
		weight := to.Weight[way.To] - from.Weight[way.From]
		length := int64(to.Distance[way.To]) - int64(from.Distance[way.From])
		v := from.Nodes[way.From]
		for _, e := range way.Edges {
			require.True(t, e >= c.net.EdgeFirst[v] && e < c.net.EdgeFirst[v+1])
			weight += c.metric.EdgeWeight(v, e)
			length += int64(c.metric.NodeDistance[v])
			v = c.net.EdgeHead[e]
		}
		require.Equal(t, c.net.NodeArm[to.Nodes[way.To]], c.net.NodeArm[v])
		x := m.first[b.Point] + uint32(b.Candidate)
		require.Equal(t, m.weight[x], weight)
		require.InDelta(t, m.length[x], float64(max(0, length))/100, 1e-9)
	}
}

// TestTracesDoNotAllocate: nothing but the answer.
func TestTracesDoNotAllocate(t *testing.T) {
	c := delaware(t)
	memory := pool.New()
	snapper := graph.NewSnapper(c.net, c.metric, memory)
	m := New(c.net, c.metric, c.overlay.NewSearch(memory), memory)
	rng := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		trace := c.trace(snapper, c.drive(rng, 82, 30, 5), 10, 30, 0)
		matches, err := m.Match(t.Context(), trace)
		require.NoError(t, err)
		// The slice of matches grows.
		most := float64(2*len(matches) + len(matches)/2 + 1)
		require.LessOrEqual(t, testing.AllocsPerRun(5, func() { _, _ = m.Match(t.Context(), trace) }), most)
	}
	m.Free()
	require.Zero(t, m.Settled())
}

// BenchmarkDelaware matches simulated drives, without the search for candidates:
// by a Matcher that keeps its memory, and by one that gives it back after each
// trace to an allocator with free lists, or to the garbage collector.
func BenchmarkDelaware(b *testing.B) {
	c := delaware(b)
	for _, points := range []int{82, 500} {
		for _, deviation := range []float64{DefaultDeviation, 10, 20} {
			for _, kind := range []string{"kept", "pool", "plain"} {
				memory := pool.New()
				if kind == "plain" {
					memory = pool.NewPlain()
				}
				b.Run(fmt.Sprintf("points=%d/deviation=%g/memory=%s", points, deviation, kind), func(b *testing.B) {
					c.benchmark(b, memory, points, deviation, kind != "kept")
				})
			}
		}
	}
}

func (c *country) benchmark(b *testing.B, memory *pool.Allocator, points int, deviation float64, free bool) {
	const traces = 20
	rng := rand.New(rand.NewPCG(42, 0))
	snapper := graph.NewSnapper(c.net, c.metric, memory)
	search := c.overlay.NewSearch(memory)
	m := New(c.net, c.metric, search, memory)
	var drives [traces]Trace
	candidates := 0
	for i := range drives {
		drives[i] = c.trace(snapper, c.driveTo(b, rng, search, points, 30, 5), deviation, 3*deviation, 0)
		for k := range drives[i].Points {
			candidates += len(drives[i].Points[k].Candidates)
		}
	}
	b.ReportAllocs()
	runs, settled := 0, 0
	for b.Loop() {
		if _, err := m.Match(b.Context(), drives[runs%traces]); err != nil {
			b.Fatal(err)
		}
		settled += m.Settled()
		runs++
		if free {
			m.Free()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(runs*points), "ns/point")
	b.ReportMetric(float64(settled)/float64(runs*points), "settled/point")
	b.ReportMetric(float64(candidates)/float64(traces*points), "candidates/point")
}
