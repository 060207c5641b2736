package routing

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
)

// The answers of OSRM are described in their folder. What package httpapi
// compares, routes and nearest, is not compared here.

// osrmCase is a query with OSRM's answer.
type osrmCase struct {
	Query  string
	Answer struct {
		Code                  string
		Durations, Distances  [][]*float64
		Sources, Destinations []osrmWaypoint
		Trips, Matchings      []osrmRoute
		Waypoints             []osrmWaypoint
		Tracepoints           []*osrmWaypoint
	}
}

type osrmWaypoint struct {
	Location          orb.Point
	WaypointIndex     *int `json:"waypoint_index"`
	MatchingsIndex    int  `json:"matchings_index"`
	AlternativesCount int  `json:"alternatives_count"`
}

type osrmRoute struct {
	Distance, Duration, Weight, Confidence float64
	Geometry                               string
	Legs                                   []struct{ Distance, Duration float64 }
}

func readOSRM(t testing.TB, path string) []osrmCase {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var cases []osrmCase
	require.NoError(t, json.NewDecoder(z).Decode(&cases))
	require.NotEmpty(t, cases)
	return cases
}

// osrmQuery is a query in parts.
type osrmQuery struct {
	t       testing.TB
	service string
	points  []orb.Point
	options url.Values
}

func parseOSRM(t testing.TB, query string) osrmQuery {
	path, options, _ := strings.Cut(query, "?")
	parts := strings.Split(path, "/")
	q := osrmQuery{t: t, service: parts[1], options: url.Values{}}
	for _, text := range strings.Split(parts[4], ";") {
		lon, lat, _ := strings.Cut(text, ",")
		q.points = append(q.points, orb.Point{q.number(lon), q.number(lat)})
	}
	for _, option := range strings.Split(options, "&") {
		key, value, _ := strings.Cut(option, "=")
		q.options.Set(key, value)
	}
	return q
}

func (q *osrmQuery) number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(q.t, err)
	return v
}

// numbers returns the values of a list, 0 where one is empty.
func (q *osrmQuery) numbers(key string) []float64 {
	var list []float64
	if text := q.options.Get(key); text != "" {
		for _, one := range strings.Split(text, ";") {
			v := 0.0
			if one != "" {
				v = q.number(one)
			}
			list = append(list, v)
		}
	}
	return list
}

func (q *osrmQuery) indices(key string) []int {
	var list []int
	for _, v := range q.numbers(key) {
		list = append(list, int(v))
	}
	return list
}

func (q *osrmQuery) table() TableRequest {
	return TableRequest{
		Coordinates: q.points, Sources: q.indices("sources"), Destinations: q.indices("destinations"),
		Annotations: TableDurations | TableDistances, Radiuses: q.numbers("radiuses"),
	}
}

func (q *osrmQuery) trip() TripRequest {
	return TripRequest{
		Coordinates: q.points, OneWay: q.options.Get("roundtrip") == "false",
		FromFirst: q.options.Get("source") == "first", ToLast: q.options.Get("destination") == "last",
		Overview: OverviewFull, Geometries: GeometryPolyline6,
	}
}

func (q *osrmQuery) match() MatchRequest {
	r := MatchRequest{
		Coordinates: q.points, Radiuses: q.numbers("radiuses"), Waypoints: q.indices("waypoints"),
		IgnoreGaps: q.options.Get("gaps") == "ignore", Tidy: q.options.Get("tidy") == "true",
		Overview: OverviewFull, Geometries: GeometryPolyline6,
	}
	for _, v := range q.numbers("timestamps") {
		r.Timestamps = append(r.Timestamps, int64(v))
	}
	return r
}

// tally counts how often something is as OSRM has it.
type tally map[string]*[2]int

func (s tally) note(what string, same bool) {
	if s[what] == nil {
		s[what] = new([2]int)
	}
	s[what][1]++
	if same {
		s[what][0]++
	}
}

