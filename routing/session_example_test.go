package routing_test

import (
	"context"
	"fmt"
	"log"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// A session answers all that an engine answers, in memory that it keeps. It belongs to one
// goroutine.
func ExampleSession() {
	engine := openCrossing()
	defer engine.Close()
	session := engine.Session()
	defer session.Close()
	ctx := context.Background()
	places := []orb.Point{{1.0000, 0.9982}, {1.0036, 0.9982}, {1.0018, 1.0000}}

	route, err := session.Route(ctx, routing.RouteRequest{Coordinates: places})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("route: %.0f m\n", route.Routes[0].Distance)

	table, err := session.Table(ctx, routing.TableRequest{Coordinates: places})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("table: %.1f\n", table.Durations[0])

	for row, err := range session.TableRows(ctx, routing.TableRequest{Coordinates: places, Sources: []int{2}}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("row %d: %.1f\n", row.Source, row.Durations)
	}

	trip, err := session.Trip(ctx, routing.TripRequest{Coordinates: places})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("trip: %v\n", trip.Order)

	match, err := session.Match(ctx, routing.MatchRequest{Coordinates: places[:2]})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("match: %.0f m\n", match.Matchings[0].Distance)

	nearest, err := session.Nearest(ctx, routing.NearestRequest{Coordinate: places[0]})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("nearest: %s\n", nearest.Waypoints[0].Name)

	reach, err := session.Isochrone(ctx, routing.IsochroneRequest{Coordinates: places[:1], Contours: []float64{10}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("isochrone: %d polygon\n", len(reach.Contours[0].Polygons))

	bounds := engine.Info().Bounds
	roads, err := session.Roads(ctx, routing.RoadsRequest{Bounds: bounds})
	if err != nil {
		log.Fatal(err)
	}
	streets, err := session.Streets(ctx, routing.StreetsRequest{Bounds: bounds, Zoom: 15})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("map: %d roads, %d streets\n", len(roads.Roads), len(streets.Streets))
	// Output:
	// route: 800 m
	// table: [0.0 22.0 27.4]
	// row 0: [24.2 27.4 0.0]
	// trip: [0 1 2]
	// match: 400 m
	// nearest: abcde
	// isochrone: 1 polygon
	// map: 12 roads, 2 streets
}

// A trace that comes in point by point. What is settled does not change any more.
func ExampleMatchStream() {
	engine := openCrossing()
	defer engine.Close()
	session := engine.Session()
	defer session.Close()
	ctx := context.Background()
	stream, err := session.MatchStream(ctx, routing.MatchStreamOptions{Model: routing.RobustModel(), Timed: true})
	if err != nil {
		log.Fatal(err)
	}
	tell := func(settled []routing.MatchSettled, err error) {
		if err != nil {
			log.Fatal(err)
		}
		for _, s := range settled {
			fmt.Printf("point %d: %.1f m beside the road\n", s.Point, s.Distance)
		}
	}
	for i, c := range []orb.Point{{1.0002, 0.99822}, {1.0010, 0.99817}, {1.0017, 0.99815}, {1.0026, 0.99821}} {
		tell(stream.Add(ctx, routing.MatchPoint{Coordinate: c, Timestamp: int64(5 * i)}))
	}
	fmt.Println("still open:", stream.Pending())
	tell(stream.Flush(ctx))
	// Output:
	// still open: 4
	// point 0: 3.2 m beside the road
	// point 1: 2.3 m beside the road
	// point 2: 4.5 m beside the road
	// point 3: 2.1 m beside the road
}

// A match that stands noise, outliers and gaps.
func ExampleRobustModel() {
	engine := openCrossing()
	defer engine.Close()
	res, err := routing.Match(context.Background(), engine, routing.MatchRequest{
		Coordinates: []orb.Point{{1.0002, 0.9982}, {1.0010, 0.9982}, {1.0013, 0.9952}, {1.0022, 0.9982}, {1.0030, 0.9982}},
		Timestamps:  []int64{0, 5, 7, 12, 17},
		Model:       routing.RobustModel(),
	})
	if err != nil {
		log.Fatal(err)
	}
	for i, p := range res.Tracepoints {
		fmt.Println(i, p != nil)
	}
	// Output:
	// 0 true
	// 1 true
	// 2 false
	// 3 true
	// 4 true
}
