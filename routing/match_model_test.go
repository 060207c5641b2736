package routing

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/matching"
)

// walk returns places along the line of letters, so many meters apart, moved to the
// side and along by the given functions of their number.
func (m *town) walk(letters string, apart float64, noise func(i int) (east, north float64)) []orb.Point {
	line := m.points(letters)
	const perDegree = 111_195
	var out []orb.Point
	rest := 0.0
	for i := range len(line) - 1 {
		dx, dy := (line[i+1][0]-line[i][0])*perDegree, (line[i+1][1]-line[i][1])*perDegree
		length := math.Hypot(dx, dy)
		for ; rest < length; rest += apart {
			e, n := noise(len(out))
			out = append(out, orb.Point{
				line[i][0] + (dx*rest/length+e)/perDegree,
				line[i][1] + (dy*rest/length+n)/perDegree,
			})
		}
		rest -= length
	}
	return out
}

// long is a road with side roads, on the equator; letters are 100 m apart.
var long = testmap.Drawing{
	Map: `
		f       g
		|       |
		a--b--c-d--e--i
		|       |
		h       k`,
	Ways: []testmap.Row{{"abcdei", ""}, {"af", ""}, {"dg", ""}, {"ah", ""}, {"dk", ""}},
}

func TestMatchModel(t *testing.T) {
	m := draw(t, long)
	rng := rand.New(rand.NewPCG(1, 2))
	whole := func(model MatchModel, points []orb.Point, change func(*MatchRequest)) *MatchResponse {
		t.Helper()
		r := MatchRequest{Coordinates: points, Model: model, Details: true}
		if change != nil {
			change(&r)
		}
		res, err := Match(t.Context(), m.Engine, r)
		require.NoError(t, err)
		return res
	}
	length := func(res *MatchResponse) (sum float64) {
		for i := range res.Matchings {
			sum += res.Matchings[i].Distance
		}
		return sum
	}
	noisy := m.walk("ai", 20, func(int) (float64, float64) { return 12 * rng.NormFloat64(), 12 * rng.NormFloat64() })

	// The noise is found, and with it a way that does not turn around.
	want := whole(RobustModel(), noisy, nil)
	require.Len(t, want.Matchings, 1)
	require.InDelta(t, 12, want.Deviation, 6)
	road := length(want)
	plain := whole(MatchModel{}, noisy, nil)
	require.Zero(t, plain.Deviation)
	require.Greater(t, math.Abs(length(plain)-road), 100.0, "σ 5 has it wrong")
	for i, p := range want.Tracepoints {
		require.Equal(t, p == nil, want.Unmatched[i] != "")
	}

	// An outlier goes alone.
	straight := m.walk("ai", 60, func(i int) (float64, float64) { return 0, float64(i%3 - 1) })
	straight[5][1] += 0.003
	dropped := whole(MatchModel{DropOutliers: true}, straight, nil)
	require.Nil(t, dropped.Tracepoints[5])
	require.Equal(t, UnmatchedNoSegment, dropped.Unmatched[5])
	require.NotNil(t, dropped.Tracepoints[4])
	kept := whole(MatchModel{}, straight, nil)
	require.Nil(t, kept.Tracepoints[4])
	require.Equal(t, UnmatchedBeside, kept.Unmatched[4])

	// Steps that are slow on the map part the trace without BridgeGaps.
	gap := append(append([]orb.Point{}, straight[:4]...), straight[8:]...)
	times := make([]int64, len(gap))
	for i := range times {
		times[i] = int64(10 * i)
		if i > 3 {
			times[i] += 1000
		}
	}
	at := func(r *MatchRequest) { r.Timestamps = times }
	require.Len(t, whole(MatchModel{}, gap, at).Matchings, 2)
	require.Len(t, whole(MatchModel{BridgeGaps: true}, gap, at).Matchings, 1)

	// A vehicle that falls back stands still.
	back := m.walk("ai", 30, func(int) (float64, float64) { return 0, 0 })
	back[3], back[4] = back[4], back[3]
	still := whole(MatchModel{StandStill: true, UTurns: UTurnsNever}, back, func(r *MatchRequest) {
		r.Radiuses = make([]float64, len(back))
		for i := range back {
			r.Radiuses[i] = 11
		}
	})
	require.Len(t, still.Matchings, 1)
	require.InDelta(t, 30*float64(len(back)-1), length(still), 3)
	require.Equal(t, still.Tracepoints[4].Location, still.Tracepoints[3].Location)
	require.InDelta(t, 30, still.Tracepoints[3].Distance, 0.5)
}

func TestMatchDetails(t *testing.T) {
	m := draw(t, long)
	res, err := Match(t.Context(), m.Engine, MatchRequest{Coordinates: m.points("cd"), Details: true})
	require.NoError(t, err)
	first, last := res.Tracepoints[0], res.Tracepoints[1]
	require.Equal(t, first.Way, last.Way)
	require.Positive(t, first.Way)
	require.Contains(t, []float64{0, 1}, first.Fraction)
	back, err := Match(t.Context(), m.Engine, MatchRequest{Coordinates: m.points("dc"), Details: true})
	require.NoError(t, err)
	require.Equal(t, -first.Way, back.Tracepoints[0].Way)

	halfway := m.points("cd")
	halfway[0][0] = (halfway[0][0]+halfway[1][0])/2 + 1e-6
	res, err = Match(t.Context(), m.Engine, MatchRequest{Coordinates: halfway, Details: true, Tidy: true})
	require.NoError(t, err)
	require.InDelta(t, 0.5, res.Tracepoints[0].Fraction, 0.01)
	var answer struct {
		Tracepoints []struct {
			Way      int64
			Nodes    []int64
			Fraction float64
		}
		Unmatched []*string
	}
	require.NoError(t, json.Unmarshal(res.AppendJSON(nil), &answer))
	require.Equal(t, res.Tracepoints[0].Ends[:], answer.Tracepoints[0].Nodes)
	require.Equal(t, res.Tracepoints[0].Way, answer.Tracepoints[0].Way)
	require.Equal(t, []*string{nil, nil}, answer.Unmatched)

	tidied := append(m.points("cc"), m.points("d")...)
	res, err = Match(t.Context(), m.Engine, MatchRequest{Coordinates: tidied, Details: true, Tidy: true})
	require.NoError(t, err)
	require.Equal(t, []Unmatched{"", UnmatchedTidied, ""}, res.Unmatched)
	require.NoError(t, json.Unmarshal(res.AppendJSON(nil), &answer))
	require.Equal(t, "Tidied", *answer.Unmatched[1])
}

func TestMatchModelFaults(t *testing.T) {
	m := draw(t, long)
	_, err := Match(t.Context(), m.Engine, MatchRequest{Coordinates: m.points("ab"), Model: MatchModel{UTurns: 9}})
	require.ErrorIs(t, err, ErrInvalidOptions)
}

// TestNoiseIsLimited: what a server allows at most, an estimate does not exceed.
func TestNoiseIsLimited(t *testing.T) {
	n := noise{firstDeviation, firstRadius}
	require.True(t, n.refine(matching.Fit{Deviation: 40, Points: 9}, 25))
	require.Equal(t, noise{25, 100}, n)
	require.False(t, n.refine(matching.Fit{Deviation: 26, Points: 9}, 30))
	require.False(t, n.refine(matching.Fit{}, 30))
}
