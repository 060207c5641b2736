package traffic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/internal/traffic"
)

// A way is changed in one direction as a whole, whichever way its chains run.
func TestSpeedsOfWays(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			a-b-c-d
			  |
			e-f-g`,
		Ways:  []testmap.Row{{"dcba", ""}, {"bf", ""}, {"efg", "oneway=yes"}},
		Nodes: []testmap.Row{{"c", "highway=traffic_signals"}},
	}
	base := extracttest.Car(t, d)
	index := traffic.NewIndex(base.Network)
	update := func(way int64, want int) *extracttest.Map {
		u := traffic.NewUpdater(index, base.Metric, &traffic.Report{})
		speeds := map[traffic.DirectedWay]traffic.Speed{{ID: max(way, -way), Backward: way < 0}: {KMH: 18}, {ID: 1 << 40}: {KMH: 1}}
		matched := u.Ways(speeds, 0)
		require.Equal(t, want > 0, matched == 1)
		m, changed := u.Finish()
		require.NoError(t, m.Check(base.Network))
		require.Equal(t, want > 0, len(changed) > 0)
		count := 0
		for d := range 2 {
			for s, weight := range m.SegmentWeight[d] {
				if weight != base.Metric.SegmentWeight[d][s] {
					count++
				}
			}
		}
		require.Equal(t, want, count)
		updated := *base
		updated.Result = &extract.Result{Network: base.Network, Metric: m}
		return &updated
	}
	check := func(m *extracttest.Map, slow, usual []string) {
		t.Helper()
		for _, road := range slow {
			kmh, _ := speed(t, m, road)
			require.InEpsilon(t, 18, kmh, 0.02, road)
		}
		for _, road := range usual {
			before, _ := base.Drive(road)
			after, _ := m.Drive(road)
			require.Equal(t, before, after, road)
		}
	}
	along, across, oneWay := d.WayID("dcba"), d.WayID("bf"), d.WayID("efg")
	check(update(along, 3), []string{"dc", "cb", "ba"}, []string{"ab", "bc", "cd", "bf", "fg"})
	check(update(-along, 3), []string{"ab", "bc", "cd"}, []string{"dc", "cb", "ba"})
	check(update(-across, 1), []string{"fb"}, []string{"bf", "ab"})
	check(update(oneWay, 2), []string{"ef", "fg"}, []string{"bf"})
	for _, none := range []int64{-oneWay, 0, 12345, -12345} {
		require.Equal(t, base.Metric.SegmentWeight, update(none, 0).Metric.SegmentWeight)
	}
	require.Equal(t, graph.InvalidNode, base.Node("gf"))
}
