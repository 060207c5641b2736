package osmfile

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"
)

const sample = `<?xml version='1.0' encoding='UTF-8'?>
<!-- made by hand --><!DOCTYPE osm>
<osm version="0.6" generator="by &quot;hand&quot;">
  <note>The data <![CDATA[<way id="9"> ]]> is free.</note>
  <meta osm_base="2020-01-02T03:04:05Z"/>
  <bounds minlat="42.4" minlon="1.4" maxlat="42.7" maxlon="1.8"/>
  <node id="1" lat="42.50000045" lon="1.5000005" version="4" timestamp="2009-10-11T15:26:12Z" changeset="5" uid="6" user="A &amp; B"/>
  <way id='10' >
    <nd ref="1"/><nd ref = "2" lat="1" lon="2"></nd>
    <center lat="1"><tag k="not" v="mine"/></center>
    <tag k="name" v='Carrer &#x201C;Major&#8221; &gt;
2'/>
  </way>
  <node id="-2" lat="-1e-05" lon="+.5"><tag k="highway" v="stop"/></node>
  <node id="3" lat="91" lon="0"/>
  <node id="4"/>
  <node id="5" visible="false"/>
  <way id="11" action="delete"/>
  <changeset id="1"><tag k="a" v="b"/></changeset>
  <relation id="20"><member type="way" ref="10" role="from"/><member type="node" ref="1"/><tag k="type" v=""/></relation>
</osm>
<!-- the end -->
`

func gzipped(t testing.TB, text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestXMLContent(t *testing.T) {
	want := content{
		IDs:  []osm.NodeID{1, -2},
		Lons: []int32{1500001, 500000},
		Lats: []int32{42500001, -10},
		Nodes: []Node{
			{ID: -2, Row: 1, Tags: osm.Tags{{Key: "highway", Value: "stop"}}},
		},
		Ways: []Way{{ID: 10, Refs: []osm.NodeID{1, 2}, Tags: osm.Tags{{Key: "name", Value: "Carrer “Major” > 2"}}}},
		Relations: []Relation{{ID: 20, Tags: osm.Tags{{Key: "type"}}, Members: []Member{
			{Type: osm.TypeWay, Ref: 10, Role: "from"}, {Type: osm.TypeNode, Ref: 1},
		}}},
		Stats: Stats{Blocks: 1, Nodes: 2, TaggedNodes: 1, Ways: 1, Relations: 1, Unlocated: 2},
	}
	for name, data := range map[string][]byte{
		"plain": []byte(sample), "byte order mark": []byte("\xef\xbb\xbf" + strings.TrimPrefix(sample, "<?xml version='1.0' encoding='UTF-8'?>")),
		"gzip": gzipped(t, sample),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readAll(data, Options{Want: All})
			require.NoError(t, err)
			require.Equal(t, want, got)
			f, err := openBytes(data)
			require.NoError(t, err)
			require.Equal(t, Header{
				Generator: `by "hand"`, Bounds: &osm.Bounds{MinLat: 42.4, MinLon: 1.4, MaxLat: 42.7, MaxLon: 1.8},
				ReplicationTimestamp: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC),
			}, f.Header())
		})
	}
	ways, err := readAll([]byte(sample), Options{Want: Ways, Meta: true})
	require.NoError(t, err)
	require.Equal(t, content{Ways: want.Ways, WayMeta: []Meta{{}}, Stats: Stats{Blocks: 1, Ways: 1, NodesSorted: true}}, ways)
}

func TestXMLMeta(t *testing.T) {
	got, err := readAll([]byte(`<osm><way id="1" version="4" timestamp="2009-10-11T15:26:12Z" changeset="5" uid="6" user="A &amp; B"/></osm>`),
		Options{Want: All, Meta: true})
	require.NoError(t, err)
	require.Equal(t, []Meta{{Version: 4, Timestamp: 1255274772, Changeset: 5, UserID: 6, User: "A & B"}}, got.WayMeta)
}

