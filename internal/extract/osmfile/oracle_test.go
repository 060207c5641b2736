package osmfile

import (
	"compress/bzip2"
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
	meta bool
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
		require.Equal(t, n.ID, id)
		// The reference adds up float64 nanodegrees; OSRM's steps start at the nearest 1e-7 degree.
		require.Equal(t, int32(math.Round(math.Round(n.Lon*1e7)/1e7*1e6)), b.Lons[row], "node %d", id)
		require.Equal(t, int32(math.Round(math.Round(n.Lat*1e7)/1e7*1e6)), b.Lats[row], "node %d", id)
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
	if !r.meta {
		require.Empty(r.t, list)
		return
	}
	require.Equal(r.t, Meta{Version: int32(version), Timestamp: at.Unix(), Changeset: cs, UserID: uid, User: user}, list[i])
}

func TestDelawareAgainstOSMPBF(t *testing.T) {
	path := osmdata.Delaware(t)
	f, err := Open(path)
	require.NoError(t, err)
	require.Equal(t, "pbf", f.Format())
	for _, meta := range []bool{false, true} {
		in, err := os.Open(path)
		require.NoError(t, err)
		reference := osmpbf.New(t.Context(), in, 2)
		r := replay{t: t, scan: reference, meta: meta}
		stats, err := f.Scan(t.Context(), Options{Want: All, Meta: meta}, Handler{Ordered: r.block})
		require.NoError(t, err)
		require.Nil(t, r.next())
		require.NoError(t, reference.Close())
		require.NoError(t, in.Close())
		require.Equal(t, Stats{Blocks: stats.Blocks, Nodes: 723870, TaggedNodes: stats.TaggedNodes, Ways: 73144, Relations: stats.Relations, NodesSorted: true}, stats)
	}
}

func TestAndorraAgainstOSMXML(t *testing.T) {
	path := osmdata.Andorra(t)
	f, err := Open(path)
	require.NoError(t, err)
	require.Equal(t, "xml.bz2", f.Format())
	in, err := os.Open(path)
	require.NoError(t, err)
	defer in.Close()
	reference := osmxml.New(t.Context(), bzip2.NewReader(in))
	r := replay{t: t, scan: reference}
	_, err = f.Scan(t.Context(), Options{Want: All}, Handler{Ordered: r.block})
	require.NoError(t, err)
	require.Nil(t, r.next())
}
