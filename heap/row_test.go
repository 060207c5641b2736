package heap

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/pool"
)

func TestRelaxRowIsRelaxOfEach(t *testing.T) {
	const nodes = 60
	rng := rand.New(rand.NewPCG(3, 1))
	rows, one := NewTwoLevelHeap(pool.New(), nodes), NewTwoLevelHeap(pool.New(), nodes)
	for range 200 {
		rows.Clear()
		one.Clear()
		for step := range 40 {
			if rng.IntN(3) == 0 && !one.Empty() {
				node, key := one.DeleteMin()
				n, k := rows.DeleteMin()
				require.Equal(t, node, n)
				require.Equal(t, key, k)
				continue
			}
			ids := make([]uint32, rng.IntN(12))
			weights := make([]uint32, len(ids)+1)
			for i, v := range rng.Perm(nodes)[:len(ids)] {
				ids[i], weights[i] = uint32(v), rng.Uint32N(300)
			}
			key, most, data := rng.Uint32N(200), rng.Uint32N(400), Label{Parent: uint32(step)}
			rows.RelaxRow(ids, weights, key, most, data)
			for i, v := range ids {
				if next := key + weights[i]; next <= most {
					one.Relax(v, int32(next), data)
				}
			}
			require.Equal(t, one.Records(), rows.Records())
		}
	}
}
