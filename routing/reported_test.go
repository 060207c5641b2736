package routing

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

// Cases that users of routing engines have reported, each asked of all algorithms.

func onEach(t *testing.T, d testmap.Drawing, run func(t *testing.T, m *town)) {
	t.Helper()
	for a := range algorithmNames {
		t.Run(Algorithm(a).String(), func(t *testing.T) { run(t, drawWith(t, d, Options{Algorithm: Algorithm(a)})) })
	}
}

// table returns durations and distances between letters.
func (m *town) table(letters string, sources, destinations []int) *TableResponse {
	m.t.Helper()
	res, err := Table(m.t.Context(), m.Engine, TableRequest{
		Coordinates: m.points(letters), Sources: sources, Destinations: destinations,
		Annotations: TableDurations | TableDistances,
	})
	require.NoError(m.t, err)
	return res
}

// Both coordinates lie on one one-way street, the second behind the first.
func TestBackAroundTheBlock(t *testing.T) {
	onEach(t, testmap.Drawing{
		Map: `
			a-1-2-b
			|     |
			|     |
			d-----c`,
		Ways: []testmap.Row{{"a12b", "oneway=yes"}, {"bcda", ""}},
	}, func(t *testing.T, m *town) {
		require.InDelta(t, 100, m.route("12", nil).Routes[0].Distance, 1)
		require.InDelta(t, 1100, m.route("21", nil).Routes[0].Distance, 1)
		whole := m.table("12", nil, nil)
		require.InDelta(t, 1100, whole.Distances[1][0], 1)
		require.Zero(t, whole.Durations[0][0])
		require.Zero(t, whole.Durations[1][1])
		for i := range 2 {
			for j := range 2 {
				one := m.table("12", []int{i}, []int{j})
				require.Equal(t, whole.Durations[i][j], one.Durations[0][0])
				require.Equal(t, whole.Distances[i][j], one.Distances[0][0])
			}
		}
		turned := m.table("21", nil, nil)
		require.Equal(t, whole.Distances[1][0], turned.Distances[0][1])
	})
}

// The place nearest to a coordinate is where several one-way streets begin, or end.
func TestManyOneWaysFromOnePlace(t *testing.T) {
	for name, tags := range map[string]string{"from": "oneway=yes", "to": "oneway=-1"} {
		t.Run(name, func(t *testing.T) {
			onEach(t, testmap.Drawing{
				Map: `
					a   e   c
					 \  |  /
					  \ | /
					    d

					    1`,
				Ways: []testmap.Row{{"da", tags}, {"de", tags}, {"dc", tags}},
			}, func(t *testing.T, m *town) {
				meters := map[rune]float64{'a': 361, 'e': 300, 'c': 361}
				for end, want := range meters {
					ends := "1" + string(end)
					if name == "to" {
						ends = string(end) + "1"
					}
					require.InDelta(t, want, m.route(ends, nil).Routes[0].Distance, 1, ends)
					require.InDelta(t, want, m.table(ends, nil, nil).Distances[0][1], 1, ends)
				}
			})
		})
	}
}

// A dead street on which both ends must be reached along the curb.
func TestCurbOnADeadStreet(t *testing.T) {
	onEach(t, testmap.Drawing{
		Map: `
			    1   2
			a-------------b`,
		Ways: []testmap.Row{{"ab", ""}},
		Cell: 60,
	}, func(t *testing.T, m *town) {
		curb := func(r *RouteRequest) { r.Approaches = []Approach{ApproachCurb, ApproachCurb} }
		length := 7 * 60.0
		require.InDelta(t, 120, m.route("21", curb).Routes[0].Distance, 1)
		// West to a, back east to b, and west again.
		require.InDelta(t, 2*length-120, m.route("12", curb).Routes[0].Distance, 1)
		res, err := Table(t.Context(), m.Engine, TableRequest{
			Coordinates: m.points("12"), Approaches: []Approach{ApproachCurb, ApproachCurb}, Annotations: TableDistances,
		})
		require.NoError(t, err)
		require.InDelta(t, 2*length-120, res.Distances[0][1], 1)
		require.InDelta(t, 120, res.Distances[1][0], 1)
	})
}

