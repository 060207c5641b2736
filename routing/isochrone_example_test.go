package routing_test

import (
	"context"
	"fmt"
	"log"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// What can be reached within 150 and 300 meters by road. Each stretch of road says what it
// takes to get to its points.
func ExampleIsochrone() {
	engine := openCrossing()
	defer engine.Close()
	res, err := routing.Isochrone(context.Background(), engine, routing.IsochroneRequest{
		Coordinates: []orb.Point{{1.0018, 0.9982}},
		Contours:    []float64{150, 300},
		Unit:        routing.ContourDistance,
		Shapes:      routing.IsochronePolygons | routing.IsochroneRoads,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range res.Contours {
		fmt.Printf("%.0f m: %d polygon\n", c.Value, len(c.Polygons))
	}
	most := 0.0
	for _, road := range res.Roads {
		most = max(most, road.Costs[len(road.Costs)-1])
	}
	fmt.Printf("%.0f m reached\n", most)
	// Output:
	// 300 m: 1 polygon
	// 150 m: 1 polygon
	// 300 m reached
}
