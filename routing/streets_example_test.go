package routing_test

import (
	"context"
	"fmt"
	"log"

	"github.com/fourway-routing/fourway/routing"
)

// What a map of the crossing shows.
func ExampleStreets() {
	engine := openCrossing()
	defer engine.Close()

	res, err := routing.Streets(context.Background(), engine, routing.StreetsRequest{Bounds: engine.Info().Bounds, Zoom: 15})
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
