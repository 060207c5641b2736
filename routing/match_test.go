package routing

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

var blocks = testmap.Drawing{
	Map: `
		a-1---2-b-3---4-c
		        |       |
		        5       6
		        |       |
		d-------e-7---8-f

		0`,
	Ways: []testmap.Row{{"abc", ""}, {"def", ""}, {"be", ""}, {"cf", ""}},
}

// match asks for the way of a trace of letters.
func (m *town) match(letters string, change func(*MatchRequest)) *MatchResponse {
	m.t.Helper()
	r := MatchRequest{Coordinates: m.points(letters), Overview: OverviewFull, Annotations: AnnotateAll}
	if change != nil {
		change(&r)
	}
	res, err := Match(m.t.Context(), m.Engine, r)
	require.NoError(m.t, err, letters)
	return res
}

func TestMatch(t *testing.T) {
	m := draw(t, blocks)
	res := m.match("1257", nil)
	require.Len(t, res.Matchings, 1)
	way := &res.Matchings[0]
	require.Len(t, way.Legs, 3)
	require.InDelta(t, 200+100+200+200+100, way.Distance, 1)
	require.Less(t, way.Confidence, 0.01, "the trace cuts the corners")
	require.Greater(t, m.match("12b5e7", nil).Matchings[0].Confidence, 0.9)
	for i, w := range res.Tracepoints {
		require.Equal(t, i, w.Position)
		require.Zero(t, w.Matching)
		require.InDelta(t, 0, w.Distance, 0.1)
		require.NotEmpty(t, w.Hint)
	}
	var stretch float64
	for _, leg := range way.Legs {
		stretch += leg.Distance
	}
	require.InDelta(t, way.Distance, stretch, 1e-6)

	joined := m.match("1257", func(r *MatchRequest) {
		r.Waypoints, r.NoHints, r.Steps = []int{3, 0}, true, true
	})
	require.Len(t, joined.Matchings[0].Legs, 1)
	require.Equal(t, "abef", m.nodes(&joined.Matchings[0].Legs[0]))
	require.Equal(t, []int{0, -1, -1, 1}, positions(joined))
	require.NotEmpty(t, joined.Matchings[0].Legs[0].Steps)
	require.Len(t, joined.Matchings[0].Geometry, 4, "what is only passed leaves no trace in the line")
	require.InDelta(t, way.Distance, joined.Matchings[0].Distance, 0.5)

	apart := m.match("12034", nil)
	require.Nil(t, apart.Tracepoints[2], "nothing is near")
	require.Len(t, apart.Matchings, 1)
	require.Equal(t, 1, apart.Tracepoints[3].Position)
	require.Nil(t, apart.Tracepoints[1], "either end of a break may be wrong")
	require.Nil(t, m.match("12", func(r *MatchRequest) { r.SkipWaypoints = true }).Tracepoints)
}

// positions returns the waypoint index of each point that was matched.
func positions(res *MatchResponse) []int {
	var out []int
	for _, w := range res.Tracepoints {
		out = append(out, w.Position)
	}
	return out
}

func TestMatchGaps(t *testing.T) {
	m := draw(t, blocks)
	times := func(r *MatchRequest) { r.Timestamps = []int64{10, 20, 30, 900, 910} }
	parted := m.match("12348", times)
	require.Len(t, parted.Matchings, 2)
	require.Equal(t, []int{0, 1, 2, 0, 1}, positions(parted))
	require.Equal(t, 1, parted.Tracepoints[4].Matching)
	whole := m.match("12348", func(r *MatchRequest) { times(r); r.IgnoreGaps = true })
	require.Len(t, whole.Matchings, 1)
	_, err := Match(t.Context(), m.Engine, MatchRequest{
		Coordinates: m.points("12348"), Timestamps: []int64{10, 20, 30, 900, 910}, Waypoints: []int{0, 4},
	})
	require.ErrorIs(t, err, ErrNoMatch, "waypoints need one piece")
}

func TestMatchTidy(t *testing.T) {
	m := draw(t, blocks)
	points := m.points("112")
	points[1][0] += 0.00001
	r := MatchRequest{Coordinates: points, Tidy: true, Waypoints: []int{0, 1, 2}}
	res, err := Match(t.Context(), m.Engine, r)
	require.NoError(t, err)
	require.Nil(t, res.Tracepoints[1])
	require.Equal(t, 1, res.Tracepoints[2].Position, "the second waypoint is where the first is")
	require.Len(t, res.Matchings[0].Legs, 1)
	r.Tidy = false
	res, err = Match(t.Context(), m.Engine, r)
	require.NoError(t, err)
	require.Len(t, res.Matchings[0].Legs, 2)
}

