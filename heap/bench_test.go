package heap

import (
	stdheap "container/heap"
	"fmt"
	"sync"
	"testing"

	"github.com/fourway-routing/fourway/pool"
)

// BenchmarkHeap replays searches of 700 settled nodes in a graph of 16 million.
// ns/heapop is the time per Insert, DecreaseKey or DeleteMin, index included.
func BenchmarkHeap(b *testing.B) {
	for _, numbering := range ids {
		for _, temperature := range []struct {
			name  string
			tapes int
		}{{"hot", 16}, {"cold", 200}} {
			all, ops := tapes(temperature.tapes, numbering.rename)
			for _, kind := range benchKinds {
				b.Run(fmt.Sprintf("ids=%s/cache=%s/heap=%s", numbering.name, temperature.name, kind.name), func(b *testing.B) {
					replay := kind.make(side * side)
					for b.Loop() {
						for _, tape := range all {
							replay(tape)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(ops), "ns/heapop")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}

var benchKinds = []struct {
	name string
	make func(nodes int) func([]op)
}{
	{"array", func(n int) func([]op) { return NewArrayHeap(pool.New(), n).replay }},
	{"pair", func(n int) func([]op) { f, _ := NewPairHeaps(pool.New(), n); return f.replay }},
	{"hash", func(int) func([]op) { return NewHashHeap(pool.New()).replay }},
	{"twolevel", func(n int) func([]op) { return NewTwoLevelHeap(pool.New(), n/2).replay }},
	{"array-arity2", func(n int) func([]op) { return newBinaryHeap(pool.New(), n).replay }},
	{"array-arity8", func(n int) func([]op) { return newOctonaryHeap(pool.New(), n).replay }},
	{"array-generic", func(n int) func([]op) {
		a := pool.New()
		return New[uint32, int32, Label](a, NewArrayStorage[uint32](a, n)).replay
	}},
	{"hash-generic", func(int) func([]op) {
		a := pool.New()
		return New[uint32, int32, Label](a, NewHashStorage[uint32](a)).replay
	}},
	{"array-interface", func(n int) func([]op) {
		var h labelQueue = NewArrayHeap(pool.New(), n)
		return func(tape []op) { replayInterface(h, tape) }
	}},
	{"container-heap", func(int) func([]op) { return newStdQueue().replay }},
}

func replayInterface(h labelQueue, tape []op) {
	for _, o := range tape {
		switch o.code {
		case opInsert:
			h.Insert(o.node, o.key, Label{})
		case opDecrease:
			if h.WasInserted(o.node) {
				h.DecreaseKey(o.node, o.key)
			}
		case opRemove:
			h.DeleteMin()
		}
	}
	h.Clear()
}

// stdQueue is the queue that the standard library suggests: container/heap over
// pointers, with a map as index.
type stdQueue struct {
	items []*stdItem
	index map[uint32]*stdItem
}

type stdItem struct {
	node uint32
	key  int32
	pos  int
	data Label
}

func newStdQueue() *stdQueue { return &stdQueue{index: map[uint32]*stdItem{}} }

func (q *stdQueue) Len() int           { return len(q.items) }
func (q *stdQueue) Less(i, j int) bool { return q.items[i].key < q.items[j].key }
func (q *stdQueue) Push(x any)         { q.items = append(q.items, x.(*stdItem)) }
func (q *stdQueue) Swap(i, j int) {
	q.items[i], q.items[j] = q.items[j], q.items[i]
	q.items[i].pos, q.items[j].pos = i, j
}

func (q *stdQueue) Pop() any {
	last := len(q.items) - 1
	it := q.items[last]
	q.items = q.items[:last]
	return it
}

func (q *stdQueue) replay(tape []op) {
	for _, o := range tape {
		switch o.code {
		case opInsert:
			it := &stdItem{node: o.node, key: o.key, pos: len(q.items), data: Label{}}
			q.index[o.node] = it
			stdheap.Push(q, it)
		case opDecrease:
			if it, ok := q.index[o.node]; ok {
				it.key = o.key
				stdheap.Fix(q, it.pos)
			}
		case opRemove:
			stdheap.Pop(q)
		}
	}
	q.items = q.items[:0]
	clear(q.index)
}

// BenchmarkMemory shows what keeping and pooling memory is worth: the two heaps of
// a bidirectional search of 2 x 700 nodes, and a path of the settled nodes.
func BenchmarkMemory(b *testing.B) {
	all, _ := tapes(2, ids[0].rename)
	search := func(f, g *HashHeap, memory *pool.Allocator, path []uint32) []uint32 {
		f.replay(all[0])
		g.replay(all[1])
		for i := range uint32(1400) {
			path = pool.Append(memory, path, i)
		}
		return path
	}
	b.Run("variant=a-dropped", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			memory := pool.NewPlain()
			search(NewHashHeap(memory), NewHashHeap(memory), memory, nil)
		}
	})
	b.Run("variant=b-kept-make", func(b *testing.B) {
		b.ReportAllocs()
		memory := pool.NewPlain()
		f, g := NewHashHeap(memory), NewHashHeap(memory)
		var path []uint32
		for b.Loop() {
			path = search(f, g, memory, path[:0])
		}
	})
	b.Run("variant=c-syncpool", func(b *testing.B) {
		b.ReportAllocs()
		memory := pool.NewPlain()
		var p slicePools
		for b.Loop() {
			f, g := p.get(memory), p.get(memory)
			path, _ := p.paths.Get().(*[]uint32)
			if path == nil {
				path = new([]uint32)
			}
			*path = search(f, g, memory, (*path)[:0])
			p.put(f)
			p.put(g)
			p.paths.Put(path)
		}
	})
	b.Run("variant=d-freelists", func(b *testing.B) {
		b.ReportAllocs()
		memory := pool.New()
		var f, g HashHeap
		for b.Loop() {
			f.index.init(memory)
			f.init(memory)
			g.index.init(memory)
			g.init(memory)
			pool.Free(memory, search(&f, &g, memory, nil))
			f.Release()
			g.Release()
		}
	})
	b.Run("variant=d-kept-freelists", func(b *testing.B) {
		b.ReportAllocs()
		memory := pool.New()
		f, g := NewHashHeap(memory), NewHashHeap(memory)
		for b.Loop() {
			pool.Free(memory, search(f, g, memory, nil))
		}
	})
}

// slicePools keeps each slice of a heap in a sync.Pool of its own.
type slicePools struct {
	entries, records, cells, paths sync.Pool
}

func (p *slicePools) get(memory *pool.Allocator) *HashHeap {
	entries, ok := p.entries.Get().(*[]entry32)
	if !ok {
		return NewHashHeap(memory)
	}
	h := &HashHeap{entries: *entries, memory: memory}
	if records, ok := p.records.Get().(*[]LabelRecord); ok {
		h.records = *records
	}
	if cells, ok := p.cells.Get().(*hashStorage32); ok {
		h.index = *cells
	} else {
		h.index.init(memory)
	}
	return h
}

func (p *slicePools) put(h *HashHeap) {
	p.entries.Put(&h.entries)
	p.records.Put(&h.records)
	p.cells.Put(&h.index)
}
