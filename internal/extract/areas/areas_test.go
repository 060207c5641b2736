package areas

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/polygon"
)

// drawn reads places off a map in which letters are nodes, 1,000 micro-degrees a
// column and 2,000 a row.
type drawn map[rune]Node

func draw(text string) drawn {
	d := drawn{}
	for row, line := range strings.Split(text, "\n") {
		for col, r := range []rune(strings.ReplaceAll(line, "\t", "")) {
			if r >= 'a' && r <= 'z' {
				d[r] = Node{int64(r-'a') + 1, geo.Coord{Lon: int32(1000 * col), Lat: int32(-2000 * row)}}
			}
		}
	}
	return d
}

func (d drawn) way(letters string) []Node {
	var way []Node
	for _, r := range letters {
		way = append(way, d[r])
	}
	return way
}

func (d drawn) ways(list string) [][]Node {
	var ways [][]Node
	for _, w := range strings.Fields(list) {
		ways = append(ways, d.way(w))
	}
	return ways
}

func letter(id int64) string { return string('a' + rune(id-1)) }

// spell writes an area as its rings.
func spell(a *Area) string {
	var out []string
	first := uint32(0)
	for _, end := range a.Ends {
		ring := ""
		for _, n := range a.Nodes[first:end] {
			ring += letter(n.ID)
		}
		out = append(out, ring)
		first = end
	}
	return strings.Join(out, " ")
}

const plaza = `
	a-------b-------c
	| e---f i---j   |
	| |   | |   |   |
	| h---g l---k   |
	d-------m-------n`

func TestAssemble(t *testing.T) {
	for _, c := range []struct {
		name, text, ways, want string
		fault                  Fault
	}{
		{"closed", plaza, "abcnmda", "dmncba", None},
		{"either direction", plaza, "admncba", "dmncba", None},
		{"pieces in any order", plaza, "cnm abc adm", "dmncba", None},
		{"hole", plaza, "abcnmda efghe", "dmncba hefg", None},
		{"two holes", plaza, "ijkli abcnmda efghe", "dmncba hefg lijk", None},
		{"two areas", plaza, "efghe ijkli", "hgfe lkji", None},
		{"shared border", plaza, "abmda bcnmb", "dmncba", None},
		{"a way twice", plaza, "abcnmda efghe efghe", "dmncba", None},
		{"repeated place", plaza, "aabbcnmda", "dmncba", None},
		{"touching areas", "\n\ta-b\n\t| |\n\td-c-e\n\t  | |\n\t  g-f", "abcda cefgc", "dcba gfec", None},
		{"one ring twice around a place", "\n\ta-b\n\t| |\n\td-c-e\n\t  | |\n\t  g-f", "abcefgcda", "dcba gfec", None},
		{"hole that touches", "\n\ta---b\n\t| e |\n\td-c-f\n\t  g", "abfcda cegec", "dcfba", None},
		{"island in a hole", `
			a-------b
			| e---f |
			| |i-j| |
			| |l-k| |
			| h---g |
			d-------c`, "abcda efghe ijkli", "dcba hefg|lkji", None},
		{"open", plaza, "abcnmd", "", Open},
		{"hole open", plaza, "abcnmda efgh", "", Open},
		{"crossing", plaza, "abcnmda efghe ekle", "", Crossing},
		{"crossing itself", plaza, "acdna", "", Crossing},
		{"touching an edge", plaza, "acnda emfe", "", Crossing},
		{"overlapping", plaza, "acnda abfea", "", Crossing},
		{"nothing", plaza, "", "", Empty},
		{"there and back", plaza, "aba", "", Empty},
		{"one node", plaza, "a", "", Empty},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, fault := Assemble(draw(c.text).ways(c.ways))
			require.Equal(t, c.fault, fault)
			var out []string
			for i := range got {
				out = append(out, spell(&got[i]))
			}
			require.Equal(t, strings.ReplaceAll(c.want, "|", " "), strings.Join(out, " "))
		})
	}
}

