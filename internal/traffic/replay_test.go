package traffic_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/traffic"
)

// Updates after others give what both give at once.
func TestReplayIsBothAtOnce(t *testing.T) {
	base := extracttest.Car(t, street)
	index := traffic.NewIndex(base.Network)
	letters := "abcde"
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 7))
		fsys := fstest.MapFS{}
		update := func(after *graph.Metric, names ...string) *graph.Metric {
			f := traffic.Files{After: after, Open: func(name string) (io.ReadCloser, error) { return fsys.Open(name) }}
			for _, name := range names {
				if strings.HasPrefix(name, "turn") {
					f.Penalties = append(f.Penalties, name)
				} else {
					f.Speeds = append(f.Speeds, name)
				}
			}
			m, _, err := traffic.Update(context.Background(), index, base.Metric, &f, &traffic.Conditions{})
			require.NoError(t, err)
			require.NoError(t, m.Check(base.Network))
			return m
		}
		letter := func() string { return letters[rng.IntN(len(letters)):][:1] }
		for _, name := range []string{"one", "two"} {
			var speeds, turns []string
			for range 1 + rng.IntN(5) {
				speeds = append(speeds, fmt.Sprintf("%s%s,%d", letter(), letter(), rng.IntN(4)*20)) // 0 closes
				turns = append(turns, fmt.Sprintf("%s%s%s,%d", letter(), letter(), letter(), rng.IntN(40)))
			}
			fsys[name] = &fstest.MapFile{Data: []byte(csv(base, speeds...) + csv(base, "ab,36"))}
			fsys["turn "+name] = &fstest.MapFile{Data: []byte(csv(base, turns...))}
		}
		want := update(nil, "one", "two", "turn one", "turn two")
		got := update(update(nil, "one", "turn one"), "two", "turn two")
		// Sources have other numbers.
		for _, m := range []*graph.Metric{want, got} {
			for d := range 2 {
				for s, source := range m.SegmentSource[d] {
					m.SegmentSource[d][s] = m.Sources[source][0]
				}
			}
			m.Sources = nil
		}
		require.Equal(t, want, got, "seed %d", seed)
	}
}

// However often files of a name come, they take one number.
func TestReplayKeepsSourcesFew(t *testing.T) {
	m := extracttest.Car(t, street)
	profile := m.Metric
	var last *graph.Metric
	for i := range 300 {
		road := []string{"ab", "bc", "cd"}[i%3]
		updated, _ := with(t, m, traffic.Files{Speeds: []string{"day/live.csv"}, After: last}, map[string]string{"day/live.csv": csv(m, road+",50")})
		last = updated.Metric
		require.Equal(t, []string{"lua profile", "live"}, last.Sources)
		require.Equal(t, "live", source(t, updated, road))
	}
	after, _ := with(t, m, traffic.Files{After: last}, nil)
	require.Equal(t, []string{"lua profile", "live"}, after.Metric.Sources)
	require.Equal(t, last.SegmentWeight, after.Metric.SegmentWeight)
	// Files of the run come first, whatever there was before.
	other, report := with(t, m, traffic.Files{Speeds: []string{"x.csv", "y.csv"}, After: last, JumpFactor: 2}, map[string]string{"x.csv": csv(m, "ab,500"), "y.csv": csv(m, "ab,50")})
	require.Equal(t, []string{"lua profile", "x", "y", "live"}, other.Metric.Sources)
	require.Equal(t, []int{0, 1}, []int{report.Speeds[0].Used, report.Speeds[1].Used})
	require.Empty(t, report.Jumps, "it was as fast before")
	nothing, _ := with(t, m, traffic.Files{After: profile}, nil)
	require.Equal(t, profile.SegmentWeight, nothing.Metric.SegmentWeight)
}

// Turns that were closed at an instant stay so until another one is told.
func TestReplayKeepsClosedTurns(t *testing.T) {
	m := extracttest.Car(t, street)
	closed := clone(m.Metric)
	closed.TurnClosed = graph.MakeBits(m.Network.NumEdges())
	closed.TurnClosed.Set(1)
	update := func(c traffic.Conditions) *graph.Metric {
		got, _, err := traffic.Update(context.Background(), traffic.NewIndex(m.Network), m.Metric, &traffic.Files{After: closed}, &c)
		require.NoError(t, err)
		return got
	}
	require.Equal(t, closed.TurnClosed, update(traffic.Conditions{}).TurnClosed)
	require.Nil(t, update(traffic.Conditions{At: time.Unix(1493719200, 0)}).TurnClosed)
}
