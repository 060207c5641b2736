package routing

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/internal/osmwrite"
	"github.com/fourway-routing/fourway/internal/testmap"
)

// mapData is an extract that can be edited.
type mapData struct {
	nodes     []mapNode // by ascending id, as ways and relations are
	ways      []mapWay
	relations []mapRelation
}

type mapNode struct {
	id, lon, lat int64 // in 1e-6 degrees
	tags         []string
}

type mapWay struct {
	id   int64
	refs []int64
	tags []string
}

type mapRelation struct {
	id      int64
	members []osmwrite.Member
	tags    []string
}

func readMap(t testing.TB, f *osmfile.File) *mapData {
	t.Helper()
	d := &mapData{}
	_, err := f.Scan(t.Context(), osmfile.Options{Want: osmfile.Nodes | osmfile.Ways | osmfile.Relations}, osmfile.Handler{Ordered: func(b *osmfile.Block) error {
		next := 0 // of b.Nodes
		for i, id := range b.NodeIDs {
			n := mapNode{id: int64(id), lon: int64(b.Lons[i]), lat: int64(b.Lats[i])}
			if next < len(b.Nodes) && b.Nodes[next].Row == i {
				for _, tag := range b.Nodes[next].Tags {
					n.tags = append(n.tags, strings.Clone(tag.Key), strings.Clone(tag.Value))
				}
				next++
			}
			d.nodes = append(d.nodes, n)
		}
		for i := range b.Ways {
			w := mapWay{id: int64(b.Ways[i].ID)}
			for _, ref := range b.Ways[i].Refs {
				w.refs = append(w.refs, int64(ref))
			}
			for _, tag := range b.Ways[i].Tags {
				w.tags = append(w.tags, strings.Clone(tag.Key), strings.Clone(tag.Value))
			}
			d.ways = append(d.ways, w)
		}
		for i := range b.Relations {
			r := mapRelation{id: int64(b.Relations[i].ID)}
			for _, m := range b.Relations[i].Members {
				kind := slices.Index([]string{"node", "way", "relation"}, string(m.Type))
				r.members = append(r.members, osmwrite.Member{Type: osmwrite.MemberType(kind), Ref: m.Ref, Role: strings.Clone(m.Role)})
			}
			for _, tag := range b.Relations[i].Tags {
				r.tags = append(r.tags, strings.Clone(tag.Key), strings.Clone(tag.Value))
			}
			d.relations = append(d.relations, r)
		}
		return nil
	}})
	require.NoError(t, err)
	return d
}

func (d *mapData) write(t testing.TB, path string) {
	t.Helper()
	var buffer bytes.Buffer
	w := osmwrite.New(&buffer, osmwrite.Options{})
	for _, n := range d.nodes {
		require.NoError(t, w.Node(n.id, n.lon*10, n.lat*10, n.tags))
	}
	for _, v := range d.ways {
		require.NoError(t, w.Way(v.id, v.refs, v.tags))
	}
	for _, r := range d.relations {
		require.NoError(t, w.Relation(r.id, r.members, r.tags))
	}
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(path, buffer.Bytes(), 0o600))
}

