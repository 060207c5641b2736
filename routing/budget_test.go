package routing

import (
	"errors"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
)

// What a request may do is bounded by the search nodes that it settles, whichever
// service it asks, and what is enough is enough again.
func TestWork(t *testing.T) {
	// Andorra from its south to its north, by way of the capital.
	places := []orb.Point{{1.465, 42.437}, {1.523, 42.507}, {1.731, 42.543}, {1.487, 42.556}, {1.602, 42.579}}
	for a, free := range andorras(t) {
		t.Run(Algorithm(a).String(), func(t *testing.T) {
			var took int
			opt := free.opt
			opt.Observe = func(o Observation) { took = o.Settled }
			parts := *free.current.Load().parts
			ask := func(limit int, f func(s *Session) error) error {
				opt.Limits.Work = limit
				e := newEngine(parts, opt)
				s := e.Session()
				defer s.Close()
				var last error
				for range 3 {
					last = f(s)
				}
				return last
			}
			route, err := Route(t.Context(), free, RouteRequest{Coordinates: places[:2], Overview: OverviewFull})
			require.NoError(t, err)
			trace := MatchRequest{Coordinates: route.Routes[0].Geometry}
			for name, f := range map[string]func(s *Session) error{
				"route": func(s *Session) error {
					_, err := s.Route(t.Context(), RouteRequest{Coordinates: places})
					return err
				},
				"alternatives": func(s *Session) error {
					_, err := s.Route(t.Context(), RouteRequest{Coordinates: places[:2], Alternatives: 3})
					return err
				},
				"match": func(s *Session) error {
					_, err := s.Match(t.Context(), trace)
					return err
				},
				"table": func(s *Session) error {
					_, err := s.Table(t.Context(), TableRequest{Coordinates: places})
					return err
				},
				"trip": func(s *Session) error {
					_, err := s.Trip(t.Context(), TripRequest{Coordinates: places})
					return err
				},
			} {
				t.Run(name, func(t *testing.T) {
					require.NoError(t, ask(0, f))
					enough := took
					require.Positive(t, enough)
					require.NoError(t, ask(4*enough+1000, f))
					err := ask(1, f)
					require.ErrorIs(t, err, ErrTooBig)
					var fault *Error
					require.True(t, errors.As(err, &fault))
					require.EqualValues(t, 1, fault.Limit)
				})
			}
		})
	}
	require.ErrorContains(t, (&Options{Limits: Limits{Work: -1}}).Validate(), "Limits.Work is -1")
}
