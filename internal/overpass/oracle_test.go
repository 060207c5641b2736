package overpass_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/internal/overpass"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
)

// world is an extract: what we made of it, and what another reader finds in the file of
// the elements that we say there are.
type world struct {
	elements *graph.Elements
	nodes    map[int64]*osm.Node
	ways     map[int64]*osm.Way
	nodeIDs  []int64
	wayIDs   []int64
	waysOf   map[int64][]int64
}

func newWorld(tb testing.TB, data []byte) *world {
	tb.Helper()
	f, err := osmfile.OpenReaderAt(bytes.NewReader(data), int64(len(data)), "world")
	require.NoError(tb, err)
	car, err := profile.ByName("car")
	require.NoError(tb, err)
	r, err := extract.Run(context.Background(), f, car, extract.Options{Tags: true})
	require.NoError(tb, err)
	w := &world{
		elements: r.Elements, nodes: map[int64]*osm.Node{}, ways: map[int64]*osm.Way{}, waysOf: map[int64][]int64{},
	}
	scanner := osmpbf.New(context.Background(), bytes.NewReader(data), 2)
	defer scanner.Close()
	for scanner.Scan() {
		switch o := scanner.Object().(type) {
		case *osm.Node:
			if _, ok := w.elements.FindNode(int64(o.ID)); ok {
				// The graph has no more digits.
				o.Lat = float64(osmfile.MicroDegrees(int32(math.Round(o.Lat*1e7)))) / 1e6
				o.Lon = float64(osmfile.MicroDegrees(int32(math.Round(o.Lon*1e7)))) / 1e6
				w.nodes[int64(o.ID)] = o
				w.nodeIDs = append(w.nodeIDs, int64(o.ID))
			}
		case *osm.Way:
			id := int64(o.ID)
			if _, ok := w.elements.FindWay(id); ok {
				w.ways[id] = o
				w.wayIDs = append(w.wayIDs, id)
				for _, n := range o.Nodes {
					if at := w.waysOf[int64(n.ID)]; len(at) == 0 || at[len(at)-1] != id {
						w.waysOf[int64(n.ID)] = append(at, id)
					}
				}
			}
		}
	}
	if err := scanner.Err(); err != io.EOF {
		require.NoError(tb, err)
	}
	slices.Sort(w.nodeIDs)
	slices.Sort(w.wayIDs)
	require.Len(tb, w.nodeIDs, w.elements.NumNodes())
	require.Len(tb, w.wayIDs, w.elements.NumWays())
	return w
}

// worlds are made once; nothing may change them.
var worlds struct {
	city, delaware once
}

type once struct {
	sync.Once
	world *world
}

func (o *once) get(tb testing.TB, read func(testing.TB) []byte) *world {
	o.Do(func() { o.world = newWorld(tb, read(tb)) })
	require.NotNil(tb, o.world)
	return o.world
}

func city(tb testing.TB) *world {
	return worlds.city.get(tb, func(tb testing.TB) []byte {
		var data bytes.Buffer
		require.NoError(tb, testmap.City(&data, 5000, 1))
		return data.Bytes()
	})
}

func delaware(tb testing.TB) *world {
	return worlds.delaware.get(tb, func(tb testing.TB) []byte {
		data, err := os.ReadFile(osmdata.Delaware(tb))
		require.NoError(tb, err)
		return data
	})
}

// found is what a naive filter finds. Those that are too near to a border to say are
// in doubt.
type found struct{ nodes, ways, doubt map[int64]bool }

func newFound() found {
	return found{map[int64]bool{}, map[int64]bool{}, map[int64]bool{}}
}

// condition is a filter in text and as a naive function.
type condition struct {
	text string
	node func(*osm.Node) (yes, doubt bool)
	way  func(*osm.Way) (yes, doubt bool)
}