func TestMatchFaults(t *testing.T) {
	m := draw(t, blocks)
	points := m.points("12")
	for name, c := range map[string]struct {
		r    MatchRequest
		want Code
		at   int
	}{
		"one place":             {MatchRequest{Coordinates: points[:1]}, ErrInvalidOptions, -1},
		"times of other length": {MatchRequest{Coordinates: points, Timestamps: []int64{1}}, ErrInvalidOptions, -1},
		"radius without limit":  {MatchRequest{Coordinates: points, Radiuses: []float64{0, Unlimited}}, ErrInvalidOptions, 1},
		"waypoint out of range": {MatchRequest{Coordinates: points, Waypoints: []int{0, 2}}, ErrInvalidOptions, -1},
		"overview":              {MatchRequest{Coordinates: points, Overview: 9}, ErrInvalidOptions, -1},
		"approach":              {MatchRequest{Coordinates: points, Approaches: []Approach{0, 9}}, ErrInvalidOptions, 1},
		"descending times":      {MatchRequest{Coordinates: points, Timestamps: []int64{2, 1}}, ErrInvalidValue, 1},
		"off the globe":         {MatchRequest{Coordinates: []orb.Point{points[0], {0, 99}}}, ErrInvalidValue, 1},
		"ends":                  {MatchRequest{Coordinates: points, Waypoints: []int{0}}, ErrInvalidValue, -1},
		"exclude":               {MatchRequest{Coordinates: points, Exclude: []string{"x"}}, ErrInvalidValue, -1},
		"far from roads":        {MatchRequest{Coordinates: m.points("00")}, ErrNoSegment, -1},
		"one place with a road": {MatchRequest{Coordinates: m.points("01")}, ErrNoMatch, -1},
		"too fast":              {MatchRequest{Coordinates: points, Timestamps: []int64{5, 5}}, ErrNoMatch, -1},
		"waypoint without road": {MatchRequest{Coordinates: m.points("102"), Waypoints: []int{0, 1, 2}}, ErrNoMatch, -1},
	} {
		_, err := Match(t.Context(), m.Engine, c.r)
		require.ErrorIs(t, err, c.want, name)
		require.Equal(t, c.at, err.(*Error).Index, name)
	}
	few := drawWith(t, blocks, Options{Limits: Limits{MatchCoordinates: 2, MatchRadius: 10}})
	_, err := Match(t.Context(), few.Engine, MatchRequest{Coordinates: m.points("123")})
	require.ErrorIs(t, err, ErrTooBig)
	_, err = Match(t.Context(), few.Engine, MatchRequest{Coordinates: points, Radiuses: []float64{0, 11}})
	require.ErrorIs(t, err, ErrTooBig)
}

// TestMatchFollowsRoute: the trace of a route gives the route, with either
// algorithm.
func TestMatchFollowsRoute(t *testing.T) {
	for _, e := range cities(t) {
		rng := rand.New(rand.NewPCG(21, 22))
		session := e.Session()
		same, all := 0, 0
		for range 30 {
			route, err := session.Route(t.Context(), RouteRequest{Coordinates: scatter(rng, e, 2), Overview: OverviewFull})
			if err != nil || route.Routes[0].Distance < 300 {
				continue
			}
			line := route.Routes[0].Geometry
			res, err := session.Match(t.Context(), MatchRequest{Coordinates: line})
			require.NoError(t, err)
			all++
			if len(res.Matchings) == 1 && near(res.Matchings[0].Distance, route.Routes[0].Distance, 0.06*float64(len(line))) {
				same++
			}
		}
		session.Close()
		require.Greater(t, all, 15)
		require.GreaterOrEqual(t, same*10, all*9, "%d of %d", same, all)
	}
}

// TestMatchFarRoads: radiuses of kilometers cost no more than some hundred roads do.
func TestMatchFarRoads(t *testing.T) {
	for _, e := range cities(t) {
		rng := rand.New(rand.NewPCG(25, 26))
		r := MatchRequest{Coordinates: scatter(rng, e, 5), Radiuses: make([]float64, 5)}
		for i := range r.Radiuses {
			r.Radiuses[i] = 5000
		}
		session := e.Session()
		_, err := session.Match(t.Context(), r)
		require.NoError(t, err)
		require.LessOrEqual(t, len(session.w.traces.phantoms), 5*mostCandidates)
		session.Close()
	}
}

func TestMatchCancel(t *testing.T) {
	for _, e := range cities(t) {
		rng := rand.New(rand.NewPCG(23, 24))
		r := MatchRequest{Coordinates: scatter(rng, e, 3000), Radiuses: make([]float64, 3000)}
		for i := range r.Radiuses {
			r.Radiuses[i] = []float64{100, 5000}[i%2]
		}
		late := cancelLate(t, func(ctx context.Context) error {
			_, err := Match(ctx, e, r)
			return err
		})
		require.Less(t, late, 50*time.Millisecond*slowness)
		require.Zero(t, e.current.Load().workspaces.Stats().Lent)
	}
}
