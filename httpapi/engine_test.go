package httpapi

import (
	"bytes"
	"io"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/routing"
)

// file is where Create writes in tests.
type file struct {
	bytes.Buffer
	close func([]byte)
}

func (f *file) Close() error { f.close(f.Bytes()); return nil }

// build builds an engine in memory.
func build(t testing.TB, opt routing.BuildOptions, o routing.Options) *routing.Engine {
	t.Helper()
	files := fstest.MapFS{}
	opt.Output = "data"
	opt.Create = func(name string) (io.WriteCloser, error) {
		return &file{close: func(b []byte) { files[name] = &fstest.MapFile{Data: slices.Clone(b)} }}, nil
	}
	_, err := routing.Build(t.Context(), opt)
	require.NoError(t, err)
	o.FS = files
	e, err := routing.Open("data", o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

var street = testmap.Drawing{
	Map: `
		a-1-b-2-c
		    |
		    d`,
	Ways: []testmap.Row{{"abc", ""}, {"bd", ""}},
}

func streetReader(t testing.TB) io.Reader {
	t.Helper()
	data, err := street.OSM()
	require.NoError(t, err)
	return bytes.NewReader(data)
}

func drawn(t testing.TB) *routing.Engine {
	t.Helper()
	return build(t, routing.BuildOptions{Input: "street.osm", Reader: streetReader(t), DataVersion: "today"}, routing.Options{})
}
