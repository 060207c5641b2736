package packed

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func requireSame(t *testing.T, want []int64) Ints {
	p := NewInts(want)
	_, err := p.Check()
	require.NoError(t, err)
	require.Equal(t, len(want), p.Len())
	for i, v := range want {
		require.Equal(t, v, p.Get(uint32(i)))
	}
	return p
}

func TestInts(t *testing.T) {
	requireSame(t, nil)
	requireSame(t, []int64{7})
	requireSame(t, []int64{math.MinInt64, math.MaxInt64, 0, -1})
	rng := rand.New(rand.NewPCG(1, 1))
	for bits := range 64 {
		for n := range 50 {
			values := make([]int64, n)
			base := rng.Int64() - rng.Int64()
			for i := range values {
				values[i] = base + int64(rng.Uint64()>>(63-bits))
			}
			requireSame(t, values)
		}
	}
}

func TestIntsSize(t *testing.T) {
	ids := make([]int64, 16000)
	for i := range ids {
		ids[i] = 10_000_000_000 + int64(i)*12
	}
	p := requireSame(t, ids)
	require.Len(t, p.Data, len(ids))
	require.Len(t, p.Blocks, len(ids)/16)
}

func TestIntsCheck(t *testing.T) {
	good := func() Ints { return NewInts([]int64{1, 1000, 100000, 40: 5}) }
	for _, damage := range []func(*Ints){
		func(p *Ints) { p.Count = 100 },
		func(p *Ints) { p.Count = -1 },
		func(p *Ints) { p.Blocks[0].Width = 3 },
		func(p *Ints) { p.Blocks[1].Start = math.MaxUint32 },
		func(p *Ints) { p.Blocks[2].Width = 8 },
		func(p *Ints) { p.Data = p.Data[:len(p.Data)-1] },
	} {
		p := good()
		damage(&p)
		_, err := p.Check()
		require.Error(t, err)
	}
}

func BenchmarkGet(b *testing.B) {
	ids := make([]int64, 1<<16)
	for i := range ids {
		ids[i] = int64(i+1) * 1000
	}
	p := NewInts(ids)
	sum, i := int64(0), uint32(0)
	for b.Loop() {
		sum += p.Get(i & (1<<16 - 1))
		i += 7919
	}
	require.NotZero(b, sum)
}
