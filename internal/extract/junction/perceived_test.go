package junction

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract/nbg"
)

// TestPerceivedBearing has one road that leaves a junction with two others.
func TestPerceivedBearing(t *testing.T) {
	primary := func(e *nbg.Edge) { e.Class.Priority = 4 }
	small := func(e *nbg.Edge) { e.Class.MayBeIgnored = true }
	round := func(e *nbg.Edge) { e.Roundabout = true }
	motorway := func(e *nbg.Edge) { e.Class.Motorway = true; e.Class.Lanes = 4 }
	for _, test := range []struct {
		name      string
		xy        []float64 // the road behind the junction at 0, 0
		change    func(*nbg.Edge)
		initial   float64
		perceived float64
	}{
		{"straight", []float64{50, 50}, primary, 45, 45},
		{"first segment long", []float64{40, 0, 40, 100}, primary, 90, 90},
		{"nearly straight", []float64{10, 10.5, 20, 19.5, 60, 60}, primary, 44, 45},
		{"across the lanes", []float64{0, 5, 100, 6}, primary, 0, 89},
		{"across more lanes", []float64{0, 12, 100, 12}, motorway, 0, 89},
		{"small road", []float64{0, 5, 100, 5}, small, 0, 45},
		{"roundabout", []float64{0, 4, 20, 4}, round, 0, 0},
		{"curve", []float64{1, 8, 4, 16, 9, 23, 16, 29, 24, 33, 32, 35}, primary, 7, 6},
		{"bends later", []float64{0, 10, 20, 15, 20, 40}, primary, 0, 0},
		{"repeated place", []float64{0, 0, 0, 0, 50, 50}, primary, 45, 45},
	} {
		t.Run(test.name, func(t *testing.T) {
			coords := places(append([]float64{0, 0, -100, 0, 0, -100}, test.xy...)...)
			path := []nbg.NodeID{0}
			for p := nbg.NodeID(3); int(p) < len(coords); p++ {
				path = append(path, p)
			}
			w := worker(coords, street(0, 1), street(0, 2), street(path...).with(test.change))
			j := w.At(0)
			arm := j.Arms[len(j.Arms)-1]
			require.InDelta(t, test.initial, arm.Initial, 4) // within micro-degrees
			require.InDelta(t, test.perceived, arm.Perceived, 1)
		})
	}
}

func TestNodesWithoutChoiceLookAtFirstSegment(t *testing.T) {
	w := worker(places(0, 0, -100, 0, 0, 0.5, 0, 5, 100, 5), street(0, 1), street(0, 2, 3, 4))
	j := w.At(0)
	require.InDelta(t, 0, j.Arms[1].Perceived, 1e-9)
	require.InDelta(t, 105, j.Arms[1].Length, 0.2)
}

func TestRoadsWithoutLength(t *testing.T) {
	for name, xy := range map[string][]float64{
		"all places the same":   {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"a loop":                {0, 0, 20, 0, 0, 20, 20, 20, 0, 0},
		"ends are the same":     {0, 0, 50, 0, 0, 0, 0, 60, 0, 0},
		"repeated in the midst": {0, 0, 50, 0, 20, 5, 20, 5, 100, 0},
	} {
		t.Run(name, func(t *testing.T) {
			checkViews(t, worker(places(xy...), street(0, 2, 3, 4), street(0, 1), street(1, 4)))
		})
	}
}
