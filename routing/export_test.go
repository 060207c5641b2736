package routing

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
)

// gpxChildren are the elements of GPX 1.1 that may be in another, in the order that its
// schema wants.
var gpxChildren = map[string][]string{
	"":       {"gpx"},
	"gpx":    {"metadata", "wpt", "rte", "trk", "extensions"},
	"wpt":    {"ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type"},
	"rtept":  {"ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type"},
	"trkpt":  {"ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type"},
	"rte":    {"name", "cmt", "desc", "src", "link", "number", "type", "extensions", "rtept"},
	"trk":    {"name", "cmt", "desc", "src", "link", "number", "type", "extensions", "trkseg"},
	"trkseg": {"trkpt", "extensions"},
}

// checkGPX holds a document to the structure of GPX 1.1, and returns the number of
// elements by name, and the texts.
func checkGPX(t *testing.T, doc []byte) (map[string]int, []string) {
	t.Helper()
	count := map[string]int{}
	var texts, path []string
	var last []int // position of the last child among those allowed, by depth
	last = append(last, 0)
	path = append(path, "")
	d := xml.NewDecoder(strings.NewReader(string(doc)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			require.Equal(t, "http://www.topografix.com/GPX/1/1", x.Name.Space)
			parent := path[len(path)-1]
			at := slices.Index(gpxChildren[parent], x.Name.Local)
			require.GreaterOrEqual(t, at, 0, "%s in %s", x.Name.Local, parent)
			require.GreaterOrEqual(t, at, last[len(last)-1], "%s in %s is out of order", x.Name.Local, parent)
			last[len(last)-1] = at
			path, last = append(path, x.Name.Local), append(last, 0)
			count[x.Name.Local]++
			switch x.Name.Local {
			case "wpt", "rtept", "trkpt":
				require.Len(t, x.Attr, 2)
				for _, a := range x.Attr {
					v, err := strconv.ParseFloat(a.Value, 64)
					require.NoError(t, err)
					require.Less(t, v, map[string]float64{"lat": 90.1, "lon": 180.1}[a.Name.Local])
				}
			case "gpx":
				require.Contains(t, x.Attr, xml.Attr{Name: xml.Name{Local: "version"}, Value: "1.1"})
				require.Contains(t, x.Attr, xml.Attr{Name: xml.Name{Local: "creator"}, Value: "fourway"})
			}
		case xml.EndElement:
			path, last = path[:len(path)-1], last[:len(last)-1]
		case xml.CharData:
			if s := strings.TrimSpace(string(x)); s != "" {
				texts = append(texts, s)
			}
		}
	}
	require.Len(t, path, 1)
	return count, texts
}

// features are what a GeoJSON file holds.
type features struct {
	Type     string
	Features []feature
}

type feature struct {
	Type     string
	Geometry *struct {
		Type        string
		Coordinates json.RawMessage
	}
	Properties map[string]any
}

func decodeFeatures(doc []byte) (f features, err error) {
	return f, json.Unmarshal(doc, &f)
}

func (f *feature) line(t *testing.T) (line orb.LineString) {
	t.Helper()
	require.Equal(t, "LineString", f.Geometry.Type)
	require.NoError(t, json.Unmarshal(f.Geometry.Coordinates, &line))
	return line
}

var odd = testmap.Drawing{
	Map: `
		a-1-b-2-c
		    |
		    d`,
	Ways: []testmap.Row{{"abc", `name=Ö<&>"'`}, {"bd", ""}},
}

