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

// A data set for bicycles, in files named after Output.
func ExampleBuild() {
	dir, err := os.MkdirTemp("", "fourway-example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	report, err := routing.Build(context.Background(), routing.BuildOptions{
		Reader: crossing(), Output: filepath.Join(dir, "bike"), // Input is the path of an extract
		ProfileName: "bicycle", Algorithms: []routing.Algorithm{routing.CH}, Tags: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range report.Files {
		fmt.Println(filepath.Base(f.Path))
	}
	fmt.Println(report.Info.Profile, report.Info.Algorithm, report.Info.Segments, "segments")
	// Output:
	// bike.graph
	// bike.metric
	// bike.tags
	// bike.ch
	// bicycle ch 6 segments
}

// The steps of a build on their own; Contract in place of the last two prepares for CH.
func ExampleExtract() {
	name, remove := extractCrossing()
	defer remove()
	ctx := context.Background()
	if _, err := routing.Partition(ctx, routing.StepOptions{Input: name}); err != nil {
		log.Fatal(err)
	}
	if _, err := routing.Customize(ctx, routing.StepOptions{Input: name}); err != nil {
		log.Fatal(err)
	}
	engine, err := routing.Open(name, routing.Options{Algorithm: routing.MLD})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	fmt.Println(engine.Info().Algorithm)
	// Output: mld
}

// Cells are found once, and serve any weights.
func ExamplePartition() {
	name, remove := extractCrossing()
	defer remove()
	report, err := routing.Partition(context.Background(), routing.StepOptions{Input: name, CellSizes: []int{4, 16}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(filepath.Base(report.Files[0].Path))
	// Output: crossing.cells
}

// The weights of one moment, for MLD. Run it again for those of the next.
func ExampleCustomize() {
	name, remove := extractCrossing()
	defer remove()
	ctx := context.Background()
	if _, err := routing.Partition(ctx, routing.StepOptions{Input: name}); err != nil {
		log.Fatal(err)
	}
	report, err := routing.Customize(ctx, routing.StepOptions{
		Input: name, Updates: routing.Updates{SegmentSpeeds: []string{slowRoad(name)}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(report.Updates.Speeds), "file of speeds")
	// Output: 1 file of speeds
}

// The weights of one moment, for CH.
func ExampleContract() {
	name, remove := extractCrossing()
	defer remove()
	ctx := context.Background()
	for _, speeds := range [][]string{nil, {slowRoad(name)}} {
		if _, err := routing.Contract(ctx, routing.StepOptions{
			Input: name, Updates: routing.Updates{SegmentSpeeds: speeds},
		}); err != nil {
			log.Fatal(err)
		}
		printDuration(name, routing.Options{})
	}
	// Output:
	// 22.0 s
	// 46.5 s
}

// A metric for the rush hour, beside the data set's own, which stays.
func ExampleRebuild() {
	name, remove := extractCrossing()
	defer remove()
	ctx := context.Background()
	if _, err := routing.Contract(ctx, routing.StepOptions{Input: name}); err != nil {
		log.Fatal(err)
	}
	if _, err := routing.Rebuild(ctx, routing.StepOptions{
		Input: name, Metric: "rush", Updates: routing.Updates{SegmentSpeeds: []string{slowRoad(name)}},
	}); err != nil {
		log.Fatal(err)
	}
	engine, err := routing.Open(name, routing.Options{Metrics: []string{"rush"}})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	for _, metric := range []string{"", "rush"} {
		res, err := routing.Route(ctx, engine, routing.RouteRequest{Coordinates: alongTheRoad, Metric: metric})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q: %.1f s\n", metric, res.Routes[0].Duration)
	}
	// Output:
	// "": 22.0 s
	// "rush": 46.5 s
}

// Whether the files of a data set are whole, before it is served.
func ExampleVerify() {
	name, remove := extractCrossing()
	defer remove()
	ctx := context.Background()
	if _, err := routing.Contract(ctx, routing.StepOptions{Input: name}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(routing.Verify(ctx, name, routing.Options{}))

	file := name + ".ch"
	content, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	content[len(content)/2] ^= 1
	if err := os.WriteFile(file, content, 0o600); err != nil {
		log.Fatal(err)
	}
	fmt.Println(routing.Verify(ctx, name, routing.Options{}) != nil)
	// Output:
	// <nil>
	// true
}

// alongTheRoad are the ends of the crossing's road from west to east.
var alongTheRoad = []orb.Point{{1.0000, 0.9982}, {1.0036, 0.9982}}

// extractCrossing extracts the crossing to a folder of its own.
func extractCrossing() (name string, remove func()) {
	dir, err := os.MkdirTemp("", "fourway-example-")
	if err != nil {
		log.Fatal(err)
	}
	name = filepath.Join(dir, "crossing")
	if _, err := routing.Extract(context.Background(), routing.BuildOptions{Reader: crossing(), Output: name}); err != nil {
		log.Fatal(err)
	}
	return name, func() { os.RemoveAll(dir) }
}

// slowRoad writes a file that slows the first segment of the crossing's road down.
func slowRoad(name string) string {
	path := filepath.Join(filepath.Dir(name), "slow.csv")
	if err := os.WriteFile(path, []byte("2,3,12\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	return path
}

// printDuration prints how long the crossing's road takes.
func printDuration(name string, opt routing.Options) {
	engine, err := routing.Open(name, opt)
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	res, err := routing.Route(context.Background(), engine, routing.RouteRequest{Coordinates: alongTheRoad})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f s\n", res.Routes[0].Duration)
}
