package routing

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract/areas"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/polygon"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

// walkers draws a map for those who walk across squares, once for each algorithm.
func walkers(t *testing.T, d testmap.Drawing) []*town {
	t.Helper()
	d.Cell = 50
	data, err := d.OSM()
	require.NoError(t, err)
	var towns []*town
	for _, e := range bothAlgorithms(t, data, profile.FootOptions{Areas: true}) {
		towns = append(towns, &town{e, t, d})
	}
	return towns
}

func bothAlgorithms(t *testing.T, data []byte, o profile.FootOptions) []*Engine {
	t.Helper()
	foot, err := profile.NewFoot(o)
	require.NoError(t, err)
	var engines []*Engine
	for _, a := range []Algorithm{CH, MLD} {
		engines = append(engines, build(t, BuildOptions{Input: "town.osm", Reader: bytes.NewReader(data), Profile: foot}, Options{Algorithm: a}))
	}
	return engines
}

// names returns the names of a route's steps.
func names(r *RouteResult) string {
	out := ""
	for _, leg := range r.Legs {
		for i, s := range leg.Steps {
			if i > 0 {
				out += ","
			}
			out += s.Name
		}
	}
	return out
}

// drawnAs spells a line by the letters of the map.
func (m *town) drawnAs(line orb.LineString) string {
	out := ""
	for _, p := range line {
		at := "?"
		for _, letter := range "abcdefghijklmnopqrstuvwxyz" {
			lon, lat, ok := m.drawing.Position(letter)
			if ok && geo.FromLonLat(lon, lat) == geo.FromLonLat(p[0], p[1]) {
				at = string(letter)
			}
		}
		out += at
	}
	return out
}

// leads asks for a route and says what it looks like.
func (m *town) leads(letters, want string, meters float64) *RouteResult {
	m.t.Helper()
	res, err := m.ask(letters, func(r *RouteRequest) { r.Steps = true })
	require.NoError(m.t, err, letters)
	r := &res.Routes[0]
	require.Equal(m.t, want, m.drawnAs(r.Geometry), letters)
	require.InDelta(m.t, meters, r.Distance, meters*0.005+0.2, letters)
	for _, leg := range r.Legs {
		a := leg.Annotation
		var distance, duration, weight, steps float64
		for i := range a.Distance {
			distance += a.Distance[i]
			duration += a.Duration[i]
			weight += a.Weight[i]
			require.GreaterOrEqual(m.t, a.Duration[i], 0.0)
		}
		for _, s := range leg.Steps {
			steps += s.Duration
		}
		require.Len(m.t, a.Nodes, len(a.Distance)+1)
		require.Len(m.t, a.Ways, len(a.Distance))
		require.InDelta(m.t, leg.Distance, distance, 0.2)
		require.LessOrEqual(m.t, duration, leg.Duration+0.05, "turns come on top")
		require.LessOrEqual(m.t, weight, leg.Weight+0.05)
		require.InDelta(m.t, leg.Duration, steps, 0.05)
	}
	first, last := letters[:1], letters[len(letters)-1:]
	for i, letter := range []string{first, last} {
		w := res.Waypoints[i*(len(res.Waypoints)-1)]
		require.Zero(m.t, w.Distance)
		require.Equal(m.t, letter, m.drawnAs(orb.LineString{w.Location}), "one starts and stops where one asked to")
	}
	return r
}

var emptySquare = testmap.Drawing{
	Map: `
		e-a-------b-f
		  |       |
		  | m k n |
		h-d-------c-g`,
	Ways: []testmap.Row{
		{"abcda", "highway=pedestrian area=yes name=Plaza"},
		{"ea", "highway=pedestrian name=A"},
		{"bf", "highway=pedestrian name=B"},
		{"hd", "highway=pedestrian name=C"},
		{"cg", "highway=pedestrian name=D"},
	},
}

