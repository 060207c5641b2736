package osmfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"testing"
	"testing/iotest"
	"time"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/osmdata"
)

// content is a deep copy of what a scan delivered.
type content struct {
	IDs       []osm.NodeID
	Lons      []int32
	Lats      []int32
	Nodes     []Node // rows count over the whole file
	Ways      []Way
	Relations []Relation
	NodeMeta  []Meta
	WayMeta   []Meta
	RelMeta   []Meta
	Stats     Stats
}

func (c *content) add(b *Block) error {
	base := len(c.IDs)
	c.IDs = append(c.IDs, b.NodeIDs...)
	c.Lons = append(c.Lons, b.Lons...)
	c.Lats = append(c.Lats, b.Lats...)
	for _, n := range b.Nodes {
		c.Nodes = append(c.Nodes, Node{n.ID, base + n.Row, slices.Clone(n.Tags)})
	}
	for _, w := range b.Ways {
		c.Ways = append(c.Ways, Way{w.ID, slices.Clone(w.Refs), slices.Clone(w.Tags), w.End})
	}
	for _, r := range b.Relations {
		c.Relations = append(c.Relations, Relation{r.ID, slices.Clone(r.Members), slices.Clone(r.Tags)})
	}
	c.NodeMeta = append(c.NodeMeta, b.NodeMeta...)
	c.WayMeta = append(c.WayMeta, b.WayMeta...)
	c.RelMeta = append(c.RelMeta, b.RelationMeta...)
	return nil
}

func openBytes(data []byte) (*File, error) {
	return OpenReaderAt(bytes.NewReader(data), int64(len(data)), "mem")
}

func readAll(data []byte, opts Options) (content, error) {
	var c content
	f, err := openBytes(data)
	if err != nil {
		return c, err
	}
	c.Stats, err = f.Scan(context.Background(), opts, Handler{Ordered: c.add})
	return c, err
}

// everything is a block with all kinds, metadata included, dense and plain nodes mixed.
func everything() pb {
	words := table("highway", "crossing", "name", "A 1", "from", "ann", "type")
	info := pb{}.varint(1, 3).varint(2, 1600000000).varint(3, 77).varint(4, 5).varint(5, 6)
	return block(words,
		pb{}.bytes(2, pb{}.deltas(1, 10, 12, 11).
			bytes(5, pb{}.packed(1, 1, 2, 3).deltas(2, 100, 200, 300).deltas(3, 7, 8, 9).deltas(4, 1, 1, 2).deltas(5, 6, 6, 6)).
			deltas(8, 425000049, 425000050, -425000051).deltas(9, 15000000, 1234567895, -1800000001).
			packed(10, 0, 1, 2, 3, 4, 0, 0)),
		pb{}.bytes(1, pb{}.sint(1, -4).packed(2, 1).packed(3, 2).bytes(4, info).sint(8, 5).sint(9, 75)).
			bytes(1, pb{}.sint(1, 20).sint(8, 0).sint(9, 0)).
			bytes(1, pb{}.sint(1, 21).sint(8, 0)),
		pb{}.bytes(3, pb{}.varint(1, 30).packed(2, 1, 3).packed(3, 2, 4).bytes(4, info).deltas(8, 10, 12, -4)).
			bytes(3, pb{}.varint(1, 31)),
		pb{}.bytes(4, pb{}.varint(1, 40).packed(2, 7).packed(3, 1).packed(8, 5, 0, 2).deltas(9, 30, 10, 41).packed(10, 1, 0, 2)),
		pb{}.bytes(5, pb{}.varint(1, 1)),
	)
}

