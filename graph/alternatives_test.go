package graph

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAlternativeStretch(t *testing.T) {
	const minute, hour = 600, 36_000
	for _, c := range []struct {
		shortest Duration
		want     float64
	}{
		{-1, 1}, {0, 1}, {5*minute - 1, 1}, {10 * minute, 0.83}, {30 * minute, 0.58}, {hour, 0.44}, {3 * hour, 0.3}, {10*hour + 10, 0.2}, {InvalidDuration, 0.2},
	} {
		require.InDelta(t, c.want, AlternativeStretch(c.shortest), 0.01, "%d", c.shortest)
	}
	for d := Duration(0); d < 11*hour; d += minute {
		require.LessOrEqual(t, AlternativeStretch(d+minute), AlternativeStretch(d))
	}
}

func TestAlternativeRulesAllowMoreOverALongDistance(t *testing.T) {
	before := AlternativeRulesFor(0)
	require.Equal(t, AlternativeRules{Shared: 0.5, Optimal: 0.7, Candidates: 10}, before)
	for _, kilometers := range []float64{10, 20, 50, 100, 1000} {
		rules := AlternativeRulesFor(1000 * kilometers)
		require.GreaterOrEqual(t, rules.Shared, before.Shared)
		require.LessOrEqual(t, rules.Optimal, before.Optimal)
		require.LessOrEqual(t, rules.Candidates, before.Candidates)
		before = rules
	}
}