var squareWithHouse = testmap.Drawing{
	Map: `
		e-a-----------b-f
		  | u-------v |
		  |p|       |q|
		  | x-------w |
		  |     s     |
		h-d-----------c-g`,
	Ways: []testmap.Row{
		{"abcda", "highway="},
		{"uvwxu", "highway="},
		{"ea", "highway=pedestrian name=A"},
		{"bf", "highway=pedestrian name=B"},
		{"hd", "highway=pedestrian name=C"},
		{"cg", "highway=pedestrian name=D"},
	},
	Relations: []testmap.Row{{"outer=abcda inner=uvwxu", "type=multipolygon highway=pedestrian"}},
}

func TestOverASquare(t *testing.T) {
	for _, m := range walkers(t, emptySquare) {
		require.Equal(t, "A,Plaza,D", names(m.leads("eg", "eacg", 100+math.Hypot(200, 150))))
		require.Equal(t, "B,Plaza,C", names(m.leads("fh", "fbdh", 100+math.Hypot(200, 150))))
	}
}

func TestFromInsideASquare(t *testing.T) {
	for _, m := range walkers(t, emptySquare) {
		r := m.leads("mf", "mbf", math.Hypot(150, 100)+50)
		require.Equal(t, "B,B", names(r))
		require.InDelta(t, math.Hypot(150, 100)/1.4+36, r.Duration, 0.3)
		require.Equal(t, []int64{0}, r.Legs[0].Annotation.Ways[:1], "a walk is on no way")
		m.leads("mg", "mcg", math.Hypot(150, 50)+50)
		m.leads("em", "eam", 50+math.Hypot(50, 100))
	}
}

func TestWithinASquare(t *testing.T) {
	for _, m := range walkers(t, emptySquare) {
		require.Equal(t, "D,D", names(m.leads("mn", "mn", 100)))
		require.Equal(t, "C,C", names(m.leads("nm", "nm", 100)))
		m.leads("mkn", "mkn", 100)
		m.leads("mm", "mm", 0)
		m.leads("emkf", "eamkbf", 50+math.Hypot(50, 100)+50+math.Hypot(100, 100)+50)

		res := m.route("mn", func(r *RouteRequest) { r.Alternatives, r.Annotations = 3, 0 })
		require.Len(t, res.Routes, 1, "there is no better way than the straight one")
		res = m.route("emkf", func(r *RouteRequest) { r.Waypoints, r.Annotations, r.ContinueStraight = []int{0, 3}, 0, ContinueAlways })
		require.Len(t, res.Routes[0].Legs, 1)
		require.Equal(t, "eamkbf", m.drawnAs(res.Routes[0].Geometry))
		require.Equal(t, "Plaza", res.Waypoints[1].Name)
	}
}

func TestAroundAHouse(t *testing.T) {
	for _, m := range walkers(t, squareWithHouse) {
		m.leads("pf", "pubf", 0+math.Hypot(25, 50)+math.Hypot(250, 50)+50)
		m.leads("eq", "eavq", 50+math.Hypot(250, 50)+math.Hypot(25, 50))
		m.leads("pq", "puvq", 2*math.Hypot(25, 50)+200)
		m.leads("ps", "pxs", math.Hypot(25, 50)+math.Hypot(100, 50))
	}
}

// Tables and trips tell what routes do.
func TestTablesOverAreas(t *testing.T) {
	for _, m := range walkers(t, squareWithHouse) {
		const letters = "pqsefabux"
		table, err := Table(t.Context(), m.Engine, TableRequest{Coordinates: m.points(letters), Annotations: TableDurations | TableDistances})
		require.NoError(t, err)
		for i, from := range letters {
			for j, to := range letters {
				if i == j {
					require.Zero(t, table.Durations[i][j])
					continue
				}
				r := m.route(string(from)+string(to), func(r *RouteRequest) { r.Annotations = 0 }).Routes[0]
				require.InDelta(t, r.Duration, table.Durations[i][j], 1e-9, "%c to %c", from, to)
				require.InDelta(t, r.Distance, table.Distances[i][j], 1e-9, "%c to %c", from, to)
			}
		}
		trip, err := Trip(t.Context(), m.Engine, TripRequest{Coordinates: m.points("pqs"), Overview: OverviewFull})
		require.NoError(t, err)
		require.InDelta(t, 2*math.Hypot(25, 50)+200+2*(math.Hypot(25, 50)+math.Hypot(100, 50)), trip.Trips[0].Distance, 2)
		require.Equal(t, "pxswqvup", m.drawnAs(trip.Trips[0].Geometry))
	}
}

