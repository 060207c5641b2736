package junction

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract/nbg"
)

// TestAnswersOfOSRM compares each view of generated towns with what OSRM 26.8
// computes for the same graph.
func TestAnswersOfOSRM(t *testing.T) {
	f, err := os.Open("testdata/towns.txt")
	require.NoError(t, err)
	defer f.Close()
	var w *Worker
	var name string
	lines := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		fields := strings.Fields(s.Text())
		if fields[0] == "town" {
			seed, err := strconv.ParseUint(fields[2], 10, 64)
			require.NoError(t, err)
			name = fields[1] + " " + fields[2]
			g, texts, restrictions := randomTown(seed, 6)
			if fields[1] == "split" {
				g, texts, restrictions = splitTown(seed, 5)
			}
			w = New(g, texts, []string{"North", "South"}, restrictions).NewWorker()
			continue
		}
		lines++
		var node, from nbg.NodeID
		_, err := fmt.Sscan(fields[0]+" "+fields[1], &node, &from)
		require.NoError(t, err)
		view := w.At(node).View(w.graph.Find(from, node))
		require.Len(t, view, len(fields)-2, "%s: %s", name, s.Text())
		for i, want := range fields[2:] {
			var head nbg.NodeID
			var angle float64
			var open int
			_, err := fmt.Sscanf(want, "%d:%f:%d", &head, &angle, &open)
			require.NoError(t, err)
			require.Equal(t, head, w.graph.Edges[view[i].Edge].Head, "%s: %s", name, s.Text())
			require.InDelta(t, angle, view[i].Angle, 1e-5, "%s: %s", name, s.Text())
			require.Equal(t, open != 0, view[i].Allowed, "%s: %s", name, s.Text())
		}
	}
	require.Greater(t, lines, 500)
}
