package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/routing"
)

type file struct {
	bytes.Buffer
	close func([]byte)
}

func (f *file) Close() error { f.close(f.Bytes()); return nil }

func city(t *testing.T, n int) *routing.Engine {
	t.Helper()
	var extract bytes.Buffer
	require.NoError(t, testmap.City(&extract, n, 3))
	files := fstest.MapFS{}
	_, err := routing.Build(t.Context(), routing.BuildOptions{
		Input: "city.osm.pbf", Reader: &extract, Output: "city", Algorithms: []routing.Algorithm{routing.MLD},
		Create: func(name string) (io.WriteCloser, error) {
			return &file{close: func(b []byte) { files[name] = &fstest.MapFile{Data: bytes.Clone(b)} }}, nil
		},
	})
	require.NoError(t, err)
	e, err := routing.Open("city", routing.Options{FS: files, Algorithm: routing.MLD})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// whole is more than any data set.
var whole = orb.Bound{Min: orb.Point{-180, -90}, Max: orb.Point{180, 90}}

// TestNetwork: all roads, and the nodes at their ends, are written once, whatever boxes
// they are read by.
func TestNetwork(t *testing.T) {
	e := city(t, 60_000)
	require.Greater(t, e.Info().Segments, 4*roadsABox)
	all := e.Info().Bounds
	part := orb.Bound{
		Min: orb.Point{all.Min[0] + (all.Max[0]-all.Min[0])/3, all.Min[1] + (all.Max[1]-all.Min[1])/3},
		Max: orb.Point{all.Max[0] - (all.Max[0]-all.Min[0])/3, all.Max[1] - (all.Max[1]-all.Min[1])/3},
	}
	for _, bounds := range []orb.Bound{whole, part} {
		var nodes, edges bytes.Buffer
		w, err := NewCSV(&nodes, &edges)
		require.NoError(t, err)
		require.NoError(t, Network(t.Context(), e, bounds, w))

		inBounds := orb.Bound{Min: orb.Point{max(bounds.Min[0], all.Min[0]), max(bounds.Min[1], all.Min[1])}, Max: orb.Point{min(bounds.Max[0], all.Max[0]), min(bounds.Max[1], all.Max[1])}}
		want, err := routing.Roads(t.Context(), e, routing.RoadsRequest{Bounds: inBounds})
		require.NoError(t, err)
		left := map[[4]string]int{}
		ends := map[string]bool{}
		id := func(v int64) string { return strconv.FormatInt(v, 10) }
		for i := range want.Roads {
			r := &want.Roads[i]
			left[[4]string{id(r.Nodes[0]), id(r.Nodes[1]), id(r.Way), string(appendFixed(nil, r.Duration))}]++
			ends[id(r.Nodes[0])], ends[id(r.Nodes[1])] = true, true
		}
		rows, err := csv.NewReader(&edges).ReadAll()
		require.NoError(t, err)
		require.Equal(t, edgeColumns, rows[0])
		require.Len(t, rows, 1+len(want.Roads))
		for _, row := range rows[1:] {
			left[[4]string{row[0], row[1], row[2], row[5]}]--
		}
		for road, count := range left {
			require.Zero(t, count, "%v", road)
		}
		rows, err = csv.NewReader(&nodes).ReadAll()
		require.NoError(t, err)
		require.Equal(t, nodeColumns, rows[0])
		require.Len(t, rows, 1+len(ends))
		for _, row := range rows[1:] {
			require.True(t, ends[row[0]], row[0])
			delete(ends, row[0])
		}

		var doc bytes.Buffer
		require.NoError(t, Network(t.Context(), e, bounds, NewGeoJSON(&doc)))
		var collection struct {
			Type     string
			Features []struct {
				Geometry struct {
					Type        string
					Coordinates []orb.Point
				}
				Properties map[string]any
			}
		}
		require.NoError(t, json.Unmarshal(doc.Bytes(), &collection))
		require.Len(t, collection.Features, len(want.Roads))
		require.Len(t, collection.Features[0].Geometry.Coordinates, 2)
		require.Len(t, collection.Features[0].Properties, len(edgeColumns))
	}
}

// TestNothing: a rectangle without roads gives files without them.
func TestNothing(t *testing.T) {
	e := city(t, 1000)
	var doc bytes.Buffer
	require.NoError(t, Network(t.Context(), e, orb.Bound{Min: orb.Point{50, 50}, Max: orb.Point{51, 51}}, NewGeoJSON(&doc)))
	require.JSONEq(t, `{"type":"FeatureCollection","features":[]}`, doc.String())
}

type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestErrors: what cannot be written, and a done context, end the export.
func TestErrors(t *testing.T) {
	e := city(t, 20_000)
	require.ErrorIs(t, Network(t.Context(), e, whole, NewGeoJSON(full{})), errFull)
	w, err := NewCSV(full{}, full{})
	require.NoError(t, err, "the header is kept")
	require.ErrorIs(t, Network(t.Context(), e, whole, w), errFull)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, Network(ctx, e, whole, NewGeoJSON(io.Discard)), context.Canceled)
}
