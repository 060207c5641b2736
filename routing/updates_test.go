package routing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

// detour has two ways from a to d, the straight one being faster.
var detour = testmap.Drawing{
	Map: `
		a-b-c-d
		|     |
		e-----f
		   |
		   g`,
	Ways: []testmap.Row{
		{"abcd", "name=straight"}, {"ae", "name=round"}, {"ef", "name=round"}, {"fd", "name=round"},
	},
	Relations: []testmap.Row{{"from=ae via=e to=ef", `restriction:conditional="no_left_turn @ (Mo-Fr 07:00-09:00)"`}},
}

// drawn writes a drawing's OSM file to a folder, and other files.
func drawn(t *testing.T, d testmap.Drawing, files map[string]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	data, err := d.OSM()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "map.osm"), data, 0o600))
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	return folder
}

// drive returns the letters on the way from one to another, up to the last turn, with
// the data sources of the segments that are not the profile's, or the code of an
// error.
func drive(t *testing.T, e *Engine, d *testmap.Drawing, from, to rune) string {
	t.Helper()
	point := func(letter rune) orb.Point {
		lon, lat, ok := d.Position(letter)
		require.True(t, ok)
		return orb.Point{lon, lat}
	}
	res, err := Route(t.Context(), e, RouteRequest{
		Coordinates: []orb.Point{point(from), point(to)}, Annotations: AnnotateDatasources | AnnotateNodes,
	})
	if err != nil {
		return err.(*Error).Code.Error()
	}
	a := res.Routes[0].Legs[0].Annotation
	var text strings.Builder
	for i, node := range a.Nodes {
		for letter := 'a'; letter <= 'g'; letter++ {
			if d.NodeID(letter) == node {
				text.WriteRune(letter)
			}
		}
		if i < len(a.Datasources) && a.Datasources[i] != 0 {
			text.WriteString("-" + a.DatasourceNames[a.Datasources[i]] + "-")
		}
	}
	letters, _, _ := strings.Cut(text.String(), string(to))
	return letters + string(to)
}

