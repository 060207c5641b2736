package routing

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
)

// TestMatchStream: a stream without a limit to its lag leads where a match does.
func TestMatchStream(t *testing.T) {
	for _, e := range cities(t) {
		rng := rand.New(rand.NewPCG(31, 32))
		session := e.Session()
		compared := 0
		for range 12 {
			route, err := session.Route(t.Context(), RouteRequest{Coordinates: scatter(rng, e, 2), Overview: OverviewFull})
			if err != nil || len(route.Routes[0].Geometry) < 8 {
				continue
			}
			r := MatchRequest{
				Coordinates: route.Routes[0].Geometry, Annotations: AnnotateNodes | AnnotateDistance | AnnotateWays, Details: true,
				Model: MatchModel{DropOutliers: true, StandStill: true},
			}
			for i := range r.Coordinates {
				r.Coordinates[i][0] += 3e-5 * rng.NormFloat64()
				r.Coordinates[i][1] += 3e-5 * rng.NormFloat64()
			}
			want, err := session.Match(t.Context(), r)
			require.NoError(t, err)
			stream, err := session.MatchStream(t.Context(), MatchStreamOptions{Model: r.Model, Lag: -1})
			require.NoError(t, err)
			var got []MatchSettled
			for i, c := range r.Coordinates {
				settled, err := stream.Add(t.Context(), MatchPoint{Coordinate: c})
				require.NoError(t, err)
				got = append(got, settled...)
				require.Equal(t, i+1, len(got)+stream.Pending())
			}
			rest, err := stream.Flush(t.Context())
			require.NoError(t, err)
			got = append(got, rest...)
			require.Len(t, got, len(r.Coordinates))

			meters := 0.0
			for i, s := range got {
				require.Equal(t, int64(i), s.Point)
				require.Equal(t, want.Unmatched[i], s.Unmatched)
				if s.Unmatched != "" {
					continue
				}
				p := want.Tracepoints[i]
				require.Equal(t, p.Location, s.Location)
				require.Equal(t, p.Matching, int(s.Piece))
				require.InDelta(t, p.Distance, s.Distance, 0.01)
				for k, seg := range s.Segments {
					meters += seg.Meters
					if k > 0 {
						require.Equal(t, s.Segments[k-1].Ends[1], seg.Ends[0])
					}
				}
				if n := len(s.Segments); n > 0 {
					require.Equal(t, p.Ends, s.Segments[n-1].Ends)
					require.Equal(t, p.Way, s.Segments[n-1].Way)
					require.InDelta(t, p.Fraction, s.Segments[n-1].To, 1e-9)
				}
			}
			driven := 0.0
			for i := range want.Matchings {
				driven += want.Matchings[i].Distance
			}
			require.InDelta(t, driven, meters, 0.1*float64(len(r.Coordinates)))
			compared++
		}
		session.Close()
		require.Greater(t, compared, 5)
	}
}

func TestMatchStreamFaults(t *testing.T) {
	m := draw(t, blocks)
	session := m.Session()
	for _, bad := range []MatchStreamOptions{{Deviation: -1}, {Deviation: math.NaN()}, {Model: MatchModel{UTurns: 9}}} {
		_, err := session.MatchStream(t.Context(), bad)
		require.ErrorIs(t, err, ErrInvalidOptions)
	}
	_, err := session.MatchStream(t.Context(), MatchStreamOptions{Exclude: []string{"x"}})
	require.ErrorIs(t, err, ErrInvalidValue)
	stream, err := session.MatchStream(t.Context(), MatchStreamOptions{Timed: true})
	require.NoError(t, err)
	points := m.points("12")
	_, err = stream.Add(t.Context(), MatchPoint{Coordinate: orb.Point{0, 91}})
	require.ErrorIs(t, err, ErrInvalidValue)
	_, err = stream.Add(t.Context(), MatchPoint{Coordinate: points[0], Deviation: -1})
	require.ErrorIs(t, err, ErrInvalidOptions)
	_, err = stream.Add(t.Context(), MatchPoint{Coordinate: points[0], Timestamp: 20})
	require.NoError(t, err)
	_, err = stream.Add(t.Context(), MatchPoint{Coordinate: points[1], Timestamp: 10})
	require.ErrorIs(t, err, ErrInvalidValue)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = stream.Add(done, MatchPoint{Coordinate: points[1], Timestamp: 40})
	if err != nil {
		require.ErrorIs(t, err, context.Canceled)
	}
	rest, err := stream.Flush(t.Context())
	require.NoError(t, err)
	require.Len(t, rest, 2)
	require.Zero(t, stream.Pending())
	require.NotEmpty(t, rest[1].Segments)

	session.Close()
	_, err = stream.Flush(t.Context())
	require.ErrorIs(t, err, ErrClosed)
}
