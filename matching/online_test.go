package matching

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/pool"
)

func optionsOf(t *Trace, lag int) OnlineOptions {
	return OnlineOptions{Timed: t.Timed, MaxSpeed: t.MaxSpeed, WeightPerSecond: t.WeightPerSecond, Model: t.Model, Lag: lag}
}

// stream feeds a trace and returns all that was settled, and how many points of that
// before the end.
func stream(t *testing.T, o *Online, trace *Trace) (all []Settled, early int) {
	t.Helper()
	keep := func(settled []Settled, err error) {
		require.NoError(t, err)
		for _, s := range settled {
			s.Way.Edges = slices.Clone(s.Way.Edges)
			all = append(all, s)
		}
	}
	for i := range trace.Points {
		keep(o.Add(t.Context(), trace.Points[i]))
		require.Equal(t, i+1, len(all)+o.Pending())
	}
	early = len(all)
	keep(o.Flush(t.Context()))
	require.Zero(t, o.Pending())
	require.Len(t, all, len(trace.Points))
	return all, early
}

// settledOf returns what Match and AppendReasons say in the words of an Online.
func settledOf(m *Matcher, t *Trace, matches []Match) []Settled {
	var out []Settled
	for i, reason := range m.AppendReasons(nil, t, matches) {
		out = append(out, Settled{Point: int64(i), Reason: reason})
	}
	for piece := range matches {
		match := &matches[piece]
		for k, s := range match.Steps {
			at := &match.Steps[s.At]
			x := &out[s.Point]
			x.Piece, x.Place = int64(piece), t.Points[at.Point].Candidates[at.Candidate]
			if k > 0 {
				x.Way = match.Ways[k-1]
				x.Way.Edges = slices.Clone(x.Way.Edges)
			}
		}
	}
	return out
}

// TestOnlineIsMatch: what an Online settles without a limit is what Match finds.
func TestOnlineIsMatch(t *testing.T) {
	city, err := cityOnce()
	require.NoError(t, err)
	memory := pool.New()
	snapper := graph.NewSnapper(city.net, city.metric, memory)
	m := New(city.net, city.metric, city.hierarchy.NewSearch(memory), memory)
	rng := rand.New(rand.NewPCG(7, 8))
	points, early, several := 0, 0, 0
	rounds := 60
	if testing.Short() {
		rounds = 20
	}
	for round := range rounds {
		deviation := []float64{4, 10}[rng.IntN(2)]
		places := city.drive(rng, 100+rng.IntN(100), []float64{8, 30, 200}[rng.IntN(3)], deviation)
		for range 3 {
			places[rng.IntN(len(places))].Lat += int32(rng.IntN(4000) - 2000)
		}
		trace := city.trace(snapper, places, deviation, min(4*deviation, 30), 0)
		trace.Model = Model{Beta: deviation, Stretch: 0.1, Outlier: 5, Hold: float64(3 * rng.IntN(2)), Pace: true}
		trace.Timed, trace.MaxSpeed, trace.Whole = true, 50, true
		if at := 20 + rng.IntN(70); rng.IntN(3) == 0 { // goes on elsewhere, so that there are pieces
			far := city.trace(snapper, city.drive(rng, 30, 30, deviation), deviation, 30, 0)
			trace.Points = append(trace.Points[:at:at], far.Points...)
			for i := at; i < len(trace.Points); i++ {
				trace.Points[i].Time = trace.Points[at-1].Time + int64(i-at+1)
			}
		}
		matches, err := m.Match(t.Context(), trace)
		require.NoError(t, err)
		want := settledOf(m, &trace, matches)
		if len(matches) > 1 {
			several++
		}
		got, first := stream(t, NewOnline(m, optionsOf(&trace, -1)), &trace)
		early += first
		points += len(got)
		require.Equal(t, want, got, "round %d", round)
	}
	t.Logf("%d of %d points settled before the end, %d traces in pieces", early, points, several)
	require.Greater(t, early*10, points*8)
	require.Positive(t, several)
}

