package heap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/fourway-routing/fourway/pool"
)

// machine performs operations on a heap and on the model.
type machine[W Weight] struct {
	h     queue[uint32, W, Label]
	m     model[uint32, W, Label]
	nodes uint32
}

func (s *machine[W]) insert(node uint32, key W, data Label) {
	if _, ok := s.m.find(node); ok {
		return
	}
	s.m.items = append(s.m.items, modelItem[uint32, W, Label]{node, key, data, false})
	s.h.Insert(node, key, data)
}

func (s *machine[W]) relax(t require.TestingT, node uint32, key W, data Label) {
	i, ok := s.m.find(node)
	want := true
	if !ok {
		s.m.items = append(s.m.items, modelItem[uint32, W, Label]{node, key, data, false})
	} else if it := &s.m.items[i]; !it.removed && key < it.key {
		it.key, it.data = key, data
	} else {
		want = false
	}
	require.Equal(t, want, s.h.Relax(node, key, data))
}

// rekey moves the key of a node in the heap by DecreaseKey or IncreaseKey.
func (s *machine[W]) rekey(node uint32, key W) {
	i, ok := s.m.find(node)
	if !ok || s.m.items[i].removed {
		return
	}
	if it := &s.m.items[i]; key <= it.key {
		s.h.DecreaseKey(node, key)
	} else {
		s.h.IncreaseKey(node, key)
	}
	s.m.items[i].key = key
}

func (s *machine[W]) setData(node uint32, data Label) {
	if i, ok := s.m.find(node); ok {
		s.m.items[i].data = data
		s.h.SetData(node, data)
	}
}

func (s *machine[W]) deleteMin(t require.TestingT) {
	i, ok := s.m.min()
	if !ok {
		return
	}
	it := &s.m.items[i]
	it.removed = true
	node, key := s.h.DeleteMin()
	require.Equal(t, it.node, node)
	require.Equal(t, it.key, key)
}

func (s *machine[W]) clear() {
	s.m.items = nil
	s.h.Clear()
}

func (s *machine[W]) shrink() {
	s.m.items = nil
	s.h.Shrink()
}

func (s *machine[W]) run(t *rapid.T, keys *rapid.Generator[W]) {
	node := rapid.Uint32Range(0, s.nodes-1)
	label := func() Label {
		return Label{rapid.Uint32().Draw(t, "parent"), rapid.Uint32().Draw(t, "edge")}
	}
	t.Repeat(map[string]func(*rapid.T){
		"Insert":    func(t *rapid.T) { s.insert(node.Draw(t, "node"), keys.Draw(t, "key"), label()) },
		"Insert2":   func(t *rapid.T) { s.insert(node.Draw(t, "node"), keys.Draw(t, "key"), label()) },
		"Relax":     func(t *rapid.T) { s.relax(t, node.Draw(t, "node"), keys.Draw(t, "key"), label()) },
		"Rekey":     func(t *rapid.T) { s.rekey(node.Draw(t, "node"), keys.Draw(t, "key")) },
		"SetData":   func(t *rapid.T) { s.setData(node.Draw(t, "node"), label()) },
		"DeleteMin": func(t *rapid.T) { s.deleteMin(t) },
		"Clear": func(t *rapid.T) {
			if rapid.IntRange(0, 4).Draw(t, "rare") == 0 {
				s.clear()
			}
		},
		"Shrink": func(t *rapid.T) {
			if rapid.IntRange(0, 9).Draw(t, "rare") == 0 {
				s.shrink()
			}
		},
		"": func(t *rapid.T) { s.m.requireEqual(t, s.h, s.nodes) },
	})
}

func TestLikeSortedList(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, rapid.MakeCheck(func(t *rapid.T) {
			nodes := rapid.Uint32Range(1, 40).Draw(t, "nodes")
			memory := pool.NewKind(pool.Kind(rapid.IntRange(0, int(pool.Dropping)).Draw(t, "memory")))
			s := machine[int32]{h: kind.make(memory, int(nodes)), nodes: nodes}
			s.run(t, rapid.OneOf(rapid.Int32Range(-3, 3), rapid.Int32()))
		}))
	}
}

func TestOtherWeightsLikeSortedList(t *testing.T) {
	t.Run("float32", rapid.MakeCheck(func(t *rapid.T) {
		a := pool.New()
		h := New[uint32, float32, Label](a, NewHashStorage[uint32](a))
		(&machine[float32]{h: h, nodes: 30}).run(t, rapid.OneOf(rapid.Just(float32(0)), rapid.Float32()))
	}))
	t.Run("uint64", rapid.MakeCheck(func(t *rapid.T) {
		a := pool.New()
		h := New[uint32, uint64, Label](a, NewArrayStorage[uint32](a, 30))
		(&machine[uint64]{h: h, nodes: 30}).run(t, rapid.OneOf(rapid.Just(uint64(math.MaxUint64)), rapid.Uint64()))
	}))
}

// Long searches make the index and the heap grow several times, on memory that
// holds the remains of earlier ones.
func TestGrowsOverStaleMemory(t *testing.T) {
	const nodes = 20_000
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			a := pool.New()
			h := kind.make(a, nodes)
			rng := rand.New(rand.NewPCG(1, 2))
			for _, n := range []int{10, 5000, 100, 20_000, 300} {
				keys := map[uint32]int32{}
				for len(keys) < n {
					node, key := rng.Uint32N(nodes), rng.Int32N(1000)-500
					old, ok := keys[node]
					require.Equal(t, !ok || key < old, h.Relax(node, key, Label{Parent: uint32(key)}))
					if !ok || key < old {
						keys[node] = key
					}
				}
				h.check(t)
				for node := range uint32(nodes) {
					if _, ok := keys[node]; ok != h.WasInserted(node) {
						require.Equal(t, ok, h.WasInserted(node), "node %d", node)
					}
				}
				last := int32(math.MinInt32)
				for !h.Empty() {
					node, key := h.DeleteMin()
					if key < last || key != keys[node] || h.Data(node).Parent != uint32(key) {
						t.Fatalf("node %d left with %d after %d, want %d", node, key, last, keys[node])
					}
					last = key
				}
				h.check(t)
				h.Clear()
			}
		})
	}
}