// A vertex in the midst of a search node, f here, is left and reached like any other,
// also on the way from or to a place on the same node.
func TestVertexWithinASearchNode(t *testing.T) {
	for _, m := range walkers(t, testmap.Drawing{
		Map: `
			  g
			  |
			a-b
			| | z
			| |
			| f-----e-h
			|    y  |
			|       |
			| p     |
			d-------c`,
		Ways: []testmap.Row{
			{"abfecda", "highway=pedestrian area=yes"}, {"gb", "highway=pedestrian"}, {"eh", "highway=pedestrian"},
		},
	}) {
		const letters = "pzyghaf"
		r := TableRequest{Coordinates: m.points(letters), Annotations: TableDurations | TableDistances}
		table, err := Table(t.Context(), m.Engine, r)
		require.NoError(t, err)
		for i, from := range letters {
			for j, to := range letters {
				r := m.route(string(from)+string(to), func(r *RouteRequest) { r.Annotations = 0 }).Routes[0]
				require.InDelta(t, r.Duration, table.Durations[i][j], 1e-9, "%c to %c", from, to)
				require.InDelta(t, r.Distance, table.Distances[i][j], 1e-9, "%c to %c", from, to)
			}
		}
		require.InDelta(t, 250, table.Distances[0][1], 1)
		require.InDelta(t, 250, table.Distances[1][0], 1)
		r.Sources, r.Destinations = []int{4, 1}, []int{5, 0, 2}
		part, err := Table(t.Context(), m.Engine, r)
		require.NoError(t, err)
		for i, source := range r.Sources {
			for j, destination := range r.Destinations {
				require.InDelta(t, table.Distances[source][destination], part.Distances[i][j], 1e-9)
			}
		}
		trip, err := Trip(t.Context(), m.Engine, TripRequest{Coordinates: m.points("pz")})
		require.NoError(t, err)
		require.InDelta(t, table.Durations[0][1]+table.Durations[1][0], trip.Trips[0].Duration, 1e-9)
	}
}

// plaza is a made-up square with houses on it and roads away from it.
type plaza struct {
	osm    bytes.Buffer
	shape  polygon.Polygon
	gates  []geo.Coord // where roads leave it
	ends   []geo.Coord // of roads
	size   int32
	nodes  int64
	middle geo.Coord
}

func (p *plaza) node(c geo.Coord) areas.Node {
	p.nodes++
	lon, lat := c.LonLat()
	fmt.Fprintf(&p.osm, `<node id="%d" lon="%.6f" lat="%.6f"/>`, p.nodes, lon, lat)
	return areas.Node{ID: p.nodes, At: c}
}

func (p *plaza) way(id int, tags string, nodes ...areas.Node) {
	fmt.Fprintf(&p.osm, `<way id="%d">`, id)
	for _, n := range nodes {
		fmt.Fprintf(&p.osm, `<nd ref="%d"/>`, n.ID)
	}
	fmt.Fprintf(&p.osm, `%s</way>`, tags)
}

func (p *plaza) at(rng *rand.Rand, angle, from, to float64) geo.Coord {
	r := float64(p.size) * (from + (to-from)*rng.Float64())
	return geo.Coord{Lon: p.middle.Lon + int32(r*math.Cos(angle)), Lat: p.middle.Lat + int32(r*math.Sin(angle))}
}

