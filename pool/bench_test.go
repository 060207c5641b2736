package pool

import (
	"fmt"
	"sync"
	"testing"
)

// BenchmarkMake takes a block of n elements, writes to it, and gives it back.
func BenchmarkMake(b *testing.B) {
	for _, n := range []int{16, 1024, 65536} {
		for _, kind := range []Kind{FreeLists, SyncPool, Plain} {
			b.Run(fmt.Sprintf("n=%d/pool=%s", n, kind), func(b *testing.B) {
				a := NewKind(kind)
				admitTypes(a)
				b.ReportAllocs()
				for b.Loop() {
					s := Make[label](a, n)
					s[n-1].edge = 1
					Free(a, s)
				}
			})
		}
		b.Run(fmt.Sprintf("n=%d/from=zeroed", n), func(b *testing.B) {
			a := New()
			admitTypes(a)
			b.ReportAllocs()
			for b.Loop() {
				s := MakeZeroed[label](a, n)
				s[n-1].edge = 1
				Free(a, s)
			}
		})
		b.Run(fmt.Sprintf("n=%d/from=make", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := make([]label, n)
				s[n-1].edge = 1
				sink = s
			}
		})
	}
}

var sink []label

// admitTypes makes the type list as long as a search makes it.
func admitTypes(a *Allocator) {
	Free(a, Make[uint32](a, 1))
	Free(a, Make[uint64](a, 1))
	Free(a, Make[label](a, 1))
	Free(a, Make[int32](a, 1))
	Free(a, Make[float64](a, 1))
}

// BenchmarkQuery has the memory use of one route query: the slices of two heaps,
// two paths that grow, and 40 short slices that live and die one by one.
func BenchmarkQuery(b *testing.B) {
	const records, cells, path, small = 900, 2048, 300, 40
	pooled := func(a *Allocator) {
		var kept [4][]label
		for i := range kept {
			kept[i] = Make[label](a, records)
			kept[i][records-1].edge = 1
		}
		tables := [2][]uint64{MakeZeroed[uint64](a, cells), MakeZeroed[uint64](a, cells)}
		for range 2 {
			var p []uint32
			for i := range uint32(path) {
				p = Append(a, p, i)
			}
			Free(a, p)
		}
		for i := range small {
			s := Make[label](a, 3+i%20)
			s[0].edge = 1
			Free(a, s)
		}
		for _, s := range kept {
			Free(a, s)
		}
		for _, s := range tables {
			Free(a, s)
		}
	}
	b.Run("variant=a-dropped", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			pooled(NewPlain())
		}
	})
	b.Run("variant=b-kept-make", func(b *testing.B) {
		// What is of one size is kept; what is not is made.
		var kept [4][]label
		for i := range kept {
			kept[i] = make([]label, records)
		}
		tables := [2][]uint64{make([]uint64, cells), make([]uint64, cells)}
		var paths [2][]uint32
		b.ReportAllocs()
		for b.Loop() {
			for i := range kept {
				kept[i][records-1].edge = 1
			}
			for _, s := range tables {
				clear(s)
			}
			for k := range paths {
				p := paths[k][:0]
				for i := range uint32(path) {
					p = append(p, i)
				}
				paths[k] = p
			}
			for i := range small {
				sink = make([]label, 3+i%20)
				sink[0].edge = 1
			}
		}
	})
	b.Run("variant=c-syncpool", func(b *testing.B) {
		recordPool := sync.Pool{New: func() any { s := make([]label, records); return &s }}
		tablePool := sync.Pool{New: func() any { s := make([]uint64, cells); return &s }}
		pathPool := sync.Pool{New: func() any { return new([]uint32) }}
		smallPool := sync.Pool{New: func() any { s := make([]label, 0, 32); return &s }}
		b.ReportAllocs()
		for b.Loop() {
			var kept [4]*[]label
			for i := range kept {
				kept[i] = recordPool.Get().(*[]label)
				(*kept[i])[records-1].edge = 1
			}
			var tables [2]*[]uint64
			for i := range tables {
				tables[i] = tablePool.Get().(*[]uint64)
				clear(*tables[i])
			}
			for range 2 {
				p := pathPool.Get().(*[]uint32)
				*p = (*p)[:0]
				for i := range uint32(path) {
					*p = append(*p, i)
				}
				pathPool.Put(p)
			}
			for i := range small {
				s := smallPool.Get().(*[]label)
				*s = (*s)[:3+i%20]
				(*s)[0].edge = 1
				smallPool.Put(s)
			}
			for _, s := range kept {
				recordPool.Put(s)
			}
			for _, s := range tables {
				tablePool.Put(s)
			}
		}
	})
	b.Run("variant=d-freelists", func(b *testing.B) {
		a := New()
		b.ReportAllocs()
		for b.Loop() {
			pooled(a)
		}
	})
}

// BenchmarkBorrow compares ways to lend a workspace, by one goroutine and by all.
func BenchmarkBorrow(b *testing.B) {
	bounded := NewBounded(BoundedOptions[*workspace]{Max: 8, New: func() *workspace { return new(workspace) }})
	syncPool := sync.Pool{New: func() any { return new(workspace) }}
	for _, lender := range []struct {
		name   string
		borrow func()
	}{
		{"bounded", func() { bounded.Put(bounded.Get()) }},
		{"syncpool", func() { syncPool.Put(syncPool.Get()) }},
	} {
		b.Run("from="+lender.name, func(b *testing.B) {
			for b.Loop() {
				lender.borrow()
			}
		})
		b.Run("parallel/from="+lender.name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					lender.borrow()
				}
			})
		})
	}
}
