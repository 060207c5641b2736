package batch

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
)

func TestHilbertKeepsNeighborsTogether(t *testing.T) {
	// All squares of a coarse grid are visited, one next to the other.
	const n = 16
	at := map[uint64][2]int{}
	for x := range n {
		for y := range n {
			p := orb.Point{(float64(x)+0.5)*360/n - 180, (float64(y)+0.5)*180/n - 90}
			at[hilbert(p)>>(2*gridBits-8)] = [2]int{x, y}
		}
	}
	require.Len(t, at, n*n)
	for k := uint64(1); k < n*n; k++ {
		a, b := at[k-1], at[k]
		require.Equal(t, 1, distance(a[0], b[0])+distance(a[1], b[1]), k)
	}
}

func distance(a, b int) int { return max(a-b, b-a) }

func TestOrderOfPlacesDependsOnNothingElse(t *testing.T) {
	var want []Place
	for i := range 40 {
		want = append(want, Place{ID: string(rune('a' + i%26)), Coordinate: orb.Point{float64(i % 7), float64(i % 3)}})
	}
	itself := func(p *Place) *Place { return p }
	sortByPlace(want, itself)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		got := slices.Clone(want)
		rng.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		sortByPlace(got, itself)
		require.Equal(t, want, got)
	}
}
