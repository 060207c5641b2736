package routing_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/fourway-routing/fourway/routing"
)

// What a map of the crossing shows.
func ExampleStreets() {
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

	res, err := routing.Streets(ctx, engine, routing.StreetsRequest{Bounds: engine.Info().Bounds, Zoom: 15})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range res.Streets {
		fmt.Printf("%s: %s, %d points\n", s.Name, s.Class, len(s.Line))
	}
	// Output:
	// fcg: primary, 3 points
	// abcde: primary, 5 points
}