// edit changes one in so many roads as mappers do: it removes, splits, turns, renumbers
// and closes them to one direction, adds nodes and roads, and moves nodes to other ids.
func (d *mapData) edit(rng *rand.Rand, oneIn int) *mapData {
	e := &mapData{nodes: slices.Clone(d.nodes), relations: slices.Clone(d.relations)}
	at := map[int64]mapNode{}
	for _, n := range d.nodes {
		at[n.id] = n
	}
	nextNode, nextWay := d.nodes[len(d.nodes)-1].id+1, d.ways[len(d.ways)-1].id+1
	node := func(lon, lat int64) int64 {
		e.nodes = append(e.nodes, mapNode{id: nextNode, lon: lon, lat: lat})
		nextNode++
		return nextNode - 1
	}
	square := func(n mapNode) [2]int64 { return [2]int64{n.lon / 3000, n.lat / 3000} }
	near := map[[2]int64][]int64{} // ends of roads
	for _, w := range d.ways {
		if slices.Contains(w.tags, "highway") && len(w.refs) > 0 {
			at := square(at[w.refs[0]])
			near[at] = append(near[at], w.refs[0])
		}
	}
	renamed := map[int64]int64{}
	var added []mapWay
	add := func(tags []string, refs ...int64) {
		added = append(added, mapWay{nextWay, refs, tags})
		nextWay++
	}
	for _, w := range d.ways {
		w.refs = slices.Clone(w.refs)
		if rng.IntN(oneIn) != 0 || !slices.Contains(w.tags, "highway") || len(w.refs) < 2 {
			e.ways = append(e.ways, w)
			continue
		}
		from, to := at[w.refs[0]], at[w.refs[1]]
		middle := len(w.refs) / 2
		switch rng.IntN(9) {
		case 0: // gone
			continue
		case 1:
			if middle > 0 && middle < len(w.refs)-1 {
				add(w.tags, w.refs[middle:]...)
				w.refs = w.refs[:middle+1]
			}
		case 2:
			add(w.tags, w.refs...)
			continue
		case 3:
			slices.Reverse(w.refs)
		case 4:
			w.tags = append(slices.Clone(w.tags), "oneway", "yes")
		case 5: // a bend is mapped
			w.refs = slices.Insert(w.refs, 1, node((from.lon+to.lon)/2+7, (from.lat+to.lat)/2+5))
		case 6: // a new dead end, with a fork
			a := node(from.lon+400, from.lat+300)
			b := node(from.lon+800, from.lat+500)
			add([]string{"highway", "residential"}, w.refs[0], a, b)
			add([]string{"highway", "residential"}, a, node(from.lon+500, from.lat+900))
		case 7: // a new road to somewhere near
			if others := near[square(from)]; len(others) > 1 {
				add([]string{"highway", "tertiary"}, w.refs[0], others[rng.IntN(len(others))])
			}
		default:
			renamed[w.refs[middle]] = 0
		}
		e.ways = append(e.ways, w)
	}
	e.ways = append(e.ways, added...)
	for i := range e.ways {
		for k, ref := range e.ways[i].refs {
			if id, ok := renamed[ref]; ok {
				if id == 0 {
					id = node(at[ref].lon, at[ref].lat)
					renamed[ref] = id
				}
				e.ways[i].refs[k] = id
			}
		}
	}
	return e
}

func cityMap(t testing.TB, nodes int, seed uint64) *mapData {
	t.Helper()
	var buffer bytes.Buffer
	require.NoError(t, testmap.City(&buffer, nodes, seed))
	f, err := osmfile.OpenReaderAt(bytes.NewReader(buffer.Bytes()), int64(buffer.Len()), "city.osm.pbf")
	require.NoError(t, err)
	return readMap(t, f)
}

var everyAlgorithm = []Algorithm{CH, MLD, CCH}

// checkSame compares weights between random places by each algorithm of two data sets
// of the same roads.
func checkSame(t *testing.T, rng *rand.Rand, want, got string, pairs int) {
	t.Helper()
	fresh, err := Open(want, Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, fresh.Close()) }()
	var questions [][]orb.Point
	var answers []float64
	for range pairs {
		q := []orb.Point{somewhere(rng, fresh), somewhere(rng, fresh)}
		questions = append(questions, q)
		answers = append(answers, weightOf(t, fresh, q))
	}
	for _, a := range everyAlgorithm {
		e, err := Open(got, Options{Algorithm: a})
		require.NoError(t, err)
		for i, q := range questions {
			require.Equal(t, answers[i], weightOf(t, e, q), "%s: pair %d", a, i)
		}
		require.NoError(t, e.Close())
		require.NoError(t, Verify(t.Context(), got, Options{Algorithm: a}))
	}
}

func weightOf(t *testing.T, e *Engine, q []orb.Point) float64 {
	t.Helper()
	res, err := Route(t.Context(), e, RouteRequest{Coordinates: q})
	if err != nil {
		require.ErrorIs(t, err, ErrNoRoute)
		return -1
	}
	return res.Routes[0].Weight
}

func sameFiles(t *testing.T, a, b string) {
	t.Helper()
	for _, suffix := range []string{".graph", ".metric", ".ch", ".mld", ".cch"} {
		want, err := os.ReadFile(a + suffix)
		require.NoError(t, err)
		got, err := os.ReadFile(b + suffix)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), suffix)
	}
}

