package pool

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// machine performs operations on an allocator and remembers what every live block
// holds.
type machine struct {
	a      *Allocator
	words  []owned[uint32]
	labels []owned[label]
	high   int64
}

// owned is a live block and a copy of its content.
type owned[T comparable] struct {
	block, content []T
}

func (m *machine) live() int64 {
	var sum int64
	for _, o := range m.words {
		sum += 1 << classOf(cap(o.block), 4)
	}
	for _, o := range m.labels {
		sum += 1 << classOf(cap(o.block), 12)
	}
	return sum
}

func (m *machine) check(t require.TestingT) {
	for _, o := range m.words {
		require.True(t, slices.Equal(o.content, o.block))
	}
	for _, o := range m.labels {
		require.True(t, slices.Equal(o.content, o.block))
	}
	live := m.live()
	m.high = max(m.high, live)
	require.Equal(t, live, m.a.Live())
	require.GreaterOrEqual(t, m.a.HighWater(), m.high)
	s := m.a.Stats()
	var inClasses, free int64
	for _, c := range s.Classes {
		inClasses += int64(c.Live) * c.Size
		free += int64(c.Free) * c.Size
	}
	require.Equal(t, live, inClasses)
	require.LessOrEqual(t, live+free, s.Held)
}

// step performs one of the operations on blocks; n is a length, v fills.
func step[T comparable](a *Allocator, blocks *[]owned[T], code byte, pick, n int, v T) {
	switch {
	case code == 0 || len(*blocks) == 0:
		s := Make[T](a, n)
		for i := range s {
			s[i] = v
		}
		*blocks = append(*blocks, owned[T]{s, slices.Clone(s)})
		return
	case code == 1:
		s := MakeZeroed[T](a, n)
		*blocks = append(*blocks, owned[T]{s, make([]T, n)})
		return
	}
	i := pick % len(*blocks)
	o := &(*blocks)[i]
	switch code {
	case 2:
		Free(a, o.block)
		*blocks = slices.Delete(*blocks, i, i+1)
	case 3:
		o.block = Append(a, o.block, v)
		o.content = append(o.content, v)
	case 4:
		old := len(o.block)
		o.block = Grow(a, o.block, n)
		for i := old; i < n; i++ {
			o.block[i] = v
		}
		o.content = slices.Concat(o.content[:min(old, n)], o.block[min(old, n):])
	}
}

func TestBlocksKeepTheirContent(t *testing.T) {
	for kind := range Dropping + 1 {
		t.Run(kind.String(), rapid.MakeCheck(func(t *rapid.T) {
			m := machine{a: NewKind(kind)}
			// Five blocks of the longest fill the first slab.
			lengths := rapid.OneOf(rapid.IntRange(1, 100), rapid.IntRange(1, 100), rapid.IntRange(1, 50_000))
			t.Repeat(map[string]func(*rapid.T){
				"words": func(t *rapid.T) {
					step(m.a, &m.words, rapid.ByteMax(4).Draw(t, "code"), rapid.IntMin(0).Draw(t, "pick"),
						lengths.Draw(t, "n"), rapid.Uint32().Draw(t, "v"))
				},
				"labels": func(t *rapid.T) {
					step(m.a, &m.labels, rapid.ByteMax(4).Draw(t, "code"), rapid.IntMin(0).Draw(t, "pick"),
						lengths.Draw(t, "n"), label{parent: rapid.Uint32().Draw(t, "v")})
				},
				"Trim": func(t *rapid.T) {
					m.a.Trim(rapid.Int64Range(0, 4<<20).Draw(t, "limit"))
				},
				"Reset": func(t *rapid.T) {
					if rapid.IntRange(0, 9).Draw(t, "rare") == 0 {
						m.a.Reset()
						m.words, m.labels = nil, nil
					}
				},
				"": func(t *rapid.T) { m.check(t) },
			})
		}))
	}
}

func FuzzAllocator(f *testing.F) {
	f.Add([]byte{0, 0, 200, 3, 0, 1, 2, 0, 0, 5, 0, 0, 1, 9, 9})
	f.Fuzz(func(t *testing.T, ops []byte) {
		ops = ops[:min(len(ops), 600)] // each step checks all blocks
		m := machine{a: New()}
		for ; len(ops) >= 3; ops = ops[3:] {
			n := 1 + int(ops[2])*int(ops[2])
			switch code := ops[0] % 16; {
			case code < 5:
				step(m.a, &m.words, code, int(ops[1]), n, uint32(ops[1]))
			case code < 10:
				step(m.a, &m.labels, code-5, int(ops[1]), n, label{edge: uint32(ops[1])})
			case code == 10:
				m.a.Trim(int64(n) << 6)
			case code == 11:
				m.a.Reset()
				m.words, m.labels = nil, nil
			}
			m.check(t)
		}
	})
}
