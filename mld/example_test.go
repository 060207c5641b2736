package mld_test

import (
	"context"
	"fmt"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/mld"
	"github.com/fourway-routing/fourway/pool"
)

// ring returns a network of n one-way chains in a circle.
func ring(n int) (*graph.Network, *graph.Expanded) {
	net := &graph.Network{ChainFirst: []uint32{0}, EdgeFirst: []graph.EdgeID{0}, Originals: uint32(n)}
	x := &graph.Expanded{}
	for i := range n {
		place, next := graph.PlaceID(i), graph.PlaceID((i+1)%n)
		net.Coords = append(net.Coords, geo.Coord{Lon: int32(i), Lat: int32(min(i, n-i))})
		net.JunctionPlace = append(net.JunctionPlace, place)
		net.ChainPlaces = append(net.ChainPlaces, place, next)
		net.ChainFirst = append(net.ChainFirst, uint32(2*i+2))
		net.ArmNode = append(net.ArmNode, graph.NodeID(i), graph.InvalidNode)
		net.ArmJunction = append(net.ArmJunction, graph.JunctionID(i), graph.JunctionID(next))
		net.NodeArm = append(net.NodeArm, graph.ArmID(2*i))
		net.EdgeHead = append(net.EdgeHead, graph.NodeID((i+1)%n))
		net.EdgeFirst = append(net.EdgeFirst, graph.EdgeID(i+1))
		x.Arcs = append(x.Arcs, graph.Arc{Head: graph.NodeID(next), Weight: 10, Duration: 10, Distance: 5000})
	}
	x.First = net.EdgeFirst
	return net, x
}

func Example() {
	ctx := context.Background()
	network, expanded := ring(100)
	cells, err := mld.Partition(ctx, network, mld.Options{CellSizes: []int{10, 40}})
	if err != nil {
		fmt.Println(err)
		return
	}
	overlay, err := mld.Customize(ctx, cells, expanded, mld.CustomizeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := overlay.NewSearch(pool.New())
	defer s.Release()
	// From the middle of chain 3 to the beginning of chain 1, nearly all around.
	found, ok, err := s.Shortest(ctx,
		[]graph.Seed{{Node: 3, Weight: -5, Duration: -5, Distance: -2500}},
		[]graph.Seed{{Node: 1}})
	fmt.Println(found.Weight, ok, err, len(s.Path(nil)))
	// Output: 975 true <nil> 98
}