// TestExportRoute: lines, maneuvers and waypoints survive the way through GPX and GeoJSON.
func TestExportRoute(t *testing.T) {
	m := draw(t, odd)
	told, err := NewInstructions("en")
	require.NoError(t, err)
	for overview, segments := range map[Overview]int{OverviewFull: 1, OverviewByLegs: 2, OverviewFalse: 1} {
		res := m.route("12d", func(r *RouteRequest) { r.Steps, r.Overview, r.Annotations = true, overview, 0 })
		told.Tell(&res.Routes[0])
		steps := 0
		for _, leg := range res.Routes[0].Legs {
			steps += len(leg.Steps)
		}
		count, texts := checkGPX(t, res.AppendGPX(nil))
		require.Equal(t, 3, count["wpt"])
		require.Equal(t, 1, count["rte"])
		require.Equal(t, steps, count["rtept"])
		require.Equal(t, 1, count["trk"])
		require.Equal(t, segments, count["trkseg"])
		require.GreaterOrEqual(t, count["trkpt"], 3)
		require.Contains(t, texts, `Ö<&>"'`)

		all, err := decodeFeatures(res.AppendGeoJSON(nil))
		require.NoError(t, err)
		require.Len(t, all.Features, 1+steps+3)
		line := all.Features[0].line(t)
		require.Equal(t, res.Waypoints[0].Location, line[0])
		require.Equal(t, res.Waypoints[2].Location, line[len(line)-1])
		require.InDelta(t, res.Routes[0].Distance, all.Features[0].Properties["distance"], 1e-6)
		require.Equal(t, "depart", all.Features[1].Properties["type"])
		require.Equal(t, `Ö<&>"'`, all.Features[1].Properties["name"])
		require.NotEmpty(t, all.Features[1].Properties["instruction"])
		require.InDelta(t, 2, all.Features[len(all.Features)-1].Properties["waypoint"], 0)
	}
}

// TestExportNothing: without a line, steps and waypoints there is little to say.
func TestExportNothing(t *testing.T) {
	m := draw(t, odd)
	res := m.route("12", func(r *RouteRequest) { r.Overview, r.Annotations, r.SkipWaypoints = OverviewFalse, 0, true })
	count, _ := checkGPX(t, res.AppendGPX(nil))
	require.Equal(t, map[string]int{"gpx": 1}, count)
	var decoded map[string]any
	require.NoError(t, json.Unmarshal(res.AppendGeoJSON(nil), &decoded))
	require.Nil(t, decoded["features"].([]any)[0].(map[string]any)["geometry"])
}

func TestExportTripAndMatch(t *testing.T) {
	m := draw(t, odd)
	trip, err := Trip(t.Context(), m.Engine, TripRequest{Coordinates: m.points("12d"), Overview: OverviewFull})
	require.NoError(t, err)
	count, _ := checkGPX(t, trip.AppendGPX(nil))
	require.Equal(t, map[string]int{"gpx": 1, "wpt": 3, "trk": 1, "trkseg": 1}, without(count, "trkpt", "name", "desc"))
	all, err := decodeFeatures(trip.AppendGeoJSON(nil))
	require.NoError(t, err)
	require.Len(t, all.Features, 4)
	require.Contains(t, all.Features[3].Properties, "position")

	match, err := Match(t.Context(), m.Engine, MatchRequest{Coordinates: append(m.points("1b2"), orb.Point{5, 5}), Overview: OverviewFull})
	require.NoError(t, err)
	fits := 0
	for _, p := range match.Tracepoints {
		if p != nil {
			fits++
		}
	}
	require.Greater(t, len(match.Tracepoints), fits)
	count, _ = checkGPX(t, match.AppendGPX(nil))
	require.Equal(t, map[string]int{"gpx": 1, "wpt": fits, "trk": 1, "trkseg": 1}, without(count, "trkpt", "name", "desc"))
	all, err = decodeFeatures(match.AppendGeoJSON(nil))
	require.NoError(t, err)
	require.Len(t, all.Features, 1+fits)
	require.Contains(t, all.Features[0].Properties, "confidence")
	require.InDelta(t, 0, all.Features[1].Properties["route"], 0)
}

func without(count map[string]int, names ...string) map[string]int {
	for _, n := range names {
		delete(count, n)
	}
	return count
}

// FuzzGPX: whatever roads are called, the document stays one.
func FuzzGPX(f *testing.F) {
	f.Add("Main <Street> & \"Co\"", "turn\x00\x1f\xff")
	f.Fuzz(func(t *testing.T, name, instruction string) {
		r := RouteResponse{
			Routes: []RouteResult{{Geometry: orb.LineString{{1, 2}, {3, 4}}, Legs: []Leg{{Steps: []Step{
				{Name: name, Maneuver: Maneuver{Type: name, Modifier: instruction, Instruction: instruction}},
			}}}}},
			Waypoints: []Waypoint{{Name: name}},
		}
		checkGPX(t, r.AppendGPX(nil))
		require.True(t, json.Valid(r.AppendGeoJSON(nil)))
	})
}