// A stub that goes on as a one-way street with nothing behind it is a place to turn
// round.
func TestTurnRoundBeforeAOneWay(t *testing.T) {
	for _, oneway := range []string{"de", "ed"} {
		onEach(t, testmap.Drawing{
			Map: `
				a-b-c
				  |
				  d-e`,
			Ways: []testmap.Row{{"abc", ""}, {"bd", ""}, {oneway, "oneway=yes"}},
		}, func(t *testing.T, m *town) {
			res := m.route("adc", func(r *RouteRequest) { r.ContinueStraight = ContinueAlways })
			require.InDelta(t, 300, res.Routes[0].Legs[0].Distance, 1)
			require.InDelta(t, 300, res.Routes[0].Legs[1].Distance, 1)
		})
	}
}

// A turn that is faster than free swallows time, but none is negative.
func TestNegativePenalty(t *testing.T) {
	d := testmap.Drawing{
		Map:  `a---b---c---d`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"cd", ""}},
	}
	folder := t.TempDir()
	penalties := filepath.Join(folder, "penalties.csv")
	ids := func(letters string) (text []string) {
		for _, l := range letters {
			text = append(text, strconv.FormatInt(d.NodeID(l), 10))
		}
		return text
	}
	require.NoError(t, os.WriteFile(penalties, []byte(strings.Join(ids("bcd"), ",")+",-70,0\n"), 0o600))
	data, err := d.OSM()
	require.NoError(t, err)
	for a := range algorithmNames {
		a := Algorithm(a)
		e := build(t, BuildOptions{
			Input: "town.osm", Reader: bytes.NewReader(data), Algorithms: []Algorithm{a}, Updates: Updates{TurnPenalties: []string{penalties}},
		}, Options{Algorithm: a})
		m := &town{e, t, d}
		res := m.route("ad", func(r *RouteRequest) { r.Steps = true })
		for _, s := range res.Routes[0].Legs[0].Steps {
			require.GreaterOrEqual(t, s.Duration, 0.0, "%v", a)
		}
		for _, s := range res.Routes[0].Legs[0].Annotation.Duration {
			require.GreaterOrEqual(t, s, 0.0, "%v", a)
		}
		require.Positive(t, res.Routes[0].Duration)
		require.InDelta(t, res.Routes[0].Duration, m.table("ad", nil, nil).Durations[0][1], 1e-9, "%v", a)
	}
}

// There and never back.
func TestNoWayBack(t *testing.T) {
	onEach(t, testmap.Drawing{Map: `x-y`, Ways: []testmap.Row{{"xy", "oneway=yes"}}}, func(t *testing.T, m *town) {
		res := m.table("xy", nil, nil)
		require.Equal(t, math.Inf(1), res.Durations[1][0])
		require.Equal(t, math.Inf(1), res.Distances[1][0])
		require.Positive(t, res.Durations[0][1])
		require.Contains(t, string(res.AppendJSON(nil)), "[null,0]")
	})
}

// Limits beyond 32 bits are limits, and what exceeds them fails at once.
func TestHugeTables(t *testing.T) {
	const side = 174_000
	e := drawWith(t, testmap.Drawing{Map: `x-y`, Ways: []testmap.Row{{"xy", ""}}}, Options{}).Engine
	huge := e.Info().Bounds.Min
	r := TableRequest{Coordinates: make([]orb.Point, side)}
	for i := range r.Coordinates {
		r.Coordinates[i] = huge
	}
	limited := Limits{TableCells: side * side}
	require.NoError(t, limited.CheckTable(&TableRequest{Coordinates: r.Coordinates[:2]}))
	require.NoError(t, limited.CheckTable(&r))
	limited.TableCells--
	require.ErrorIs(t, limited.CheckTable(&r), ErrTooBig)
}