// tagCondition makes a random condition on tags that exist, or nearly.
func (w *world) tagCondition(rng *rand.Rand) condition {
	tags := w.ways[w.wayIDs[rng.IntN(len(w.wayIDs))]].Tags
	if rng.IntN(3) == 0 {
		if t := w.nodes[w.nodeIDs[rng.IntN(len(w.nodeIDs))]].Tags; len(t) > 0 {
			tags = t
		}
	}
	tag := tags[rng.IntN(len(tags))]
	both := func(text string, accepts func(osm.Tags) bool) condition {
		return condition{
			text,
			func(n *osm.Node) (bool, bool) { return accepts(n.Tags), false },
			func(w *osm.Way) (bool, bool) { return accepts(w.Tags), false },
		}
	}
	has := func(t osm.Tags) bool { return t.HasTag(tag.Key) }
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
	}
	key, value := quote(tag.Key), quote(tag.Value)
	part := regexp.QuoteMeta(tag.Value[:min(len(tag.Value), 1+rng.IntN(4))])
	if rng.IntN(2) == 0 {
		part = "^" + part
	}
	switch rng.IntN(8) {
	case 0:
		return both("["+key+"]", has)
	case 1:
		return both("[!"+key+"]", func(t osm.Tags) bool { return !has(t) })
	case 2, 3:
		return both("["+key+"="+value+"]", func(t osm.Tags) bool { return has(t) && t.Find(tag.Key) == tag.Value })
	case 4:
		return both("["+key+"!="+value+"]", func(t osm.Tags) bool { return !has(t) || t.Find(tag.Key) != tag.Value })
	case 5:
		re := regexp.MustCompile(part)
		return both("["+key+"~"+quote(part)+"]", func(t osm.Tags) bool { return has(t) && re.MatchString(t.Find(tag.Key)) })
	case 6:
		re := regexp.MustCompile(part)
		return both("["+key+"!~"+quote(part)+"]", func(t osm.Tags) bool { return !has(t) || !re.MatchString(t.Find(tag.Key)) })
	default:
		re := regexp.MustCompile("(?i)" + part)
		keys := regexp.MustCompile("(?i)" + regexp.QuoteMeta(tag.Key[:1]))
		return both("[~"+quote(regexp.QuoteMeta(tag.Key[:1]))+"~"+quote(part)+",i]", func(t osm.Tags) bool {
			return slices.ContainsFunc(t, func(t osm.Tag) bool { return keys.MatchString(t.Key) && re.MatchString(t.Value) })
		})
	}
}

func (w *world) line(way *osm.Way) (line []geo.Point) {
	for _, n := range way.Nodes {
		if at := w.nodes[int64(n.ID)]; at != nil {
			line = append(line, geo.Point{X: at.Lon, Y: at.Lat})
		}
	}
	return line
}

// boxCondition makes a random rectangle near a node.
func (w *world) boxCondition(rng *rand.Rand) condition {
	at := w.nodes[w.nodeIDs[rng.IntN(len(w.nodeIDs))]]
	size := math.Pow(10, -1-3*rng.Float64())
	south, west := at.Lat-size*rng.Float64(), at.Lon-size*rng.Float64()
	north, east := south+size*rng.Float64(), west+size*rng.Float64()
	round := func(v *float64) { *v = math.Round(*v*1e6)/1e6 + 0.5e-6 }
	for _, v := range []*float64{&south, &west, &north, &east} {
		round(v) // between micro-degrees
	}
	in := func(x, y float64) bool { return x >= west && x <= east && y >= south && y <= north }
	return condition{
		fmt.Sprintf("(%.7f,%.7f,%.7f,%.7f)", south, west, north, east),
		func(n *osm.Node) (bool, bool) { return in(n.Lon, n.Lat), false },
		func(way *osm.Way) (bool, bool) {
			line := w.line(way)
			doubt := false
			for i, p := range line {
				if in(p.X, p.Y) {
					return true, false
				}
				if i == 0 {
					continue
				}
				// By the sections of the segment, as Liang and Barsky clip.
				const tiny = 2e-6
				if clips(line[i-1], p, west, south, east, north, -tiny) {
					return true, false
				}
				doubt = doubt || clips(line[i-1], p, west, south, east, north, tiny)
			}
			return false, doubt
		},
	}
}