// A tie goes to the node inserted first, even if another got the key earlier.
func TestTiesByInsertion(t *testing.T) {
	for _, kind := range kinds {
		h := kind.make(pool.New(), 100)
		for _, node := range []uint32{50, 7, 99, 3} {
			h.Insert(node, 10, Label{})
		}
		h.DecreaseKey(3, 5)
		h.DecreaseKey(99, 5)
		h.DecreaseKey(7, 5)
		h.IncreaseKey(3, 10)
		var got []uint32
		for !h.Empty() {
			node, _ := h.DeleteMin()
			got = append(got, node)
		}
		require.Equal(t, []uint32{7, 99, 50, 3}, got, kind.name)
	}
}

func TestExtremeKeys(t *testing.T) {
	keys := []int32{0, math.MaxInt32, math.MinInt32, -1, 1, math.MaxInt32 - 1, math.MinInt32 + 1}
	want := []int32{math.MinInt32, math.MinInt32 + 1, -1, 0, 1, math.MaxInt32 - 1, math.MaxInt32}
	for _, kind := range kinds {
		h := kind.make(pool.New(), len(keys))
		for node, key := range keys {
			h.Insert(uint32(node), key, Label{})
		}
		for _, key := range want {
			require.Equal(t, key, h.MinKey(), kind.name)
			node, got := h.DeleteMin()
			require.Equal(t, key, got, kind.name)
			require.Equal(t, key, h.Key(node), kind.name)
		}
	}
}

// The two heaps of a pair do not disturb each other.
func TestPairHeapsAreApart(t *testing.T) {
	f, b := NewPairHeaps(pool.New(), 3)
	f.Insert(0, 1, Label{})
	f.Insert(2, 2, Label{})
	b.Insert(2, 3, Label{})
	require.True(t, f.WasInserted(0))
	require.False(t, b.WasInserted(0))
	require.Equal(t, int32(2), f.Key(2))
	require.Equal(t, int32(3), b.Key(2))
	f.Clear()
	require.False(t, f.WasInserted(2))
	require.True(t, b.WasInserted(2))
}

func TestReleaseGivesAllBack(t *testing.T) {
	for _, kind := range kinds {
		a := pool.New()
		h := kind.make(a, 5000)
		for node := range uint32(5000) {
			h.Insert(node, 1, Label{})
		}
		grown := a.Live()
		h.Shrink()
		require.Less(t, a.Live(), grown, kind.name)
		require.False(t, h.WasInserted(4999))
		h.Release()
		switch kind.name {
		case "forward", "backward", "generic-pair":
			require.Positive(t, a.Live(), "the other half lives")
		default:
			require.Zero(t, a.Live(), kind.name)
		}
	}
	a := pool.New()
	f, b := NewPairHeaps(a, 100)
	f.Release()
	b.Release()
	require.Zero(t, a.Live())
}

func TestClearOfDroppingMemoryGivesBack(t *testing.T) {
	for _, kind := range kinds {
		a := pool.NewKind(pool.Dropping)
		h := kind.make(a, 5000)
		fresh := a.Live()
		for node := range uint32(5000) {
			h.Insert(node, 1, Label{})
		}
		require.Greater(t, a.Live(), fresh, kind.name)
		h.Clear()
		require.LessOrEqual(t, a.Live(), fresh, kind.name)
	}
}

// Hash tags start over before they overflow.
func TestHashTagsStartOver(t *testing.T) {
	h := NewHashHeap(pool.New())
	h.Insert(1, 1, Label{})
	h.index.clear(lastTag - 1)
	h.records, h.entries = h.records[:0], h.entries[:root]
	require.False(t, h.WasInserted(1))
	require.Equal(t, uint32(lastTag), h.index.base)
	h.Insert(2, 1, Label{})
	require.True(t, h.WasInserted(2))
	h.Clear()
	require.Equal(t, uint32(1), h.index.base)
	require.False(t, h.WasInserted(2))
	h.Insert(3, 1, Label{})
	require.True(t, h.WasInserted(3))
}

func FuzzHeaps(f *testing.F) {
	f.Add([]byte{0, 1, 2, 0, 3, 1, 3, 0, 0, 2, 1, 0})
	f.Add([]byte("insert, relax, decrease, remove, clear"))
	f.Fuzz(func(t *testing.T, ops []byte) {
		for _, kind := range kinds {
			s := machine[int32]{h: kind.make(pool.New(), 256), nodes: 256}
			for ops := ops; len(ops) >= 3; ops = ops[3:] {
				node, key := uint32(ops[1]), int32(int8(ops[2]))<<24
				switch ops[0] % 8 {
				case 0, 1:
					s.insert(node, key, Label{Edge: node})
				case 2, 3:
					s.relax(t, node, key, Label{Parent: node})
				case 4:
					s.rekey(node, key)
				case 5, 6:
					s.deleteMin(t)
				case 7:
					if ops[1] == 0 {
						s.clear()
					}
				}
			}
			s.m.requireEqual(t, s.h, s.nodes)
		}
	})
}
