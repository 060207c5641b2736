package routing_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// Tell a route in sentences.
func ExampleInstructions() {
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
		Coordinates: []orb.Point{{1.0000, 0.9982}, {1.0018, 0.9999}}, Steps: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	instructions, err := routing.NewInstructions("en")
	if err != nil {
		log.Fatal(err)
	}
	instructions.Tell(&res.Routes[0])
	for _, step := range res.Routes[0].Legs[0].Steps {
		fmt.Println(step.Maneuver.Instruction)
	}
	// Output:
	// Start out east along abcde and go on for 200 meters
	// Turn left onto fcg
	// You are at your destination
}
