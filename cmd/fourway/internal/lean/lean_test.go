package lean

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBegin(t *testing.T) {
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	end := Begin(33)
	require.Equal(t, 33, debug.SetGCPercent(33))
	end()
	require.Equal(t, 77, debug.SetGCPercent(77))
}