func TestPBFContent(t *testing.T) {
	tag := func(k, v string) osm.Tag { return osm.Tag{Key: k, Value: v} }
	want := content{
		IDs:  []osm.NodeID{10, 12, -4, 20},
		Lons: []int32{1500000, 123456790, 8, 0},
		Lats: []int32{42500005, 42500005, 1, 0},
		Nodes: []Node{
			{ID: 12, Row: 1, Tags: osm.Tags{tag("highway", "crossing"), tag("name", "A 1")}},
			{ID: -4, Row: 2, Tags: osm.Tags{tag("highway", "crossing")}},
		},
		Ways: []Way{
			{ID: 30, Refs: []osm.NodeID{10, 12, -4}, Tags: osm.Tags{tag("highway", "crossing"), tag("name", "A 1")}},
			{ID: 31, Refs: []osm.NodeID{}, Tags: osm.Tags{}},
		},
		Relations: []Relation{{ID: 40, Tags: osm.Tags{tag("type", "highway")}, Members: []Member{
			{Type: osm.TypeWay, Ref: 30, Role: "from"}, {Type: osm.TypeNode, Ref: 10}, {Type: osm.TypeRelation, Ref: 41, Role: "crossing"},
		}}},
		Stats: Stats{Blocks: 1, Nodes: 4, TaggedNodes: 2, Ways: 2, Relations: 1, Unlocated: 2},
	}
	for name, pack := range map[string]packing{"stored": stored, "zlib": deflated, "zstd": zstandard} {
		t.Run(name, func(t *testing.T) {
			got, err := readAll(pbf(t, header(), pack, everything()), Options{Want: All})
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
	withMeta, err := readAll(pbf(t, header(), deflated, everything()), Options{Want: All, Meta: true})
	require.NoError(t, err)
	info := Meta{Version: 3, Timestamp: 1600000000, Changeset: 77, UserID: 5, User: "ann"}
	require.Equal(t, []Meta{{Version: 2, Timestamp: 200, Changeset: 8, UserID: 1, User: "ann"}, info}, withMeta.NodeMeta)
	require.Equal(t, []Meta{info, {}}, withMeta.WayMeta)
	require.Equal(t, []Meta{{}}, withMeta.RelMeta)

	ways, err := readAll(pbf(t, header(), deflated, everything()), Options{Want: Ways})
	require.NoError(t, err)
	require.Equal(t, content{Ways: want.Ways, Stats: Stats{Blocks: 1, Ways: 2, NodesSorted: true}}, ways)
}

func TestPBFGranularityAndOffsets(t *testing.T) {
	b := block(table(), pb{}.bytes(2, pb{}.deltas(1, 1, 2).deltas(8, 1, -1).deltas(9, 7, 8))).
		varint(17, 12345).varint(19, 1000000000).varint(20, -2000000000)
	got, err := readAll(pbf(t, header(), stored, b), Options{Want: All})
	require.NoError(t, err)
	// 1e9 + 12345 nanodegrees are 1.000012345 degrees, cut to 1.0000123.
	require.Equal(t, []int32{1000012, 999988}, got.Lats)
	require.Equal(t, []int32{-1999914, -1999901}, got.Lons)
	require.True(t, got.Stats.NodesSorted)
}

func TestPBFHeader(t *testing.T) {
	h := header().str(5, "Sort.Type_then_ID").str(16, "writer 1").str(17, "survey").
		varint(32, 1700000000).varint(33, 42).str(34, "https://example.org/").
		bytes(1, pb{}.sint(1, -75_500_000_000).sint(2, -75_000_000_000).sint(3, 40_000_000_000).sint(4, 39_000_000_000))
	f, err := openBytes(pbf(t, h, deflated))
	require.NoError(t, err)
	require.Equal(t, Header{
		Bounds:    &osm.Bounds{MinLon: -75.5, MaxLon: -75, MinLat: 39, MaxLat: 40},
		Generator: "writer 1", Source: "survey",
		RequiredFeatures: []string{"OsmSchema-V0.6", "DenseNodes"}, OptionalFeatures: []string{"Sort.Type_then_ID"},
		ReplicationTimestamp: time.Unix(1700000000, 0).UTC(), ReplicationSequence: 42, ReplicationURL: "https://example.org/",
		SortedByTypeThenID: true,
	}, f.Header())
}

func TestPBFRefusals(t *testing.T) {
	ok := pbf(t, header(), deflated, everything())
	node := func(dense pb) []byte { return pbf(t, header(), stored, block(table("a"), pb{}.bytes(2, dense))) }
	way := func(w pb) []byte { return pbf(t, header(), stored, block(table("a", "\xff"), pb{}.bytes(3, w))) }
	data := func(blob pb) []byte { return append(pbf(t, header(), stored), frame("OSMData", blob)...) }
	for name, c := range map[string]struct {
		data []byte
		kind error
		text string
	}{
		"empty":                   {nil, ErrTruncated, "empty"},
		"garbage":                 {[]byte("hello, this is no map"), ErrNotOSM, "hello"},
		"binary":                  {bytes.Repeat([]byte{0}, 100), ErrNotOSM, ""},
		"unknown feature":         {pbf(t, header("Teleportation"), stored), ErrUnsupported, `"Teleportation"`},
		"history":                 {pbf(t, header("HistoricalInformation"), stored), ErrUnsupported, "versions"},
		"cut in length":           {append(slices.Clone(ok), 0, 0), ErrTruncated, "blob 2"},
		"cut in header":           {append(slices.Clone(ok), 0, 0, 0, 9, 1), ErrTruncated, ""},
		"cut in blob":             {ok[:len(ok)-1], ErrTruncated, "blob 1"},
		"huge header":             {append(slices.Clone(ok), 0, 1, 0, 1), ErrTooBig, "65537"},
		"huge blob":               {append(slices.Clone(ok), frameOfSize(32<<20+1)...), ErrTooBig, "33554433"},
		"negative blob":           {append(slices.Clone(ok), frameOfSize(-1)...), ErrCorrupt, ""},
		"missing blob":            {append(slices.Clone(ok), frameOfSize(32<<20)...), ErrTruncated, "0 are left"},
		"empty blob":              {data(nil), ErrCorrupt, "malformed blob"},
		"lz4":                     {data(pb{}.bytes(6, []byte("x"))), ErrUnsupported, "LZ4"},
		"lzma":                    {data(pb{}.bytes(4, []byte("x"))), ErrUnsupported, "LZMA"},
		"two payloads":            {data(pb{}.bytes(1, nil).bytes(3, nil)), ErrCorrupt, ""},
		"bad zlib":                {data(pb{}.bytes(3, []byte("garbage"))), ErrCorrupt, "zlib"},
		"cut zlib":                {data(pb{}.bytes(3, deflate(t, everything())[:40])), ErrCorrupt, "EOF"},
		"bad zlib sum":            {data(pb{}.bytes(3, flipLast(deflate(t, everything())))), ErrCorrupt, "checksum"},
		"bad zstd":                {data(pb{}.bytes(7, []byte("garbage"))), ErrCorrupt, ""},
		"raw size too small":      {data(pb{}.varint(2, 5).bytes(3, deflate(t, everything()))), ErrCorrupt, "declares"},
		"raw size too big":        {data(pb{}.varint(2, 9999).bytes(3, deflate(t, everything()))), ErrCorrupt, "declares"},
		"raw size beyond limit":   {data(pb{}.varint(2, 1<<30).bytes(3, deflate(t, everything()))), ErrTooBig, ""},
		"zlib bomb":               {data(pb{}.bytes(3, deflate(t, make([]byte, 33<<20)))), ErrTooBig, ""},
		"zstd bomb":               {data(zstandard(t, make([]byte, 33<<20))[5:]), ErrTooBig, ""},
		"group wire type":         {data(stored(t, []byte{0x0b, 0x0c})), ErrCorrupt, "malformed block"},
		"cut field":               {data(stored(t, []byte{0x12, 0x7f})), ErrCorrupt, ""},
		"zero granularity":        {data(stored(t, block(table()).varint(17, 0))), ErrCorrupt, "granularity"},
		"short latitudes":         {node(pb{}.deltas(1, 1, 2).deltas(8, 1).deltas(9, 1, 2)), ErrCorrupt, "too short"},
		"long longitudes":         {node(pb{}.deltas(1, 1, 2).deltas(8, 1, 2).deltas(9, 1, 2, 3)), ErrCorrupt, "different length"},
		"key without value":       {node(pb{}.deltas(1, 1).deltas(8, 1).deltas(9, 1).packed(10, 1, 0)), ErrCorrupt, "node 1: a key"},
		"string beyond table":     {node(pb{}.deltas(1, 1).deltas(8, 1).deltas(9, 1).packed(10, 1, 2, 0)), ErrCorrupt, "string 2 of a table of 2"},
		"negative string":         {node(pb{}.deltas(1, 1).deltas(8, 1).deltas(9, 1).packed(10, 1, -2, 0)), ErrCorrupt, "string"},
		"endless varint":          {node(pb{}.bytes(1, bytes.Repeat([]byte{0xff}, 20)).deltas(8, 1).deltas(9, 1)), ErrCorrupt, ""},
		"keys without values":     {way(pb{}.varint(1, 7).packed(2, 1, 1).packed(3, 1)), ErrCorrupt, "way 7: keys"},
		"invalid UTF-8":           {way(pb{}.varint(1, 7).packed(2, 1).packed(3, 2)), ErrCorrupt, `invalid UTF-8 "\xff"`},
		"unfinished references":   {way(pb{}.varint(1, 7).bytes(8, []byte{2, 0x80})), ErrCorrupt, "way 7"},
		"references not packed":   {way(pb{}.varint(1, 7).varint(8, 1)), ErrCorrupt, "way 7"},
		"relation without roles":  {data(stored(t, block(table(), pb{}.bytes(4, pb{}.varint(1, 8).deltas(9, 1))))), ErrCorrupt, "relation 8"},
		"member of unknown type":  {data(stored(t, block(table(), pb{}.bytes(4, pb{}.varint(1, 8).packed(8, 0).deltas(9, 1).packed(10, 3))))), ErrCorrupt, "relation 8"},
		"too many groups":         {data(deflated(t, bytes.Repeat([]byte{0x12, 0}, maxBlockGroups+1))), ErrTooBig, "groups"},
		"too many strings":        {data(deflated(t, block(bytes.Repeat([]byte{0x0a, 0}, maxBlockStrings+1), pb{}.bytes(3, nil)))), ErrTooBig, "strings"},
		"too many ways":           {data(deflated(t, block(nil, bytes.Repeat([]byte{0x1a, 0}, maxBlockElements+1)))), ErrTooBig, "ways"},
		"too many tags":           {data(deflated(t, block(table(), pb{}.bytes(3, pb{}.bytes(2, make([]byte, maxBlockTags+1)).bytes(3, make([]byte, maxBlockTags+1)))))), ErrTooBig, "tags"},
		"too many members":        {data(deflated(t, block(table(), pb{}.bytes(4, pb{}.bytes(8, make([]byte, maxBlockMembers+1)).bytes(9, make([]byte, maxBlockMembers+1)).bytes(10, make([]byte, maxBlockMembers+1)))))), ErrTooBig, "members"},
		"data without header":     {append(frame("OSMData", nil), frame("OSMHeader", nil)...), ErrCorrupt, "no OSMHeader"},
		"malformed header":        {frame("OSMHeader", stored(t, []byte{0xff})), ErrCorrupt, "header"},
		"second header, features": {append(slices.Clone(ok), pbf(t, header("Teleportation"), stored)...), ErrUnsupported, "Teleportation"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, workers := range []int{1, 4} {
				_, err := readAll(c.data, Options{Want: All, Meta: true, Workers: workers})
				require.ErrorIs(t, err, c.kind)
				var e *Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, "mem", e.File)
				require.ErrorContains(t, err, c.text)
			}
		})
	}
}

func frameOfSize(n int64) []byte {
	head := pb{}.str(1, "OSMData").varint(3, n)
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(head))), head...)
}

