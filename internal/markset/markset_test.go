package markset

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/pool"
)

func TestSetAgainstMap(t *testing.T) {
	memory := pool.New()
	rng := rand.New(rand.NewPCG(1, 2))
	var s Set
	for _, span := range []uint32{10, 3000, 1 << 31} {
		s.Clear(memory)
		want := map[uint32]uint32{}
		for range 20_000 {
			key, mark := rng.Uint32N(span), uint32(1)<<rng.IntN(3)
			require.Equal(t, want[key], s.Get(key))
			require.Equal(t, want[key]&mark != 0, s.Add(memory, key, mark))
			want[key] |= mark
		}
		for key, marks := range want {
			require.Equal(t, marks, s.Get(key))
		}
	}
	require.Zero(t, testing.AllocsPerRun(3, func() {
		s.Clear(memory)
		for i := range uint32(10_000) {
			s.Add(memory, i*i, 1)
		}
	}))
	s.Release(memory)
	require.Zero(t, memory.Live())
}
