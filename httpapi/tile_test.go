package httpapi

import (
	"fmt"
	"math"
	"net/http/httptest"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/routing"
)

// drawnFeature is a feature of a tile as a reader sees it.
type drawnFeature struct {
	id     uint64
	kind   uint64
	points []tilePoint
	tags   map[string]any
}

// fields calls f for each field of a message.
func fields(t *testing.T, data []byte, f func(n protowire.Number, v uint64, b []byte)) {
	t.Helper()
	for len(data) > 0 {
		n, kind, size := protowire.ConsumeTag(data)
		require.Positive(t, size)
		data = data[size:]
		var v uint64
		var b []byte
		switch kind {
		case protowire.VarintType:
			v, size = protowire.ConsumeVarint(data)
		case protowire.Fixed32Type:
			var x uint32
			x, size = protowire.ConsumeFixed32(data)
			v = uint64(x)
		case protowire.Fixed64Type:
			v, size = protowire.ConsumeFixed64(data)
		case protowire.BytesType:
			b, size = protowire.ConsumeBytes(data)
		default:
			t.Fatalf("unexpected wire type %d", kind)
		}
		require.Positive(t, size)
		data = data[size:]
		f(n, v, b)
	}
}

func varints(t *testing.T, data []byte) []uint64 {
	t.Helper()
	var list []uint64
	for len(data) > 0 {
		v, size := protowire.ConsumeVarint(data)
		require.Positive(t, size)
		list, data = append(list, v), data[size:]
	}
	return list
}

// readTile decodes a tile by the specification.
func readTile(t *testing.T, data []byte) map[string][]drawnFeature {
	t.Helper()
	tile := map[string][]drawnFeature{}
	fields(t, data, func(n protowire.Number, _ uint64, b []byte) {
		require.Equal(t, protowire.Number(3), n)
		name, features := readLayer(t, b)
		require.NotContains(t, tile, name)
		require.NotEmpty(t, features)
		tile[name] = features
	})
	return tile
}

func readLayer(t *testing.T, data []byte) (name string, features []drawnFeature) {
	t.Helper()
	var keys []string
	var values []any
	var raw [][]byte
	version, extent := uint64(1), uint64(0)
	fields(t, data, func(n protowire.Number, v uint64, b []byte) {
		switch n {
		case 1:
			name = string(b)
		case 2:
			raw = append(raw, b)
		case 3:
			keys = append(keys, string(b))
		case 4:
			values = append(values, readValue(t, b))
		case 5:
			extent = v
		case 15:
			version = v
		}
	})
	require.EqualValues(t, 2, version)
	require.EqualValues(t, 4096, extent)
	for _, b := range raw {
		f := drawnFeature{tags: map[string]any{}}
		fields(t, b, func(n protowire.Number, v uint64, b []byte) {
			switch n {
			case 1:
				f.id = v
			case 2:
				tags := varints(t, b)
				require.Zero(t, len(tags)%2)
				for i := 0; i < len(tags); i += 2 {
					f.tags[keys[tags[i]]] = values[tags[i+1]]
				}
			case 3:
				f.kind = v
			case 4:
				f.points = readGeometry(t, varints(t, b))
			}
		})
		features = append(features, f)
	}
	return name, features
}

func readValue(t *testing.T, data []byte) (value any) {
	t.Helper()
	fields(t, data, func(n protowire.Number, v uint64, b []byte) {
		switch n {
		case 1:
			value = string(b)
		case 2:
			value = math.Float32frombits(uint32(v))
		case 3:
			value = math.Float64frombits(v)
		case 5:
			value = v
		case 6:
			value = protowire.DecodeZigZag(v)
		case 7:
			value = v != 0
		default:
			t.Fatalf("value of kind %d", n)
		}
	})
	return value
}

func readGeometry(t *testing.T, list []uint64) (points []tilePoint) {
	t.Helper()
	var at tilePoint
	for i := 0; i < len(list); {
		command, count := list[i]&7, list[i]>>3
		require.Contains(t, []uint64{1, 2}, command)
		i++
		for range count {
			at.x += int32(protowire.DecodeZigZag(list[i]))
			at.y += int32(protowire.DecodeZigZag(list[i+1]))
			points = append(points, at)
			i += 2
		}
	}
	return points
}

// tileAt returns the tile of a place.
func tileAt(p orb.Point, z uint32) tileID {
	f := newTileFrame(tileID{z: z})
	x, y := f.place(p)
	return tileID{uint32(x) / tileExtent, uint32(y) / tileExtent, z}
}

func (t tileID) url() string { return fmt.Sprintf("/tile/v1/car/tile(%d,%d,%d).mvt", t.x, t.y, t.z) }

