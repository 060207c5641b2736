package graph

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBits(t *testing.T) {
	b := MakeBits(130)
	require.Len(t, b, 3)
	for _, i := range []uint32{0, 63, 64, 129} {
		require.False(t, b.Get(i))
		b.Set(i)
		require.True(t, b.Get(i))
	}
	require.False(t, b.Get(1))
	require.Empty(t, MakeBits(0))
}

func TestArmID(t *testing.T) {
	require.Equal(t, ChainID(3), ArmID(7).Chain())
	require.True(t, ArmID(7).Reverse())
	require.Equal(t, ArmID(6), ArmID(7).Twin())
	require.True(t, Component(1<<31|5).Small())
	require.False(t, Component(5).Small())
}

func TestStrings(t *testing.T) {
	s := Strings{First: []uint32{0, 0, 4, 9}, Data: []byte("MainState")}
	require.Empty(t, s.Get(0))
	require.Equal(t, "Main", s.Get(1))
	require.Equal(t, "a State", string(s.Append([]byte("a "), 2)))
}

func TestCopies(t *testing.T) {
	o := snapMaps["streets"]
	o.copies = 200
	n, _ := randomMap(rand.New(rand.NewPCG(1, 1)), o)
	count := 0
	for v := range n.Originals {
		last := NodeID(0)
		for _, c := range n.CopiesOf(NodeID(v)) {
			require.Equal(t, NodeID(v), c.Original)
			require.Equal(t, n.NodeArm[v], n.NodeArm[c.Copy])
			require.GreaterOrEqual(t, uint32(c.Copy), n.Originals)
			require.Greater(t, c.Copy, last)
			last = c.Copy
			count++
		}
	}
	require.Equal(t, 200, count)
	require.Empty(t, n.CopiesOf(InvalidNode))
}

func TestExpand(t *testing.T) {
	// 0 -> 1, 0 -> 2 (turn closed), 1 -> 2, 2 -> 0; node 1 is closed.
	n := &Network{
		NodeArm:   make([]ArmID, 3),
		EdgeFirst: []EdgeID{0, 2, 3, 4},
		EdgeHead:  []NodeID{1, 2, 2, 0},
	}
	m := &Metric{
		NodeWeight:   []Weight{10, InvalidWeight, 30},
		NodeDuration: []Duration{11, InvalidDuration, 31},
		NodeDistance: []Distance{12, 22, 32},
		TurnWeight:   []int16{5, 0, 0, -40},
		TurnDuration: []int16{6, 0, 0, -10},
		TurnClosed:   MakeBits(4),
	}
	m.TurnClosed.Set(1)
	g := Expand(n, m)
	require.Equal(t, 3, g.NumNodes())
	require.Equal(t, []Arc{
		{Head: 1, Weight: 15, Duration: 17, Distance: 12}, // up to where node 1 is closed
		{Head: 2, Weight: InvalidWeight},
		{Head: 2, Weight: InvalidWeight},
		{Head: 0, Weight: 0, Duration: 21, Distance: 32},
	}, g.Arcs)
}

// Each fault of a network in memory is found by the check meant for it.
func TestNetworkCheck(t *testing.T) {
	for name, damage := range map[string]func(*Network){
		"coords":          func(n *Network) { n.Coords[3].Lat = 91e6 },
		"osm_node_blocks": func(n *Network) { n.OSMNodes.Count-- },
		"way_blocks":      func(n *Network) { n.Ways.Blocks[0].Width = 9 },
		"chain_first":     func(n *Network) { n.ChainFirst[2] = n.ChainFirst[3] + 1 },
		"chain_places":    func(n *Network) { n.ChainPlaces[7] = InvalidPlace },
		"segment_length":  func(n *Network) { n.SegmentLength = n.SegmentLength[1:] },
		"segment_way":     func(n *Network) { n.SegmentWay[0] = 1 << 30 },
		"chain_start":     func(n *Network) { n.ChainStart = n.ChainStart[1:] },
		"arm_node":        func(n *Network) { n.ArmNode[0] = NodeID(n.Originals) },
		"arm_road":        func(n *Network) { n.ArmRoad[0] = 99 },
		"arm_junction":    func(n *Network) { n.ArmJunction[0] = InvalidJunction },
		"junction_place":  func(n *Network) { n.JunctionPlace[0] = InvalidPlace },
		"junction_first":  func(n *Network) { n.JunctionFirst[1] = 1 << 30 },
		"junction_arms":   func(n *Network) { n.JunctionArms[0].Arm++ },
		"node_arm":        func(n *Network) { n.NodeArm[len(n.NodeArm)-1] = InvalidArm },
		"node_component":  func(n *Network) { n.NodeComponent = n.NodeComponent[1:] },
		"edge_first":      func(n *Network) { n.EdgeFirst[0] = 1 },
		"edge_head":       func(n *Network) { n.EdgeHead[0] = InvalidNode },
		"copies":          func(n *Network) { n.Copies[0].Copy++ },
		"conditions":      func(n *Network) { n.Conditions = []Condition{{Edge: EdgeID(n.NumEdges())}} },
		"counts":          func(n *Network) { n.Originals = 1 << 30 },
		"string_first":    func(n *Network) { n.Strings.First[1] = 3 },
		"roads":           func(n *Network) { n.Roads[1].Exits = 7 },
		"snap_items":      func(n *Network) { n.Index.items[9].From.Lon++ },
		"snap_boxes":      func(n *Network) { n.Index.boxes[1].MaxX-- },
	} {
		t.Run(name, func(t *testing.T) {
			n, _ := fileMap(t)
			damage(n)
			err := n.Check()
			require.ErrorIs(t, err, ErrCorrupt)
			require.ErrorContains(t, err, name)
		})
	}
}

func TestMetricCheck(t *testing.T) {
	for name, damage := range map[string]func(*Metric){
		"weight_forward":   func(m *Metric) { m.SegmentWeight[0][0] = -1 },
		"weight_reverse":   func(m *Metric) { m.SegmentWeight[1] = nil },
		"duration_forward": func(m *Metric) { m.SegmentDuration[0][0] = -1 },
		"duration_reverse": func(m *Metric) { m.SegmentWeight[1][0], m.SegmentDuration[1][0] = 1, InvalidDuration },
		"source_reverse":   func(m *Metric) { m.SegmentSource[1][0] = 1 },
		"source_forward":   func(m *Metric) { m.SegmentSource[0] = m.SegmentSource[1][1:] },
		"turn_weight":      func(m *Metric) { m.TurnWeight = nil },
		"turn_duration":    func(m *Metric) { m.TurnDuration = nil },
		"turn_closed":      func(m *Metric) { m.TurnClosed = Bits{} },
		"node_weight":      func(m *Metric) { m.NodeWeight[0]++ },
		"node_duration":    func(m *Metric) { m.NodeDuration[0]++ },
		"node_distance":    func(m *Metric) { m.NodeDistance[0]++ },
	} {
		t.Run(name, func(t *testing.T) {
			o := snapMaps["streets"]
			o.closed = 0
			n, m := randomMap(rand.New(rand.NewPCG(4, 4)), o)
			m.SegmentSource[1] = make([]uint8, len(n.ChainPlaces))
			require.NoError(t, m.Check(n))
			damage(m)
			err := m.Check(n)
			require.ErrorIs(t, err, ErrCorrupt)
			require.ErrorContains(t, err, name)
		})
	}
}