// A map that has been edited anyhow gets the same answers with what was before.
func TestBuildLikeAgainstFresh(t *testing.T) {
	towns := 6
	if testing.Short() {
		towns = 2
	}
	for seed := range uint64(towns) {
		rng := rand.New(rand.NewPCG(seed, 9))
		folder := t.TempDir()
		in := func(name string) string { return filepath.Join(folder, name) }
		before := cityMap(t, 2000+rng.IntN(12_000), seed)
		before.write(t, in("before.osm.pbf"))
		// From few edits to so many that nothing serves.
		before.edit(rng, []int{200, 50, 10, 3, 1, 20}[seed%6]).write(t, in("after.osm.pbf"))
		build := func(input, output, like string, workers int) *BuildReport {
			r, err := Build(t.Context(), BuildOptions{Input: in(input), Output: in(output), Like: like, Algorithms: everyAlgorithm, Workers: workers})
			require.NoError(t, err)
			return r
		}
		build("before.osm.pbf", "before", "", 1)
		build("after.osm.pbf", "fresh", "", 2)
		r := build("after.osm.pbf", "like", in("before"), 1).Like
		require.Equal(t, in("before"), r.Name)
		require.Len(t, slices.Concat(r.Reused, make([]Algorithm, len(r.Anew))), 3, "each is told of once")
		t.Logf("seed %d: %+v", seed, r)
		checkSame(t, rng, in("fresh"), in("like"), 40)
		// Neither the number of workers nor the place of the output counts.
		build("after.osm.pbf", "before", in("before"), 2)
		sameFiles(t, in("like"), in("before"))
	}
}

// The same roads give the same cells and orders.
func TestBuildLikeTheSame(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	cityMap(t, 12_000, 1).write(t, in("town.osm.pbf"))
	_, err := Build(t.Context(), BuildOptions{Input: in("town.osm.pbf"), Output: in("a"), Algorithms: everyAlgorithm})
	require.NoError(t, err)
	r, err := Build(t.Context(), BuildOptions{Input: in("town.osm.pbf"), Output: in("b"), Like: in("a"), Algorithms: everyAlgorithm})
	require.NoError(t, err)
	require.Equal(t, r.Like.Nodes, r.Like.Matched)
	require.ElementsMatch(t, everyAlgorithm, r.Like.Reused)
	require.Empty(t, r.Like.Anew)
	require.Zero(t, r.Like.Recut)
	want, err := os.ReadFile(in("a.mld"))
	require.NoError(t, err)
	got, err := os.ReadFile(in("b.mld"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, got), "the same cells")
	// Step by step it is the same.
	_, err = Extract(t.Context(), BuildOptions{Input: in("town.osm.pbf"), Output: in("c")})
	require.NoError(t, err)
	step := StepOptions{Input: in("c"), Like: in("a")}
	for _, do := range []func(context.Context, StepOptions) (*BuildReport, error){Partition, Contract} {
		r, err := do(t.Context(), step)
		require.NoError(t, err)
		require.Equal(t, r.Like.Nodes, r.Like.Matched)
		require.Len(t, r.Like.Reused, 1)
	}
	_, err = Customize(t.Context(), StepOptions{Input: in("c")})
	require.NoError(t, err)
	for _, suffix := range []string{".ch", ".mld"} {
		want, err := os.ReadFile(in("b" + suffix))
		require.NoError(t, err)
		got, err := os.ReadFile(in("c" + suffix))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), suffix)
	}
}

// What is not there or does not serve is made from scratch, but for a wrong name.
func TestBuildLikeFaults(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	cityMap(t, 600, 1).write(t, in("town.osm.pbf"))
	opt := BuildOptions{Input: in("town.osm.pbf"), Output: in("a"), Algorithms: []Algorithm{MLD}}
	_, err := Build(t.Context(), opt)
	require.NoError(t, err)
	opt.Output, opt.Like, opt.Algorithms = in("b"), in("no"), []Algorithm{CH}
	_, err = Build(t.Context(), opt)
	require.ErrorIs(t, err, fs.ErrNotExist)
	opt.Like = in("a")
	r, err := Build(t.Context(), opt)
	require.NoError(t, err)
	require.Len(t, r.Like.Anew, 1)
	require.Contains(t, r.Like.Anew[0].Reason, "a.ch")
	// Of an older release, or damaged.
	require.NoError(t, os.Truncate(in("a.graph"), 1000))
	r, err = Build(t.Context(), opt)
	require.NoError(t, err)
	require.Zero(t, r.Like.Matched)
	require.Contains(t, r.Like.Anew[0].Reason, "a.graph")
	_, err = Build(t.Context(), BuildOptions{Input: in("town.osm.pbf"), Output: in("c"), Algorithms: []Algorithm{CH}})
	require.NoError(t, err)
	want, err := os.ReadFile(in("c.ch"))
	require.NoError(t, err)
	got, err := os.ReadFile(in("b.ch"))
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, got))
}