func TestTile(t *testing.T) {
	h := Handler(drawn(t), Options{})
	lon, lat, _ := street.Position('b')
	ask := func(z uint32) map[string][]drawnFeature {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", tileAt(orb.Point{lon, lat}, z).url(), nil))
		require.Equal(t, 200, w.Code)
		require.Equal(t, "application/x-protobuf", w.Header().Get("Content-Type"))
		return readTile(t, w.Body.Bytes())
	}
	tile := ask(12)
	require.NotContains(t, tile, "turns")
	require.Len(t, tile["speeds"], 6, "three streets, both ways")
	require.Len(t, tile["osmnodes"], 4)
	names := map[any]int{}
	for i, f := range tile["speeds"] {
		require.EqualValues(t, i+1, f.id)
		require.EqualValues(t, 2, f.kind)
		require.Len(t, f.points, 2)
		names[f.tags["name"]]++
		require.Equal(t, "lua profile", f.tags["datasource"])
		require.Equal(t, true, f.tags["is_startpoint"])
		require.Equal(t, true, f.tags["is_small"])
		duration, speed := f.tags["duration"].(float64), f.tags["speed"].(uint64)
		require.Positive(t, duration)
		require.InDelta(t, 100/duration*3.6*2, float64(speed), 100, "plausible")
		require.Equal(t, duration, f.tags["weight"])
		require.InDelta(t, float64(speed)/36, f.tags["rate"], 0.06)
	}
	require.Equal(t, map[any]int{"abc": 4, "bd": 2}, names)
	for _, f := range tile["osmnodes"] {
		require.EqualValues(t, 1, f.kind)
		require.Positive(t, f.id)
		require.Empty(t, f.tags)
	}

	tile = ask(15)
	require.Len(t, tile["turns"], 6, "each of three arms into the two others")
	angles := map[int64]string{}
	for _, f := range tile["turns"] {
		require.EqualValues(t, 1, f.kind)
		angles[f.tags["turn_angle"].(int64)] = f.tags["modifier"].(string)
		require.Contains(t, []int64{0, 90, 270, 89, 269, 359}, f.tags["bearing_in"])
		require.Contains(t, []string{"turn", "end of road", "(suppressed)"}, f.tags["type"])
		require.IsType(t, float32(0), f.tags["cost"])
		require.IsType(t, float32(0), f.tags["weight"])
	}
	for angle, modifier := range angles {
		switch {
		case angle < -80:
			require.Equal(t, "left", modifier)
		case angle > 80:
			require.Equal(t, "right", modifier)
		default:
			require.Equal(t, "straight", modifier)
		}
	}

	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/tile/v1/car/tile(0,0,12).mvt", nil))
	require.Equal(t, 200, w.Code)
	require.Zero(t, w.Body.Len(), "nothing is there")
}

// TestTileOfNetwork: on request roads tell their component and cells.
func TestTileOfNetwork(t *testing.T) {
	e := build(t, routing.BuildOptions{Input: osmdata.Andorra(t), Algorithms: []routing.Algorithm{routing.MLD}}, routing.Options{Algorithm: routing.MLD})
	levels := e.Info().Levels
	require.Positive(t, levels)
	h := Handler(e, Options{})
	url := tileAt(orb.Point{1.5218, 42.5075}, 13).url()
	cells := make([]map[any]bool, levels)
	for _, query := range []string{"", "?network=false", "?network=true"} {
		w := get(h, url+query)
		require.Equal(t, 200, w.Code)
		for _, f := range readTile(t, w.Body.Bytes())["speeds"] {
			if query != "?network=true" {
				require.Len(t, f.tags, 8)
				continue
			}
			require.Len(t, f.tags, 9+levels)
			require.IsType(t, uint64(0), f.tags["component"])
			for l := range cells {
				if cells[l] == nil {
					cells[l] = map[any]bool{}
				}
				cells[l][f.tags[fmt.Sprintf("cell_%d", l+1)]] = true
			}
		}
	}
	require.Greater(t, len(cells[0]), 1)
	require.Less(t, len(cells[levels-1]), len(cells[0])+1)
}