// Each algorithm goes by the updates that it was prepared with, and by none after
// it was prepared without.
func TestUpdatesOfSteps(t *testing.T) {
	d := detour
	node := func(letters string) string {
		var ids []string
		for _, l := range letters {
			ids = append(ids, fmt.Sprint(d.NodeID(l)))
		}
		return strings.Join(ids, ",")
	}
	folder := drawn(t, d, map[string]string{
		"closed.csv": node("bc") + ",0\n",
		"slow.csv":   node("ab") + ",5\n" + node("cd") + ",5\n",
		"turn.csv":   node("aef") + ",600\n",
	})
	file := func(name string) string { return filepath.Join(folder, name) }
	name := file("set")
	_, err := Extract(t.Context(), BuildOptions{Input: file("map.osm"), Output: name, Conditionals: true})
	require.NoError(t, err)
	_, err = Partition(t.Context(), StepOptions{Input: name})
	require.NoError(t, err)
	prepare := func(step func(context.Context, StepOptions) (*BuildReport, error), u Updates) *BuildReport {
		r, err := step(t.Context(), StepOptions{Input: name, Updates: u})
		require.NoError(t, err)
		require.NoError(t, Verify(t.Context(), name, Options{}))
		return r
	}
	check := func(a Algorithm, want string, from, to rune) {
		t.Helper()
		e, err := Open(name, Options{Algorithm: a})
		require.NoError(t, err)
		defer func() { require.NoError(t, e.Close()) }()
		require.Equal(t, want, drive(t, e, &d, from, to))
	}
	const straight, round = "abcd", "aefd"

	r := prepare(Contract, Updates{SegmentSpeeds: []string{file("closed.csv")}})
	require.Equal(t, 1, r.Updates.Speeds[0].Matched)
	require.Equal(t, []string{name + ".ch.metric", name + ".ch"}, []string{r.Files[0].Path, r.Files[1].Path})
	prepare(Customize, Updates{})
	check(CH, round, 'a', 'd')
	check(MLD, straight, 'a', 'd')
	check(CH, "dcba", 'd', 'a')

	r = prepare(Customize, Updates{SegmentSpeeds: []string{file("closed.csv"), file("slow.csv")}, TurnPenalties: []string{file("turn.csv")}})
	require.Equal(t, 1, r.Updates.Penalties[0].Matched)
	check(CH, round, 'a', 'd')
	check(MLD, "baefdc", 'b', 'c')
	check(MLD, "ea-slow-b", 'a', 'b')
	check(MLD, "dcb", 'c', 'b')

	monday := time.Date(2017, 5, 1, 8, 0, 0, 0, time.UTC)
	prepare(Customize, Updates{At: monday, SegmentSpeeds: []string{file("closed.csv")}})
	check(MLD, "routing: NoRoute", 'a', 'd')
	prepare(Customize, Updates{At: monday.Add(3 * time.Hour), SegmentSpeeds: []string{file("closed.csv")}})
	check(MLD, round, 'a', 'd')

	// What was before counts no more, and its files are gone.
	prepare(Contract, Updates{})
	prepare(Customize, Updates{})
	check(CH, straight, 'a', 'd')
	check(MLD, straight, 'a', 'd')
	left, err := filepath.Glob(name + ".*.metric")
	require.NoError(t, err)
	require.Empty(t, left)
	// A metric that is left over is no matter.
	prepare(Contract, Updates{SegmentSpeeds: []string{file("closed.csv")}})
	require.NoError(t, os.Rename(name+".ch.metric", file("kept")))
	prepare(Contract, Updates{})
	require.NoError(t, os.Rename(file("kept"), name+".ch.metric"))
	check(CH, straight, 'a', 'd')
	require.NoError(t, Verify(t.Context(), name, Options{}))
	// One that is missing is.
	prepare(Contract, Updates{SegmentSpeeds: []string{file("closed.csv")}})
	require.NoError(t, os.Remove(name+".ch.metric"))
	_, err = Open(name, Options{Algorithm: CH})
	require.ErrorIs(t, err, ErrCorrupt)

	for _, u := range []Updates{
		{SegmentSpeeds: []string{file("absent.csv")}},
		{TurnPenalties: []string{file("absent.csv")}},
		{At: monday, TimeZones: []string{file("absent.csv")}},
	} {
		_, err := Customize(t.Context(), StepOptions{Input: name, Updates: u})
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	prepare(Contract, Updates{})
}

// Build applies updates too, wherever its files come from and go to.
func TestUpdatesOfBuild(t *testing.T) {
	d := detour
	data, err := d.OSM()
	require.NoError(t, err)
	files := fstest.MapFS{
		"map.osm":    {Data: data},
		"closed.csv": {Data: fmt.Appendf(nil, "%d,%d,0\n", d.NodeID('b'), d.NodeID('c'))},
	}
	written := fstest.MapFS{}
	_, err = Build(t.Context(), BuildOptions{
		Input: "map.osm", FS: files, Output: "set", Updates: Updates{SegmentSpeeds: []string{"closed.csv"}},
		Create: func(name string) (io.WriteCloser, error) { return &memoryFile{name: name, to: written}, nil },
	})
	require.NoError(t, err)
	for _, a := range []Algorithm{CH, MLD} {
		e, err := Open("set", Options{Algorithm: a, FS: written})
		require.NoError(t, err)
		require.Equal(t, "aefd", drive(t, e, &d, 'a', 'd'))
		require.NoError(t, e.Close())
	}
	delete(files, "closed.csv")
	_, err = Build(t.Context(), BuildOptions{
		Input: "map.osm", FS: files, Output: filepath.Join(t.TempDir(), "set"), Updates: Updates{SegmentSpeeds: []string{"closed.csv"}},
	})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// memoryFile is a file that appears when it is closed.
type memoryFile struct {
	bytes.Buffer
	name string
	to   fstest.MapFS
}

func (f *memoryFile) Close() error {
	f.to[f.name] = &fstest.MapFile{Data: f.Bytes()}
	return nil
}

// One drives on the left where the data say so.
func TestLocationData(t *testing.T) {
	d := detour
	folder := drawn(t, d, map[string]string{
		"left.json": `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"driving_side":"left"},
			"geometry":{"type":"Polygon","coordinates":[[[0,0],[0,2],[2,2],[2,0],[0,0]]]}}]}`,
		"bad.json": `{"type":"FeatureCollection","features":[7]}`,
	})
	file := func(name string) string { return filepath.Join(folder, name) }
	opt := BuildOptions{Input: file("map.osm"), Output: file("set"), LocationData: []string{file("left.json")}, Algorithms: []Algorithm{MLD}}
	for side, data := range map[string][]string{"left": opt.LocationData, "right": nil} {
		opt.LocationData = data
		r, err := Build(t.Context(), opt)
		require.NoError(t, err)
		require.Equal(t, len(data), r.LocationFeatures)
		require.Equal(t, len(data), r.LocationPolygons)
		e, err := Open(file("set"), Options{Algorithm: MLD})
		require.NoError(t, err)
		lon, lat, _ := d.Position('a')
		res, err := Route(t.Context(), e, RouteRequest{Coordinates: []orb.Point{{lon, lat}, {lon + 0.001, lat}}, Steps: true})
		require.NoError(t, err)
		require.Equal(t, side, res.Routes[0].Legs[0].Steps[0].DrivingSide)
		require.NoError(t, e.Close())
	}
	opt.LocationData = []string{file("bad.json")}
	_, err := Build(t.Context(), opt)
	require.ErrorContains(t, err, "bad.json malformed at byte")
	opt.LocationData, opt.LocationsOnWays = []string{file("left.json")}, true
	_, err = Build(t.Context(), opt)
	require.ErrorContains(t, err, "invalid location")
}

// The bonus of a turn is no more than what is left of the road before it, so no
// step takes less than no time.
func TestBonusOfTurn(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			a-1-b-2-c
			    |
			    d`,
		Ways: []testmap.Row{{"ab", ""}, {"bc", ""}, {"bd", ""}},
	}
	files := map[string]string{"turns.csv": fmt.Sprintf("%d,%d,%d,-1000\n", d.NodeID('a'), d.NodeID('b'), d.NodeID('d'))}
	folder := drawn(t, d, files)
	name := filepath.Join(folder, "set")
	r, err := Build(t.Context(), BuildOptions{
		Input: filepath.Join(folder, "map.osm"), Output: name, Updates: Updates{TurnPenalties: []string{filepath.Join(folder, "turns.csv")}},
	})
	require.NoError(t, err)
	require.Equal(t, 1, r.Updates.RaisedTurns)
	for _, a := range []Algorithm{CH, MLD} {
		e, err := Open(name, Options{Algorithm: a})
		require.NoError(t, err)
		route := func(from, to rune) RouteResult {
			var request RouteRequest
			for _, letter := range []rune{from, to} {
				lon, lat, _ := d.Position(letter)
				request.Coordinates = append(request.Coordinates, orb.Point{lon, lat})
			}
			request.Steps = true
			res, err := Route(t.Context(), e, request)
			require.NoError(t, err)
			sum := 0.0
			for _, s := range res.Routes[0].Legs[0].Steps {
				require.GreaterOrEqual(t, s.Duration, 0.0)
				require.GreaterOrEqual(t, s.Weight, 0.0)
				sum += s.Duration
			}
			require.InDelta(t, sum, res.Routes[0].Duration, 1e-9)
			return res.Routes[0]
		}
		down := route('b', 'd').Duration
		require.InDelta(t, down+0.2, route('a', 'd').Duration, 0.11, "the road before costs next to nothing")
		require.InDelta(t, down, route('1', 'd').Duration, 0.01)
		require.InDelta(t, down, route('1', 'd').Weight, 0.11)
		require.NoError(t, e.Close())
	}
}

// No service passes a closed segment or starts or stops on one, and what is beside
// it is as it was.
func TestServicesAtClosedSegments(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			x   y
			|   |
			a-1-b-2-c-3-d
			|       |
			e---4---f`,
		Ways: []testmap.Row{{"abcd", ""}, {"xa", ""}, {"yb", ""}, {"ae", ""}, {"ef", ""}, {"fc", ""}},
	}
	lines := ""
	for _, pair := range []string{"bc", "cb", "cd", "dc"} {
		lines += fmt.Sprintf("%d,%d,0\n", d.NodeID(rune(pair[0])), d.NodeID(rune(pair[1])))
	}
	folder := drawn(t, d, map[string]string{"closed.csv": lines})
	name := filepath.Join(folder, "set")
	algorithms := []Algorithm{CH, MLD, CCH}
	_, err := Build(t.Context(), BuildOptions{
		Input: filepath.Join(folder, "map.osm"), Output: name, Algorithms: algorithms,
		Updates: Updates{SegmentSpeeds: []string{filepath.Join(folder, "closed.csv")}},
	})
	require.NoError(t, err)
	places := func(letters string) (list []orb.Point) {
		for _, letter := range letters {
			lon, lat, ok := d.Position(letter)
			require.True(t, ok)
			list = append(list, orb.Point{lon, lat})
		}
		return list
	}
	for _, a := range algorithms {
		t.Run(a.String(), func(t *testing.T) {
			e, err := Open(name, Options{Algorithm: a})
			require.NoError(t, err)
			defer func() { require.NoError(t, e.Close()) }()
			route := func(letters string) error {
				_, err := Route(t.Context(), e, RouteRequest{Coordinates: places(letters)})
				return err
			}
			for _, open := range []string{"1x", "ax", "14", "4y", "fb", "xf1", "e1y4"} {
				require.NoError(t, route(open), open)
			}
			// Nothing else is near enough to 2 and 3.
			near := 30.0
			for _, closed := range []string{"12", "21", "34", "23", "123"} {
				_, err := Route(t.Context(), e, RouteRequest{Coordinates: places(closed), Radiuses: slices.Repeat([]float64{near}, len(closed))})
				require.ErrorIs(t, err, ErrNoSegment, closed)
			}
			match, err := Match(t.Context(), e, MatchRequest{Coordinates: places("12")})
			require.ErrorIs(t, err, ErrNoMatch, "%v", match)
			_, err = Match(t.Context(), e, MatchRequest{Coordinates: places("a1b")})
			require.NoError(t, err)
			nearest, err := Nearest(t.Context(), e, NearestRequest{Coordinate: places("2")[0]})
			require.NoError(t, err)
			require.Greater(t, nearest.Waypoints[0].Distance, 40.0, "away from the closed road")
			table, err := Table(t.Context(), e, TableRequest{Coordinates: places("14y")})
			require.NoError(t, err)
			for i, row := range table.Durations {
				for k, cell := range row {
					res, err := Route(t.Context(), e, RouteRequest{Coordinates: places(string("14y"[i]) + string("14y"[k]))})
					require.NoError(t, err)
					require.InDelta(t, res.Routes[0].Duration, cell, 1e-9)
				}
			}
		})
	}
}
