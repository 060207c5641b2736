package batch

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSharedIsOpenedOnceAndClosedByTheLast(t *testing.T) {
	var s shared[string, int]
	opened, closed := 0, 0
	get := func() *held[int] {
		h, err := s.acquire("a", func() (int, error) { opened++; return opened, nil }, func(int) { closed++ })
		require.NoError(t, err)
		return h
	}
	a, b := get(), get()
	require.Equal(t, 1, opened)
	a.release()
	require.Zero(t, closed)
	b.release()
	require.Equal(t, 1, closed)
	require.Equal(t, 2, get().value)
	_, err := s.acquire("b", func() (int, error) { return 0, os.ErrNotExist }, func(int) { closed++ })
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Equal(t, 1, closed)
	require.NotContains(t, s.open, "b")
}