func TestAssembleBoundsItsWork(t *testing.T) {
	way := make([]Node, MaxVertices+2)
	for i := range way {
		way[i] = Node{int64(i), geo.Coord{Lon: int32(i), Lat: int32(i * i % 1000)}}
	}
	_, fault := Assemble([][]Node{way})
	require.Equal(t, TooLarge, fault)

	wide := []Node{{1, geo.Coord{Lon: -179e6}}, {2, geo.Coord{Lon: 179e6}}, {3, geo.Coord{Lon: 179e6, Lat: 1e6}}}
	_, fault = Assemble([][]Node{append(wide, wide[0])})
	require.Equal(t, TooLarge, fault)
}

// at makes waysAt of ways.
func at(ways [][]Node) func(int64) []int64 {
	by := map[int64][]int64{}
	for i, w := range ways {
		for _, n := range w {
			by[n.ID] = append(by[n.ID], int64(i+1))
		}
	}
	return func(node int64) []int64 { return slices.Compact(by[node]) }
}

func TestEntries(t *testing.T) {
	const text = `
		  e   f
		  |   |
		a-b---c-g
		|     |
		d-h---i-j
		  |
		  k`
	for _, c := range []struct{ name, ways, want string }{
		{"two roads", "eb fc", "cb"},
		{"along the border", "ebcf", ""},
		{"along the border, and another", "ebcf hk", "hcb"},
		{"one road touches twice", "ebhk", ""},
		{"two roads at one place", "eb bf", ""},
		{"one road", "hk", ""},
		{"none", "", ""},
		{"roads that join at the border", "eb bc cg", "cb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := draw(text)
			list, fault := Assemble(d.ways("abcihda"))
			require.Equal(t, None, fault)
			got := ""
			for _, i := range Entries(&list[0], at(d.ways(c.ways))) {
				got += letter(list[0].Nodes[i].ID)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func mesh(t *testing.T, text, outline, roads string, whole bool) string {
	d := draw(text)
	list, fault := Assemble(d.ways(outline))
	require.Equal(t, None, fault)
	require.Len(t, list, 1)
	ways, meshed := Mesh(&list[0], Entries(&list[0], at(d.ways(roads))), whole)
	require.True(t, meshed)
	var out []string
	for _, w := range ways {
		out = append(out, letter(w[0])+letter(w[1]))
	}
	return strings.Join(out, " ")
}

func TestMesh(t *testing.T) {
	const open = `
		e-a---b-f
		  |   |
		h-d---c-g`
	require.Equal(t, "ab ac ad bc bd cd", mesh(t, open, "abcda", "ea bf hd cg", false))
	require.Equal(t, "ab ac ad bc cd", mesh(t, open, "abcda", "ea cg", false))

	const fountain = `
		e-a-------b-f
		  | u-v   |
		  | x-w   |
		h-d-------c-g`
	require.Equal(t, "ab ad au av ax bc bu bv bw cd cv cw cx du dw dx uv ux vw wx",
		mesh(t, fountain, "abcda uvwxu", "ea bf hd cg", false))
	require.Equal(t, "ab ad au av ax bc cd cv cw cx uv ux vw wx",
		mesh(t, fountain, "abcda uvwxu", "ea cg", false), "the corners of the fountain are reached from a and from c")
	require.Equal(t, "ab ad au av ax bc bu bv bw cd cv cw cx du dw dx uv ux vw wx",
		mesh(t, fountain, "abcda uvwxu", "ea bf hd cg", true))
}

// A mesh has a shortest way from every vertex to every entry.
func TestMeshKeepsShortestWays(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 60 {
		a, ok := randomArea(rng)
		if !ok {
			continue
		}
		var entries []uint32
		for i := range a.Ends[0] {
			if rng.IntN(3) == 0 {
				entries = append(entries, i)
			}
		}
		all, _ := Mesh(&a, entries, true)
		kept, meshed := Mesh(&a, entries, false)
		require.True(t, meshed)
		require.LessOrEqual(t, len(kept), len(all))
		want, have := lengths(&a, all), lengths(&a, kept)
		p := a.Polygon()
		for _, e := range entries {
			for v := range a.Nodes {
				require.InDelta(t, want[e][v], have[e][v], 1e-2)
			}
		}
		place := map[int64]geo.Coord{}
		for _, n := range a.Nodes {
			place[n.ID] = n.At
		}
		for _, w := range kept {
			require.Less(t, w[0], w[1])
			require.True(t, p.Sees(place[w[0]], place[w[1]]), "ways stay inside")
		}
	}
}

// randomArea is a square with triangles in it.
func randomArea(rng *rand.Rand) (Area, bool) {
	id := int64(0)
	node := func(lon, lat int32) Node {
		id++
		return Node{id, geo.Coord{Lon: lon, Lat: lat}}
	}
	var ways [][]Node
	add := func(ring ...Node) { ways = append(ways, append(ring, ring[0])) }
	dent := rng.Int32N(3000)
	add(node(0, 0), node(5000, dent), node(9000, 0), node(9000, 9000), node(4000, 9000-dent), node(0, 9000))
	for range 6 {
		x, y := rng.Int32N(8000), rng.Int32N(8000)
		d := func() int32 { return rng.Int32N(2000) }
		add(node(x, y), node(x+d(), y+d()), node(x+d(), y+d()))
		if list, fault := Assemble(ways); fault != None || len(list) != 1 {
			ways = ways[:len(ways)-1]
		}
	}
	list, fault := Assemble(ways)
	if fault != None || len(list) != 1 {
		return Area{}, false
	}
	return list[0], true
}

// lengths finds the length of the shortest ways between all vertices.
func lengths(a *Area, ways [][2]int64) [][]float64 {
	n := len(a.Nodes)
	index := map[int64]int{}
	d := make([][]float64, n)
	for i := range d {
		index[a.Nodes[i].ID] = i
		d[i] = make([]float64, n)
		for j := range d[i] {
			if i != j {
				d[i][j] = math.Inf(1)
			}
		}
	}
	for _, w := range ways {
		i, j := index[w[0]], index[w[1]]
		d[i][j] = geo.Distance(a.Nodes[i].At, a.Nodes[j].At)
		d[j][i] = d[i][j]
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	return d
}

func TestMeshBoundsItsWork(t *testing.T) {
	var ring []Node
	for i := range 2 * (MaxSights + 1) {
		angle := float64(i) / (MaxSights + 1) * math.Pi
		r := 1e5 * float64(1+i%2)
		ring = append(ring, Node{int64(i + 1), geo.Coord{Lon: int32(r * math.Cos(angle)), Lat: int32(r * math.Sin(angle))}})
	}
	list, fault := Assemble([][]Node{append(ring, ring[0])})
	require.Equal(t, None, fault)
	ways, meshed := Mesh(&list[0], []uint32{0, 7}, false)
	require.False(t, meshed)
	require.Len(t, ways, len(ring), "the ring alone")
}

// FuzzAssemble reads ways of places close together off bytes. Whatever comes out
// has rings that do not cross, with the inside on their left.
func FuzzAssemble(f *testing.F) {
	f.Add([]byte{0, 0, 0, 4, 4, 4, 4, 0, 0, 0, 255, 255, 1, 1, 1, 2, 2, 1, 1, 1})
	f.Add([]byte{0, 0, 2, 2, 4, 0, 0, 0, 0, 4, 2, 2, 4, 4, 0, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		ways := [][]Node{nil}
		for ; len(data) >= 2 && len(ways) < 100; data = data[2:] {
			if binary.LittleEndian.Uint16(data) == math.MaxUint16 {
				ways = append(ways, nil)
				continue
			}
			lon, lat := int32(data[0]%16), int32(data[1]%16)
			last := &ways[len(ways)-1]
			*last = append(*last, Node{int64(lon*16 + lat + 1), geo.Coord{Lon: lon, Lat: lat}})
		}
		list, fault := Assemble(ways)
		require.Equal(t, fault == None, len(list) > 0)
		for i := range list {
			a := &list[i]
			p := a.Polygon()
			first := uint32(0)
			for k, end := range a.Ends {
				require.GreaterOrEqual(t, end-first, uint32(3))
				require.Equal(t, k == 0, doubleArea(p.Vertices[first:end]) > 0)
				first = end
			}
			for _, w := range must(Mesh(a, []uint32{0, 1, 2}, true)) {
				u, v := geo.Coord{Lon: int32(w[0]-1) / 16, Lat: int32(w[0]-1) % 16}, geo.Coord{Lon: int32(w[1]-1) / 16, Lat: int32(w[1]-1) % 16}
				require.True(t, p.Sees(u, v), "%v: %v %v", a, u, v)
			}
		}
	})
}

func must[T any](v T, _ bool) T { return v }

func doubleArea(ring []geo.Coord) int64 {
	sum := int64(0)
	a := ring[len(ring)-1]
	for _, b := range ring {
		sum += int64(a.Lon)*int64(b.Lat) - int64(b.Lon)*int64(a.Lat)
		a = b
	}
	return sum
}

func BenchmarkMesh(b *testing.B) {
	rng := rand.New(rand.NewPCG(11, 12))
	a, _ := randomArea(rng)
	for b.Loop() {
		Mesh(&a, []uint32{0, 1, 2, 3}, false)
	}
}

// Shortest ways through areas on a coarse grid, whose rings touch and whose vertices
// are in line, are as short as any over vertices that see one another.
func TestShortestWaysOnAGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	var f polygon.Finder
	tried, bent := 0, 0
	node := func(x, y int32) Node {
		return Node{int64(x*16 + y + 1), geo.Coord{Lon: 1000 * x, Lat: 1000 * y}}
	}
	for range 1500 {
		outer := []Node{node(0, 0), node(6, 0), node(6, 6), node(0, 6), node(0, 0)}
		list, _ := Assemble([][]Node{outer})
		ways := [][]Node{outer}
		for range 12 {
			var w []Node
			for range 3 + rng.IntN(2) {
				w = append(w, node(rng.Int32N(7), rng.Int32N(7)))
			}
			more := append(slices.Clone(ways), append(w, w[0]))
			if l, fault := Assemble(more); fault == None && len(l) == 1 {
				ways, list = more, l
			}
		}
		p := list[0].Polygon()
		g := p.NewGraph()
		var places []geo.Coord
		for range 30 {
			c := geo.Coord{Lon: 500 * rng.Int32N(13), Lat: 500 * rng.Int32N(13)}
			if p.Locate(c) != polygon.Outside {
				places = append(places, c)
			}
		}
		if len(places) < 2 {
			continue
		}
		a, b := places[0], places[1]
		meters, bends, ok := f.Shortest(&p, &g, a, b)
		want := throughVertices(&p, a, b)
		require.Equal(t, !math.IsInf(want, 1), ok, "%v: %v to %v", p, a, b)
		if ok {
			require.InDelta(t, want, meters, 1e-6, "%v: %v to %v", p, a, b)
		}
		tried++
		bent += len(bends)
	}
	require.Greater(t, tried, 1000)
	require.Greater(t, bent, 200)
}

// throughVertices is the length of the shortest way between two places over vertices
// that see one another.
func throughVertices(p *polygon.Polygon, from, to geo.Coord) float64 {
	nodes := append(slices.Clone(p.Vertices), from, to)
	n := len(nodes)
	best := make([]float64, n)
	done := make([]bool, n)
	for i := range best {
		best[i] = math.Inf(1)
	}
	best[n-2] = 0
	for {
		at := -1
		for i := range best {
			if !done[i] && !math.IsInf(best[i], 1) && (at < 0 || best[i] < best[at]) {
				at = i
			}
		}
		if at < 0 {
			return best[n-1]
		}
		done[at] = true
		for i := range best {
			if !done[i] && p.Sees(nodes[at], nodes[i]) {
				best[i] = min(best[i], best[at]+geo.Distance(nodes[at], nodes[i]))
			}
		}
	}
}
