package extract_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/profile"
)

// walker is those who walk across squares.
func walker(t *testing.T) profile.Profile {
	p, err := profile.NewFoot(profile.FootOptions{Areas: true})
	require.NoError(t, err)
	return p
}

func walk(t *testing.T, d testmap.Drawing) *extracttest.Map {
	m := extracttest.Extract(t, d, walker(t), extract.Options{})
	require.NoError(t, m.Network.Check())
	return m
}

// at returns where a letter stands.
func at(m *extracttest.Map, letter rune) geo.Coord {
	lon, lat, _ := m.Position(letter)
	return geo.FromLonLat(lon, lat)
}

const path = "highway=pedestrian"

func TestSquareIsCrossed(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			e-a---b-f
			  |   |
			h-d---c-g`,
		Ways: []testmap.Row{
			{"abcda", "highway=pedestrian area=yes name=Plaza"},
			{"ea", path},
			{"bf", path},
			{"hd", path},
			{"cg", path},
		},
	}
	m := walk(t, d)
	can(t, m, map[string]bool{"eacg": true, "hdbf": true, "gcae": true, "eabf": true, "adc": true})
	require.Equal(t, 1, m.Report.Areas)
	require.Equal(t, 6, m.Report.AreaWays)
	require.Equal(t, 1, m.Network.Areas.Len())
	require.Equal(t, "Plaza", m.Network.Strings.Get(m.Network.Areas.Name(0)))

	foot, err := profile.ByName("foot")
	require.NoError(t, err)
	m = extracttest.Extract(t, d, foot, extract.Options{})
	can(t, m, map[string]bool{"eacg": false, "eabcg": true})
	require.Zero(t, m.Network.Areas.Len())
}

func TestFountainIsWalkedAround(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			e-a-------b-f
			  | u-v   |
			  | x-w   |
			h-d-------c-g`,
		Ways: []testmap.Row{
			{"abcda", "highway="},
			{"uvwxu", "highway="},
			{"ea", path},
			{"bf", path},
			{"hd", path},
			{"cg", path},
		},
		Relations: []testmap.Row{{"outer=abcda inner=uvwxu", "type=multipolygon highway=pedestrian name=Plaza"}},
	}
	m := walk(t, d)
	can(t, m, map[string]bool{"eavcg": true, "fbwdh": true, "eacg": false, "auvwxu": true})

	// Roles do not matter, nor whether the ring is in one piece.
	d.Ways[0] = testmap.Row{"abc", "highway="}
	d.Ways = append(d.Ways, testmap.Row{"adc", "highway="})
	d.Relations[0][0] = "x=adc outer=uvwxu y=abc"
	again := walk(t, d)
	can(t, again, map[string]bool{"eavcg": true, "fbwdh": true, "eacg": false})
	require.Equal(t, m.Report.AreaWays, again.Report.AreaWays)
}

// What is no area is left alone, and counted.
func TestAreasThatAreNone(t *testing.T) {
	const text = `
		e-a-------b-f
		  | u-v   |
		  | x-w   |
		h-d-------c-g`
	ways := []testmap.Row{{"ea", path}, {"bf", path}, {"hd", path}, {"cg", path}}
	square := "type=multipolygon highway=pedestrian"
	for _, c := range []struct {
		name     string
		ways     []testmap.Row
		relation string
		count    func(*extract.Dropped) int
	}{
		{"open ring", []testmap.Row{{"abcd", "highway="}}, "outer=abcd", func(d *extract.Dropped) int { return d.AreasBroken }},
		{"crossing ring", []testmap.Row{{"abdca", "highway=pedestrian area=yes"}}, "", func(d *extract.Dropped) int { return d.AreasBroken }},
		{"no way to it", []testmap.Row{{"uvwxu", "highway=pedestrian area=yes"}}, "", func(d *extract.Dropped) int { return d.AreasWithoutEntries }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := testmap.Drawing{Map: text, Ways: slices.Concat(c.ways, ways)}
			if c.relation != "" {
				d.Relations = []testmap.Row{{c.relation, square}}
			}
			m := walk(t, d)
			require.Equal(t, 1, c.count(&m.Report.Dropped))
			require.Zero(t, m.Report.Areas)
			require.Zero(t, m.Report.AreaWays)
			require.Zero(t, m.Report.Dropped.MissingNodes)
			require.Equal(t, 8, m.Report.Places, "corners of what is no area are no places")
		})
	}
}

