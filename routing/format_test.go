package routing_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFormatIsDocumented: docs/format.md names every section of every file.
func TestFormatIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/format.md")
	require.NoError(t, err)
	numbered := regexp.MustCompile(`^(level|cliques)_\d+_`)
	files := dataSet(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data := files[name].Data
		require.Contains(t, string(doc), string(data[12:16]), "kind of %s", name)
		bound, sections := binary.LittleEndian.Uint32(data[32:]), binary.LittleEndian.Uint32(data[36:])
		require.Positive(t, sections)
		for i := range sections {
			entry := data[64+16*bound+64*i:]
			section := string(bytes.TrimRight(entry[:32], "\x00"))
			section = numbered.ReplaceAllString(section, "${1}_i_")
			require.Contains(t, string(doc), "`"+section+"`", "section of %s", name)
		}
	}
}