// clips says whether a segment meets a rectangle that is larger by a margin.
func clips(a, b geo.Point, west, south, east, north, margin float64) bool {
	west, south, east, north = west-margin, south-margin, east+margin, north+margin
	lo, hi := 0.0, 1.0
	for _, e := range [...][2]float64{{a.X - b.X, a.X - west}, {b.X - a.X, east - a.X}, {a.Y - b.Y, a.Y - south}, {b.Y - a.Y, north - a.Y}} {
		switch p, q := e[0], e[1]; {
		case p == 0 && q < 0:
			return false
		case p < 0:
			lo = max(lo, q/p)
		case p > 0:
			hi = min(hi, q/p)
		}
	}
	return lo <= hi
}

// aroundCondition makes a random circle.
func (w *world) aroundCondition(rng *rand.Rand) condition {
	at := w.nodes[w.nodeIDs[rng.IntN(len(w.nodeIDs))]]
	lat, lon := at.Lat+0.001*rng.Float64(), at.Lon+0.001*rng.Float64()
	lat, lon = math.Round(lat*1e6)/1e6, math.Round(lon*1e6)/1e6
	radius := math.Round(math.Pow(10, 1+3*rng.Float64()))
	judge := func(d float64) (bool, bool) { return d <= radius, math.Abs(d-radius) < 0.3+radius/2000 }
	distance := func(x, y float64) float64 { // by the chord, and the sphere's arc over it
		rad := math.Pi / 180
		vector := func(x, y float64) [3]float64 {
			return [3]float64{math.Cos(y*rad) * math.Cos(x*rad), math.Cos(y*rad) * math.Sin(x*rad), math.Sin(y * rad)}
		}
		a, b := vector(x, y), vector(lon, lat)
		chord := math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
		return 2 * geo.EarthRadius * math.Asin(chord/2)
	}
	return condition{
		fmt.Sprintf("(around:%g,%.6f,%.6f)", radius, lat, lon),
		func(n *osm.Node) (bool, bool) { return judge(distance(n.Lon, n.Lat)) },
		func(way *osm.Way) (bool, bool) {
			least := math.Inf(1)
			line := w.line(way)
			for i, p := range line {
				least = min(least, distance(p.X, p.Y))
				if i == 0 {
					continue
				}
				// The distance to a point of a segment has one minimum: cut in three.
				lo, hi := 0.0, 1.0
				on := func(share float64) float64 {
					return distance(line[i-1].X+share*(p.X-line[i-1].X), line[i-1].Y+share*(p.Y-line[i-1].Y))
				}
				if min(distance(p.X, p.Y), distance(line[i-1].X, line[i-1].Y)) > 2*radius+5000 {
					continue
				}
				for range 30 {
					third := (hi - lo) / 3
					if on(lo+third) < on(hi-third) {
						hi -= third
					} else {
						lo += third
					}
				}
				least = min(least, on(lo))
			}
			return judge(least)
		},
	}
}

func (w *world) idCondition(rng *rand.Rand, ways bool) condition {
	from := w.nodeIDs
	if ways {
		from = w.wayIDs
	}
	var ids []int64
	for range 1 + rng.IntN(5) {
		ids = append(ids, from[rng.IntN(len(from))]+int64(rng.IntN(6)/5))
	}
	text := fmt.Sprintf("(%d)", ids[0])
	if len(ids) > 1 {
		text = "(id:" + strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ","), "[]") + ")"
	}
	return condition{
		text,
		func(n *osm.Node) (bool, bool) { return slices.Contains(ids, int64(n.ID)), false },
		func(w *osm.Way) (bool, bool) { return slices.Contains(ids, int64(w.ID)), false },
	}
}

