package routing_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// A route by three places, with steps. Each leg leads from one place to the next.
func ExampleRoute() {
	engine := openCrossing()
	defer engine.Close()
	res, err := routing.Route(context.Background(), engine, routing.RouteRequest{
		Coordinates: []orb.Point{{1.0000, 0.9982}, {1.0018, 1.0000}, {1.0036, 0.9982}}, Steps: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, leg := range res.Routes[0].Legs {
		fmt.Printf("%.1f s, %.0f m\n", leg.Duration, leg.Distance)
		for _, step := range leg.Steps {
			fmt.Printf("  %s %s, %s\n", step.Maneuver.Type, step.Maneuver.Modifier, step.Name)
		}
	}
	// Output:
	// 54.8 s, 400 m
	//   depart , abcde
	//   turn left, fcg
	//   arrive , fcg
	// 27.4 s, 400 m
	//   depart , fcg
	//   turn left, abcde
	//   arrive , abcde
}

// The two roads nearest to a place, the nearest first.
func ExampleNearest() {
	engine := openCrossing()
	defer engine.Close()
	res, err := routing.Nearest(context.Background(), engine, routing.NearestRequest{
		Coordinate: orb.Point{1.0020, 0.9985}, Number: 2,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range res.Waypoints {
		fmt.Printf("%.1f m to %s, way %d from node %d to %d\n", w.Distance, w.Name, w.Way, w.Ends[0], w.Ends[1])
	}
	// Output:
	// 22.6 m to fcg, way 9 from node 1 to 4
	// 34.2 m to abcde, way 8 from node 4 to 5
}

// The roads and turns of a rectangle, for drawing what the search sees.
func ExampleRoads() {
	engine := openCrossing()
	defer engine.Close()
	res, err := routing.Roads(context.Background(), engine, routing.RoadsRequest{Bounds: engine.Info().Bounds, Turns: true})
	if err != nil {
		log.Fatal(err)
	}
	r := &res.Roads[0]
	fmt.Printf("%d roads, %d turns; %s: %.0f m in %.1f s\n", len(res.Roads), len(res.Turns), r.Name, r.Length, r.Duration)
	// Output: 12 roads, 12 turns; fcg: 200 m in 11.1 s
}

// Failures are told apart by their code, and say which coordinate is at fault.
func ExampleError() {
	engine := openCrossing()
	defer engine.Close()
	_, err := routing.Route(context.Background(), engine, routing.RouteRequest{
		Coordinates: []orb.Point{{1.0000, 0.9982}, {2, 2}}, Radiuses: []float64{0, 50},
	})
	var fault *routing.Error
	if errors.Is(err, routing.ErrNoSegment) && errors.As(err, &fault) {
		fmt.Println("coordinate", fault.Index, "is at fault")
	}
	fmt.Printf("%s\n", fault.AppendJSON(nil))
	// Output:
	// coordinate 1 is at fault
	// {"code":"NoSegment","message":"Could not find a matching segment for coordinate 1"}
}

// The answer as OSRM's server would give it.
func ExampleRouteResponse_AppendJSON() {
	engine := openCrossing()
	defer engine.Close()
	res, err := routing.Route(context.Background(), engine, routing.RouteRequest{
		Coordinates: alongTheRoad, Overview: routing.OverviewFalse, SkipWaypoints: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", res.AppendJSON(nil))
	// Output: {"code":"Ok","routes":[{"distance":400,"duration":22,"weight":22,"weight_name":"routability","legs":[{"distance":400,"duration":22,"weight":22,"summary":"","steps":[]}]}]}
}

// The codec of the polylines that OSRM and others give.
func ExampleDecodePolyline() {
	line, err := routing.DecodePolyline("_p~iF~ps|U_ulLnnqC_mqNvxq`@", 5)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(line)
	// Output: [[-120.2 38.5] [-120.95 40.7] [-126.453 43.252]]
}

// Latitude comes first in a polyline, longitude in a line.
func ExampleAppendPolyline() {
	line := orb.LineString{{-120.2, 38.5}, {-120.95, 40.7}, {-126.453, 43.252}}
	fmt.Printf("%s\n", routing.AppendPolyline(nil, line, 5))
	// Output: _p~iF~ps|U_ulLnnqC_mqNvxq`@
}
