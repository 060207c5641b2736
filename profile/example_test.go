package profile_test

import (
	"fmt"

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
