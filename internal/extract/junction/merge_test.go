package junction

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract/nbg"
)

func mergedEdges(j *Junction) (heads []nbg.NodeID) {
	for _, a := range j.Arms {
		if a.Merged {
			heads = append(heads, j.graph.Edges[a.Edge].Head)
		}
	}
	return heads
}

// A road splits into carriageways:
//
//	             3 ← ← 5
//	1 - - - - 0         |
//	             2 → → 4
func TestCarriagewaysMerge(t *testing.T) {
	coords := places(0, 0, -200, 0, 10, -5, 10, 5, 150, -5, 150, 5, 150, -90, 150, 90)
	for _, test := range []struct {
		name   string
		change func(roads []road)
		merges bool
	}{
		{"same name", func([]road) {}, true},
		{"suffix", func(r []road) { r[2].name += " North" }, true},
		{"other name", func(r []road) { r[2].name = "Oak Street" }, false},
		{"no names", func(r []road) { r[1].name, r[2].name = "", "" }, false},
		{"same direction", func(r []road) { r[2] = oneway(0, 3, 5).named("Elm Street") }, false},
		{"two-way", func(r []road) { r[2].oneway = false }, false},
		{"other class", func(r []road) { r[2].edge.Class.Priority++ }, false},
		{"other lanes", func(r []road) { r[2].edge.Class.Lanes++ }, true},
		{"other mode", func(r []road) { r[2].edge.Mode = 4 }, false},
		{"roundabout", func(r []road) { r[2].edge.Roundabout = true }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			roads := []road{
				street(0, 1).named("Elm Street"),
				oneway(0, 2, 4).named("Elm Street"),
				oneway(5, 3, 0).named("Elm Street"),
				street(4, 5).named("Main Street"),
				street(4, 6).named("Main Street"),
				street(5, 7).named("Main Street"),
			}
			test.change(roads)
			w := worker(coords, roads...)
			j := w.At(0)
			if !test.merges {
				require.Empty(t, mergedEdges(j))
				return
			}
			require.Equal(t, []nbg.NodeID{5}, mergedEdges(j))
			view := j.View(w.graph.Find(1, 0))
			require.Len(t, view, 2, "the half that arrives is left out")
			require.InDelta(t, 180, view[1].Angle, 0.5)
			// From the half that arrives, that which leaves is the U-turn.
			view = j.View(w.graph.Find(5, 0))
			require.Equal(t, []nbg.NodeID{4, 1}, []nbg.NodeID{w.graph.Edges[view[0].Edge].Head, w.graph.Edges[view[1].Edge].Head})
			require.Zero(t, view[0].Angle)
			require.InDelta(t, 180, view[1].Angle, 0.5)
		})
	}
}

// Carriageways that drift apart are two roads.
func TestDivergingRoadsDoNotMerge(t *testing.T) {
	w := worker(places(0, 0, -200, 0, 120, -60, 120, 60, 122, -60, 122, 60),
		street(0, 1).named("Elm"), oneway(0, 2).named("Elm"), oneway(3, 0).named("Elm"),
		street(2, 4).named("Oak"), street(3, 5).named("Oak"))
	require.Empty(t, mergedEdges(w.At(0)))
}

// A traffic island:
//
//	          2
//	1 - - - 0   3 - - - 4
//	          5
func TestIslandMerges(t *testing.T) {
	const name = "Elm"
	w := worker(places(0, 0, -100, 0, 7, 3, 14, 0, 100, 0, 7, -3),
		street(0, 1).named(name), oneway(0, 5, 3).named(name),
		oneway(3, 2).named(name), oneway(2, 0).named(name), street(3, 4).named(name))
	require.Equal(t, []nbg.NodeID{2}, mergedEdges(w.At(0)))
	require.Equal(t, map[nbg.NodeID]float64{1: 0, 3: 180}, angles(w, w.At(0).View(w.graph.Find(1, 0))))
}

// A road splits before it meets another:
//
//	1
//	|
//	0
//	| \
//	2 - 3 - 5
//	|
//	4 is to the west of 2
func TestNarrowTriangleMerges(t *testing.T) {
	w := worker(places(0, 0, 0, 100, -4, -15, 4, -15, -100, -15, 100, -15),
		street(0, 1).named("Elm"), oneway(0, 2).named("Elm"), oneway(3, 0).named("Elm"),
		street(2, 3).named("Main"), street(2, 4).named("Main"), street(3, 5).named("Main"))
	require.Equal(t, []nbg.NodeID{3}, mergedEdges(w.At(0)))

	// Nothing connects the corners.
	w = worker(places(0, 0, 0, 100, -4, -15, 4, -15, -100, -15, 100, -15, -10, -60, 10, -60),
		street(0, 1).named("Elm"), oneway(0, 2).named("Elm"), oneway(3, 0).named("Elm"),
		street(2, 6).named("Main"), street(2, 4).named("Main"), street(3, 5).named("Main"), street(3, 7).named("Main"))
	require.Empty(t, mergedEdges(w.At(0)))
}

// Where a road's other half is merged at the far end of a short way, the way is
// turned to fit:
//
//	2 ← ← 3
//	    /
//	0 - - → 1
func TestShortRoadFollowsMergeAtItsEnd(t *testing.T) {
	// Crossing 0 is 15 m before carriageways join at 3.
	coords := places(0, 0, -100, -1, 0, -80, 15, 4, 150, 4, 8, 8, 1, 12, -100, 12, 0, 80)
	roads := []road{
		oneway(1, 0).named("Elm"), oneway(0, 3).named("Elm"), street(3, 4).named("Elm"),
		oneway(3, 5, 6).named("Elm"), oneway(6, 7).named("Elm"),
		street(0, 2).named("Oak"), street(0, 6).named("Oak"), street(6, 8).named("Oak"),
	}
	w := worker(coords, roads...)
	require.Equal(t, []nbg.NodeID{0}, mergedEdges(w.At(3)))
	turned := w.At(0).arm(w.graph.Find(0, 3)).Perceived

	roads[3].name = "Other Street"
	w = worker(coords, roads...)
	require.Empty(t, mergedEdges(w.At(3)))
	require.InDelta(t, 75, w.At(0).arm(w.graph.Find(0, 3)).Perceived, 1)
	require.InDelta(t, 97, turned, 1)
}
