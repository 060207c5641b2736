package turns

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

func TestForkByAngle(t *testing.T) {
	for _, c := range []struct {
		name   string
		angles []float64
		want   fork
	}{
		{"two roads", []float64{0, 160, 200}, fork{1, 2}},
		{"three roads", []float64{0, 150, 180, 210}, fork{1, 3}},
		{"a road aside", []float64{0, 80, 160, 200}, fork{2, 3}},
		{"one road", []float64{0, 180, 270}, fork{}},
		{"four roads", []float64{0, 150, 170, 190, 210}, fork{}},
		{"nothing ahead", []float64{0, 100, 260}, fork{}},
		{"the way on", []float64{0, 180}, fork{}},
	} {
		require.Equal(t, c.want, forkByAngle(roads(c.angles...)), c.name)
	}
}

func TestMirror(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		angles := []float64{0}
		for a := 10 + 50*r.Float64(); a < 350; a += 10 + 80*r.Float64() {
			angles = append(angles, a)
		}
		want, got := roads(angles...), roads(angles...)
		mirror(got)
		for i := 1; i < len(got); i++ {
			require.InDelta(t, 360-want[len(want)-i].Angle, got[i].Angle, 1e-9)
			require.Equal(t, want[len(want)-i].Instruction.Modifier().Mirror(), got[i].Instruction.Modifier())
		}
		mirror(got)
		for i := range got {
			require.InDelta(t, want[i].Angle, got[i].Angle, 1e-9)
			require.Equal(t, want[i].Instruction, got[i].Instruction)
		}
	}
}

func TestEndOfRoad(t *testing.T) {
	at := func(angles ...float64) bool {
		r := roads(append([]float64{0}, angles...)...)
		return endOfRoad(&r[1], &r[2])
	}
	require.True(t, at(90, 270))
	require.True(t, at(70, 240))
	require.False(t, at(45, 270))
	require.False(t, at(90, 200))
}

func TestBesideRoad(t *testing.T) {
	r := roads(0, 100, 170, 190)
	require.Equal(t, 170.0, besideRoad(r, 1).Angle)
	require.Equal(t, 190.0, besideRoad(r, 2).Angle)
	require.Equal(t, 170.0, besideRoad(r, 3).Angle)
	require.Equal(t, 2, closest(r, graphStraight))
	require.Equal(t, 100.0, rightmost(r).Angle)
	require.Equal(t, 190.0, leftmost(r).Angle)
	require.Equal(t, 3, countAllowed(r))
	require.True(t, deadEnd(r[:1]))
	require.Equal(t, graph.UTurn, r[0].direction())
}

const graphStraight = 178.0