// newPlaza draws a star, with triangles in it and roads that lead away from it.
func newPlaza(rng *rand.Rand) *plaza {
	const tag = `<tag k="highway" v="pedestrian"/>`
	p := &plaza{size: 1000, middle: geo.Coord{Lon: 13_400_000, Lat: 52_500_000}}
	p.osm.WriteString(`<osm version="0.6">`)
	corners := 5 + rng.IntN(8)
	var rings [][]areas.Node
	var outer []areas.Node
	var roads [][2]areas.Node
	for i := range corners {
		angle := (float64(i) + 0.7*rng.Float64()) / float64(corners) * 2 * math.Pi
		n := p.node(p.at(rng, angle, 0.5, 1))
		outer = append(outer, n)
		if i < 2 || rng.IntN(2) == 0 {
			far := geo.Coord{Lon: 3*n.At.Lon - 2*p.middle.Lon, Lat: 3*n.At.Lat - 2*p.middle.Lat}
			roads = append(roads, [2]areas.Node{n, p.node(far)})
			p.gates, p.ends = append(p.gates, n.At), append(p.ends, far)
		}
	}
	rings = append(rings, append(outer, outer[0]))
	for range rng.IntN(6) {
		at := p.at(rng, rng.Float64()*7, 0, 0.5)
		var hole []areas.Node
		for range 3 {
			hole = append(hole, p.node(geo.Coord{Lon: at.Lon + rng.Int32N(400), Lat: at.Lat + rng.Int32N(400)}))
		}
		hole = append(hole, hole[0])
		if list, fault := areas.Assemble(append(rings, hole)); fault == areas.None && len(list) == 1 {
			rings = append(rings, hole)
		}
	}
	list, _ := areas.Assemble(rings)
	p.shape = list[0].Polygon()
	for i, r := range rings {
		p.way(i+1, "", r...)
	}
	for i, r := range roads {
		p.way(100+i, tag, r[0], r[1])
	}
	p.osm.WriteString(`<relation id="1"><tag k="type" v="multipolygon"/>` + tag)
	for i := range rings {
		fmt.Fprintf(&p.osm, `<member type="way" ref="%d" role=""/>`, i+1)
	}
	p.osm.WriteString(`</relation></osm>`)
	return p
}

// checkLegs checks that alternatives come on top of what there is without them, and
// that a stop in an area parts a route, whatever is asked of turning around.
func checkLegs(t *testing.T, rng *rand.Rand, e *Engine, places []orb.Point, inside int) {
	for range 10 {
		a, b, c := places[rng.IntN(len(places))], places[rng.IntN(inside)], places[rng.IntN(len(places))]
		ask := func(r RouteRequest) RouteResult {
			res, err := Route(t.Context(), e, r)
			require.NoError(t, err)
			return res.Routes[0]
		}
		first, second := ask(RouteRequest{Coordinates: []orb.Point{a, b}}), ask(RouteRequest{Coordinates: []orb.Point{b, c}})
		require.InDelta(t, first.Duration, ask(RouteRequest{Coordinates: []orb.Point{a, b}, Alternatives: 2}).Duration, 1e-9)
		for _, way := range []ContinueStraight{ContinueFreely, ContinueAlways} {
			both := ask(RouteRequest{Coordinates: []orb.Point{a, b, c}, ContinueStraight: way})
			require.InDelta(t, first.Duration+second.Duration, both.Duration, 1e-9)
			require.InDelta(t, first.Duration, both.Legs[0].Duration, 1e-9)
		}
	}
}

