package profile

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/osmdata"
)

// parseTags reads "highway=primary, oneway=yes"; a value may contain anything
// but a comma followed by a space.
func parseTags(s string) osm.Tags {
	var tags osm.Tags
	for pair := range strings.SplitSeq(s, ", ") {
		if k, v, ok := strings.Cut(pair, "="); ok {
			tags = append(tags, osm.Tag{Key: k, Value: v})
		}
	}
	return tags
}

func newCarWorker(tb testing.TB, o CarOptions) Worker {
	tb.Helper()
	p, err := NewCar(o)
	require.NoError(tb, err)
	w, err := p.NewWorker()
	require.NoError(tb, err)
	return w
}

// carWay evaluates tags with the default car.
func carWay(t *testing.T, tags string) *WayResult {
	t.Helper()
	return optionsWay(t, CarOptions{}, tags)
}

func optionsWay(t *testing.T, o CarOptions, tags string) *WayResult {
	t.Helper()
	var r WayResult
	require.NoError(t, newCarWorker(t, o).Way(&osm.Way{Tags: parseTags(tags)}, &r))
	return &r
}

// delaware reads the tagged nodes and all ways of the Delaware extract.
func delaware(tb testing.TB) (nodes []*osm.Node, ways []*osm.Way) {
	tb.Helper()
	f, err := os.Open(osmdata.Delaware(tb))
	require.NoError(tb, err)
	defer func() { require.NoError(tb, f.Close()) }()
	scanner := osmpbf.New(context.Background(), f, 1)
	scanner.SkipRelations = true
	defer func() { require.NoError(tb, scanner.Close()) }()
	for scanner.Scan() {
		switch o := scanner.Object().(type) {
		case *osm.Node:
			if len(o.Tags) > 0 {
				nodes = append(nodes, o)
			}
		case *osm.Way:
			ways = append(ways, o)
		}
	}
	require.NoError(tb, scanner.Err())
	return nodes, ways
}