// TestOnlineLag: no more points wait than the lag says, and nearly all of them are
// settled as without.
func TestOnlineLag(t *testing.T) {
	city, err := cityOnce()
	require.NoError(t, err)
	memory := pool.New()
	snapper := graph.NewSnapper(city.net, city.metric, memory)
	m := New(city.net, city.metric, city.hierarchy.NewSearch(memory), memory)
	rng := rand.New(rand.NewPCG(9, 10))
	same, points := 0, 0
	for range 10 {
		trace := city.trace(snapper, city.drive(rng, 200, 20, 6), 6, 24, 0)
		trace.Model = Model{Beta: 6, Stretch: 0.1, Outlier: 5, Hold: 3}
		want, _ := stream(t, NewOnline(m, optionsOf(&trace, -1)), &trace)
		o := NewOnline(m, optionsOf(&trace, 10))
		var got []Settled
		for i := range trace.Points {
			settled, err := o.Add(t.Context(), trace.Points[i])
			require.NoError(t, err)
			got = append(got, settled...)
			require.LessOrEqual(t, o.Pending(), 10)
		}
		rest, err := o.Flush(t.Context())
		require.NoError(t, err)
		got = append(got, rest...)
		for i := range want {
			require.Equal(t, want[i].Point, got[i].Point)
			points++
			if want[i].Place.Chain == got[i].Place.Chain {
				same++
			}
		}
	}
	require.Greater(t, same*100, points*97, "%d of %d", same, points)
}

// TestOnlineMemory: a stream of 100,000 points takes no more memory the longer it
// gets.
func TestOnlineMemory(t *testing.T) {
	city, err := cityOnce()
	require.NoError(t, err)
	memory := pool.New()
	snapper := graph.NewSnapper(city.net, city.metric, memory)
	m := New(city.net, city.metric, city.hierarchy.NewSearch(memory), memory)
	rng := rand.New(rand.NewPCG(11, 12))
	count := 100_000
	if testing.Short() {
		count = 10_000
	}
	trace := city.trace(snapper, city.drive(rng, 2000, 15, 5), 5, 20, 0)
	trace.Model = Model{Outlier: 5, Hold: 3}
	o := NewOnline(m, optionsOf(&trace, 0))
	settled, held := int64(0), int64(0)
	add := func(i int) {
		out, err := o.Add(t.Context(), trace.Points[i%len(trace.Points)])
		if err != nil || o.Pending() > DefaultLag || len(out) > 0 && out[0].Point != settled {
			t.Fatal(i, err, o.Pending(), settled)
		}
		settled += int64(len(out))
	}
	for i := range count {
		add(i)
		if i == 2*len(trace.Points) {
			held = memory.Held()
		}
	}
	require.Equal(t, held, memory.Held())
	i := count
	require.Zero(t, testing.AllocsPerRun(3000, func() { add(i); i++ }))
	_, err = o.Flush(t.Context())
	require.NoError(t, err)
}

func TestOnlinePieces(t *testing.T) {
	w, trace := line(6)
	trace.Model.Outlier = 5
	for i := range 3 {
		for j := 3; j < 6; j++ {
			w.meters[i][j] = math.Inf(1)
		}
	}
	all, _ := stream(t, NewOnline(w.matcher(), optionsOf(&trace, 0)), &trace)
	var pieces []int64
	for _, s := range all {
		require.Equal(t, Matched, s.Reason)
		pieces = append(pieces, s.Piece)
	}
	require.Equal(t, []int64{0, 0, 0, 1, 1, 1}, pieces)

	// A gap in time parts it too, and what is between and alone is told so.
	w, trace = line(6)
	trace.Model.Outlier, trace.Timed, trace.MaxSpeed = 5, true, 50
	for i, at := range []int64{0, 10, 200, 400, 410, 420} {
		trace.Points[i].Time = at
	}
	trace.Points[4].Candidates = nil
	options := optionsOf(&trace, 0)
	options.Gap = 100
	o := NewOnline(w.matcher(), options)
	for range 2 { // a second trace is numbered on
		all, _ = stream(t, o, &trace)
		var reasons []Reason
		for _, s := range all {
			reasons = append(reasons, s.Reason)
		}
		require.Equal(t, []Reason{Matched, Matched, Alone, Matched, NoSegment, Matched}, reasons)
	}
	require.Equal(t, int64(11), all[5].Point)
	require.Equal(t, int64(3), all[5].Piece)

	// Where there are no roads, nothing waits and nothing is kept.
	memory := pool.New()
	o = NewOnline(New(&graph.Network{}, nil, w, memory), options)
	for i := range 3000 {
		p := trace.Points[i%2]
		p.Time = int64(i)
		if i > 1 {
			p.Candidates = nil
		}
		_, err := o.Add(t.Context(), p)
		require.NoError(t, err)
		require.LessOrEqual(t, o.Pending(), DefaultLag)
	}
	require.LessOrEqual(t, len(o.trace.Points), 4*keptPoints)
	_, err := o.Flush(t.Context())
	require.NoError(t, err)

	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = o.Add(done, trace.Points[0])
	require.NoError(t, err, "the first point needs no search")
	_, err = o.Add(done, trace.Points[1])
	require.ErrorIs(t, err, context.Canceled)
	rest, err := o.Flush(t.Context())
	require.NoError(t, err)
	require.Len(t, rest, 2, "both count")
}
