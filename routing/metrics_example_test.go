package routing_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"
	"testing/fstest"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

func ExampleParseWeek() {
	week, err := routing.ParseWeek(strings.NewReader("Mo-Fr,7-9,rush\nSa-Su,22-6,night\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", week.At(time.Date(2026, 12, 1, 8, 30, 0, 0, time.UTC)))
	fmt.Printf("%q\n", week.At(time.Date(2026, 12, 6, 2, 0, 0, 0, time.UTC)))
	fmt.Printf("%q\n", week.At(time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)))
	// Output:
	// "rush"
	// "night"
	// ""
}

// One engine, two metrics: on weekdays a road is slow in the morning.
func ExampleEngine_SetWeek() {
	ctx := context.Background()
	files := fstest.MapFS{}
	if _, err := routing.Build(ctx, routing.BuildOptions{
		Reader: crossing(), Output: "crossing", Algorithms: []routing.Algorithm{routing.CCH},
		Create: func(name string) (io.WriteCloser, error) {
			return &memoryFile{keep: func(b []byte) { files[name] = &fstest.MapFile{Data: b} }}, nil
		},
	}); err != nil {
		log.Fatal(err)
	}
	engine, err := routing.Open("crossing", routing.Options{Algorithm: routing.CCH, FS: files})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()

	places := []orb.Point{{1.0000, 0.9982}, {1.0036, 0.9982}}
	near, err := routing.Nearest(ctx, engine, routing.NearestRequest{Coordinate: places[0]})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := engine.Update(ctx, routing.Update{
		Metric: "rush", Layer: "live", Ways: []routing.WaySpeed{{Way: near.Waypoints[0].Way, Speed: 10}},
	}); err != nil {
		log.Fatal(err)
	}
	week, err := routing.ParseWeek(strings.NewReader("Mo-Fr,7-9,rush\n"))
	if err != nil {
		log.Fatal(err)
	}
	if err := engine.SetWeek(ctx, *week); err != nil {
		log.Fatal(err)
	}
	for _, hour := range []int{6, 8} {
		res, err := routing.Route(ctx, engine, routing.RouteRequest{
			Coordinates: places, Depart: time.Date(2026, 12, 1, hour, 0, 0, 0, time.UTC),
		})
		if err != nil {
			log.Fatal(err)
		}
		leg := res.Routes[0].Legs[0]
		fmt.Printf("%q: %.0f s\n", leg.Metric, leg.Duration)
	}
	// Output:
	// "": 22 s
	// "rush": 144 s
}
