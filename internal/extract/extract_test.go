package extract_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/profile"
)

func run(tb testing.TB, path, vehicle string, opts extract.Options) *extract.Result {
	tb.Helper()
	f, err := osmfile.Open(path)
	require.NoError(tb, err)
	p, err := profile.ByName(vehicle)
	require.NoError(tb, err)
	r, err := extract.Run(context.Background(), f, p, opts)
	require.NoError(tb, err)
	return r
}

// delawareCar is extracted once; nothing may change it.
var delawareCar struct {
	once   sync.Once
	result *extract.Result
}

func delaware(tb testing.TB) *extract.Result {
	tb.Helper()
	delawareCar.once.Do(func() { delawareCar.result = run(tb, osmdata.Delaware(tb), "car", extract.Options{}) })
	require.NotNil(tb, delawareCar.result)
	return delawareCar.result
}

// The figures are those of OSRM 26.8.
func TestDelawareCounts(t *testing.T) {
	r := delaware(t)
	require.Equal(t, 178766, r.Report.SearchNodes)
	require.Equal(t, 346889, r.Report.SearchEdges)
	require.Equal(t, 480, r.Report.Restrictions)
	require.NoError(t, r.Network.Check())
	require.NoError(t, r.Metric.Check(r.Network))
	// OSRM counts the segments of copies once more.
	copied, n := 0, r.Network
	for v := int(n.Originals); v < n.NumNodes(); v++ {
		c := n.NodeArm[v].Chain()
		for s := n.ChainFirst[c]; s+1 < n.ChainFirst[c+1]; s++ {
			if n.ChainPlaces[s] != n.ChainPlaces[s+1] {
				copied++
			}
		}
	}
	require.Equal(t, 325127, r.Report.Segments+copied)
}
