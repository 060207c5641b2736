package region

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// collection makes a file of features, each "properties|type|coordinates".
func collection(features ...string) string {
	var list []string
	for _, f := range features {
		part := strings.Split(f, "|")
		list = append(list, fmt.Sprintf(`{"type":"Feature","id":1,"properties":{%s},"geometry":{"type":%q,"coordinates":%s}}`, part[0], part[1], part[2]))
	}
	return `{"name":"x","type":"FeatureCollection","crs":{},"features":[` + strings.Join(list, ",") + `]}`
}

func read(tb testing.TB, files ...string) *Set {
	tb.Helper()
	s := &Set{}
	for i, text := range files {
		require.NoError(tb, s.Read(fmt.Sprint(i), strings.NewReader(text)))
	}
	return s
}

func TestFind(t *testing.T) {
	s := read(t,
		collection(
			`"side":"left","answer":42,"on":true,"object":{"a":1},"list":[1],"none":null|Polygon|[[[0,0],[0,4],[4,4],[4,0],[0,0]],[[1,1],[1,3],[3,3],[3,1]]]`,
			`"side":"inner"|Polygon|[[[2,2,100],[2,2.5],[2.5,2.5],[2.5,2]]]`,
			`"side":"point"|Point|[1,1]`,
		),
		collection(`"side":"right","more":"yes"|MultiPolygon|[[[[2,2],[2,8],[8,8],[8,2],[2,2]]],[[[-5,-5],[-6,-5],[-5,-6],[-5,-5]]],[[[3,3],[3,9],[9,9],[9,3]]]]`),
	)
	require.Equal(t, 3, s.NumFeatures())
	require.Equal(t, 5, s.NumPolygons())
	for _, tc := range []struct {
		lon, lat float64
		key      string
		want     any
	}{
		{0.5, 0.5, "side", "left"},
		{0.5, 0.5, "answer", 42.0},
		{0.5, 0.5, "on", true},
		{0.5, 0.5, "more", nil},
		{0.5, 0.5, "object", nil},
		{0.5, 0.5, "list", nil},
		{0.5, 0.5, "none", nil},
		{0.5, 0.5, "absent", nil},
		{1.5, 1.5, "side", nil},     // in the hole
		{1, 2, "side", "left"},      // on its edge
		{2.2, 2.2, "side", "inner"}, // in the hole of one and in two others
		{2.2, 2.2, "more", "yes"},
		{3.5, 3.5, "side", "left"},
		{3.5, 3.5, "more", "yes"},
		{7, 7, "side", "right"},
		{8.5, 8.5, "side", "right"},
		{-5.2, -5.2, "side", "right"},
		{-5.9, -5.9, "side", nil},
		{-5.5, -5.5, "side", "right"},
		{0, 0, "side", "left"},
		{4, 0, "side", "left"},
		{0, 2, "side", "left"},
		{-0.001, 2, "side", nil},
		{100, 50, "side", nil},
	} {
		require.Equal(t, tc.want, s.Find(tc.lon, tc.lat, tc.key), "%v", tc)
	}
	require.Equal(t, []int{7, 0, 2}, s.AppendAt([]int{7}, 3.5, 3.5))
	require.Nil(t, s.Value(0, "nothing"))
	require.Equal(t, 0, read(t, collection()).NumFeatures())
	var empty Set
	require.Nil(t, empty.Find(1, 1, "a"))
}

// Inside is what the winding of the whole ring says, for stars with many corners.
func TestContainsAgainstAllEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 30 {
		corners := 3 + rng.IntN(400)
		var ring []vertex
		for i := range corners {
			angle := float64(i) / float64(corners) * 2 * math.Pi
			r := 1 + 9*rng.Float64()
			// Coarse coordinates make level edges and corners at the same height.
			ring = append(ring, vertex{math.Round(r*math.Cos(angle)*4) / 4, math.Round(r*math.Sin(angle)*4) / 4})
		}
		closed := append(slices.Clone(ring), ring[0])
		p := newPolygon(0, closed, []int{len(closed)})
		for range 400 {
			lon := p.min[0] + (p.max[0]-p.min[0])*rng.Float64()
			lat := p.min[1] + (p.max[1]-p.min[1])*rng.Float64()
			if rng.IntN(3) == 0 {
				lon, lat = math.Round(lon*4)/4, math.Round(lat*4)/4
			}
			require.Equal(t, naive(ring, lon, lat), p.contains(lon, lat), "%v %v in %v", lon, lat, ring)
		}
	}
}

// naive counts the edges that a ray to the right crosses.
func naive(ring []vertex, x, y float64) bool {
	inside := false
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		cross := (b[0]-a[0])*(y-a[1]) - (b[1]-a[1])*(x-a[0])
		if cross == 0 && x >= min(a[0], b[0]) && x <= max(a[0], b[0]) && y >= min(a[1], b[1]) && y <= max(a[1], b[1]) {
			return true
		}
		if (a[1] > y) != (b[1] > y) && x < (b[0]-a[0])*(y-a[1])/(b[1]-a[1])+a[0] {
			inside = !inside
		}
	}
	return inside
}

