package lua_test

import (
	"fmt"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/profile"
	"github.com/fourway-routing/fourway/profile/lua"
)

func ExampleOpen() {
	tram, err := lua.Open("testdata/tram.lua", lua.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	worker, err := tram.NewWorker()
	if err != nil {
		fmt.Println(err)
		return
	}
	way := &osm.Way{Tags: osm.Tags{
		{Key: "railway", Value: "light_rail"},
		{Key: "ref", Value: "U 6"},
		{Key: "maxspeed", Value: "50"},
	}}
	var result profile.WayResult
	if err := worker.Way(way, &result); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tram.Name(), result.Name, result.ForwardSpeed, "km/h")
	// Output: tram U 6 50 km/h
}
