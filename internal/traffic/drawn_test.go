package traffic_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/internal/traffic"
	"github.com/fourway-routing/fourway/pool"
)

// with returns a map with updates, and what became of them. Places of files are
// letters of the map.
func with(t testing.TB, m *extracttest.Map, f traffic.Files, files map[string]string) (*extracttest.Map, *traffic.Report) {
	t.Helper()
	fsys := make(fstest.MapFS)
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	f.Open = func(name string) (io.ReadCloser, error) { return fsys.Open(name) }
	before := clone(m.Metric)
	metric, report, err := traffic.Update(context.Background(), traffic.NewIndex(m.Network), m.Metric, &f, &traffic.Conditions{})
	require.NoError(t, err)
	require.Equal(t, before, m.Metric, "the base changed")
	require.NoError(t, metric.Check(m.Network))
	updated := *m
	updated.Result = &extract.Result{Network: m.Network, Metric: metric, Report: m.Report}
	return &updated, report
}

func clone(m *graph.Metric) *graph.Metric {
	c := *m
	for d := range 2 {
		c.SegmentWeight[d], c.SegmentDuration[d] = slices.Clone(m.SegmentWeight[d]), slices.Clone(m.SegmentDuration[d])
	}
	c.TurnWeight, c.TurnDuration = slices.Clone(m.TurnWeight), slices.Clone(m.TurnDuration)
	c.NodeWeight, c.NodeDuration, c.NodeDistance = slices.Clone(m.NodeWeight), slices.Clone(m.NodeDuration), slices.Clone(m.NodeDistance)
	return &c
}

// csv replaces the letters that begin a line by OSM nodes.
func csv(m *extracttest.Map, lines ...string) string {
	var text strings.Builder
	for _, line := range lines {
		letters, rest, _ := strings.Cut(line, ",")
		for _, letter := range letters {
			fmt.Fprintf(&text, "%d,", m.NodeID(letter))
		}
		text.WriteString(rest + "\n")
	}
	return text.String()
}

// speed is how fast a segment is, in km/h, by duration and by weight.
func speed(t *testing.T, m *extracttest.Map, road string) (duration, weight float64) {
	t.Helper()
	c, ok := m.Drive(road)
	require.True(t, ok, road)
	return float64(c.Distance) / 100 / float64(c.Duration) * 36, float64(c.Distance) / 100 / float64(c.Weight) * 36
}

// source is the name of the data source of a segment.
func source(t *testing.T, m *extracttest.Map, road string) string {
	t.Helper()
	n := m.Network
	for d := range 2 {
		for s := range len(n.ChainPlaces) - 1 {
			from, to := n.ChainPlaces[s], n.ChainPlaces[s+1]
			if d == 1 {
				from, to = to, from
			}
			if from == m.Place(rune(road[0])) && to == m.Place(rune(road[1])) {
				return m.Metric.Sources[m.Metric.SegmentSource[d][s]]
			}
		}
	}
	t.Fatalf("no road %s", road)
	return ""
}

var street = testmap.Drawing{
	Map: `
		a-b-c-d
		  |
		  e`,
	Ways: []testmap.Row{{"abcd", ""}, {"be", "oneway=yes"}},
}

func TestSpeedsOfSegments(t *testing.T) {
	base := extracttest.Car(t, street)
	usual, usualWeight := speed(t, base, "cd")
	m, report := with(t, base, traffic.Files{Speeds: []string{"in/old.csv", "new.live.csv"}}, map[string]string{
		"in/old.csv": csv(base, "ab,36", "bc,50", "cd,90,25"),
		"new.live.csv": csv(base, "bc,18,5", "dc,72,10", "eb,20", "ae,20", "cd,45,", "ba,3.6", "ba,7.2,2,again") +
			"99,100,30\n",
	})
	for road, want := range map[string][2]float64{
		"ab": {36, 36}, "bc": {18, 18}, "dc": {72, 36}, "cd": {45, usualWeight}, "ba": {7.2, 7.2}, "cb": {usual, usualWeight},
	} {
		duration, weight := speed(t, m, road)
		require.InEpsilon(t, want[0], duration, 0.02, road)
		require.InEpsilon(t, want[1], weight, 0.02, road)
	}
	for road, want := range map[string]string{"ab": "old", "bc": "new.live", "cd": "new.live", "cb": "lua profile", "be": "lua profile"} {
		require.Equal(t, want, source(t, m, road), road)
	}
	require.Equal(t, []string{"lua profile", "old", "new.live"}, m.Metric.Sources)
	require.Equal(t, []traffic.FileReport{
		{Path: "in/old.csv", Rows: 3, Matched: 3, Used: 1},
		{Path: "new.live.csv", Rows: 8, Matched: 5, Used: 4},
	}, report.Speeds)
	require.Equal(t, 1, report.FollowingWeights, "ab, since the car's weights are no durations")
	require.Nil(t, m.Metric.TurnClosed)
	require.Same(t, &base.Metric.TurnWeight[0], &m.Metric.TurnWeight[0], "nothing of turns changed")
}