func TestXMLRefusals(t *testing.T) {
	in := func(s string) []byte { return []byte("<osm>" + s + "</osm>") }
	for name, c := range map[string]struct {
		data []byte
		kind error
		text string
	}{
		"blank":                 {[]byte(" \n \n"), ErrNotOSM, "no XML element"},
		"only a comment":        {[]byte("<!-- -->"), ErrNotOSM, ""},
		"web page":              {[]byte("<!DOCTYPE html><html><p>404</html>"), ErrNotOSM, "<html>"},
		"change file":           {[]byte(`<osmChange version="0.6"><create/></osmChange>`), ErrUnsupported, "osmChange"},
		"other encoding":        {[]byte(`<?xml version="1.0" encoding="ISO-8859-1"?><osm/>`), ErrUnsupported, "iso-8859-1"},
		"UTF-16":                {[]byte("\xff\xfe<\x00o\x00"), ErrUnsupported, "UTF-16"},
		"entities":              {[]byte(`<!DOCTYPE osm [<!ENTITY a "b">]><osm/>`), ErrUnsupported, "internal subset"},
		"xz":                    {[]byte("\xfd7zXZ\x00"), ErrUnsupported, "xz"},
		"zip":                   {[]byte("PK\x03\x04"), ErrUnsupported, "zip"},
		"o5m":                   {[]byte("\xff\xe0\x04o5m2"), ErrUnsupported, "o5m"},
		"cut":                   {[]byte(`<osm><way id="1">`), ErrTruncated, "within <way>"},
		"cut in tag":            {[]byte(`<osm><way id="1`), ErrTruncated, "within a tag"},
		"cut in comment":        {[]byte(`<osm><!-- `), ErrTruncated, "a comment"},
		"cut gzip":              {gzipped(t, sample)[:150], ErrTruncated, ""},
		"cut gzip header":       {gzipped(t, sample)[:5], ErrTruncated, ""},
		"damaged gzip":          {flipLast(gzipped(t, sample)), ErrCorrupt, ""},
		"cut bzip2":             {[]byte("BZh91AY&SY"), ErrTruncated, ""},
		"damaged bzip2":         {[]byte("BZh9 this is no bzip2"), ErrCorrupt, "bzip2"},
		"zipped PBF":            {gzipped(t, string(pbf(t, header(), stored))), ErrNotOSM, ""},
		"two roots":             {[]byte(`<osm/><osm/>`), ErrCorrupt, "second root"},
		"text behind":           {[]byte(`<osm/>x`), ErrCorrupt, "outside"},
		"crossed tags":          {in(`<way id="1"></node>`), ErrCorrupt, "<way> closed by </node>"},
		"stray end":             {[]byte(`<osm/></osm>`), ErrCorrupt, "closes nothing"},
		"no quotes":             {in(`<way id=1>`), ErrCorrupt, "not quoted"},
		"no value":              {in(`<way id>`), ErrCorrupt, "no value"},
		"names of junk":         {in("<way \x1b[31m\xff\a>"), ErrCorrupt, "\uFFFD[31m"},
		"no blank":              {in(`<way id="1"x="2"/>`), ErrCorrupt, "malformed"},
		"less in value":         {in(`<way id="<"/>`), ErrCorrupt, "holds a <"},
		"unknown reference":     {in(`<way id="1"><tag k="a" v="&nbsp;"/></way>`), ErrCorrupt, "&nbsp;"},
		"bare ampersand":        {in(`<way id="1"><tag k="a" v="b & c"/></way>`), ErrCorrupt, "reference"},
		"null reference":        {in(`<way id="1"><tag k="a" v="&#0;"/></way>`), ErrCorrupt, "&#0;"},
		"control character":     {in("<way id=\"1\"><tag k=\"a\" v=\"\x01\"/></way>"), ErrCorrupt, "control"},
		"invalid UTF-8":         {in("<way id=\"1\"><tag k=\"a\" v=\"\xff\"/></way>"), ErrCorrupt, "UTF-8"},
		"no id":                 {in(`<way/>`), ErrCorrupt, "without id"},
		"bad id":                {in(`<way id="x"/>`), ErrCorrupt, `id of <way> is "x"`},
		"huge id":               {in(`<way id="99999999999999999999"/>`), ErrCorrupt, "id"},
		"bad latitude":          {in(`<node id="1" lat="north" lon="1"/>`), ErrCorrupt, "lat"},
		"empty latitude":        {in(`<node id="1" lat="" lon="1"/>`), ErrCorrupt, "lat"},
		"bad reference to node": {in(`<way id="1"><nd ref="x"/></way>`), ErrCorrupt, "<nd>"},
		"member of no type":     {in(`<relation id="1"><member ref="1"/></relation>`), ErrCorrupt, "<member>"},
		"nesting":               {[]byte(strings.Repeat("<osm>", 100)), ErrTooBig, "within each other"},
		"long name":             {in("<" + strings.Repeat("a", 1000) + ">"), ErrCorrupt, "malformed tag"},
		"many attributes":       {in("<way " + strings.Repeat(`a="" `, 1000) + "/>"), ErrCorrupt, "attributes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readAll(c.data, Options{Want: All, Meta: true})
			require.ErrorIs(t, err, c.kind)
			var e *Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, "mem", e.File)
			require.ErrorContains(t, err, c.text)
			require.False(t, strings.ContainsFunc(err.Error(), unicode.IsControl), "%q", err.Error())
		})
	}
}

