package routing

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// monday is a Monday at midnight, by a clock that is not UTC's.
var monday = time.Date(2026, 11, 30, 0, 0, 0, 0, time.FixedZone("there", 3*3600))

// Each leg is of the metric of the hour in which the one before arrives.
func TestDepartByLegs(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	updatable(t, func(t *testing.T, m *town) {
		// From a to b it takes 30 s, 40 in the rush hour, or 10 at night.
		m.update(slow("", 24), slow("rush", 18), slow("night", 72))
		var week Week
		for hour := range week {
			switch hour % 24 {
			case 7, 8:
				week[hour] = "rush"
			case 9:
				week[hour] = "night"
			}
		}
		require.NoError(t, m.SetWeek(t.Context(), week))
		ask := func(letters string, at time.Duration, change func(*RouteRequest)) (metrics []string, durations []float64) {
			t.Helper()
			r := m.route(letters, func(r *RouteRequest) {
				r.Depart, r.ContinueStraight = monday.Add(at), ContinueFreely
				if change != nil {
					change(r)
				}
			})
			for _, leg := range r.Routes[0].Legs {
				metrics, durations = append(metrics, leg.Metric), append(durations, leg.Duration)
				require.Equal(t, []string{"lua profile", "live"}, leg.Annotation.DatasourceNames)
			}
			require.Len(t, r.Waypoints, len(letters))
			return metrics, durations
		}
		metrics, durations := ask("ab", 7*time.Hour, nil)
		require.Equal(t, []string{"rush"}, metrics)
		require.InDeltaSlice(t, []float64{40}, durations, 0.2)
		before := 7*time.Hour - 50*time.Second
		metrics, durations = ask("abab", before, nil)
		require.Equal(t, []string{"", "", "rush"}, metrics)
		require.InDeltaSlice(t, []float64{30, 30, 40}, durations, 0.2)
		metrics, durations = ask("abab", 9*time.Hour-time.Second, nil)
		require.Equal(t, []string{"rush", "night", "night"}, metrics)
		require.InDeltaSlice(t, []float64{40, 10, 10}, durations, 0.2)
		metrics, durations = ask("abababa", 10*time.Hour-25*time.Second, nil)
		require.Equal(t, []string{"night", "night", "night", "", "", ""}, metrics)
		require.InDeltaSlice(t, []float64{10, 10, 10, 30, 30, 30}, durations, 0.2)
		// A leg over places that are only passed is of one metric.
		metrics, durations = ask("abab", before, func(r *RouteRequest) { r.Waypoints = []int{0, 3} })
		require.Equal(t, []string{""}, metrics)
		require.InDeltaSlice(t, []float64{90}, durations, 0.5)
		metrics, durations = ask("ababa", before, func(r *RouteRequest) { r.Waypoints = []int{0, 2, 4} })
		require.Equal(t, []string{"", "rush"}, metrics)
		require.InDeltaSlice(t, []float64{60, 80}, durations, 0.5)
		// Without a picture costs are the same.
		_, same := ask("abab", before, func(r *RouteRequest) {
			r.Overview, r.Steps = OverviewFalse, true
		})
		require.InDeltaSlice(t, []float64{30, 30, 40}, same, 0.2)
		r, err := Route(t.Context(), m.Engine, RouteRequest{
			Coordinates: m.points("abab"), Depart: monday.Add(before), Overview: OverviewFalse, SkipWaypoints: true, ContinueStraight: ContinueFreely,
		})
		require.NoError(t, err)
		require.InDelta(t, 100, r.Routes[0].Duration, 0.5)
		require.Nil(t, r.Waypoints)

		// Other services are of one metric.
		table, err := Table(t.Context(), m.Engine, TableRequest{Coordinates: m.points("ab"), Depart: monday.Add(9 * time.Hour)})
		require.NoError(t, err)
		require.InDelta(t, 10, table.Durations[0][1], 0.2)
		trip, err := Trip(t.Context(), m.Engine, TripRequest{Coordinates: m.points("ab"), Depart: monday.Add(before)})
		require.NoError(t, err)
		require.InDelta(t, 60, trip.Trips[0].Duration, 0.5)
		s := m.Session()
		stream, err := s.MatchStream(t.Context(), MatchStreamOptions{Depart: monday.Add(9 * time.Hour)})
		require.NoError(t, err)
		for _, p := range m.points("a1b") {
			_, err := stream.Add(t.Context(), MatchPoint{Coordinate: p})
			require.NoError(t, err)
			_, err = s.Nearest(t.Context(), NearestRequest{Coordinate: p})
			require.NoError(t, err)
		}
		_, err = stream.Flush(t.Context())
		require.NoError(t, err)
		s.Close()

		// What hours are of cannot go.
		require.ErrorIs(t, m.DropMetric(t.Context(), "rush"), ErrInvalidValue)
		week[3] = "day"
		require.ErrorIs(t, m.SetWeek(t.Context(), week), ErrInvalidValue)
		require.NoError(t, m.SetWeek(t.Context(), Week{}))
		require.NoError(t, m.DropMetric(t.Context(), "rush"))
		metrics, _ = ask("abab", before, nil)
		require.Equal(t, []string{"", "", ""}, metrics)
		for _, d := range m.current.Load().all() {
			require.Zero(t, d.workspaces.Stats().Lent)
			require.Zero(t, d.queries.state.Load())
		}
	})
}

