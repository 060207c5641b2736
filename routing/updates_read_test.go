package routing

import (
	"errors"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestReadSegmentSpeeds(t *testing.T) {
	got, err := ReadSegmentSpeeds("live", strings.NewReader("1,2,30\n3,4,50,\n\n5,6,70,12.5\n7,8,90,0,x\n"))
	require.NoError(t, err)
	require.Equal(t, []SegmentSpeed{
		{From: 1, To: 2, Speed: 30},
		{From: 3, To: 4, Speed: 50, KeepWeight: true},
		{From: 5, To: 6, Speed: 70, Rate: 12.5},
		{From: 7, To: 8},
	}, got)
	_, err = ReadSegmentSpeeds("live", strings.NewReader("1,2,30\n1,2,fast\n"))
	require.ErrorIs(t, err, ErrInvalidValue)
	require.ErrorContains(t, err, "live malformed on line 2, column 5")
	broken := errors.New("broken")
	_, err = ReadSegmentSpeeds("live", iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
}

func TestReadTurnPenalties(t *testing.T) {
	got, err := ReadTurnPenalties("turns", strings.NewReader("1,2,3,4\n1,2,3,-1.5,0\n1,2,3,5,2.5\n"))
	require.NoError(t, err)
	require.Equal(t, []TurnPenalty{
		{From: 1, Via: 2, To: 3, Penalty: 4},
		{From: 1, Via: 2, To: 3, Penalty: -1.5, Weight: math.SmallestNonzeroFloat64},
		{From: 1, Via: 2, To: 3, Penalty: 5, Weight: 2.5},
	}, got)
	_, err = ReadTurnPenalties("turns", strings.NewReader("1,2,3"))
	require.ErrorIs(t, err, ErrInvalidValue)
}

// What a file says is the same to a running engine as to a build.
func TestReadUpdatesLikeABuild(t *testing.T) {
	for _, a := range []Algorithm{MLD, CCH} {
		m := drawWith(t, loop, Options{Algorithm: a})
		before := m.route("1b", nil).Routes[0]
		m.update(Update{Layer: "live", Speeds: []SegmentSpeed{{From: loop.NodeID('a'), To: loop.NodeID('b'), Speed: 18, KeepWeight: true}}})
		after := m.route("1b", nil).Routes[0]
		require.InDelta(t, 20, after.Duration, 0.2)
		require.InDelta(t, before.Weight, after.Weight, 1e-9)
	}
}
