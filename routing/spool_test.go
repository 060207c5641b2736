package routing

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// endless is a reader without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestSpool(t *testing.T) {
	for _, size := range []int{0, 1, spooledFrom - 1, spooledFrom, spooledFrom + 12345} {
		folder := t.TempDir()
		want := make([]byte, size)
		for i := 0; i < size; i += 1 + i/1000 {
			want[i] = byte(i)
		}
		s, err := spool(t.Context(), bytes.NewBuffer(want), defaultMaxInput, folder)
		require.NoError(t, err)
		require.EqualValues(t, size, s.size)
		require.Equal(t, size >= spooledFrom, s.file != nil)
		got, err := io.ReadAll(io.NewSectionReader(s, 0, s.size))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))
		require.NoError(t, s.Close())
		requireEmpty(t, folder)
	}
}

func requireEmpty(t *testing.T, folder string) {
	t.Helper()
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestBuildEndsWithAnEndlessReader: by the limit, and by the context.
func TestBuildEndsWithAnEndlessReader(t *testing.T) {
	folder := t.TempDir()
	for _, most := range []int64{1000, spooledFrom + 1000} {
		_, err := Build(t.Context(), BuildOptions{Input: "endless.osm", Reader: endless{}, MaxInput: most, Output: filepath.Join(folder, "endless")})
		require.ErrorIs(t, err, ErrTooBig)
		require.ErrorContains(t, err, "MaxInput")
		requireEmpty(t, folder)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := io.MultiReader(io.LimitReader(endless{}, spooledFrom+1000), cancelling{cancel}, endless{})
	_, err := Build(ctx, BuildOptions{Input: "endless.osm", Reader: r, Output: filepath.Join(folder, "endless")})
	require.ErrorIs(t, err, context.Canceled)
	requireEmpty(t, folder)
}

// cancelling cancels a context when it is read.
type cancelling struct{ cancel func() }

func (c cancelling) Read([]byte) (int, error) {
	c.cancel()
	return 0, io.EOF
}