func TestOneWayToAnAreaIsNotEnough(t *testing.T) {
	m := walk(t, testmap.Drawing{
		Map: `
			a-------b
			|       |
			d-x-----c
			  |
			  u`,
		Ways: []testmap.Row{{"abcxda", "highway=pedestrian area=yes"}, {"ux", path}},
	})
	require.Equal(t, 1, m.Report.Dropped.AreasWithoutEntries)
	require.Equal(t, 2, m.Report.Places)
}

func TestTwoWaysToOneSide(t *testing.T) {
	m := walk(t, testmap.Drawing{
		Map: `
			a-------b
			|       |
			d-x---y-c
			  |   |
			  u   v`,
		Ways: []testmap.Row{{"abcyxda", "highway=pedestrian area=yes"}, {"ux", path}, {"vy", path}},
	})
	can(t, m, map[string]bool{"uxyv": true, "vyxu": true, "xdabcy": true, "xb": false})
}

// A route over an area goes on over the ways across it.
func TestAreaInARoute(t *testing.T) {
	p := &marked{Profile: walker(t)}
	p.properties = *p.Profile.Properties()
	p.properties.RelationTypes = []string{"route"}
	m := extracttest.Extract(t, testmap.Drawing{
		Map: `
			e-a---b
			  |   |
			  d---c-g`,
		Ways:      []testmap.Row{{"abcda", "highway=pedestrian area=yes"}, {"ea", path}, {"cg", path}},
		Relations: []testmap.Row{{"x=ea x=abcda x=cg", "type=route name=Hike"}},
	}, p, extract.Options{})
	can(t, m, map[string]bool{"eacg": true})
	node := m.Node("ac")
	road := m.Network.Roads[m.Network.ArmRoad[m.Network.NodeArm[node]]]
	require.Equal(t, "Hike", m.Network.Strings.Get(road.Name))
}

// marked names ways for the first relation that they are in.
type marked struct {
	profile.Profile
	properties profile.Properties
}

func (p *marked) Properties() *profile.Properties { return &p.properties }

func (p *marked) NewWorker() (profile.Worker, error) {
	w, err := p.Profile.NewWorker()
	return &markedWorker{RelationWorker: w.(profile.RelationWorker)}, err
}

type markedWorker struct {
	profile.RelationWorker
	relations *profile.Relations
}

func (w *markedWorker) SetRelations(r *profile.Relations) { w.relations = r }

func (w *markedWorker) Way(way *osm.Way, r *profile.WayResult) error {
	err := w.RelationWorker.Way(way, r)
	for _, id := range w.relations.Of(way.FeatureID()) {
		r.Name = w.relations.Relation(id).Tags.Find("name")
	}
	return err
}

// The profile has the last word on the ways across an area.
func TestClosedArea(t *testing.T) {
	m := walk(t, testmap.Drawing{
		Map: `
			e-a---b
			  |   |
			  d---c-g`,
		Ways: []testmap.Row{{"abcda", "highway=pedestrian area=yes access=private"}, {"ea", path}, {"cg", path}},
	})
	can(t, m, map[string]bool{"eacg": false})
	require.Zero(t, m.Network.Areas.Len())
	require.Zero(t, m.Report.AreaWays)
	require.Equal(t, 4, m.Report.Places)
}