func flipLast(b []byte) []byte {
	b[len(b)-1] ^= 1
	return b
}

func TestPBFSkipsForeignBlobsAndTakesConcatenation(t *testing.T) {
	one := pbf(t, header(), stored, everything())
	both := append(append(slices.Clone(one), frame("XFuture", stored(t, []byte("?")))...), one...)
	got, err := readAll(both, Options{Want: All})
	require.NoError(t, err)
	require.Equal(t, 2, got.Stats.Blocks)
	require.Len(t, got.Ways, 4)
}

// A second pass reads only what it needs, also from streams that cannot seek.
func TestPBFSecondPassSkips(t *testing.T) {
	nodes := block(table(), pb{}.bytes(2, pb{}.deltas(1, 1).deltas(8, 1).deltas(9, 1)))
	ways := block(table(), pb{}.bytes(3, pb{}.varint(1, 30)))
	data := pbf(t, header(), deflated, nodes, ways, nodes, nodes)
	var bytesRead int
	r := countingReaderAt{data: data, n: &bytesRead}
	f, err := OpenReaderAt(r, int64(len(data)), "mem")
	require.NoError(t, err)
	for pass, want := range []Kind{Relations, Ways, All} {
		bytesRead = 0
		stats, err := f.Scan(t.Context(), Options{Want: want}, Handler{})
		require.NoError(t, err)
		switch pass {
		case 0:
			require.Equal(t, Stats{NodesSorted: true}, stats)
		case 1:
			require.Equal(t, Stats{Blocks: 1, Ways: 1, NodesSorted: true}, stats)
			require.Less(t, bytesRead, len(data)/3)
		case 2:
			require.Equal(t, Stats{Blocks: 4, Nodes: 3, Ways: 1}, stats)
		}
	}
}

