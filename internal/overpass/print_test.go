package overpass_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/overpass"
	"github.com/fourway-routing/fourway/profile"
)

// hamlet has two ways; node 4 is missing, and node 9 is on no road.
const hamlet = `<osm version="0.6">
	<node id="1" lat="1" lon="-1"/>
	<node id="2" lat="1.000001" lon="-1.001"><tag k="highway" v="crossing"/><tag k="a&quot;b" v="tab&#9;line&#10;back\slash &#xE9;"/></node>
	<node id="3" lat="1.002" lon="-1.0000015"/>
	<node id="9" lat="1.002" lon="-1.0000015"><tag k="highway" v="crossing"/></node>
	<way id="20"><nd ref="1"/><nd ref="2"/><nd ref="4"/><tag k="name" v="Main"/><tag k="highway" v="primary"/></way>
	<way id="10"><nd ref="3"/><nd ref="1"/><tag k="highway" v="service"/></way>
</osm>`

func elementsOf(tb testing.TB, xml string, tags bool) *graph.Elements {
	tb.Helper()
	f, err := osmfile.OpenReaderAt(strings.NewReader(xml), int64(len(xml)), "test")
	require.NoError(tb, err)
	car, err := profile.ByName("car")
	require.NoError(tb, err)
	r, err := extract.Run(context.Background(), f, car, extract.Options{Tags: tags})
	require.NoError(tb, err)
	if !tags {
		return graph.ElementsOf(r.Network)
	}
	return r.Elements
}

func answerTo(tb testing.TB, e *graph.Elements, text string) string {
	tb.Helper()
	q, err := overpass.Parse(text)
	require.NoError(tb, err, text)
	data, err := q.Append(tb.Context(), nil, e, overpass.Limits{})
	require.NoError(tb, err, text)
	require.True(tb, json.Valid(data), "%s", data)
	_, list, ok := strings.Cut(string(data), `"elements":[`)
	require.True(tb, ok)
	list, ok = strings.CutSuffix(list, "\n]}\n")
	require.True(tb, ok)
	return strings.TrimPrefix(list, "\n")
}

func TestOut(t *testing.T) {
	e := elementsOf(t, hamlet, true)
	const (
		tags2  = `"tags":{"a\"b":"tab\tline\nback\\slash é","highway":"crossing"}`
		tags20 = `"tags":{"highway":"primary","name":"Main"}`
		bounds = `"bounds":{"minlat":1,"minlon":-1.001,"maxlat":1.000001,"maxlon":-1}`
	)
	for text, want := range map[string]string{
		"node(2);out;":             `{"type":"node","id":2,"lat":1.000001,"lon":-1.001,` + tags2 + `}`,
		"node(2);out body;":        `{"type":"node","id":2,"lat":1.000001,"lon":-1.001,` + tags2 + `}`,
		"node(2);out ids;":         `{"type":"node","id":2}`,
		"node(2);out tags;":        `{"type":"node","id":2,` + tags2 + `}`,
		"node(2);out skel;":        `{"type":"node","id":2,"lat":1.000001,"lon":-1.001}`,
		"node(1);out;":             `{"type":"node","id":1,"lat":1,"lon":-1}`,
		"node(1);out ids bb;":      `{"type":"node","id":1,"lat":1,"lon":-1}`,
		"way(20);out;":             `{"type":"way","id":20,"nodes":[1,2,4],` + tags20 + `}`,
		"way(20);out ids;":         `{"type":"way","id":20}`,
		"way(20);out skel;":        `{"type":"way","id":20,"nodes":[1,2,4]}`,
		"way(20);out tags;":        `{"type":"way","id":20,` + tags20 + `}`,
		"way(20);out ids bb;":      `{"type":"way","id":20,` + bounds + `}`,
		"way(20);out tags center;": `{"type":"way","id":20,"center":{"lat":1.0000005,"lon":-1.0005},` + tags20 + `}`,
		"way(20);out skel geom;": `{"type":"way","id":20,` + bounds + `,"nodes":[1,2,4],` +
			`"geometry":[{"lat":1,"lon":-1},{"lat":1.000001,"lon":-1.001},null]}`,
		"way(20);out ids geom(0,-1.0001,2,0);":                 `{"type":"way","id":20,` + bounds + `,"geometry":[{"lat":1,"lon":-1},null,null]}`,
		"nw(id:1,2,20,10);out count;":                          `{"type":"count","id":0,"tags":{"nodes":"2","ways":"2","relations":"0","total":"4"}}`,
		"nw;out ids 2;":                                        `{"type":"node","id":1},` + "\n" + `{"type":"node","id":2}`,
		"nw;out 4 ids qt;out count 1;":                         `{"type":"node","id":1},` + "\n" + `{"type":"node","id":2},` + "\n" + `{"type":"node","id":3},` + "\n" + `{"type":"way","id":10},` + "\n" + `{"type":"count","id":0,"tags":{"nodes":"1","ways":"0","relations":"0","total":"1"}}`,
		"way(id:20,10,20);out ids;":                            `{"type":"way","id":10},` + "\n" + `{"type":"way","id":20}`,
		"node(id:4,9,5);out;":                                  ``, // missing, on no road, not in the file
		"way(20);>;out ids;":                                   `{"type":"node","id":1},` + "\n" + `{"type":"node","id":2}`,
		"node(1);<;out ids;":                                   `{"type":"way","id":10},` + "\n" + `{"type":"way","id":20}`,
		"node[\"a\\u0022b\"];out ids;":                         `{"type":"node","id":2}`,
		"[bbox:0.5,-1.0005,1.001,0];node;out ids;":             `{"type":"node","id":1}`,
		"[bbox:0.5,-1.0005,1.001,0];node(2);out ids;":          ``,
		"[bbox:0.5,-1.0005,1.001,0];node(0,-2,2,0);out 1 ids;": `{"type":"node","id":1}`,
	} {
		require.Equal(t, want, answerTo(t, e, text), text)
	}
}