// query makes a random query and what it finds.
func (w *world) query(rng *rand.Rand) (string, found) {
	kind := []string{"node", "way", "nw"}[rng.IntN(3)]
	var list []condition
	switch rng.IntN(6) {
	case 0:
		list = append(list, w.idCondition(rng, kind == "way"))
	case 1, 2:
		list = append(list, w.boxCondition(rng))
	case 3, 4:
		list = append(list, w.aroundCondition(rng))
	}
	for len(list) == 0 || rng.IntN(2) == 0 {
		switch rng.IntN(8) {
		case 0:
			list = append(list, w.boxCondition(rng))
		case 1:
			list = append(list, w.aroundCondition(rng))
		default:
			list = append(list, w.tagCondition(rng))
		}
	}
	rng.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	text := kind
	for _, c := range list {
		text += c.text
	}
	f := newFound()
	add := func(to map[int64]bool, id int64, judge func(condition) (bool, bool)) {
		all, unsure := true, false
		for _, c := range list {
			yes, doubt := judge(c)
			all, unsure = all && (yes || doubt), unsure || doubt
		}
		switch {
		case all && unsure:
			f.doubt[id] = true
		case all:
			to[id] = true
		}
	}
	if kind != "way" {
		for id, n := range w.nodes {
			add(f.nodes, id, func(c condition) (bool, bool) { return c.node(n) })
		}
	}
	if kind != "node" {
		for id, way := range w.ways {
			add(f.ways, id, func(c condition) (bool, bool) { return c.way(way) })
		}
	}
	return text, f
}

type answer struct {
	Elements []element
	Remark   string
}

type element struct {
	Type     string
	ID       int64
	Lat, Lon *float64
	Nodes    []int64
	Tags     map[string]string
	Geometry []*struct{ Lat, Lon float64 }
	Bounds   *struct{ MinLat, MinLon, MaxLat, MaxLon float64 }
	Center   *struct{ Lat, Lon float64 }
}

func ask(tb testing.TB, w *world, text string) answer {
	tb.Helper()
	q, err := overpass.Parse(text)
	require.NoError(tb, err, text)
	data, err := q.Append(tb.Context(), nil, w.elements, overpass.Limits{})
	require.NoError(tb, err, text)
	var a answer
	require.NoError(tb, json.Unmarshal(data, &a), "%s: %.2000s", text, data)
	require.Empty(tb, a.Remark, text)
	return a
}

// requireFound compares an answer with what is expected, in the order of ids.
func requireFound(tb testing.TB, text string, f found, a answer) {
	tb.Helper()
	nodes, ways := map[int64]bool{}, map[int64]bool{}
	before, ofWays := int64(math.MinInt64), false
	for _, e := range a.Elements {
		if e.Type == "way" && !ofWays {
			ofWays, before = true, math.MinInt64
		}
		require.Equal(tb, ofWays, e.Type == "way", text)
		require.Less(tb, before, e.ID, text)
		before = e.ID
		if f.doubt[e.ID] {
			continue
		}
		if ofWays {
			ways[e.ID] = true
		} else {
			nodes[e.ID] = true
		}
	}
	for id := range f.doubt {
		delete(f.nodes, id)
		delete(f.ways, id)
	}
	require.Equal(tb, f.nodes, nodes, text)
	require.Equal(tb, f.ways, ways, text)
}

// TestQueriesFindWhatANaiveFilterFinds asks random queries.
func TestQueriesFindWhatANaiveFilterFinds(t *testing.T) {
	for _, c := range []struct {
		name  string
		world func(testing.TB) *world
		count int
		long  bool
	}{
		{"city", city, 200, false},
		{"Delaware", delaware, 12, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.long && testing.Short() {
				t.Skip("reads Delaware twice")
			}
			w := c.world(t)
			rng := rand.New(rand.NewPCG(1, 7))
			hits := 0
			if testing.Short() {
				c.count /= 4
			}
			for range c.count {
				text, f := w.query(rng)
				a := ask(t, w, "[out:json];"+text+";out;")
				hits += len(a.Elements)
				for _, e := range a.Elements {
					w.requireBody(t, text, &e)
				}
				requireFound(t, text, f, a)
			}
			require.Greater(t, hits, c.count)
		})
	}
}

