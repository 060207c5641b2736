package lua

import (
	"context"
	"os"
	"testing"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/profile"
)

// delawareWays reads all ways of the Delaware extract.
func delawareWays(tb testing.TB) (ways []*osm.Way) {
	tb.Helper()
	f, err := os.Open(osmdata.Delaware(tb))
	require.NoError(tb, err)
	defer func() { require.NoError(tb, f.Close()) }()
	scanner := osmpbf.New(context.Background(), f, 1)
	scanner.SkipNodes, scanner.SkipRelations = true, true
	defer func() { require.NoError(tb, scanner.Close()) }()
	for scanner.Scan() {
		if w, ok := scanner.Object().(*osm.Way); ok {
			ways = append(ways, w)
		}
	}
	require.NoError(tb, scanner.Err())
	return ways
}

func BenchmarkWay(b *testing.B) {
	ways := delawareWays(b)
	for _, bc := range []struct {
		name string
		o    Options
	}{{"trusted", Options{Trusted: true}}, {"limited", Options{}}} {
		b.Run("script="+bc.name, func(b *testing.B) {
			p, err := Open("testdata/tram.lua", bc.o)
			require.NoError(b, err)
			w := newWorker(b, p)
			var r profile.WayResult
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := w.Way(ways[i], &r); err != nil {
					b.Fatal(err)
				}
				if i++; i == len(ways) {
					i = 0
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "ways/s")
		})
	}
}

// A way that the script turns away costs next to nothing.
func TestAllocations(t *testing.T) {
	p, err := Open("testdata/tram.lua", Options{})
	require.NoError(t, err)
	w := newWorker(t, p)
	var r profile.WayResult
	building := &osm.Way{Tags: tags("building=yes")}
	require.LessOrEqual(t, testing.AllocsPerRun(100, func() {
		if err := w.Way(building, &r); err != nil {
			t.Fatal(err)
		}
	}), 2.0)
}
