package routing_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

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