// A pass that wants no nodes inflates only the start of blocks of nodes, so it does not notice a wrong checksum there;
// but it finds what stands behind the nodes.
func TestPBFPassOverWaysPeeksAtNodes(t *testing.T) {
	const n = 20000 // more than fits the first read of the inflater
	values := make([]int64, n)
	for i := range values {
		values[i] = int64(i * i % 1234577)
	}
	nodes := pb{}.bytes(2, pb{}.deltas(1, values...).deltas(8, values...).deltas(9, values...))
	way := pb{}.bytes(3, pb{}.varint(1, 3).deltas(8, 1, 2))
	damaged := func(b pb) []byte {
		return append(pbf(t, header(), stored), frame("OSMData", pb{}.varint(2, int64(len(b))).bytes(3, flipLast(deflate(t, b))))...)
	}
	for _, b := range []pb{block(table("x"), nodes).varint(17, 100).varint(18, 1000), block(nil, nodes)[2:]} {
		f, err := openBytes(damaged(b))
		require.NoError(t, err)
		_, err = f.Scan(t.Context(), Options{Want: Ways}, Handler{})
		require.NoError(t, err)
		_, err = f.Scan(t.Context(), Options{Want: Nodes}, Handler{})
		require.ErrorIs(t, err, ErrCorrupt)
	}
	for _, b := range []pb{block(table("x"), nodes, way), block(table("x"), append(slices.Clone(nodes), way...))} {
		_, err := readAll(damaged(b), Options{Want: Ways})
		require.ErrorIs(t, err, ErrCorrupt)
		got, err := readAll(pbf(t, header(), deflated, b), Options{Want: Ways})
		require.NoError(t, err)
		require.Equal(t, int64(1), got.Stats.Ways)
	}
}

