package ch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChildren(t *testing.T) {
	arcs := [][2]uint32{
		{7, original},
		{0, original},
		{1 << 30, original},
		{9, 8},
		{400, 146},
		{400, 145},
		{70_000, 2},
		{3, 5},
		{1 << 31, 1<<31 - 254},
		{4, 4},
	}
	var h Hierarchy
	h.setChildren(arcs)
	require.Len(t, h.child, len(arcs))
	require.Len(t, h.far, 4)
	require.Equal(t, arcs, h.children())

	h.far = nil
	require.Equal(t, [2]uint32{400, 400}, h.childOf(5)) // which contains itself
}
