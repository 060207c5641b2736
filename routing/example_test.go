package routing_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/routing"
)

// Build an extract, open it, and ask for a route. The map is two streets that
// cross.
func Example() {
	dir, err := os.MkdirTemp("", "fourway-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "crossing")

	ctx := context.Background()
	if _, err := routing.Build(ctx, routing.BuildOptions{Reader: crossing(), Output: name}); err != nil {
		log.Fatal(err)
	}
	engine, err := routing.Open(name, routing.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	res, err := routing.Route(ctx, engine, routing.RouteRequest{
		Coordinates: []orb.Point{{1.0000, 0.9982}, {1.0036, 0.9982}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f s, %.0f m\n", res.Routes[0].Duration, res.Routes[0].Distance)
	// Output: 22.0 s, 400 m
}

// A session keeps its workspace from one query to the next.
func ExampleEngine_Session() {
	dir, err := os.MkdirTemp("", "fourway-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "crossing")
	ctx := context.Background()
	if _, err := routing.Build(ctx, routing.BuildOptions{Reader: crossing(), Output: name}); err != nil {
		log.Fatal(err)
	}
	engine, err := routing.Open(name, routing.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	session := engine.Session()
	defer session.Close()
	for _, c := range []orb.Point{{1.0000, 0.9983}, {1.0036, 0.9981}} {
		res, err := session.Nearest(ctx, routing.NearestRequest{Coordinate: c})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.1f m to %s\n", res.Waypoints[0].Distance, res.Waypoints[0].Name)
	}
	// Output:
	// 12.1 m to abcde
	// 10.1 m to abcde
}

// A table has the costs between many places at once.
func ExampleTable() {
	engine := openCrossing()
	defer engine.Close()
	res, err := routing.Table(context.Background(), engine, routing.TableRequest{
		Coordinates: []orb.Point{{1.0000, 0.9982}, {1.0036, 0.9982}, {1.0018, 1.0000}},
		Sources:     []int{0},
		Annotations: routing.TableDurations | routing.TableDistances,
	})
	if err != nil {
		log.Fatal(err)
	}
	for j, duration := range res.Durations[0] {
		fmt.Printf("to %d: %.1f s, %.0f m\n", j, duration, res.Distances[0][j])
	}
	// Output:
	// to 0: 0.0 s, 0 m
	// to 1: 22.0 s, 400 m
	// to 2: 27.4 s, 400 m
}

// A table that is too big to be kept comes row by row.
func ExampleTableRows() {
	engine := openCrossing()
	defer engine.Close()
	for row, err := range routing.TableRows(context.Background(), engine, routing.TableRequest{
		Coordinates: []orb.Point{{1.0000, 0.9982}, {1.0036, 0.9982}, {1.0018, 1.0000}},
		Sources:     []int{1},
	}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("from %d: %.1f\n", row.Source, row.Durations)
	}
	// Output: from 0: [22.0 0.0 24.2]
}

// A trip visits its places in the order that takes the least time.
func ExampleTrip() {
	engine := openCrossing()
	defer engine.Close()
	res, err := routing.Trip(context.Background(), engine, routing.TripRequest{
		Coordinates: []orb.Point{{1.0000, 0.9982}, {1.0036, 0.9982}, {1.0009, 0.9982}},
		OneWay:      true, FromFirst: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, %.0f m, proven: %v\n", res.Order, res.Trips[0].Distance, res.Proven)
	// Output: [0 2 1], 400 m, proven: true
}

// A match finds the way of a trace of noisy places.
func ExampleMatch() {
	engine := openCrossing()
	defer engine.Close()
	res, err := routing.Match(context.Background(), engine, routing.MatchRequest{
		Coordinates: []orb.Point{{1.0002, 0.99822}, {1.0010, 0.99817}, {1.0017, 0.99815}, {1.0026, 0.99821}},
		Timestamps:  []int64{0, 5, 10, 15},
	})
	if err != nil {
		log.Fatal(err)
	}
	m := &res.Matchings[0]
	fmt.Printf("%d legs, %.0f m on %s\n", len(m.Legs), m.Distance, res.Tracepoints[3].Name)
	// Output: 3 legs, 267 m on abcde
}

// openCrossing builds the crossing in memory and opens it.
func openCrossing() *routing.Engine {
	files := fstest.MapFS{}
	if _, err := routing.Build(context.Background(), routing.BuildOptions{
		Reader: crossing(), Output: "crossing",
		Create: func(name string) (io.WriteCloser, error) {
			return &memoryFile{keep: func(b []byte) { files[name] = &fstest.MapFile{Data: b} }}, nil
		},
	}); err != nil {
		log.Fatal(err)
	}
	engine, err := routing.Open("crossing", routing.Options{FS: files})
	if err != nil {
		log.Fatal(err)
	}
	return engine
}

// crossing returns an extract in OSM XML; a file is given as Input instead.
func crossing() io.Reader {
	d := testmap.Drawing{
		Map: `
			    f
			    |
			a-b-c-d-e
			    |
			    g`,
		Ways: []testmap.Row{{"abcde"}, {"fcg"}},
	}
	data, err := d.OSM()
	if err != nil {
		log.Fatal(err)
	}
	return bytes.NewReader(data)
}
