package httpapi

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/routing"
)

// file is where Create writes in tests.
type file struct {
	bytes.Buffer
	close func([]byte)
}

func (f *file) Close() error { f.close(f.Bytes()); return nil }

// build builds an engine in memory, which is closed at the end of the test.
func build(t testing.TB, opt routing.BuildOptions, o routing.Options) *routing.Engine {
	t.Helper()
	e := open(t, opt, o)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

func open(t testing.TB, opt routing.BuildOptions, o routing.Options) *routing.Engine {
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
	return e
}

var andorraOnce struct {
	sync.Once
	engine *routing.Engine
}

// andorra returns an engine that all tests share, since it takes a second to
// build. It stays open.
func andorra(t testing.TB) *routing.Engine {
	t.Helper()
	andorraOnce.Do(func() {
		andorraOnce.engine = open(t, routing.BuildOptions{Input: osmdata.Andorra(t)}, routing.Options{})
	})
	return andorraOnce.engine
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