type countingReaderAt struct {
	data []byte
	n    *int
}

func (c countingReaderAt) ReadAt(p []byte, off int64) (int, error) {
	n, err := bytes.NewReader(c.data).ReadAt(p, off)
	*c.n += n
	return n, err
}

// Any truncation and any flipped byte gives a typed error or a result, never a panic.
func TestPBFDamage(t *testing.T) {
	data := pbf(t, header(), stored, everything(), everything())
	check := func(data []byte) {
		_, err := readAll(data, Options{Want: All, Meta: true, Workers: 2})
		var e *Error
		if err != nil && !errors.As(err, &e) {
			require.NoError(t, err)
		}
	}
	for n := range data {
		check(data[:n])
		for _, x := range []byte{0x01, 0x80, 0xff} {
			damaged := slices.Clone(data)
			damaged[n] ^= x
			check(damaged)
		}
	}
}

func TestReadErrorsKeepTheirCause(t *testing.T) {
	cause := errors.New("disk on fire")
	data := pbf(t, header(), stored, everything())
	f, err := openBytes(data)
	require.NoError(t, err)
	f.src = readerAtSource(failingAt{bytes.NewReader(data), int64(len(data) - 10), cause}, int64(len(data)), "mem")
	_, err = f.Scan(t.Context(), Options{Want: All}, Handler{})
	require.ErrorIs(t, err, ErrRead)
	require.ErrorIs(t, err, cause)
}

