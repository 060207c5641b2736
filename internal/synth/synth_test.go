package synth

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/profile"
)

func country(t testing.TB, nodes int64, seed uint64) []byte {
	t.Helper()
	var b bytes.Buffer
	r, err := Country(t.Context(), &b, Options{Nodes: nodes, Seed: seed})
	require.NoError(t, err)
	require.InEpsilon(t, nodes, r.Nodes, 0.3)
	return b.Bytes()
}

func open(t testing.TB, data []byte, name string) *osmfile.File {
	t.Helper()
	f, err := osmfile.OpenReaderAt(bytes.NewReader(data), int64(len(data)), name)
	require.NoError(t, err)
	return f
}

// census is what a file holds.
type census struct {
	extract.Report
	classes                   map[string]int
	degree                    map[int64]int // of the nodes that are junctions, in street ends
	oneways, roundabouts      int
	signals                   int
	nodes                     int64
	restrictions, conditional int
	behindWays                int // restrictions by way of a way
	connected                 float64
}

// count reads a file as the extraction does.
func count(t *testing.T, file *osmfile.File) census {
	t.Helper()
	c := census{classes: map[string]int{}, degree: map[int64]int{}}
	nodes, uses, ways := map[int64]bool{}, map[int64]int{}, map[int64]bool{}
	_, err := file.Scan(t.Context(), osmfile.Options{Want: osmfile.All}, osmfile.Handler{Ordered: func(b *osmfile.Block) error {
		for _, id := range b.NodeIDs {
			nodes[int64(id)] = true
			c.nodes++
		}
		for _, n := range b.Nodes {
			if n.Tags.Find("highway") == "traffic_signals" {
				c.signals++
			}
		}
		for _, v := range b.Ways {
			ways[int64(v.ID)] = true
			c.classes[v.Tags.Find("highway")]++
			if v.Tags.Find("oneway") != "" {
				c.oneways++
			}
			if v.Tags.Find("junction") != "" {
				c.roundabouts++
			}
			require.Greater(t, len(v.Refs), 1, v.ID)
			for i, ref := range v.Refs {
				require.True(t, nodes[int64(ref)], "way %d wants node %d", v.ID, ref)
				if uses[int64(ref)]++; i > 0 && i < len(v.Refs)-1 {
					uses[int64(ref)]++
				}
			}
		}
		for _, r := range b.Relations {
			c.restrictions++
			if r.Tags.Find("restriction:conditional") != "" {
				c.conditional++
			}
			for _, m := range r.Members {
				require.True(t, m.Type == "node" && nodes[m.Ref] || m.Type == "way" && ways[m.Ref], "relation %d", r.ID)
				if m.Type == "way" && m.Role == "via" {
					c.behindWays++
				}
			}
		}
		return nil
	}})
	require.NoError(t, err)
	for id, n := range uses {
		if n != 2 {
			c.degree[id] = n
		}
	}
	car, err := profile.ByName("car")
	require.NoError(t, err)
	r, err := extract.Run(t.Context(), file, car, extract.Options{})
	require.NoError(t, err)
	c.Report = r.Report
	large := 0
	for _, component := range r.Network.NodeComponent {
		if !component.Small() {
			large++
		}
	}
	c.connected = float64(large) / float64(len(r.Network.NodeComponent))
	return c
}

func TestCountryIsBelievable(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			data := country(t, 150_000, seed)
			require.True(t, bytes.Equal(data, country(t, 150_000, seed)), "the same seed gives the same bytes")
			file := open(t, data, "country.osm.pbf")
			require.True(t, file.Header().SortedByTypeThenID)
			c := count(t, file)
			for _, class := range []string{
				"motorway", "motorway_link", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential",
				"living_street", "service",
			} {
				require.Positive(t, c.classes[class], class)
			}
			require.Positive(t, c.oneways)
			require.Positive(t, c.roundabouts)
			require.Positive(t, c.signals)
			require.Greater(t, c.restrictions, 20)
			require.Positive(t, c.conditional)
			require.Positive(t, c.behindWays)
			dead, crossings := 0, 0
			for _, n := range c.degree {
				if n == 1 {
					dead++
				} else {
					crossings++
				}
			}
			require.InDelta(t, 0.25, float64(dead)/float64(dead+crossings), 0.1, "dead ends")
			require.Greater(t, c.connected, 0.97, "cars get almost everywhere")
		})
	}
	require.False(t, bytes.Equal(country(t, 5000, 1), country(t, 5000, 2)))
}

func TestCountryOfAnySize(t *testing.T) {
	count(t, open(t, country(t, LeastNodes, 4), "country.osm.pbf"))
	c := count(t, open(t, country(t, 30_000, 4), "country.osm.pbf"))
	require.Greater(t, c.connected, 0.9)
	for _, nodes := range []int64{0, LeastNodes - 1, MostNodes + 1} {
		_, err := Country(t.Context(), &bytes.Buffer{}, Options{Nodes: nodes})
		require.ErrorContains(t, err, "nodes")
	}
	// The largest has its place on the globe, and ids to spare.
	w := &world{}
	w.size(math.Inf(1))
	b := w.bounds()
	require.Less(t, b[3], int64(80e7))
	require.Greater(t, b[1], int64(-80e7))
	require.Less(t, b[2], int64(180e7))
	require.Greater(t, b[0], int64(-180e7))
}