// A coordinate before the beginning of a one-way street.
func TestNearestBeforeAOneWay(t *testing.T) {
	onEach(t, testmap.Drawing{Map: `1 a-x-b`, Ways: []testmap.Row{{"axb", "oneway=yes"}}}, func(t *testing.T, m *town) {
		res, err := Nearest(t.Context(), m.Engine, NearestRequest{Coordinate: m.at('1')})
		require.NoError(t, err)
		require.InDelta(t, 100, res.Waypoints[0].Distance, 0.5)
		require.Equal(t, [2]int64{m.drawing.NodeID('a'), m.drawing.NodeID('x')}, res.Waypoints[0].Nodes)
	})
}

// A trace around a corner, and one past it by a side street that is very near.
func TestMatchAroundACorner(t *testing.T) {
	onEach(t, testmap.Drawing{
		Map: `
			    e
			    |
			a-h-b-c
			    |
			    d`,
		Ways: []testmap.Row{{"ahbc", ""}, {"ebd", ""}},
		Cell: 10,
	}, func(t *testing.T, m *town) {
		for _, trace := range []string{"abd", "ahd"} {
			res, err := Match(t.Context(), m.Engine, MatchRequest{
				Coordinates: m.points(trace), Waypoints: []int{0, 2}, Steps: true, Overview: OverviewFull,
			})
			require.NoError(t, err)
			require.Len(t, res.Matchings, 1)
			legs := res.Matchings[0].Legs
			require.Len(t, legs, 1)
			var kinds []string
			for _, s := range legs[0].Steps {
				kinds = append(kinds, s.Maneuver.Type)
			}
			require.Equal(t, []string{"depart", "turn", "arrive"}, kinds, trace)
		}
	})
}

// One arm of a crossing of dual carriageways has no turn left that is allowed.
func TestArmWithoutATurn(t *testing.T) {
	onEach(t, testmap.Drawing{
		Map: `
			    i j
			    | |
			a---b-c---d
			    | |
			e---f-g---h
			    | |
			    k l`,
		Ways: []testmap.Row{
			{"dcba", "oneway=yes"}, {"efgh", "oneway=yes"}, {"ibfk", "oneway=yes"}, {"lgcj", "oneway=yes turn:lanes=left|through"},
		},
		Relations: []testmap.Row{
			{"from=lgcj via=g to=efgh", "type=restriction restriction=no_right_turn"},
			{"from=lgcj via=g to=lgcj", "type=restriction restriction=no_straight_on"},
		},
	}, func(t *testing.T, m *town) {
		_, err := Route(t.Context(), m.Engine, request(&m.drawing, "lj"))
		if err != nil {
			require.ErrorIs(t, err, ErrNoRoute)
		}
		res := m.route("eh", func(r *RouteRequest) { r.Steps = true })
		require.NotEmpty(t, res.Routes[0].Legs[0].Steps)
		m.route("ik", func(r *RouteRequest) { r.Steps = true })
	})
}

// A heavy request that is given up ends soon, and others are served meanwhile.
func TestHeavyRequestGivenUp(t *testing.T) {
	for a, e := range cities(t) {
		ctx, cancel := context.WithCancel(t.Context())
		r := TableRequest{}
		box := e.Info().Bounds
		for i := range 3000 {
			r.Coordinates = append(r.Coordinates, orb.Point{
				box.Min[0] + (box.Max[0]-box.Min[0])*float64(i%60)/60, box.Min[1] + (box.Max[1]-box.Min[1])*float64(i/60)/50,
			})
		}
		ended := make(chan error, 1)
		go func() {
			_, err := Table(ctx, e, r)
			ended <- err
		}()
		for i := range 20 {
			_, err := Route(t.Context(), e, RouteRequest{Coordinates: r.Coordinates[i : i+2]})
			if err != nil {
				require.True(t, errors.Is(err, ErrNoRoute), err)
			}
		}
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				require.ErrorIs(t, err, context.Canceled)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%v goes on", Algorithm(a))
		}
		require.Zero(t, e.current.Load().workspaces.Stats().Lent)
	}
}
