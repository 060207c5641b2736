package dissect

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A group is divided as if it were all there is, whatever lies around it.
func TestGroupsAreDividedAlone(t *testing.T) {
	const side = 20
	n := grid(side)
	var groups [][]uint32
	for half := range 2 {
		var group []uint32
		for j := range uint32(side * side) {
			if int(j/side)/(side/2) == half {
				group = append(group, j)
			}
		}
		groups = append(groups, group)
	}
	groups = append(groups, nil)
	for _, small := range []int{1, 30, 10_000} {
		var want [][][]uint32
		for workers := 1; workers <= 3; workers++ {
			trees, err := Groups(t.Context(), n, groups, Options{Small: small, Workers: workers})
			require.NoError(t, err)
			require.Len(t, trees, len(groups))
			var parts [][][]uint32
			for i, tree := range trees {
				parts = append(parts, leaves(tree))
				all := slices.Sorted(slices.Values(slices.Concat(parts[i]...)))
				require.Len(t, all, len(groups[i]))
				for place, got := range all {
					require.EqualValues(t, place, got)
				}
			}
			if want == nil {
				want = parts
			}
			require.Equal(t, want, parts, "%d workers", workers)
		}
	}
	whole, err := Run(t.Context(), n, Options{Small: 50})
	require.NoError(t, err)
	all := make([]uint32, side*side)
	for j := range all {
		all[j] = uint32(j)
	}
	trees, err := Groups(t.Context(), n, [][]uint32{all}, Options{Small: 50})
	require.NoError(t, err)
	require.Equal(t, whole.Nodes, trees[0].Nodes)
	require.Len(t, leaves(trees[0]), len(leaves(whole)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Groups(ctx, n, groups, Options{Small: 1})
	require.ErrorIs(t, err, context.Canceled)
}