type failingAt struct {
	r     *bytes.Reader
	limit int64
	err   error
}

func (f failingAt) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.limit {
		return 0, f.err
	}
	return f.r.ReadAt(p, off)
}

func TestSources(t *testing.T) {
	path := osmdata.Delaware(t)
	dir := osmdata.Dir(t)
	in, err := os.Open(path)
	require.NoError(t, err)
	defer in.Close()
	for name, open := range map[string]func() (*File, error){
		"path":   func() (*File, error) { return Open(path) },
		"fs":     func() (*File, error) { return OpenFS(os.DirFS(dir), "delaware-latest.osm.pbf") },
		"seeker": func() (*File, error) { return OpenSeeker(in, path) },
		"at":     func() (*File, error) { return OpenReaderAt(in, 7812234, path) },
	} {
		f, err := open()
		require.NoError(t, err, name)
		for range 2 {
			stats, err := f.Scan(t.Context(), Options{Want: Relations}, Handler{})
			require.NoError(t, err, name)
			require.Equal(t, int64(1644), stats.Relations, name)
		}
		require.Equal(t, int64(7812234), f.Size())
	}
	_, err = Open(dir)
	require.ErrorIs(t, err, ErrUnsupported)
	_, err = Open(dir + "/absent")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorIs(t, err, ErrRead)
	_, err = OpenReaderAt(failingAt{err: iotest.ErrTimeout}, 10, "x")
	require.ErrorIs(t, err, iotest.ErrTimeout)
}

func TestWayEnds(t *testing.T) {
	ways := pb{}.
		bytes(3, pb{}.varint(1, 1).deltas(8, 5, 4, 6).deltas(9, 10, 425000051, 425000052).deltas(10, -1, 15000000, -15000049)).
		bytes(3, pb{}.varint(1, 2).deltas(8, 5, 6)).
		bytes(3, pb{}.varint(1, 3).deltas(8, 5, 6).deltas(9, 1, 2, 3).deltas(10, 1, 2)).
		bytes(3, pb{}.varint(1, 4).deltas(8, 5).deltas(9, 1900000000).deltas(10, 1))
	file := pbf(t, header(), deflated, block(table(), ways))
	xml := []byte(`<osm><way id="1"><nd ref="5" lat="1" lon="2"/><nd ref="6" lon="-1.5000049" lat="42.5000052"/></way>
		<way id="2"><nd ref="5" lat="1" lon="2"/><nd ref="6" lat="1"/></way>
		<way id="3"><nd ref="6"/></way><way id="4"><nd ref="6" lat="91" lon="0"/></way></osm>`)
	for _, data := range [][]byte{file, xml} {
		for want, end := range map[bool]WayEnd{false: {}, true: {Lon: -1500005, Lat: 42500005, Known: true}} {
			got, err := readAll(data, Options{Want: Ways, WayEnds: want})
			require.NoError(t, err)
			require.Len(t, got.Ways, 4)
			require.Equal(t, end, got.Ways[0].End)
			for _, w := range got.Ways[1:] {
				require.Equal(t, WayEnd{}, w.End, "way %d", w.ID)
			}
		}
	}
	bad := pb{}.varint(1, 1).deltas(8, 5).bytes(9, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}).deltas(10, 1)
	_, err := readAll(pbf(t, header(), stored, block(table(), pb{}.bytes(3, bad))), Options{Want: Ways, WayEnds: true})
	require.ErrorIs(t, err, ErrCorrupt)
}
