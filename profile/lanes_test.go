package profile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseTurnLanes(t *testing.T) {
	for s, want := range map[string][]LaneMask{
		"":                     nil,
		"left":                 {LaneLeft},
		"left|through;right|":  {LaneLeft, LaneStraight | LaneRight, LaneNone},
		"|":                    {LaneNone, LaneNone},
		"||none":               {LaneNone, LaneNone, LaneNone},
		"left;left|;|;right;":  {LaneLeft, LaneNone, LaneRight},
		"none;through|reverse": {LaneNone | LaneStraight, LaneUTurn},
		"sharp_left|slight_left|slight_right|sharp_right": {LaneSharpLeft, LaneSlightLeft, LaneSlightRight, LaneSharpRight},
		"merge_to_left|merge_to_right":                    {LaneMergeToLeft, LaneMergeToRight},
		"left|straight":                                   nil,
		"left|through; right":                             nil,
		"LEFT":                                            nil,
	} {
		require.Equal(t, append([]LaneMask{}, want...), ParseTurnLanes([]LaneMask{}, s), s)
		require.Equal(t, len(want), countTurnLanes(s), s)
	}
	// What is in dst stays.
	require.Equal(t, []LaneMask{LaneRight, LaneLeft}, ParseTurnLanes([]LaneMask{LaneRight}, "left"))
	require.Equal(t, []LaneMask{LaneRight}, ParseTurnLanes([]LaneMask{LaneRight}, "left|x"))
}

func TestSameTurnLanes(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"left", "left", true},
		{"left|", "left|none", true},
		{"left;right", "right;left", true},
		{"left", "right", false},
		{"left", "left|", false},
		{"", "left", false},
		{"", "x", false},
		{"x", "y|z", true},
		{"x", "left", false},
	} {
		require.Equal(t, tc.want, sameTurnLanes(tc.a, tc.b), tc)
		require.Equal(t, tc.want, sameTurnLanes(tc.b, tc.a), tc)
	}
}

func TestTrimLanes(t *testing.T) {
	for _, tc := range []struct {
		s           string
		left, right int32
		want        string
	}{
		{"left|through|", 0, 1, "left|through"},
		{"left|through", 0, 1, "left|through"},
		{"|left|through", 1, 0, "left|through"},
		{"||left||", 2, 2, "left"},
		{"||left||", 3, 1, "||left|"},
		{"||", 2, 0, "||"},
		{"||", 1, 1, "|"},
		{"||", 1, 0, "|"},
		{"", 1, 1, ""},
		{"left|", 0, 1 << 30, "left|"},
	} {
		require.Equal(t, tc.want, trimLanes(tc.s, tc.left, tc.right), tc)
	}
}

func TestAccessibleLanes(t *testing.T) {
	for _, tc := range []struct{ s, access, want string }{
		{"left|through|through|right", "yes|yes|no|yes", "left|through|right"},
		{"left|through", "yes", "left|through"},
		{"left|through", "no|designated", ""},
		{"|left", "yes|yes", "left"},
		{"left|", "yes|yes", "left|"},
		{"left", "yes", "left"},
	} {
		require.Equal(t, tc.want, accessibleLanes(tc.s, tc.access), tc)
	}
}

func TestAllLanesDesignated(t *testing.T) {
	for s, want := range map[string]bool{
		"": false, "designated": true, "designated|designated": true, "designated|": false,
		"|designated": false, "designated|yes": false, "designated|designated|no": false,
	} {
		require.Equal(t, want, allLanesDesignated(s), s)
	}
}

func TestTurnLanes(t *testing.T) {
	for _, tc := range []struct {
		tags              string
		forward, backward string
		lanes             uint8
	}{
		{"turn:lanes=left|right", "left|right", "left|right", 4},
		{"turn:lanes=left|right, oneway=yes", "left|right", "", 2},
		{"turn:lanes=left|right, oneway=-1", "", "left|right", 2},
		{"turn:lanes:forward=left|right, lanes=5", "left|right", "", 5},
		{"turn:lanes:forward=left|x, lanes=2", "left|x", "", 2},
		{"turn:lanes:forward=left||, lanes:psv:forward=1", "left|", "", 2},
		{"turn:lanes:forward=|left|, lanes:bus=1", "left", "", 1},
		{"turn:lanes:forward=|left|, lanes:psv:backward=1", "left|", "", 2},
		{"turn:lanes:backward=|left, lanes:taxi:forward=1", "", "left", 1},
		{"turn:lanes:forward=left|, lanes:psv=x, lanes:bus=1", "left|", "", 2},
		{"turn:lanes:forward=left|right, vehicle:lanes:forward=yes|no, lanes:psv=1", "left", "", 1},
		{"turn:lanes:forward=left|right, vehicle:lanes=no|no", "", "", 0},
	} {
		r := carWay(t, "highway=primary, "+tc.tags)
		require.Equal(t, tc.forward, r.TurnLanesForward, tc.tags)
		require.Equal(t, tc.backward, r.TurnLanesBackward, tc.tags)
		require.Equal(t, tc.lanes, r.NumLanes(), tc.tags)
	}
}

func FuzzTurnLanes(f *testing.F) {
	f.Add("left|through;right|", "yes|no|yes", int32(1), int32(1))
	f.Add("||left||", "", int32(2), int32(0))
	f.Fuzz(func(t *testing.T, s, other string, left, right int32) {
		lanes := ParseTurnLanes(nil, s)
		require.Equal(t, len(lanes), countTurnLanes(s))
		if len(lanes) > 0 {
			require.Equal(t, strings.Count(s, "|")+1, len(lanes))
		}
		same := (s == "") == (other == "") && string(laneBytes(lanes)) == string(laneBytes(ParseTurnLanes(nil, other)))
		require.Equal(t, same, sameTurnLanes(s, other))
		require.True(t, strings.Contains(s, trimLanes(s, left, right)))
		require.LessOrEqual(t, len(accessibleLanes(s, other)), len(s))
	})
}

func laneBytes(lanes []LaneMask) []byte {
	var b []byte
	for _, l := range lanes {
		b = append(b, byte(l), byte(l>>8))
	}
	return b
}
