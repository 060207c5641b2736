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

// The language that serves for a tag, and all that there are.
func ExampleInstructionLanguage() {
	language, err := routing.InstructionLanguage("de-AT")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(language, routing.InstructionLanguages())
	// Output: de [de en fr]
}

// All languages that there are.
func ExampleInstructionLanguages() {
	for _, tag := range routing.InstructionLanguages() {
		in, err := routing.NewInstructions(tag)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(in.Language())
	}
	// Output:
	// de
	// en
	// fr
}

// Sentences with distances in miles and feet.
func ExampleNewInstructions() {
	in, err := routing.NewInstructions("en-US")
	if err != nil {
		log.Fatal(err)
	}
	engine := openCrossing()
	defer engine.Close()
	res, err := routing.Route(context.Background(), engine, routing.RouteRequest{Coordinates: alongTheRoad, Steps: true})
	if err != nil {
		log.Fatal(err)
	}
	in.Imperial().Tell(&res.Routes[0])
	fmt.Println(in.Language())
	fmt.Println(res.Routes[0].Legs[0].Steps[0].Maneuver.Instruction)
	// Output:
	// en
	// Start out east along abcde and go on for 0.2 miles
}