func TestParseTile(t *testing.T) {
	got, _, err := parseTile("tile(4095,0,12).mvt", 0)
	require.NoError(t, err)
	require.Equal(t, tileID{4095, 0, 12}, got)
	for text, code := range map[string]routing.Code{
		"tile(0,0,11).mvt":           routing.ErrInvalidOptions,
		"tile(0,0,20).mvt":           routing.ErrInvalidOptions,
		"tile(4096,0,12).mvt":        routing.ErrInvalidOptions,
		"tile(0,4096,12).mvt":        routing.ErrInvalidOptions,
		"tile(4294967296,0,12).mvt":  routing.ErrInvalidQuery,
		"tile(-1,0,12).mvt":          routing.ErrInvalidQuery,
		"tile(0,0,12).mvt?x=1":       routing.ErrInvalidQuery,
		"tile(0,0,12)":               routing.ErrInvalidQuery,
		"1,2":                        routing.ErrInvalidQuery,
		"tile(0,0,4294967295).mvt":   routing.ErrInvalidOptions,
		"tile(0,0,12).json":          routing.ErrInvalidQuery,
		"tile(0,0,12).mvt.json":      routing.ErrInvalidQuery,
		"tile( 0,0,12).mvt":          routing.ErrInvalidQuery,
		"tile(0,0,4294967296).mvt":   routing.ErrInvalidQuery,
		"tile(0,0).mvt":              routing.ErrInvalidQuery,
		"tile(524288,524287,19).mvt": routing.ErrInvalidOptions,
	} {
		_, _, err := parseTile(text, 0)
		require.ErrorIs(t, err, code, text)
	}
	_, _, err = parseTile("/tile/v1/car/tile(0,0,x).mvt", 13)
	require.ErrorContains(t, err, "position 22")
}

func TestClip(t *testing.T) {
	f := newTileFrame(tileID{2048, 2048, 12})
	// at returns the place of a point of the tile.
	at := func(x, y float64) orb.Point {
		wx, wy := f.left+x/f.scale, f.top+y/f.scale
		return orb.Point{(wx - 0.5) * 360, math.Atan(math.Sinh(2*math.Pi*(0.5-wy))) * 180 / math.Pi}
	}
	for _, c := range []struct {
		ax, ay, bx, by float64
		want           []tilePoint
	}{
		{10, 20, 30, 40, []tilePoint{{10, 20}, {30, 40}}},
		{10, 20, 10, 20, nil},
		{10, 20, 10.3, 20, nil},
		{-1000, 100, 5000, 100, []tilePoint{{-128, 100}, {4224, 100}}},
		{100, 5000, 100, -1000, []tilePoint{{100, 4224}, {100, -128}}},
		{-1000, -1000, 5000, 5000, []tilePoint{{-128, -128}, {4224, 4224}}},
		{-1000, -200, 5000, -200, nil},
		{-300, 0, 0, -300, nil},
		{-128, 0, -128, 50, []tilePoint{{-128, 0}, {-128, 50}}},
		{4300, 0, 4400, 10, nil},
		{-256, -128, -128, -128, nil},
	} {
		from, to, ok := f.clip(at(c.ax, c.ay), at(c.bx, c.by))
		require.Equal(t, c.want != nil, ok, c)
		if ok {
			require.Equal(t, c.want, []tilePoint{from, to}, c)
		}
	}
	_, ok := f.inside(at(-128, 0))
	require.False(t, ok)
	p, ok := f.inside(at(-127, 4223))
	require.True(t, ok)
	require.Equal(t, tilePoint{-127, 4223}, p)
}

func TestTileBounds(t *testing.T) {
	b := tileID{0, 0, 12}.bounds()
	require.Equal(t, -180.0, b.Min[0])
	require.InDelta(t, 85.0511287798, b.Max[1], 1e-9)
	last := uint32(1)<<19 - 1
	b = tileID{last, last, 19}.bounds()
	require.Equal(t, 180.0, b.Max[0])
	require.InDelta(t, -85.0511287798, b.Min[1], 1e-9)
	for z := uint32(12); z < 20; z++ {
		p := orb.Point{7.42, 43.73}
		require.True(t, tileAt(p, z).bounds().Contains(p))
	}
}

// TestTileOfCrossings: the roads within crossings are drawn once more.
func TestTileOfCrossings(t *testing.T) {
	tile := tileAt(orb.Point{7.5, 43.7}, 15)
	inside := tile.bounds().Center()
	east := orb.Point{inside[0] + 0.001, inside[1]}
	road := routing.RoadSegment{From: inside, To: east, Length: 80, Duration: 8}
	crossing := road
	crossing.From, crossing.To, crossing.Internal = road.To, road.From, true
	outside := crossing
	outside.From, outside.To = orb.Point{1, 1}, orb.Point{1, 2}
	var b buffer
	a := tileAnswer{&routing.RoadsResponse{Roads: []routing.RoadSegment{road, crossing, outside}}, tile, false}
	a.render(&b, false)
	got := readTile(t, b.body)
	require.Len(t, got["speeds"], 2)
	require.Len(t, got["internal-nodes"], 1)
	f := got["internal-nodes"][0]
	require.Zero(t, f.id)
	require.EqualValues(t, 2, f.kind)
	require.Empty(t, f.tags)
	require.Equal(t, got["speeds"][1].points, f.points)
}
