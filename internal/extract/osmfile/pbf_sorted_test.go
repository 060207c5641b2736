package osmfile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func sortedFile(t *testing.T, blocks ...pb) *File {
	data := pbf(t, header().str(5, "Sort.Type_then_ID"), deflated, blocks...)
	data = append(data, frame("XFuture", stored(t, []byte("?")))...)
	f, err := openBytes(data)
	require.NoError(t, err)
	return f
}

var (
	nodeBlock     = block(table(), pb{}.bytes(2, pb{}.deltas(1, 1).deltas(8, 1).deltas(9, 1)))
	wayBlock      = block(table(), pb{}.bytes(3, pb{}.varint(1, 30)))
	relationBlock = block(table(), pb{}.bytes(4, pb{}.varint(1, 40)))
	mixedBlock    = block(table(), pb{}.bytes(2, pb{}.deltas(1, 1).deltas(8, 1).deltas(9, 1)), pb{}.bytes(3, pb{}.varint(1, 31)))
)

func times(n int, b pb) []pb {
	blocks := make([]pb, n)
	for i := range blocks {
		blocks[i] = b
	}
	return blocks
}

func join(lists ...[]pb) []pb {
	var all []pb
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func TestSortedFileIsBisected(t *testing.T) {
	for _, c := range []struct {
		nodes, mixed, ways, relations int
	}{{40, 1, 30, 5}, {40, 0, 30, 5}, {0, 0, 3, 0}, {5, 0, 0, 0}, {0, 0, 0, 4}, {3, 0, 0, 2}, {0, 1, 0, 0}, {0, 0, 0, 0}} {
		for _, want := range []Kind{Nodes, Ways, Relations, Ways | Relations, Nodes | Ways} {
			f := sortedFile(t, join(times(c.nodes, nodeBlock), times(c.mixed, mixedBlock), times(c.ways, wayBlock), times(c.relations, relationBlock))...)
			for range 2 {
				got, err := f.Scan(t.Context(), Options{Want: want, Workers: 2}, Handler{})
				require.NoError(t, err)
				expect := Stats{}
				if want&Nodes != 0 {
					expect.Nodes = int64(c.nodes + c.mixed)
				}
				if want&Ways != 0 {
					expect.Ways = int64(c.ways + c.mixed)
				}
				if want&Relations != 0 {
					expect.Relations = int64(c.relations)
				}
				expect.Blocks, expect.NodesSorted = got.Blocks, got.NodesSorted
				require.Equal(t, expect, got)
			}
		}
	}
}

func TestSortedFileInflatesLittle(t *testing.T) {
	f := sortedFile(t, join(times(4000, nodeBlock), times(5, wayBlock))...)
	stats, err := f.Scan(t.Context(), Options{Want: Ways}, Handler{})
	require.NoError(t, err)
	require.Equal(t, 5, stats.Blocks)
	known := 0
	for _, b := range f.blobs {
		if b.kinds&kindsAssumed == 0 {
			known++
		}
	}
	require.Less(t, known, 40)
}

// A file that is not as sorted as it says is found out at the latest when its nodes are read.
func TestSortedFileThatIsNot(t *testing.T) {
	f := sortedFile(t, join(times(10, nodeBlock), []pb{mixedBlock}, times(10, nodeBlock), times(9, wayBlock))...)
	_, err := f.Scan(t.Context(), Options{Want: Ways}, Handler{})
	require.NoError(t, err)
	_, err = f.Scan(t.Context(), Options{Want: Nodes}, Handler{})
	require.ErrorIs(t, err, ErrCorrupt)
	require.ErrorContains(t, err, "declares that it is sorted")
}

func TestSortedFileDamaged(t *testing.T) {
	bad := block(table()).varint(17, 0)
	f := sortedFile(t, bad, bad, bad)
	_, err := f.Scan(t.Context(), Options{Want: Ways}, Handler{})
	require.ErrorIs(t, err, ErrCorrupt)
	require.ErrorContains(t, err, "granularity")
}
