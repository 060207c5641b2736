package routing_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"testing/fstest"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/routing"
)

// block has a street from a to b, and a way round.
var block = testmap.Drawing{
	Map: `
		a---b
		|   |
		c---d`,
	Ways: []testmap.Row{{"ab", "name=short maxspeed=30"}, {"acdb", "name=long"}},
}

// openBlock builds the block in memory, with its tags, and opens it for MLD.
func openBlock() *routing.Engine {
	files := fstest.MapFS{}
	if _, err := routing.Build(context.Background(), routing.BuildOptions{
		Reader: blockExtract(), Output: "block", Tags: true, Algorithms: []routing.Algorithm{routing.MLD},
		Create: func(name string) (io.WriteCloser, error) {
			return &memoryFile{keep: func(b []byte) { files[name] = &fstest.MapFile{Data: b} }}, nil
		},
	}); err != nil {
		log.Fatal(err)
	}
	engine, err := routing.Open("block", routing.Options{FS: files, Algorithm: routing.MLD})
	if err != nil {
		log.Fatal(err)
	}
	return engine
}

// A road is closed for all requests, until somebody opens it or its time is over.
func ExampleEngine_CloseRoads() {
	engine := openBlock()
	defer engine.Close()
	ctx := context.Background()
	drive := func() {
		res, err := routing.Route(ctx, engine, routing.RouteRequest{Coordinates: []orb.Point{{1, 1}, {1.0018, 1}}})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.0f m\n", res.Routes[0].Distance)
	}
	drive()
	report, err := engine.CloseRoads(ctx, routing.Closure{
		ID: "works", Avoid: routing.Avoid{Ways: []int64{block.WayID("ab")}},
		Until: time.Now().Add(time.Hour), Note: "water main",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d segments closed\n", report.Closures[0].Segments)
	drive()
	if _, err := engine.OpenRoads(ctx, "works"); err != nil {
		log.Fatal(err)
	}
	drive()
	// Output:
	// 200 m
	// 2 segments closed
	// 600 m
	// 200 m
}

// An explanation tells what the time of a leg is made of, and which tags decide it.
func ExampleExplanation() {
	engine := openBlock()
	defer engine.Close()
	res, err := routing.Route(context.Background(), engine, routing.RouteRequest{
		Coordinates: []orb.Point{{1, 1}, {1.0018, 1}}, Explain: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	x := res.Routes[0].Legs[0].Explanation
	for _, s := range x.Segments {
		fmt.Printf("way %d: %.1f s at %.0f km/h by %s\n", s.Way, s.Duration, s.Speed, s.Source)
	}
	for _, e := range x.Ways[0].Effects {
		fmt.Printf("%s=%s decides %v\n", e.Key, e.Value, e.Decides)
	}
	// Output:
	// way 5: 30.0 s at 24 km/h by lua profile
	// highway=primary decides [access]
	// maxspeed=30 decides [speed rate]
}

// blockExtract returns the block in OSM XML; a file is given as Input instead.
func blockExtract() io.Reader {
	data, err := block.OSM()
	if err != nil {
		log.Fatal(err)
	}
	return bytes.NewReader(data)
}