func TestMalformedFiles(t *testing.T) {
	for text, want := range map[string]struct {
		feature int
		err     error
	}{
		`[]`: {0, errCollection}, `{"type":"Feature"}`: {0, errCollection}, `{"features":[]}`: {0, errCollection},
		`{"type":"FeatureCollection"}`: {0, errCollection}, `{"type":"FeatureCollection","features":{}}`: {0, errCollection},
		`{"type":"FeatureCollection","features":[],"features":[]}`: {0, errCollection},
		``: {}, `{`: {}, `{"type":"FeatureCollection","features":[{]}`: {feature: 1}, `{"type":5}`: {},
		`{"type":"FeatureCollection","features":[{"type":"Point"}]}`:                                                 {1, errFeature},
		`{"type":"FeatureCollection","features":[{"type":"Feature"}]}`:                                               {1, errProperties},
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":[]}]}`:                               {1, errProperties},
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{}}]}`:                               {1, errGeometry},
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":null}]}`:               {1, errGeometry},
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon"}}]}`: {1, errGeometry},
		collection(`|Polygon|[]`):                                          {1, errRing},
		collection(`|Polygon|[[[0,0],[1,1],[0,0]]]`):                       {1, errRing},
		collection(`|Polygon|[[[0,0],[1],[0,1]]]`):                         {1, errPosition},
		collection(`|Polygon|[[[0,0],[181,0],[0,1]]]`):                     {1, errPosition},
		collection(`|Polygon|[[[0,0],["a",0],[0,1]]]`):                     {1, errPosition},
		collection(`|Polygon|[[[0,0],[[1],0],[0,1]]]`):                     {1, errPosition},
		collection(`|Polygon|[[[0,0],[1 2],[0,1]]]`):                       {feature: 1},
		collection(`|Polygon|[[0,0],[1,0],[0,1]]`):                         {1, errArray},
		collection(`|Polygon|[[[0,0],[1,0],{}]]`):                          {1, errArray},
		collection(`|MultiPolygon|[[[0,0],[1,0],[0,1]]]`):                  {1, errArray},
		collection(`|Polygon|[[[0,0],[1,0],[0,1]]]`, `|X|1`, `|Polygon|7`): {feature: 3},
		collection(`|MultiPolygon|[[[[0,0],[1,0]]]]`):                      {1, errRing},
		collection(`|Polygon|[[[0,0],[1,0],[0,1e999]]]`):                   {feature: 1},
	} {
		s := read(t, collection(`"a":"b"|Polygon|[[[0,0],[1,0],[0,1]]]`))
		err := s.Read("zones.json", strings.NewReader(text))
		var bad *ReadError
		require.ErrorAs(t, err, &bad, text)
		require.Equal(t, want.feature, bad.Feature, text)
		if want.err != nil {
			require.ErrorIs(t, err, want.err, text)
		}
		require.Contains(t, err.Error(), "zones.json malformed at byte")
		require.Equal(t, 1, s.NumFeatures(), "the set is as it was")
	}
	for _, text := range []string{"", `{"type"`, `{"type":"FeatureCollection","features":[`} {
		err := new(Set).Read("cut.json", strings.NewReader(text))
		require.ErrorContains(t, err, "the file ends too early", text)
	}
	var s Set
	disk := errors.New("broken disk")
	err := s.Read("zones.json", iotest.ErrReader(disk))
	require.ErrorIs(t, err, disk)
	require.NotErrorAs(t, err, new(*ReadError))
}

func FuzzRead(f *testing.F) {
	f.Add(collection(`"tzid":"Africa/Lagos"|Polygon|[[[0,0],[2,0],[2,2],[0,2],[0,0]],[[1,1],[1.5,1],[1,1.5]]]`), 1.2, 1.2)
	f.Add(collection(`"a":1|MultiPolygon|[[[[0,0],[2,0],[2,2]]],[[[1,0],[2,0],[2,2]]]]`, `|Point|[]`), 0.0, 0.0)
	f.Add(`{"type":"FeatureCollection","features":[{}`, 5.0, 5.0)
	f.Fuzz(func(t *testing.T, text string, lon, lat float64) {
		var s Set
		if err := s.Read("f", strings.NewReader(text)); err != nil {
			require.ErrorAs(t, err, new(*ReadError))
			require.Zero(t, s.NumPolygons())
			return
		}
		for _, feature := range s.AppendAt(nil, lon, lat) {
			require.Less(t, feature, s.NumFeatures())
		}
		s.Find(lon, lat, "a")
	})
}

// star is a file of one polygon with many corners.
func star(corners int) string {
	var text strings.Builder
	text.WriteString(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"tzid":"Africa/Lagos"},"geometry":{"type":"Polygon","coordinates":[[`)
	for i := range corners {
		angle := float64(i) / float64(corners) * 2 * math.Pi
		r := 30 + 20*math.Sin(50*angle)
		fmt.Fprintf(&text, "[%.7f,%.7f],", r*math.Cos(angle), r*math.Sin(angle))
	}
	text.WriteString("[30,0]]]}}]}")
	return text.String()
}

func BenchmarkRead(b *testing.B) {
	text := star(100_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		read(b, text)
	}
}

func BenchmarkFind(b *testing.B) {
	s := read(b, star(100_000))
	rng := rand.New(rand.NewPCG(7, 8))
	for b.Loop() {
		s.Find(rng.Float64()*100-50, rng.Float64()*100-50, "tzid")
	}
}

// Looking up takes no memory.
func TestFindAllocations(t *testing.T) {
	s := read(t, star(1000))
	require.Equal(t, "Africa/Lagos", s.Find(1, 1, "tzid"))
	require.Zero(t, testing.AllocsPerRun(100, func() { s.Find(1, 1, "tzid") }))
}
