package routing_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/routing"
)

// memoryFile is a file of a data set that is built in memory.
type memoryFile struct {
	bytes.Buffer
	keep func([]byte)
}

func (m *memoryFile) Close() error {
	m.keep(m.Bytes())
	return nil
}

// dataSet builds a small made-up data set named town in memory.
func dataSet(t *testing.T) fstest.MapFS {
	t.Helper()
	var extract bytes.Buffer
	require.NoError(t, testmap.City(&extract, 3000, 11))
	files := fstest.MapFS{}
	_, err := routing.Build(t.Context(), routing.BuildOptions{
		Reader: &extract, Output: "town", Algorithms: []routing.Algorithm{routing.CH, routing.MLD, routing.CCH}, Tags: true,
		Create: func(name string) (io.WriteCloser, error) {
			return &memoryFile{keep: func(b []byte) { files[name] = &fstest.MapFile{Data: b} }}, nil
		},
	})
	require.NoError(t, err)
	require.Len(t, files, 6)
	return files
}

// optionsFor returns options with which a file of a data set is used.
func optionsFor(name string, files fs.FS) routing.Options {
	switch filepath.Ext(name) {
	case ".mld":
		return routing.Options{FS: files, Algorithm: routing.MLD}
	case ".cch":
		return routing.Options{FS: files, Algorithm: routing.CCH}
	}
	return routing.Options{FS: files}
}

// requireDamage asserts that a data set does not open, by an error that names
// the file.
func requireDamage(t *testing.T, files fs.FS, name, what string, at int) {
	t.Helper()
	engine, err := routing.Open("town", optionsFor(name, files))
	if err == nil {
		_ = engine.Close()
	}
	require.ErrorIs(t, err, routing.ErrCorrupt, "%s %s at %d", name, what, at)
	var fault *routing.Error
	require.ErrorAs(t, err, &fault)
	require.ErrorContains(t, err, name)
}

func TestOpenRefusesDamage(t *testing.T) {
	whole := dataSet(t)
	for _, name := range slices.Sorted(maps.Keys(whole)) {
		data := whole[name].Data
		with := func(changed []byte) fs.FS {
			files := maps.Clone(whole)
			files[name] = &fstest.MapFile{Data: changed}
			return files
		}
		t.Run("cut "+name, func(t *testing.T) {
			for at := 0; at < len(data); at += max(1, len(data)/200) {
				requireDamage(t, with(data[:at]), name, "cut", at)
			}
			requireDamage(t, with(data[:len(data)-1]), name, "cut", len(data)-1)
		})
		t.Run("flip in header of "+name, func(t *testing.T) {
			// The header's own size stands at byte 20.
			header := int(binary.LittleEndian.Uint32(data[20:]))
			require.Less(t, header, len(data))
			for at := range header {
				changed := bytes.Clone(data)
				changed[at] ^= 0x40
				requireDamage(t, with(changed), name, "flipped", at)
			}
		})
		t.Run("longer "+name, func(t *testing.T) {
			requireDamage(t, with(append(bytes.Clone(data), 0)), name, "longer", len(data))
		})
	}
}

// usesOf returns options with which a file is used, of all algorithms that use it.
func usesOf(name string, files fs.FS) []routing.Options {
	switch filepath.Ext(name) {
	case ".graph", ".metric":
		var all []routing.Options
		for _, a := range []routing.Algorithm{routing.CH, routing.MLD, routing.CCH} {
			all = append(all, routing.Options{FS: files, Algorithm: a})
		}
		return all
	}
	return []routing.Options{optionsFor(name, files)}
}

// question is a query or an update; what it returns is its answer as text.
type question func() ([]byte, error)

// questions are queries and updates of all kinds that look at most of the data.
func questions(ctx context.Context, e *routing.Engine, r routing.RouteRequest) []question {
	route := func(change func(*routing.RouteRequest)) question {
		return func() ([]byte, error) {
			r := r
			change(&r)
			res, err := routing.Route(ctx, e, r)
			if err != nil {
				return nil, err
			}
			return res.AppendJSON(nil), nil
		}
	}
	table := func() ([]byte, error) {
		res, err := routing.Table(ctx, e, routing.TableRequest{Coordinates: r.Coordinates})
		if err != nil {
			return nil, err
		}
		return res.AppendJSON(nil), nil
	}
	asked := []question{
		route(func(*routing.RouteRequest) {}), table,
		func() ([]byte, error) {
			res, err := routing.Match(ctx, e, routing.MatchRequest{Coordinates: r.Coordinates[:2]})
			if err != nil {
				return nil, err
			}
			return res.AppendJSON(nil), nil
		},
	}
	if e.Info().Algorithm == routing.CH {
		return asked
	}
	around := orb.Bound{Min: r.Coordinates[0], Max: r.Coordinates[0]}.Pad(0.002)
	return append(asked,
		route(func(r *routing.RouteRequest) { r.Exclude = []string{"ferry", "motorway"} }),
		route(func(r *routing.RouteRequest) { r.Avoid = []routing.Avoid{{Polygon: around.ToPolygon()}} }),
		func() ([]byte, error) {
			var u routing.Update
			u.Layer = "live"
			for id := range int64(3000) {
				u.Speeds = append(u.Speeds, routing.SegmentSpeed{From: id + 1, To: id + 2, Speed: float64(id % 50)})
				u.Ways = append(u.Ways, routing.WaySpeed{Way: id, Speed: float64(id % 50)})
				u.Turns = append(u.Turns, routing.TurnPenalty{From: id + 1, Via: id + 2, To: id + 3, Penalty: -5})
			}
			_, err := e.Update(ctx, u)
			return nil, err
		},
		route(func(*routing.RouteRequest) {}), table,
	)
}