// Whatever the square looks like, ways across it are the shortest, in all services
// and by all algorithms.
func TestAreaWaysAreShortest(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		p := newPlaza(rng)
		// 1.4 m/s, so that all ways have one speed.
		engines := bothAlgorithms(t, p.osm.Bytes(), profile.FootOptions{Areas: true, Speed: 5.04})
		var places []geo.Coord
		for len(places) < 5 {
			if c := p.at(rng, rng.Float64()*7, 0, 1); p.shape.Locate(c) == polygon.Inside {
				places = append(places, c)
			}
		}
		inside := len(places)
		places = append(places, p.ends...)
		g := p.shape.NewGraph()
		var f polygon.Finder
		within := func(a, b geo.Coord) float64 {
			meters, _, ok := f.Shortest(&p.shape, &g, a, b)
			require.True(t, ok)
			return meters
		}
		var coordinates []orb.Point
		for _, c := range places {
			coordinates = append(coordinates, orb.Point{float64(c.Lon) / geo.Precision, float64(c.Lat) / geo.Precision})
		}
		for _, e := range engines {
			checkLegs(t, rng, e, coordinates, inside)
			table, err := Table(t.Context(), e, TableRequest{Coordinates: coordinates, Annotations: TableDurations | TableDistances})
			require.NoError(t, err)
			for i := range places {
				for j := range places {
					if i == j {
						continue
					}
					r, err := Route(t.Context(), e, RouteRequest{Coordinates: []orb.Point{coordinates[i], coordinates[j]}, Overview: OverviewFull})
					require.NoError(t, err)
					want, a, b := 0.0, places[i], places[j]
					if i >= inside {
						a = p.gates[i-inside]
						want += geo.Distance(a, places[i])
					}
					if j >= inside {
						b = p.gates[j-inside]
						want += geo.Distance(b, places[j])
					}
					want += within(a, b)
					require.InDelta(t, want, r.Routes[0].Distance, 1, "%v to %v", a, b)
					require.InDelta(t, want/1.4, r.Routes[0].Duration, 0.5)
					require.InDelta(t, r.Routes[0].Duration, table.Durations[i][j], 1e-9)
					require.InDelta(t, r.Routes[0].Distance, table.Distances[i][j], 0.5, "ties")
					for k := 1; k < len(r.Routes[0].Geometry); k++ {
						u, v := r.Routes[0].Geometry[k-1], r.Routes[0].Geometry[k]
						c, d := geo.FromLonLat(u[0], u[1]), geo.FromLonLat(v[0], v[1])
						if p.shape.Locate(c) != polygon.Outside && p.shape.Locate(d) != polygon.Outside {
							require.True(t, p.shape.Sees(c, d), "no way through houses")
						}
					}
				}
			}
		}
	}
}

// BenchmarkArea asks about places on a square with houses.
func BenchmarkArea(b *testing.B) {
	rng := rand.New(rand.NewPCG(23, 24))
	p := newPlaza(rng)
	for len(p.shape.Ends) < 5 {
		p = newPlaza(rng)
	}
	foot, err := profile.NewFoot(profile.FootOptions{Areas: true})
	require.NoError(b, err)
	e := build(b, BuildOptions{Input: "town.osm", Reader: bytes.NewReader(p.osm.Bytes()), Profile: foot}, Options{})
	var places []orb.Point
	for len(places) < 100 {
		if c := p.at(rng, rng.Float64()*7, 0, 1); p.shape.Locate(c) == polygon.Inside {
			places = append(places, orb.Point{float64(c.Lon) / geo.Precision, float64(c.Lat) / geo.Precision})
		}
	}
	far := orb.Point{float64(p.ends[0].Lon) / geo.Precision, float64(p.ends[0].Lat) / geo.Precision}
	s := e.Session()
	defer s.Close()
	b.Run("route/within", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, err := s.Route(b.Context(), RouteRequest{Coordinates: []orb.Point{places[i%100], places[(i+7)%100]}})
			require.NoError(b, err)
		}
	})
	b.Run("route/out", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, err := s.Route(b.Context(), RouteRequest{Coordinates: []orb.Point{places[i%100], far}})
			require.NoError(b, err)
		}
	})
	b.Run("table/100x100", func(b *testing.B) {
		for b.Loop() {
			_, err := s.Table(b.Context(), TableRequest{Coordinates: places})
			require.NoError(b, err)
		}
	})
}
