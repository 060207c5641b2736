package extract

import (
	"errors"
	"math"
	"strings"

	"github.com/fourway-routing/fourway/graph"
)

// stringTable collects unique strings in the order of their first use; string
// 0 is empty.
type stringTable struct {
	index map[string]graph.StringID
	table graph.Strings
}

func newStringTable() *stringTable {
	return &stringTable{
		index: map[string]graph.StringID{"": 0},
		table: graph.Strings{First: []uint32{0, 0}},
	}
}

// errStrings tells that names exceed what 32-bit offsets reach.
var errStrings = errors.New("extract: names take more than 4 GiB; use a smaller extract")

func (t *stringTable) id(s string) (graph.StringID, error) {
	if s == "" {
		return 0, nil
	}
	if id, ok := t.index[s]; ok {
		return id, nil
	}
	if uint64(len(t.table.Data))+uint64(len(s)) > math.MaxUint32 {
		return 0, errStrings
	}
	id := graph.StringID(len(t.table.First) - 1)
	t.table.Data = append(t.table.Data, s...)
	t.table.First = append(t.table.First, uint32(len(t.table.Data)))
	// A clone, since s may be a small part of a large string.
	t.index[strings.Clone(s)] = id
	return id, nil
}

// text returns string i as a view on the table, valid until the next id.
func (t *stringTable) text(i graph.StringID) []byte {
	return t.table.Data[t.table.First[i]:t.table.First[i+1]]
}

// unique numbers distinct values in the order of their first use.
type unique[T comparable] struct {
	index  map[T]uint32
	values []T
}

func newUnique[T comparable](first ...T) *unique[T] {
	u := &unique[T]{index: make(map[T]uint32)}
	for _, v := range first {
		u.id(v)
	}
	return u
}

func (u *unique[T]) id(v T) uint32 {
	id, ok := u.index[v]
	if !ok {
		id = uint32(len(u.values))
		u.index[v] = id
		u.values = append(u.values, v)
	}
	return id
}
