package osmfile

import (
	"bytes"
	"compress/bzip2"
	"io"
	"math"
	"os"
	"testing"
	"time"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/paulmach/osm/osmxml"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/osmdata"
)

// replay compares blocks, in file order, with what another reader delivers.
type replay struct {
	t    *testing.T
	scan osm.Scanner
}

func (r *replay) next() osm.Object {
	for r.scan.Scan() {
		switch o := r.scan.Object().(type) {
		case *osm.Node, *osm.Way, *osm.Relation:
			return o
		}
	}
	require.NoError(r.t, r.scan.Err())
	return nil
}

func (r *replay) block(b *Block) error {
	t := r.t
	tagged := 0
	for row, id := range b.NodeIDs {
		n, ok := r.next().(*osm.Node)
		require.True(t, ok)
		// The reference adds up float64 nanodegrees; OSRM's steps start at the nearest 1e-7 degree.
		lon := int32(math.Round(math.Round(n.Lon*1e7) / 1e7 * 1e6))
		lat := int32(math.Round(math.Round(n.Lat*1e7) / 1e7 * 1e6))
		if n.ID != id || lon != b.Lons[row] || lat != b.Lats[row] { // require is slow
			require.Equal(t, []any{n.ID, lon, lat}, []any{id, b.Lons[row], b.Lats[row]})
		}
		if len(n.Tags) == 0 {
			continue
		}
		got := b.Nodes[tagged]
		require.Equal(t, row, got.Row)
		require.Equal(t, n.ID, got.ID)
		require.Equal(t, n.Tags, got.Tags)
		r.checkMeta(b.NodeMeta, tagged, n.Version, n.Timestamp, n.ChangesetID, n.UserID, n.User)
		tagged++
	}
	require.Len(t, b.Nodes, tagged)
	for i, got := range b.Ways {
		w, ok := r.next().(*osm.Way)
		require.True(t, ok)
		require.Equal(t, w.ID, got.ID)
		require.Equal(t, w.Nodes.NodeIDs(), got.Refs)
		requireTags(t, w.Tags, got.Tags)
		r.checkMeta(b.WayMeta, i, w.Version, w.Timestamp, w.ChangesetID, w.UserID, w.User)
	}
	for i, got := range b.Relations {
		rel, ok := r.next().(*osm.Relation)
		require.True(t, ok)
		require.Equal(t, rel.ID, got.ID)
		require.Len(t, got.Members, len(rel.Members))
		for k, m := range rel.Members {
			require.Equal(t, Member{Type: m.Type, Ref: m.Ref, Role: m.Role}, got.Members[k])
		}
		requireTags(t, rel.Tags, got.Tags)
		r.checkMeta(b.RelationMeta, i, rel.Version, rel.Timestamp, rel.ChangesetID, rel.UserID, rel.User)
	}
	return nil
}

func requireTags(t *testing.T, want, got osm.Tags) {
	t.Helper()
	if len(want)+len(got) > 0 {
		require.Equal(t, want, got)
	}
}

func (r *replay) checkMeta(list []Meta, i, version int, at time.Time, cs osm.ChangesetID, uid osm.UserID, user string) {
	require.Equal(r.t, Meta{Version: int32(version), Timestamp: at.Unix(), Changeset: cs, UserID: uid, User: user}, list[i])
}

func TestDelawareAgainstOSMPBF(t *testing.T) {
	path := osmdata.Delaware(t)
	f, err := Open(path)
	require.NoError(t, err)
	require.Equal(t, "pbf", f.Format())
	in, err := os.Open(path)
	require.NoError(t, err)
	defer in.Close()
	reference := osmpbf.New(t.Context(), in, 2)
	defer reference.Close()
	r := replay{t: t, scan: reference}
	stats, err := f.Scan(t.Context(), Options{Want: All, Meta: true}, Handler{Ordered: r.block})
	require.NoError(t, err)
	require.Nil(t, r.next())
	require.Equal(t, Stats{Blocks: 100, Nodes: 723870, TaggedNodes: 27598, Ways: 73144, Relations: 1644, NodesSorted: true}, stats)
}

func TestAndorraAgainstOSMXML(t *testing.T) {
	f, err := Open(osmdata.Andorra(t))
	require.NoError(t, err)
	require.Equal(t, "xml.bz2", f.Format())
	stats, err := f.Scan(t.Context(), Options{Want: All}, Handler{})
	require.NoError(t, err)
	require.Equal(t, Stats{Blocks: 54, Nodes: 203265, TaggedNodes: 9764, Ways: 9080, Relations: 233, NodesSorted: true}, stats)

	text := thinned(t, osmdata.Andorra(t), 7)
	f, err = openBytes(text)
	require.NoError(t, err)
	r := replay{t: t, scan: osmxml.New(t.Context(), bytes.NewReader(text))}
	stats, err = f.Scan(t.Context(), Options{Want: All, Meta: true}, Handler{Ordered: r.block})
	require.NoError(t, err)
	require.Nil(t, r.next())
	require.Greater(t, stats.Nodes, int64(25000))
	require.Greater(t, stats.Ways, int64(1000))
	require.Greater(t, stats.Relations, int64(20))
}

// thinned keeps one element of n, since the reference takes its time.
func thinned(t *testing.T, path string, n int) []byte {
	in, err := os.Open(path)
	require.NoError(t, err)
	defer in.Close()
	text, err := io.ReadAll(bzip2.NewReader(in))
	require.NoError(t, err)
	var out []byte
	elements := 0
	for line := range bytes.Lines(text) {
		name := bytes.TrimLeft(line, "\t ")
		if bytes.HasPrefix(name, []byte("<node ")) || bytes.HasPrefix(name, []byte("<way ")) || bytes.HasPrefix(name, []byte("<relation ")) {
			elements++
		}
		if elements%n == 0 || bytes.HasPrefix(name, []byte("</osm>")) {
			out = append(out, line...)
		}
	}
	return out
}