// requireBody compares an element with the file.
func (w *world) requireBody(tb testing.TB, text string, e *element) {
	tb.Helper()
	if e.Type == "node" {
		n := w.nodes[e.ID]
		require.InDelta(tb, n.Lat, *e.Lat, 1e-9, text)
		require.InDelta(tb, n.Lon, *e.Lon, 1e-9, text)
		require.Len(tb, e.Tags, len(n.Tags), text)
		for _, t := range n.Tags {
			require.Equal(tb, t.Value, e.Tags[t.Key], text)
		}
		return
	}
	way := w.ways[e.ID]
	require.Len(tb, e.Nodes, len(way.Nodes), text)
	for i, n := range way.Nodes {
		require.Equal(tb, int64(n.ID), e.Nodes[i], text)
	}
	require.Len(tb, e.Tags, len(way.Tags), text)
	for _, t := range way.Tags {
		require.Equal(tb, t.Value, e.Tags[t.Key], text)
	}
}

// TestSetsAndSteps joins, subtracts and follows what random queries find.
func TestSetsAndSteps(t *testing.T) {
	w := city(t)
	rng := rand.New(rand.NewPCG(2, 7))
	count := 60
	if testing.Short() {
		count = 15
	}
	for range count {
		a, fa := w.query(rng)
		b, fb := w.query(rng)
		for id := range fb.doubt {
			fa.doubt[id] = true
		}
		if len(fa.doubt) > 0 {
			continue
		}
		union, difference := newFound(), newFound()
		for _, k := range []struct{ a, b, union, difference map[int64]bool }{
			{fa.nodes, fb.nodes, union.nodes, difference.nodes}, {fa.ways, fb.ways, union.ways, difference.ways},
		} {
			for id := range k.a {
				k.union[id] = true
				if !k.b[id] {
					k.difference[id] = true
				}
			}
			for id := range k.b {
				k.union[id] = true
			}
		}
		down, up := newFound(), newFound()
		for id := range union.ways {
			for _, n := range w.ways[id].Nodes {
				down.nodes[int64(n.ID)] = true
			}
		}
		for id := range union.nodes {
			for _, way := range w.waysOf[id] {
				up.ways[way] = true
			}
		}
		for text, want := range map[string]found{
			"(" + a + ";" + b + ";);out;":                                           union,
			a + "->.a;" + b + "->.b;(.a;.b;);out;":                                  union,
			"(" + a + ";-" + b + ";);out;":                                          difference,
			a + "->.a;" + b + "->.b;(.a;-.b;)->.c;.c out;":                          difference,
			"(" + a + ";" + b + ";);>;out;":                                         down,
			"(" + a + ";" + b + ";)->.u;node(w.u);out;":                             down,
			"(" + a + ";" + b + ";)->.u;.u>>->.d;.d out;":                           down,
			"(" + a + ";" + b + ";);<;out;":                                         up,
			"(" + a + ";" + b + ";)->.u;way(bn.u);out;":                             up,
			"(" + a + ";" + b + ";)->.u;nw.u;out;":                                  union,
			"/* two */(" + a + ";" + b + ";); // joined\n ._ out;":                  union,
			a + "->.a;" + b + "->.b;(nw.a;-nw.a.b;);out;":                           difference,
			"[bbox:-90,-180,90,180];(" + a + ";" + b + ";)->.u; way(bn.u); out qt;": up,
		} {
			requireFound(t, text, want, ask(t, w, text))
		}
	}
}
