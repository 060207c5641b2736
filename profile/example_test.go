package profile_test

import (
	"fmt"
	"strings"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/profile"
)

func Example() {
	car, err := profile.ByName("car")
	if err != nil {
		fmt.Println(err)
		return
	}
	worker, err := car.NewWorker()
	if err != nil {
		fmt.Println(err)
		return
	}
	way := &osm.Way{Tags: osm.Tags{
		{Key: "highway", Value: "primary"},
		{Key: "name", Value: "Pennsylvania Avenue"},
		{Key: "oneway", Value: "yes"},
		{Key: "maxspeed", Value: "50"},
	}}
	var result profile.WayResult
	if err := worker.Way(way, &result); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Name, result.ForwardSpeed, "km/h", result.Forward(), result.Backward())
	// Output: Pennsylvania Avenue 40 km/h true false
}

func ExampleNewCar() {
	van, err := profile.NewCar(profile.CarOptions{
		Tuning: profile.Tuning{
			Name:         "van",
			Speeds:       map[string]float64{"motorway": 100},
			Avoid:        []string{"highway=living_street"},
			UTurnPenalty: new(60.0),
		},
		Height: 2.8,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	worker, err := van.NewWorker()
	if err != nil {
		fmt.Println(err)
		return
	}
	var motorway, lane profile.WayResult
	if err := worker.Way(&osm.Way{Tags: osm.Tags{{Key: "highway", Value: "motorway"}}}, &motorway); err != nil {
		fmt.Println(err)
		return
	}
	if err := worker.Way(&osm.Way{Tags: osm.Tags{{Key: "highway", Value: "living_street"}}}, &lane); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(van.Name(), motorway.ForwardSpeed, "km/h", lane.Forward())
	// Output: van 100 km/h false
}

func ExampleConfigure() {
	_, err := profile.Configure("car", "van.json", []byte(`{
	"height": 2.8,
	"speed": {"motorway": 100}
}`))
	fmt.Println(strings.SplitAfter(err.Error(), "no field;")[0])
	truck, err := profile.Configure("car", "truck.json", []byte(`{"name": "truck", "mass": 12000}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(truck.Name())
	// Output:
	// van.json:3: "speed" is no field;
	// truck
}
