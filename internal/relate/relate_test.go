package relate

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/packed"
)

// street is a chain over OSM nodes that all directions but those closed can be driven.
type street struct {
	way    int64
	nodes  []int64
	oneway bool
}

// network makes a network of streets, with copies of the originals given.
func network(copies []graph.NodeID, streets ...street) *graph.Network {
	n := &graph.Network{ChainFirst: []uint32{0}}
	var ids, ways []int64
	for _, s := range streets {
		ids = append(ids, s.nodes...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	n.Coords = make([]geo.Coord, len(ids))
	for _, s := range streets {
		for _, id := range s.nodes {
			at, _ := slices.BinarySearch(ids, id)
			n.ChainPlaces = append(n.ChainPlaces, graph.PlaceID(at))
			n.SegmentWay = append(n.SegmentWay, uint32(len(ways)))
		}
		ways = append(ways, s.way)
		n.ChainFirst = append(n.ChainFirst, uint32(len(n.ChainPlaces)))
		for d := range 2 {
			if d == 1 && s.oneway {
				n.ArmNode = append(n.ArmNode, graph.InvalidNode)
				continue
			}
			n.NodeArm = append(n.NodeArm, graph.ArmID(len(n.ArmNode)))
			n.ArmNode = append(n.ArmNode, graph.NodeID(len(n.NodeArm)-1))
		}
	}
	n.Originals = uint32(len(n.NodeArm))
	for _, v := range copies {
		n.Copies = append(n.Copies, graph.NodeCopy{Original: v, Copy: graph.NodeID(len(n.NodeArm))})
		n.NodeArm = append(n.NodeArm, n.NodeArm[v])
	}
	n.OSMNodes, n.Ways = packed.NewInts(ids), packed.NewInts(ways)
	return n
}

const no = graph.InvalidNode

func TestNodes(t *testing.T) {
	earlier := network([]graph.NodeID{0, 0, 2},
		street{way: 1, nodes: []int64{10, 11, 12, 13}},       // 0 and 1
		street{way: 2, nodes: []int64{13, 14}},               // 2 and 3
		street{way: 3, nodes: []int64{20, 21}, oneway: true}, // 4
		street{way: 4, nodes: []int64{30, 31}},               // 5 and 6
		street{way: -5, nodes: []int64{30, 31}},              // 7 and 8; copies are 9 to 11
	)
	for name, c := range map[string]struct {
		later *graph.Network
		want  []graph.NodeID
	}{
		"the same":            {earlier, []graph.NodeID{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		"turned":              {network(nil, street{way: -1, nodes: []int64{13, 12, 11, 10}}), []graph.NodeID{1, 0}},
		"cut in three":        {network(nil, street{way: 1, nodes: []int64{10, 11}}, street{way: 8, nodes: []int64{11, 12}}, street{way: 9, nodes: []int64{12, 13}}), []graph.NodeID{0, 1, 0, 1, 0, 1}},
		"joined":              {network(nil, street{way: 1, nodes: []int64{10, 11, 12, 13, 14}}), []graph.NodeID{0, 3}},
		"the other way first": {network(nil, street{way: 5, nodes: []int64{30, 31}}), []graph.NodeID{7, 8}},
		"neither way":         {network(nil, street{way: 6, nodes: []int64{30, 31}}), []graph.NodeID{5, 6}},
		"a new beginning":     {network(nil, street{way: 1, nodes: []int64{9, 11, 12, 13}}), []graph.NodeID{0, 1}},
		"both ends new":       {network(nil, street{way: 1, nodes: []int64{9, 11, 12, 8}}), []graph.NodeID{no, no}},
		"a stop at its end":   {network(nil, street{way: 1, nodes: []int64{10, 10, 11, 12, 13, 13}}), []graph.NodeID{0, 1}},
		"opened":              {network(nil, street{way: 3, nodes: []int64{20, 21}}), []graph.NodeID{4, no}},
		"new":                 {network(nil, street{way: 7, nodes: []int64{40, 41}}), []graph.NodeID{no, no}},
		"more copies":         {network([]graph.NodeID{0, 0, 0}, street{way: 1, nodes: []int64{10, 11, 12, 13}}), []graph.NodeID{0, 1, 0, 0, 0}},
		"as many copies":      {network([]graph.NodeID{0, 0}, street{way: 1, nodes: []int64{10, 11, 12, 13}}), []graph.NodeID{0, 1, 9, 10}},
		"empty":               {network(nil), []graph.NodeID{}},
	} {
		r := Nodes(earlier, c.later)
		require.Equal(t, c.want, r.Of, name)
		matched := 0
		for _, of := range r.Of {
			if of != no {
				matched++
			}
		}
		require.Equal(t, matched, r.Matched, name)
	}
	require.Equal(t, []graph.NodeID{no, no}, Nodes(network(nil), network(nil, street{way: 7, nodes: []int64{40, 41}})).Of)
}

func TestSpread(t *testing.T) {
	// 0 → 1 → 2 → 3, 4 → 2, 5 → 6: of these 0 is known.
	heads := [][]graph.NodeID{{1}, {2}, {3}, {}, {2}, {6}, {}}
	first, head := []graph.EdgeID{0}, []graph.NodeID(nil)
	for _, h := range heads {
		head = append(head, h...)
		first = append(first, graph.EdgeID(len(head)))
	}
	type visit struct {
		v         graph.NodeID
		round     int
		neighbors []graph.NodeID
	}
	var got []visit
	Spread([]graph.NodeID{7, no, no, no, no, no, no}, first, head, func(v graph.NodeID, round int, neighbors []graph.NodeID) {
		got = append(got, visit{v, round, slices.Clone(neighbors)})
	})
	require.Equal(t, []visit{
		{1, 1, []graph.NodeID{0}},
		{2, 2, []graph.NodeID{1}},
		{3, 3, []graph.NodeID{2}},
		{4, 3, []graph.NodeID{2}},
		{5, 0, nil},
		{6, 0, nil},
	}, got)
	Spread([]graph.NodeID{1, 2, 3, 4, 5, 6, 7}, first, head, func(graph.NodeID, int, []graph.NodeID) { require.Fail(t, "all are known") })
}