// A route whose legs change their metric goes on where it has come to, and does not
// turn around there if it need not.
func TestDepartContinuesStraight(t *testing.T) {
	updatable(t, func(t *testing.T, m *town) {
		m.update(slow("", 24), slow("rush", 18))
		var week Week
		week[7] = "rush"
		require.NoError(t, m.SetWeek(t.Context(), week))
		for _, letters := range []string{"a12", "d2ba", "c3", "a1be", "212a"} {
			if len(letters) < 3 {
				continue
			}
			for _, depart := range []time.Duration{0, 7*time.Hour - time.Second, 7 * time.Hour} {
				for _, straight := range []ContinueStraight{ContinueAlways, ContinueFreely} {
					r := RouteRequest{Coordinates: m.points(letters), Depart: monday.Add(depart), ContinueStraight: straight, Annotations: AnnotateAll, Overview: OverviewFull}
					got, err := Route(t.Context(), m.Engine, r)
					require.NoError(t, err)
					plain := r
					plain.Depart, plain.Metric = time.Time{}, got.Routes[0].Legs[0].Metric
					want, err := Route(t.Context(), m.Engine, plain)
					require.NoError(t, err)
					// Of two metrics that differ in a segment alone, the way is the same.
					require.Equal(t, want.Routes[0].Geometry, got.Routes[0].Geometry, "%s %v", letters, depart)
					require.Equal(t, want.Waypoints, got.Waypoints)
				}
			}
		}
	})
}

// Legs of several metrics add up to what each leg costs by itself by its metric.
func TestDepartAgainstSingleLegs(t *testing.T) {
	for a, e := range andorras(t) {
		if Algorithm(a) == CH {
			continue
		}
		rng := rand.New(rand.NewPCG(9, uint64(a)))
		n := e.current.Load().net
		names := []string{"", "one", "two", "three"}
		for _, name := range names {
			_, err := e.Update(t.Context(), Update{Metric: name, Layer: "live", Speeds: slowChanges(rng, changes(rng, n, 0.7, 10))})
			require.NoError(t, err)
		}
		var week Week
		for i := range week {
			week[i] = names[rng.IntN(len(names))]
		}
		require.NoError(t, e.SetWeek(t.Context(), week))
		switched := 0
		for range 20 {
			r := RouteRequest{
				Coordinates: scatter(rng, e, 8), Depart: monday.Add(time.Duration(rng.IntN(HoursOfWeek)) * time.Hour),
				ContinueStraight: ContinueFreely, Overview: OverviewFalse,
			}
			res, err := Route(t.Context(), e, r)
			if err != nil {
				require.ErrorIs(t, err, ErrNoRoute)
				continue
			}
			at := r.Depart
			for i, leg := range res.Routes[0].Legs {
				require.Equal(t, week.At(at), leg.Metric)
				one := r
				one.Coordinates, one.Depart, one.Metric = r.Coordinates[i:i+2], time.Time{}, leg.Metric
				alone, err := Route(t.Context(), e, one)
				require.NoError(t, err)
				require.InDelta(t, alone.Routes[0].Weight, leg.Weight, 1e-6)
				at = at.Add(time.Duration(leg.Duration * float64(time.Second)))
				if i > 0 && leg.Metric != res.Routes[0].Legs[i-1].Metric {
					switched++
				}
			}
		}
		require.NotZero(t, switched)
	}
}

// slowChanges leaves out what closes roads, and makes the rest slow, so that legs take
// hours.
func slowChanges(rng *rand.Rand, list []SegmentSpeed) (slow []SegmentSpeed) {
	for _, s := range list {
		if s.Speed > 0 {
			s.Speed = 0.5 + rng.Float64()
			slow = append(slow, s)
		}
	}
	return slow
}