func TestHead(t *testing.T) {
	e := elementsOf(t, hamlet, true)
	e.Network().Properties.DataTime = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC).Unix()
	q, err := overpass.Parse("out;")
	require.NoError(t, err)
	data, err := q.Append(t.Context(), []byte("before"), e, overpass.Limits{})
	require.NoError(t, err)
	var a struct {
		Version   float64
		Generator string
		OSM3S     struct {
			Time      string `json:"timestamp_osm_base"`
			Copyright string
		}
		Elements []any
	}
	rest, ok := strings.CutPrefix(string(data), "before")
	require.True(t, ok)
	require.NoError(t, json.Unmarshal([]byte(rest), &a))
	require.Equal(t, 0.6, a.Version)
	require.Equal(t, "2026-03-04T05:06:07Z", a.OSM3S.Time)
	require.Contains(t, a.OSM3S.Copyright, "OpenStreetMap")
	require.Empty(t, a.Elements)
}

func TestNoTags(t *testing.T) {
	q, err := overpass.Parse("node(1);out;")
	require.NoError(t, err)
	_, err = q.Append(t.Context(), nil, elementsOf(t, hamlet, false), overpass.Limits{})
	require.ErrorIs(t, err, overpass.ErrNoTags)
}

// TestShortages: what runs out is told in a remark, with what was printed before.
func TestShortages(t *testing.T) {
	w := city(t)
	run := func(ctx context.Context, text string, l overpass.Limits) (answer, error) {
		q, err := overpass.Parse(text)
		require.NoError(t, err)
		data, err := q.Append(ctx, nil, w.elements, l)
		if err != nil {
			require.Empty(t, data)
			return answer{}, err
		}
		var a answer
		require.NoError(t, json.Unmarshal(data, &a), "%s", data)
		return a, nil
	}
	a, err := run(t.Context(), fmt.Sprintf("node(%d);out;\nnode;out;", w.nodeIDs[0]), overpass.Limits{Elements: 10})
	require.NoError(t, err)
	require.Len(t, a.Elements, 1)
	require.Equal(t, `runtime error: Query found more than 10 elements in "query" at line 2`, a.Remark)

	a, err = run(t.Context(), "way;\n>;out;", overpass.Limits{Elements: len(w.wayIDs)})
	require.NoError(t, err)
	require.Contains(t, a.Remark, `in "recurse" at line 2`)

	a, err = run(t.Context(), "[maxsize:500];node;out;", overpass.Limits{})
	require.NoError(t, err)
	require.Equal(t, `runtime error: Query ran out of memory: it may use 500 bytes in "query" at line 1`, a.Remark)

	a, err = run(t.Context(), "[maxsize:100000];nw;out;", overpass.Limits{})
	require.NoError(t, err)
	require.NotEmpty(t, a.Elements)
	require.Contains(t, a.Remark, `in "print" at line 1`)

	// Patterns take note of each different tag.
	a, err = run(t.Context(), "[maxsize:2000];way"+strings.Repeat("[~a~b]", 500)+";out;", overpass.Limits{})
	require.NoError(t, err)
	require.Contains(t, a.Remark, `ran out of memory`)

	late, cancel := context.WithTimeout(t.Context(), -1)
	defer cancel()
	a, err = run(late, "nw[name];out;", overpass.Limits{})
	require.NoError(t, err)
	require.Contains(t, a.Remark, `runtime error: Query timed out after`)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, text := range []string{"node(0,0,10,10);", "way(around:100,1,1);", "nw[name];", "way;>;"} {
		_, err = run(gone, text+"out;", overpass.Limits{})
		require.ErrorIs(t, err, context.Canceled, text)
	}
}

// TestQueriesLookUpWithoutMuchMemory holds what a small query allocates.
func TestQueriesLookUpWithoutMuchMemory(t *testing.T) {
	w := city(t)
	text := fmt.Sprintf("[out:json];way(%d);out geom;", w.wayIDs[7])
	var dst []byte
	allocs := testing.AllocsPerRun(100, func() {
		q, err := overpass.Parse(text)
		require.NoError(t, err)
		dst, err = q.Append(t.Context(), dst[:0], w.elements, overpass.Limits{})
		require.NoError(t, err)
	})
	require.LessOrEqual(t, allocs, 20.0)
}

func BenchmarkQuery(b *testing.B) {
	w := city(b)
	for name, text := range map[string]string{
		"node": fmt.Sprintf("[out:json];node(%d);out;", w.nodeIDs[9]),
		"way":  fmt.Sprintf("[out:json];way(%d);out geom;", w.wayIDs[7]),
		"tags": "[out:json];way[highway=residential];out count;",
		"box":  "[out:json];nw(1,1,1.01,1.01);out ids;",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				q, err := overpass.Parse(text)
				require.NoError(b, err)
				dst, err = q.Append(b.Context(), dst[:0], w.elements, overpass.Limits{})
				require.NoError(b, err)
			}
		})
	}
}
