package trip_test

import (
	"context"
	"fmt"

	"github.com/fourway-routing/fourway/internal/trip"
)

func ExampleSolve() {
	costs := []int32{
		0, 10, 35, 20,
		10, 0, 25, 30,
		35, 25, 0, 15,
		20, 90, 15, 0,
	}
	tour, err := trip.Solve(context.Background(), trip.Matrix{Stops: 4, Costs: costs}, trip.Options{
		Source:      trip.At(0),
		Destination: trip.At(3),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tour.Order, tour.Cost)
	// Output: [0 1 2 3] 50
}