func TestXMLErrorTellsTheByte(t *testing.T) {
	_, err := readAll([]byte(`<osm> <way id="1"/><way/></osm>`), Options{Want: All})
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, int64(19), e.Offset)
}

// endless is a file of a start and one byte repeated without end.
type endless struct {
	start  string
	filler byte
}

func (e endless) ReadAt(p []byte, off int64) (int, error) {
	for i := range p {
		if at := off + int64(i); at < int64(len(e.start)) {
			p[i] = e.start[at]
		} else {
			p[i] = e.filler
		}
	}
	return len(p), nil
}

func TestXMLEndlessInputIsBounded(t *testing.T) {
	const size = 1 << 40
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for name, in := range map[string]endless{
		"white space":   {"", ' '},
		"text":          {"<osm>", 'x'},
		"attribute":     {`<osm><way id="`, '1'},
		"name":          {"<osm><", 'a'},
		"blanks in tag": {"<osm><way ", ' '},
		"comment":       {"<osm><!-- ", '-'},
		"instruction":   {"<?xml ", '?'},
		"cdata":         {"<osm><![CDATA[", ']'},
		"doctype":       {"<!DOCTYPE ", 'o'},
		"end tag":       {"<osm></", ' '},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := OpenReaderAt(in, size, "mem")
			if err == nil {
				_, err = f.Scan(t.Context(), Options{Want: All}, Handler{})
			}
			require.Error(t, err)
			require.True(t, isAny(err, ErrTooBig, ErrCorrupt), "%v", err)
		})
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
}

func TestXMLWayOfTooManyNodes(t *testing.T) {
	_, err := readAll(gzipped(t, `<osm><way id="7">`+strings.Repeat(`<nd ref="1"/>`, maxXMLParts+1)+`</way></osm>`), Options{Want: All})
	require.ErrorIs(t, err, ErrTooBig)
	require.ErrorContains(t, err, "ways 7")
}

func TestXMLTagsAcrossBufferEdges(t *testing.T) {
	var b strings.Builder
	b.WriteString("<osm>")
	const ways = 20000
	for i := range ways {
		b.WriteString(`<way id="1"><nd ref="5"/><tag k="k" v="` + strings.Repeat("é", i%97) + `"/></way>`)
	}
	b.WriteString("</osm>")
	n := 0
	f, err := OpenFS(fstest.MapFS{"m": {Data: []byte(b.String())}}, "m")
	require.NoError(t, err)
	stats, err := f.Scan(t.Context(), Options{Want: All, Workers: 3}, Handler{Ordered: func(b *Block) error {
		for _, w := range b.Ways {
			require.Equal(t, strings.Repeat("é", n%97), w.Tags[0].Value)
			require.Equal(t, []osm.NodeID{5}, w.Refs)
			n++
		}
		return nil
	}})
	require.NoError(t, err)
	require.Equal(t, int64(ways), stats.Ways)
	require.Greater(t, stats.Blocks, 3)
}
