package measure

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFit(t *testing.T) {
	n := []float64{10, 100, 1000}
	e, c := Fit(n, []float64{3 * math.Pow(10, 1.2), 3 * math.Pow(100, 1.2), 3 * math.Pow(1000, 1.2)})
	require.InDelta(t, 1.2, e, 1e-9)
	require.InDelta(t, 3, c, 1e-9)
	require.InDelta(t, 0, Exponent(n, []float64{5, 5, 5}), 1e-9)
	require.True(t, math.IsNaN(Exponent(n[:1], []float64{5})))
}