// Who stands in an area may leave it over all that they see.
func TestWaysOutOfAnArea(t *testing.T) {
	m := walk(t, testmap.Drawing{
		Map: `
			e-a-----------b-f
			  | u-------v |
			  |p|       | |
			  | x-------w |
			h-d-----------c-g`,
		Cell: 50,
		Ways: []testmap.Row{
			{"abcda", "highway="},
			{"uvwxu", "highway="},
			{"ea", path},
			{"bf", path},
			{"hd", path},
			{"cg", path},
		},
		Relations: []testmap.Row{{"outer=abcda inner=uvwxu", "type=multipolygon highway=pedestrian"}},
	})
	require.Equal(t, 1, m.Report.Areas)
	n := m.Network
	require.Equal(t, graph.AreaID(0), n.Areas.AppendAround(nil, at(m, 'p'))[0])
	require.Empty(t, n.Areas.AppendAround(nil, at(m, 'a')), "vertices are places of roads")
	require.Empty(t, n.Areas.AppendAround(nil, at(m, 'e')))
	s := graph.NewSnapper(n, m.Metric, pool.New())
	area, phantoms, ok := s.InArea(at(m, 'p'), graph.SnapOptions{})
	require.True(t, ok)
	require.Equal(t, graph.AreaID(0), area)
	seen := map[rune]bool{}
	for i := range phantoms {
		p := &phantoms[i]
		for _, letter := range "abcduvwx" {
			if at(m, letter) == p.Place {
				seen[letter] = true
			}
		}
		require.Equal(t, at(m, 'p'), p.Input)
		require.Positive(t, p.Walk.Distance)
		require.InDelta(t, float64(p.Walk.Distance)/100/1.4, float64(p.Walk.Duration)/10, 0.1)
		require.Equal(t, int32(p.Walk.Weight), int32(p.Walk.Duration))
		for d := range p.Source {
			require.False(t, p.Source[d] && p.Target[d], "one leaves a vertex or comes to it")
		}
	}
	require.Equal(t, map[rune]bool{'a': true, 'd': true, 'u': true, 'x': true}, seen)
	_, _, ok = s.InArea(at(m, 'e'), graph.SnapOptions{})
	require.False(t, ok)
	here := at(m, 'p')
	require.Zero(t, testing.AllocsPerRun(10, func() { s.InArea(here, graph.SnapOptions{}) }))
}

// What comes out does not depend on the number of workers.
func TestAreasAreDeterministic(t *testing.T) {
	d := testmap.Drawing{
		Map: `
			e-a-----b-f-i-----j
			  | uv  |   |     |
			  | xw  |   |     |
			h-d-----c-g-l-----k-m`,
		Ways: []testmap.Row{
			{"abcda", "highway="},
			{"uvwxu", "highway="},
			{"ijkli", "highway=pedestrian area=yes name=Other"},
			{"ea", path},
			{"bfi", path},
			{"hd", path},
			{"cgl", path},
			{"km", path},
		},
		Relations: []testmap.Row{{"x=abcda x=uvwxu", "type=multipolygon highway=pedestrian name=Plaza"}},
	}
	encode := func(workers int) []byte {
		m := extracttest.Extract(t, d, walker(t), extract.Options{Workers: workers})
		require.Equal(t, 2, m.Network.Areas.Len())
		w, err := graph.EncodeNetwork(m.Network)
		require.NoError(t, err)
		var data bytes.Buffer
		_, err = w.WriteTo(&data)
		require.NoError(t, err)
		return data.Bytes()
	}
	one := encode(1)
	for _, workers := range []int{1, 2, 5} {
		require.Equal(t, one, encode(workers))
	}
}

// Areas at the edge of an extract lack ways and nodes.
func TestIncompleteAreas(t *testing.T) {
	const data = `<osm version="0.6">
		<node id="1" lon="1" lat="1"/><node id="2" lon="1.001" lat="1"/><node id="3" lon="1.001" lat="1.001"/>
		<way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="footway"/></way>
		<way id="2"><nd ref="1"/><nd ref="2"/><nd ref="3"/></way>
		<way id="3"><nd ref="1"/><nd ref="2"/><nd ref="9"/><nd ref="1"/><tag k="highway" v="pedestrian"/><tag k="area" v="yes"/></way>
		<relation id="1"><member type="way" ref="2" role="outer"/><member type="way" ref="8" role="outer"/>
			<tag k="type" v="multipolygon"/><tag k="highway" v="pedestrian"/></relation>
		</osm>`
	f, err := osmfile.OpenReaderAt(strings.NewReader(data), int64(len(data)), "edge")
	require.NoError(t, err)
	r, err := extract.Run(t.Context(), f, walker(t), extract.Options{})
	require.NoError(t, err)
	require.Equal(t, 2, r.Report.Dropped.AreasIncomplete)
	require.Equal(t, 1, r.Report.Dropped.MissingNodes)
	require.Equal(t, 2, r.Report.Places)
	require.Zero(t, r.Network.Areas.Len())
}
