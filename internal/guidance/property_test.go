package guidance_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/routing"
)

// TestRandomRoutes holds the steps of random routes, of two points and more, to
// what is true of all.
func TestRandomRoutes(t *testing.T) {
	for _, profile := range []string{"car", "bicycle"} {
		name := t.TempDir() + "/andorra"
		_, err := routing.Build(t.Context(), routing.BuildOptions{Input: osmdata.Andorra(t), ProfileName: profile, Output: name})
		require.NoError(t, err)
		for _, algorithm := range []routing.Algorithm{routing.CH, routing.MLD} {
			t.Run(profile+"/"+algorithm.String(), func(t *testing.T) { checkRandomRoutes(t, open(t, name, algorithm), 60) })
		}
	}
}

func TestRandomRoutesInDelaware(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a data set of 180,000 search nodes")
	}
	for _, algorithm := range []routing.Algorithm{routing.CH, routing.MLD} {
		t.Run(algorithm.String(), func(t *testing.T) { checkRandomRoutes(t, open(t, delaware(t), algorithm), 150) })
	}
}

func checkRandomRoutes(t *testing.T, e *routing.Engine, routes int) {
	bounds := e.Info().Bounds
	r := rand.New(rand.NewPCG(1, 2))
	for range routes {
		points := make([]orb.Point, 2+r.IntN(3))
		for i := range points {
			points[i] = orb.Point{
				bounds.Min[0] + r.Float64()*(bounds.Max[0]-bounds.Min[0]),
				bounds.Min[1] + r.Float64()*(bounds.Max[1]-bounds.Min[1]),
			}
		}
		if i := len(points) - 1; r.IntN(4) == 0 { // a very short leg
			points[i] = orb.Point{points[i-1][0] + 1e-5*r.Float64(), points[i-1][1]}
		}
		res, err := routing.Route(t.Context(), e, routing.RouteRequest{
			Coordinates: points, Steps: true, Overview: routing.OverviewFull, Annotations: routing.AnnotateAll,
		})
		if err != nil {
			require.ErrorIs(t, err, routing.ErrNoRoute, points) // an island
			continue
		}
		route := &res.Routes[0]
		segments := 0
		for i := range route.Legs {
			leg := &route.Legs[i]
			check(t, leg)
			inLeg := 0
			for k := range leg.Steps[:len(leg.Steps)-1] {
				inLeg += len(leg.Steps[k].Geometry) - 1
			}
			require.Len(t, leg.Annotation.Distance, inLeg, points)
			require.Len(t, leg.Annotation.Nodes, inLeg+1, points)
			segments += inLeg
		}
		require.Len(t, route.Geometry, segments+1, points)
	}
}

// TestRandomTowns asks for ways through towns of random streets, whose
// crossings have any number of roads, one-way roads, roundabouts, lanes.
func TestRandomTowns(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		e := buildAndOpen(t, routing.BuildOptions{Input: "town.osm", Reader: bytes.NewReader(randomTown(seed))})
		r := rand.New(rand.NewPCG(seed, 5))
		for range 60 {
			a, b := randomPlace(r), randomPlace(r)
			res, err := routing.Route(t.Context(), e, routing.RouteRequest{Coordinates: []orb.Point{a, b}, Steps: true})
			if err != nil {
				require.ErrorIs(t, err, routing.ErrNoRoute)
				continue
			}
			check(t, &res.Routes[0].Legs[0])
		}
	}
}

const townSize = 7 // places on a side

func randomPlace(r *rand.Rand) orb.Point {
	return orb.Point{1 + r.Float64()*townSize*0.0006, 1 + r.Float64()*townSize*0.0006}
}

// randomTown is a town in OSM XML: places near a grid, streets between
// neighbors with random tags.
func randomTown(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	b.WriteString("<osm>")
	for i := range townSize * townSize {
		lon := 1 + (float64(i%townSize)+0.8*r.Float64())*0.0006
		lat := 1 + (float64(i/townSize)+0.8*r.Float64())*0.0006
		node(&b, i+1, lon, lat)
	}
	way := 0
	street := func(from, to int) {
		way++
		pick := func(list ...string) string { return list[r.IntN(len(list))] }
		writeWay(&b, way, from+1, to+1, map[string]string{
			"highway":  pick("motorway", "motorway_link", "trunk", "primary", "secondary", "secondary_link", "residential", "residential", "service"),
			"name":     pick("", "Mill Lane", "Mill Lane North", "Dale Road", "Vale"),
			"ref":      pick("", "", "7", "7;8"),
			"oneway":   pick("no", "no", "yes", "-1"),
			"junction": pick("", "", "", "", "roundabout", "circular"),
			"lanes":    pick("", "2", "3"),
			"turn:lanes": pick("", "", "left|through|right", "left;through|right", "||", "reverse|left|through",
				"through|merge_to_left", "left|none|slight_right"),
		})
	}
	for y := range townSize {
		for x := range townSize {
			at := y*townSize + x
			if x+1 < townSize && r.IntN(8) > 0 {
				street(at, at+1)
			}
			if y+1 < townSize && r.IntN(8) > 0 {
				street(at, at+townSize)
			}
			if x+1 < townSize && y+1 < townSize && r.IntN(4) == 0 {
				street(at, at+townSize+1)
			}
		}
	}
	b.WriteString("</osm>")
	return b.Bytes()
}

func node(b *bytes.Buffer, id int, lon, lat float64) {
	fmt.Fprintf(b, `<node id="%d" lon="%.7f" lat="%.7f"/>`, id, lon, lat)
}

func writeWay(b *bytes.Buffer, id, from, to int, tags map[string]string) {
	fmt.Fprintf(b, `<way id="%d"><nd ref="%d"/><nd ref="%d"/>`, id, from, to)
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		if tags[key] != "" {
			fmt.Fprintf(b, `<tag k="%s" v="%s"/>`, key, tags[key])
		}
	}
	b.WriteString("</way>")
}