// damages is how many bytes TestDamageInSections flips in each file.
var damages = flag.Int("damages", 0, "bytes flipped in each file of a data set; 0 stands for a few")

// TestDamageInSections flips bytes that Open does not look at: queries and updates
// give an answer or an error, whatever they meet, and where Verify finds nothing, the
// answers are those of the whole files.
func TestDamageInSections(t *testing.T) {
	whole := dataSet(t)
	request := routing.RouteRequest{
		Coordinates: []orb.Point{{6.001, 45.001}, {6.010, 45.012}, {6.015, 45.002}},
		Steps:       true, Annotations: routing.AnnotateAll | routing.AnnotateWays,
	}
	answers := func(opt routing.Options) (said [][]byte, opened bool) {
		engine, err := routing.Open("town", opt)
		if err != nil {
			require.ErrorIs(t, err, routing.ErrCorrupt)
			return nil, false
		}
		for _, ask := range questions(t.Context(), engine, request) {
			answer, err := ask()
			var fault *routing.Error
			require.True(t, err == nil || errors.As(err, &fault), "%v: %v", opt.Algorithm, err)
			said = append(said, answer)
		}
		require.NoError(t, engine.Close())
		return said, true
	}
	for _, name := range slices.Sorted(maps.Keys(whole)) {
		t.Run(name, func(t *testing.T) {
			var right [][][]byte
			for _, opt := range usesOf(name, whole) {
				said, opened := answers(opt)
				require.True(t, opened)
				right = append(right, said)
			}
			data := whole[name].Data
			header := int(binary.LittleEndian.Uint32(data[20:]))
			count := 70
			if *damages > 0 {
				count = *damages
			}
			rng := rand.New(rand.NewPCG(1, uint64(count)))
			detected := 0
			for i := range count {
				files := maps.Clone(whole)
				changed := bytes.Clone(data)
				at := header + (len(data)-header-1)*i/count
				changed[at] ^= byte(1 + rng.IntN(255))
				files[name] = &fstest.MapFile{Data: changed}
				err := routing.Verify(t.Context(), "town", routing.Options{FS: files})
				if err != nil { // the padding between sections has no checksum
					require.ErrorIs(t, err, routing.ErrCorrupt)
					detected++
				}
				for k, opt := range usesOf(name, files) {
					said, opened := answers(opt)
					if err == nil {
						require.True(t, opened)
						require.Equal(t, right[k], said, "flipped %d, which Verify does not find", at)
					}
				}
			}
			require.Greater(t, detected*10, count*9)
		})
	}
}

func TestVerify(t *testing.T) {
	require.NoError(t, routing.Verify(t.Context(), "town", routing.Options{FS: dataSet(t)}))
	require.ErrorIs(t, routing.Verify(t.Context(), "town", routing.Options{FS: fstest.MapFS{}}), fs.ErrNotExist)
	for _, absent := range []string{"town.ch", "town.mld", "town.cch"} {
		files := dataSet(t)
		delete(files, absent)
		require.NoError(t, routing.Verify(t.Context(), "town", routing.Options{FS: files}), "built for one algorithm")
		_, err := routing.Open("town", optionsFor(absent, files))
		require.ErrorIs(t, err, fs.ErrNotExist)
		for _, name := range []string{"town.ch", "town.mld", "town.cch"} {
			delete(files, name)
		}
		require.ErrorIs(t, routing.Verify(t.Context(), "town", routing.Options{FS: files}), fs.ErrNotExist)
	}
}

// TestBuildLeavesNothing breaks builds off and looks for what they leave.
func TestBuildLeavesNothing(t *testing.T) {
	var extract bytes.Buffer
	require.NoError(t, testmap.City(&extract, 3000, 11))
	for name, input := range map[string][]byte{
		"empty":     nil,
		"garbage":   bytes.Repeat([]byte{0x5a, 0xa5, 3}, 10_000),
		"truncated": extract.Bytes()[:extract.Len()/2],
		"no roads":  []byte(`<osm version="0.6"><node id="1" lat="1" lon="1"/></osm>`),
		"not OSM":   []byte(`<html><body>hello</body></html>`),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			_, err := routing.Build(t.Context(), routing.BuildOptions{
				Reader: bytes.NewReader(input), Input: name + ".osm", Output: filepath.Join(dir, "town"),
			})
			require.Error(t, err)
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
	t.Run("no folder", func(t *testing.T) {
		_, err := routing.Build(t.Context(), routing.BuildOptions{
			Reader: bytes.NewReader(extract.Bytes()), Output: filepath.Join(t.TempDir(), "nowhere", "town"),
		})
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
}