func (s tally) require(t *testing.T, what string, share float64) {
	t.Helper()
	require.NotNil(t, s[what], what)
	n := *s[what]
	require.GreaterOrEqual(t, float64(n[0]), share*float64(n[1]), "%s: %d of %d", what, n[0], n[1])
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func samePlace(a, b orb.Point) bool { return near(a[0], b[0], 1.5e-6) && near(a[1], b[1], 1.5e-6) }

func (s tally) cells(what string, want [][]*float64, got [][]float64, tolerance float64) {
	for i := range want {
		for j, v := range want[i] {
			s.note(what, v == nil && math.IsInf(got[i][j], 1) || v != nil && near(*v, got[i][j], tolerance))
		}
	}
}

func (s tally) ask(t *testing.T, session *Session, c *osrmCase) {
	q := parseOSRM(t, c.Query)
	want := &c.Answer
	require.Equal(t, "Ok", want.Code)
	switch q.service {
	case "table":
		got, err := session.Table(t.Context(), q.table())
		require.NoError(t, err, c.Query)
		s.cells("table duration", want.Durations, got.Durations, 0.2)
		s.cells("table distance", want.Distances, got.Distances, 0.5)
		for i := range want.Sources {
			// OSRM moves a place for all cells or none.
			moved := slices.ContainsFunc(got.Moved, func(c TableCell) bool { return c.Source == i })
			s.note("table place", moved || samePlace(want.Sources[i].Location, got.Sources[i].Location))
		}
	case "trip":
		got, err := session.Trip(t.Context(), q.trip())
		require.NoError(t, err, c.Query)
		require.True(t, got.Proven)
		wanted, trip := want.Trips[0], &got.Trips[0]
		require.LessOrEqual(t, trip.Duration, wanted.Duration+0.3, c.Query)
		same := true
		for i, w := range got.Waypoints {
			same = same && *want.Waypoints[i].WaypointIndex == w.Position
			s.note("trip place", samePlace(want.Waypoints[i].Location, w.Location))
		}
		s.note("trip order", same)
		if same {
			s.note("trip duration", near(wanted.Duration, trip.Duration, 0.2))
			s.note("trip distance", near(wanted.Distance, trip.Distance, 0.5))
			s.note("trip legs", len(wanted.Legs) == len(trip.Legs))
		}
	case "match":
		got, err := session.Match(t.Context(), q.match())
		require.NoError(t, err, c.Query)
		s.note("match pieces", len(want.Matchings) == len(got.Matchings))
		for i, w := range want.Tracepoints {
			g := got.Tracepoints[i]
			s.note("match point", (w == nil) == (g == nil))
			if w == nil || g == nil {
				continue
			}
			s.note("match place", near(w.Location[0], g.Location[0], 1e-5) && near(w.Location[1], g.Location[1], 1e-5))
			s.note("match index", w.WaypointIndex != nil && *w.WaypointIndex == g.Position && w.MatchingsIndex == g.Matching)
			s.note("match alternatives", w.AlternativesCount == g.Alternatives)
		}
		for i := range min(len(want.Matchings), len(got.Matchings)) {
			w, g := &want.Matchings[i], &got.Matchings[i]
			s.note("match confidence", near(w.Confidence, g.Confidence, 0.02))
			s.note("match duration", near(w.Duration, g.Duration, 0.2))
			s.note("match distance", near(w.Distance, g.Distance, 0.5))
			if q.options.Get("steps") != "true" { // which trim OSRM's line at the ends of legs
				s.note("match geometry", string(AppendPolyline(nil, g.Geometry, 6)) == w.Geometry)
			}
			s.note("match legs", len(w.Legs) == len(g.Legs))
		}
	default:
		require.Fail(t, "unknown service", q.service)
	}
}

// shares are how much has to be as in OSRM. Where routes or orders tie, or legs of
// a trace are added up that OSRM rounds otherwise, there is more than one answer.
var shares = map[string]float64{
	"table duration": 0.995, "table distance": 0.99, "table place": 1,
	"trip order": 0.5, "trip place": 1, "trip duration": 1, "trip distance": 0.9, "trip legs": 1,
	"match pieces": 1, "match point": 1, "match place": 1, "match index": 1, "match alternatives": 0.999,
	"match confidence": 1, "match legs": 1, "match duration": 0.9, "match distance": 0.8, "match geometry": 0.8,
}

func TestAnswersOfOSRM(t *testing.T) {
	extracts := map[string][]*Engine{"andorra": andorras(t)}
	if !testing.Short() {
		extracts["delaware"] = delawares(t)
	}
	for name, both := range extracts {
		for _, e := range both {
			t.Run(fmt.Sprint(name, " ", e.current.Load().info.Algorithm), func(t *testing.T) {
				s := tally{}
				session := e.Session()
				defer session.Close()
				for _, kind := range []string{"table", "trip", "match"} {
					for _, c := range readOSRM(t, filepath.Join("testdata", "osrm", name+"-"+kind+".json.gz")) {
						s.ask(t, session, &c)
					}
				}
				for what, least := range shares {
					s.require(t, what, least)
				}
			})
		}
	}
}
