package routing_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// An engine serves any number of goroutines until it is closed.
func ExampleOpen() {
	name, remove := buildCrossing()
	defer remove()
	engine, err := routing.Open(name, routing.Options{
		Algorithm: routing.CCH,
		Limits:    routing.Limits{RouteCoordinates: 100, Work: 1e6},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	fmt.Println(engine.Info().Profile, engine.Info().Algorithm, engine.Tagged())
	// Output: car cch true
}

// Traffic while queries run: a segment is slow, and then as before.
func ExampleEngine_Update() {
	engine := openBlock()
	defer engine.Close()
	ctx := context.Background()
	for _, speed := range []float64{4, -1} { // km/h; below 0 forgets
		report, err := engine.Update(ctx, routing.Update{
			Layer: "live", Ways: []routing.WaySpeed{{Way: block.WayID("ab"), Speed: speed}},
		})
		if err != nil {
			log.Fatal(err)
		}
		res, err := routing.Route(ctx, engine, routing.RouteRequest{Coordinates: []orb.Point{{1, 1}, {1.0018, 1}}})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d search nodes changed: %.0f m\n", report.Nodes, res.Routes[0].Distance)
	}
	// Output:
	// 1 search nodes changed: 600 m
	// 0 search nodes changed: 200 m
}

// Another data set, such as that of a newer extract, while queries run.
func ExampleEngine_Replace() {
	first, removeFirst := buildCrossing()
	defer removeFirst()
	second, removeSecond := buildCrossing()
	defer removeSecond()
	engine, err := routing.Open(first, routing.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	if err := engine.Replace(context.Background(), second); err != nil {
		log.Fatal(err)
	}
	fmt.Println(engine.Info().Segments, "segments")
	// Output: 6 segments
}

// Closures by place, and an end to one.
func ExampleEngine_OpenRoads() {
	engine := openBlock()
	defer engine.Close()
	ctx := context.Background()
	if _, err := engine.CloseRoads(ctx, routing.Closure{
		ID: "works", Avoid: routing.Avoid{Ways: []int64{block.WayID("ab")}}, Note: "water main",
	}); err != nil {
		log.Fatal(err)
	}
	for _, c := range engine.ClosuresIn(engine.Info().Bounds) {
		fmt.Println(c.ID, c.Note)
	}
	if _, err := engine.OpenRoads(ctx, "works"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(engine.Closures()), "closures")
	// Output:
	// works water main
	// 0 closures
}

// A metric of its own for one kind of customer, and an end to it.
func ExampleEngine_DropMetric() {
	engine := openBlock()
	defer engine.Close()
	ctx := context.Background()
	if _, err := engine.Update(ctx, routing.Update{
		Metric: "truck", Layer: "live", Ways: []routing.WaySpeed{{Way: block.WayID("ab"), Speed: 0}},
	}); err != nil {
		log.Fatal(err)
	}
	for _, metric := range []string{"", "truck"} {
		res, err := routing.Route(ctx, engine, routing.RouteRequest{
			Coordinates: []orb.Point{{1, 1}, {1.0018, 1}}, Metric: metric,
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q: %.0f m\n", metric, res.Routes[0].Distance)
	}
	if err := engine.DropMetric(ctx, "truck"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(engine.Info().Metrics), "metric")
	// Output:
	// "": 200 m
	// "truck": 600 m
	// 1 metric
}

// A file of speeds as OSRM takes it, for an update.
func ExampleReadSegmentSpeeds() {
	speeds, err := routing.ReadSegmentSpeeds("live.csv", strings.NewReader("1,2,30\n2,1,0\n"))
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range speeds {
		fmt.Printf("from node %d to %d: %.0f km/h\n", s.From, s.To, s.Speed)
	}
	_, err = routing.ReadSegmentSpeeds("live.csv", strings.NewReader("1,2,fast\n"))
	fmt.Println(err)
	// Output:
	// from node 1 to 2: 30 km/h
	// from node 2 to 1: 0 km/h
	// routing: InvalidValue: live.csv malformed on line 1, column 5: a number is expected: "1,2,fast"
}

// A file of turn penalties as OSRM takes it, for an update.
func ExampleReadTurnPenalties() {
	turns, err := routing.ReadTurnPenalties("turns.csv", strings.NewReader("1,2,3,20.5\n"))
	if err != nil {
		log.Fatal(err)
	}
	t := turns[0]
	fmt.Printf("from node %d by %d to %d: %.1f s\n", t.From, t.Via, t.To, t.Penalty)
	// Output: from node 1 by 2 to 3: 20.5 s
}

// Which metric counts at what time.
func ExampleWeek_At() {
	week, err := routing.ParseWeek(strings.NewReader("Mo-Fr,7-9,rush\n"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(week.At(time.Date(2026, 12, 1, 8, 30, 0, 0, time.UTC))) // a Tuesday
	// Output: rush
}

// buildCrossing builds the crossing for all algorithms, in a folder of its own.
func buildCrossing() (name string, remove func()) {
	dir, err := os.MkdirTemp("", "fourway-example-")
	if err != nil {
		log.Fatal(err)
	}
	name = filepath.Join(dir, "crossing")
	if _, err := routing.Build(context.Background(), routing.BuildOptions{
		Reader: crossing(), Output: name, Tags: true,
		Algorithms: []routing.Algorithm{routing.CH, routing.MLD, routing.CCH},
	}); err != nil {
		log.Fatal(err)
	}
	return name, func() { os.RemoveAll(dir) }
}