// Else what grows with the size of a country would be the share of its cities, too.
func TestCountriesOfAllSizesAreAlike(t *testing.T) {
	for seed := range uint64(3) {
		for _, side := range []int{15, 23, 46, 138} {
			w := &world{seed: seed, columns: side, rows: side}
			var tiles [len(grades)]int
			for y := range w.rows {
				for x := range w.columns {
					tiles[w.grade(x, y)]++
				}
			}
			share := func(g grade) float64 { return float64(tiles[g]) / float64(w.rows*w.columns) }
			require.InDelta(t, 0.025, share(urban), 0.015, "%d tiles, seed %d", side, seed)
			require.InDelta(t, 0.1, share(suburb), 0.03, "%d tiles, seed %d", side, seed)
		}
	}
}

func TestTilesHaveIDsToSpare(t *testing.T) {
	tile := tile{world: plan(Options{Nodes: 3_000_000, Seed: 1})}
	urbans := 0
	for y := range tile.rows {
		for x := range tile.columns {
			if tile.world.grade(x, y) == urban || tile.east(y) && tile.north(x) {
				urbans++
				tile.lay(x, y)
				require.Less(t, max(len(tile.nodes), len(tile.ways), len(tile.turns)), tileIDs/2)
			}
		}
	}
	require.Positive(t, urbans)
}

func TestMosaicIsJoined(t *testing.T) {
	one := country(t, 30_000, 7)
	file := open(t, one, "country.osm.pbf")
	whole := count(t, file)
	var b bytes.Buffer
	r, err := Mosaic(t.Context(), &b, file, MosaicOptions{Columns: 3, Rows: 2})
	require.NoError(t, err)
	c := count(t, open(t, b.Bytes(), "mosaic.osm.pbf"))
	require.Equal(t, 6*whole.restrictions, c.restrictions)
	require.Equal(t, 6*whole.classes["motorway"], c.classes["motorway"])
	joins := c.classes["primary"] - 6*whole.classes["primary"]
	require.Greater(t, joins, 7*2)
	require.LessOrEqual(t, joins, 7*bands)
	require.InEpsilon(t, whole.connected, c.connected, 0.02)
	require.Greater(t, r.Nodes, 6*whole.nodes)
	require.Equal(t, r.Nodes, c.nodes)

	var again bytes.Buffer
	_, err = Mosaic(t.Context(), &again, file, MosaicOptions{Columns: 3, Rows: 2})
	require.NoError(t, err)
	require.True(t, bytes.Equal(b.Bytes(), again.Bytes()))
}

// Where no main road reaches into a band there is no join.
func TestMosaicOfFewRoads(t *testing.T) {
	const bent = `<osm version="0.6"><node id="5" lon="1" lat="1"/><node id="6" lon="1.01" lat="1"/><node id="7" lon="1.01" lat="1.3"/>
		<way id="1"><nd ref="5"/><nd ref="6"/><nd ref="7"/><tag k="highway" v="primary"/></way></osm>`
	var b bytes.Buffer
	_, err := Mosaic(t.Context(), &b, open(t, []byte(bent), "bent.osm"), MosaicOptions{Columns: 2, Rows: 2})
	require.NoError(t, err)
	file := open(t, b.Bytes(), "mosaic.osm.pbf")
	_, err = file.Scan(t.Context(), osmfile.Options{Want: osmfile.Nodes}, osmfile.Handler{Ordered: func(b *osmfile.Block) error {
		for i := range b.NodeIDs {
			require.InDelta(t, 1.02e6, b.Lons[i], 0.03e6)
			require.InDelta(t, 1.3e6, b.Lats[i], 0.33e6)
		}
		return nil
	}})
	require.NoError(t, err)
	c := count(t, file)
	require.Greater(t, c.classes["primary"], 4)
}

func TestFaults(t *testing.T) {
	file := open(t, country(t, 3000, 7), "country.osm.pbf")
	_, err := Mosaic(t.Context(), &bytes.Buffer{}, file, MosaicOptions{Columns: 0, Rows: 2})
	require.ErrorContains(t, err, "0 by 2")
	_, err = Mosaic(t.Context(), &bytes.Buffer{}, file, MosaicOptions{Columns: 2, Rows: 20_000})
	require.ErrorContains(t, err, "north")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Mosaic(ctx, &bytes.Buffer{}, file, MosaicOptions{Columns: 1, Rows: 1})
	require.ErrorIs(t, err, context.Canceled)
	_, err = Country(ctx, &bytes.Buffer{}, Options{Nodes: 3000})
	require.ErrorIs(t, err, context.Canceled)
	const houses = `<osm version="0.6"><node id="1" lon="1" lat="1"/><way id="1"><nd ref="1"/><tag k="building" v="yes"/></way></osm>`
	_, err = Mosaic(t.Context(), &bytes.Buffer{}, open(t, []byte(houses), "houses.osm"), MosaicOptions{Columns: 1, Rows: 1})
	require.ErrorContains(t, err, "no main roads")
	const unsorted = `<osm version="0.6"><node id="2" lon="1" lat="1"/><node id="1" lon="1" lat="1"/></osm>`
	_, err = Mosaic(t.Context(), &bytes.Buffer{}, open(t, []byte(unsorted), "unsorted.osm"), MosaicOptions{Columns: 1, Rows: 1})
	require.ErrorContains(t, err, "not sorted")
}

func BenchmarkCountry(b *testing.B) {
	for b.Loop() {
		country(b, 100_000, 1)
	}
}