// Search nodes and paths over a closed segment are closed.
func TestClosedSegments(t *testing.T) {
	base := extracttest.Car(t, street)
	for _, line := range []string{"cd,0", "cd,0,5", "cd,50,0", "cd,50,-1"} {
		m, _ := with(t, base, traffic.Files{Speeds: []string{"f"}}, map[string]string{"f": csv(base, line)})
		n := m.Network
		require.Equal(t, graph.InvalidWeight, m.Metric.NodeWeight[m.Node("bc")], "one chain from b to d")
		require.Equal(t, base.Metric.NodeWeight[m.Node("cb")], m.Metric.NodeWeight[m.Node("cb")])
		x := graph.Expand(n, m.Metric)
		for e := n.EdgeFirst[m.Node("bc")]; e < n.EdgeFirst[m.Node("bc")+1]; e++ {
			require.Equal(t, graph.InvalidWeight, x.Arcs[e].Weight)
		}
		// What snaps to it does so against that direction only.
		var memory pool.Allocator
		lon, lat, _ := m.Position('d')
		at, err := graph.NewSnapper(n, m.Metric, &memory).Nearest(t.Context(), geo.FromLonLat(lon, lat), 1, graph.SnapOptions{})
		require.NoError(t, err)
		require.Len(t, at, 1)
		require.ElementsMatch(t, []graph.NodeID{m.Node("cb"), graph.InvalidNode}, at[0].Nodes[:])
	}
}

func TestLargestWeight(t *testing.T) {
	base := extracttest.Car(t, street)
	m, report := with(t, base, traffic.Files{Speeds: []string{"f"}}, map[string]string{"f": csv(base, "ab,0.00001,0.00001", "be,1e9,1e9")})
	c, _ := m.Drive("ab")
	require.EqualValues(t, 1<<22-2, c.Weight)
	require.EqualValues(t, 1<<22-2, c.Duration)
	require.Equal(t, 2, report.Capped)
	c, _ = m.Drive("be")
	require.EqualValues(t, 1, c.Weight)
	require.EqualValues(t, 1, c.Duration)
}

func TestJumps(t *testing.T) {
	base := extracttest.Car(t, street)
	m, report := with(t, base, traffic.Files{Speeds: []string{"x.csv"}, JumpFactor: 1.5}, map[string]string{
		"x.csv": csv(base, "ab,130", "cb,130", "bc,60", "dc,0"),
	})
	before, _ := base.Drive("ab")
	after, _ := m.Drive("ab")
	var jumps []string
	for _, j := range report.Jumps {
		jumps = append(jumps, fmt.Sprintf("%d-%d", j.From, j.To))
		require.Equal(t, "x.csv", j.Source)
		require.InDelta(t, float64(before.Duration)/10, j.Before, 0.2)
		require.InDelta(t, float64(after.Duration)/10, j.After, 0.2)
	}
	slices.Sort(jumps)
	require.Equal(t, []string{"1-2", "3-2"}, jumps)
}