// A week of a country's edits leaves nearly all as it was, and the searches as good.
func TestBuildLikeAWeekBefore(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Andorra three times")
	}
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	f, err := osmfile.Open(osmdata.Andorra(t))
	require.NoError(t, err)
	before := readMap(t, f)
	before.write(t, in("before.osm.pbf"))
	rng := rand.New(rand.NewPCG(1, 1))
	before.edit(rng, 100).write(t, in("after.osm.pbf"))
	build := func(input, output, like string) *BuildReport {
		r, err := Build(t.Context(), BuildOptions{Input: in(input), Output: in(output), Like: like, Algorithms: everyAlgorithm})
		require.NoError(t, err)
		for _, s := range r.Stages {
			t.Logf("%s: %s %v", output, s.Name, s.CPU)
		}
		return r
	}
	build("before.osm.pbf", "before", "")
	build("after.osm.pbf", "fresh", "")
	like := build("after.osm.pbf", "like", in("before")).Like
	t.Logf("%+v", like)
	require.GreaterOrEqual(t, like.Matched, like.Nodes*98/100)
	require.ElementsMatch(t, everyAlgorithm, like.Reused)
	require.LessOrEqual(t, like.Recut, like.Cells/20)
	checkSame(t, rng, in("fresh"), in("like"), 200)
	for _, a := range everyAlgorithm {
		count := func(name string) int {
			p, err := open(in(name), &Options{Algorithm: a})
			require.NoError(t, err)
			defer func() { require.NoError(t, closeAll(p.files)) }()
			switch a {
			case CH:
				return p.hierarchy.NumArcs()
			case CCH:
				return p.order.NumArcs()
			}
			weights := 0
			for l := range p.overlay.Cells().NumLevels() {
				weights += p.overlay.Cells().Stats(l + 1).Weights
			}
			return weights
		}
		fresh, like := count("fresh"), count("like")
		t.Logf("%s: %d arcs or weights, %d from scratch", a, like, fresh)
		require.LessOrEqual(t, like, fresh*105/100, a)
	}
}

// Contract keeps the order while few weights change.
func TestContractKeepsTheOrder(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	cityMap(t, 1500, 2).write(t, in("town.osm.pbf"))
	_, err := Build(t.Context(), BuildOptions{Input: in("town.osm.pbf"), Output: in("a"), Algorithms: []Algorithm{CH}})
	require.NoError(t, err)
	p, err := open(in("a"), &Options{})
	require.NoError(t, err)
	var lines []string
	for c := range p.net.NumChains() {
		from, to := p.net.ChainPlaces[p.net.ChainFirst[c]], p.net.ChainPlaces[p.net.ChainFirst[c]+1]
		lines = append(lines, fmt.Sprintf("%d,%d,7\n", p.net.OSMNodes.Get(uint32(from)), p.net.OSMNodes.Get(uint32(to))))
	}
	require.NoError(t, closeAll(p.files))
	speeds := func(name string, lines []string) Updates {
		require.NoError(t, os.WriteFile(in(name), []byte(strings.Join(lines, "")), 0o600))
		return Updates{SegmentSpeeds: []string{in(name)}}
	}
	for _, c := range []struct {
		updates Updates
		keeps   bool
	}{
		{speeds("few.csv", lines[:len(lines)/20]), true},
		{speeds("all.csv", lines), false},
		{speeds("few.csv", lines[:len(lines)/20]), false}, // against what is there
		{Updates{}, true},
	} {
		r, err := Contract(t.Context(), StepOptions{Input: in("a"), Updates: c.updates})
		require.NoError(t, err)
		require.Equal(t, c.keeps, len(r.Like.Reused) == 1, "%+v", r.Like)
		require.Equal(t, !c.keeps, len(r.Like.Anew) == 1, "%+v", r.Like)
	}
}
