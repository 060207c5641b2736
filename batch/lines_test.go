package batch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRangesHaveEachLineOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lines")
	text := "a\n\nbb\n  ccc  \ndddd\n\neeeee"
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	inputs, err := listInputs(t.Context(), name)
	require.NoError(t, err)
	for size := int64(1); size <= int64(len(text))+1; size++ {
		var got []string
		for _, r := range ranges(inputs, size) {
			require.NoError(t, r.each(t.Context(), func(line []byte, fault error) error {
				require.NoError(t, fault)
				got = append(got, string(line))
				return nil
			}))
		}
		require.Equal(t, "a bb ccc dddd eeeee", strings.Join(got, " "), size)
	}
}