func TestPenaltiesOfTurns(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			a-b-c
			  |
			d-e-f`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"be", ""}, {"de", ""}, {"ef", ""}},
		// Turns from the copy of be have penalties too.
		Relations: []testmap.Row{{"from=ab via=be to=ef", "restriction=no_left_turn"}},
	}
	base := extracttest.Car(t, d)
	m, report := with(t, base, traffic.Files{Penalties: []string{"1.csv", "2.csv"}}, map[string]string{
		"1.csv": csv(base, "abc,7", "abe,100,comment", "bed,5,8.5,comment", "bef,5", "ade,1", "abd,1", "cbe,-3.04"),
		"2.csv": csv(base, "abe,30.06"),
	})
	for turn, want := range map[string][2]int{"abc": {70, 70}, "abe": {301, 301}, "bed": {50, 85}, "cbe": {-30, -30}} {
		require.EqualValues(t, want[0], m.Turn(turn), turn)
		whole, _ := m.Drive(turn)
		in, _ := m.Drive(turn[:2])
		out, _ := m.Drive(turn[1:])
		require.EqualValues(t, want[1], whole.Weight-in.Weight-out.Weight, turn)
	}
	through, _ := m.Drive("abed")
	usual, _ := base.Drive("abed")
	require.EqualValues(t, 351, through.Duration-usual.Duration+base.Turn("abe")+base.Turn("bed"))
	require.Equal(t, base.Turn("feb"), m.Turn("feb"))
	require.Equal(t, []traffic.FileReport{{Path: "1.csv", Rows: 7, Matched: 5}, {Path: "2.csv", Rows: 1, Matched: 1}}, report.Penalties)
	require.Equal(t, []string{"lua profile"}, m.Metric.Sources, "penalties are no source of segments")
}

// A bonus takes no more than the road before the turn costs.
func TestBonusIsLimited(t *testing.T) {
	base := extracttest.Car(t, street)
	m, report := with(t, base, traffic.Files{Penalties: []string{"f"}}, map[string]string{"f": csv(base, "abc,-3000,-1000", "cba,-3")})
	n := m.Network
	require.Equal(t, 1, report.RaisedTurns)
	for e := n.EdgeFirst[m.Node("ab")]; e < n.EdgeFirst[m.Node("ab")+1]; e++ {
		if n.EdgeHead[e] == m.Node("bc") {
			require.EqualValues(t, 2, m.Metric.EdgeWeight(m.Node("ab"), e))
			require.EqualValues(t, 2, m.Metric.EdgeDuration(m.Node("ab"), e))
		}
	}
	require.EqualValues(t, -30, m.Turn("cba"))
	_, report = with(t, base, traffic.Files{Penalties: []string{"f"}}, map[string]string{"f": csv(base, "abc,1e6,-1e7")})
	require.Equal(t, 2, report.Capped)
}

func TestFaultsOfFiles(t *testing.T) {
	base := extracttest.Car(t, street)
	index := traffic.NewIndex(base.Network)
	fsys := fstest.MapFS{"bad.csv": {Data: []byte("1,2,3\n1,2,x\n")}, "good.csv": {Data: []byte("1,2,3\n")}}
	open := func(name string) (io.ReadCloser, error) { return fsys.Open(name) }
	update := func(f traffic.Files) error {
		f.Open = open
		m, r, err := traffic.Update(context.Background(), index, base.Metric, &f, &traffic.Conditions{})
		if err != nil {
			require.Nil(t, m)
			require.Nil(t, r)
		}
		return err
	}
	require.EqualError(t, update(traffic.Files{Speeds: []string{"good.csv", "bad.csv"}}),
		`traffic: bad.csv malformed on line 2, column 5: a number is expected: "1,2,x"`)
	require.EqualError(t, update(traffic.Files{Penalties: []string{"bad.csv"}}),
		`traffic: bad.csv malformed on line 1, column 6: a field is missing: "1,2,3"`)
	require.ErrorIs(t, update(traffic.Files{Speeds: []string{"none.csv"}}), fs.ErrNotExist)
	many := slices.Repeat([]string{"good.csv"}, traffic.MaxSources)
	require.NoError(t, update(traffic.Files{Speeds: many}))
	require.ErrorIs(t, update(traffic.Files{Speeds: append(many, "good.csv")}), traffic.ErrTooManySources)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fsys["long.csv"] = &fstest.MapFile{Data: []byte(strings.Repeat("1,2,3\n", 1<<15))}
	_, _, err := traffic.Update(ctx, index, base.Metric, &traffic.Files{Speeds: []string{"long.csv"}, Open: open}, &traffic.Conditions{})
	require.ErrorIs(t, err, context.Canceled)
}

// Updates on top of updates add sources.
func TestLayers(t *testing.T) {
	base := extracttest.Car(t, street)
	below, _ := with(t, base, traffic.Files{Speeds: []string{"history"}}, map[string]string{"history": csv(base, "ab,20", "bc,20")})
	m, report := with(t, below, traffic.Files{Speeds: []string{"live"}}, map[string]string{"live": csv(base, "bc,10,")})
	require.Equal(t, []string{"lua profile", "history", "live"}, m.Metric.Sources)
	require.Equal(t, []string{"history", "live", "lua profile"}, []string{source(t, m, "ab"), source(t, m, "bc"), source(t, m, "cd")})
	_, weight := speed(t, m, "bc")
	require.InEpsilon(t, 20, weight, 0.02, "the weight below stays")
	require.Equal(t, 1, report.Speeds[0].Used)
}
