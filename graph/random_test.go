package graph

import (
	"math/rand/v2"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/packed"
)

// mapOptions describe a random network of winding chains.
type mapOptions struct {
	chains     int
	maxPlaces  int // places of a chain, at least 2
	center     geo.Coord
	size       int32 // of the map, micro-degrees
	step       int32 // of a segment, micro-degrees
	lattice    int32 // coordinates are multiples of it
	small      float64
	oneWay     float64
	closed     float64 // segments closed in a direction
	notStart   float64
	penalties  float64 // places repeated
	copies     int
	undrivable float64
}

// randomMap makes geometry, nodes, components and weights; it has no junctions
// to speak of, and turns at random.
func randomMap(rng *rand.Rand, o mapOptions) (*Network, *Metric) {
	chance := func(p float64) bool { return rng.Float64() < p }
	n, m := &Network{}, &Metric{Sources: []string{"profile"}}
	n.ChainStart = MakeBits(o.chains)
	lattice := max(o.lattice, 1)
	at := func(lon, lat int32) geo.Coord {
		return geo.Coord{
			Lon: max(min(lon/lattice*lattice, 180*geo.Precision), -180*geo.Precision),
			Lat: max(min(lat/lattice*lattice, 90*geo.Precision), -90*geo.Precision),
		}
	}
	var osmNodes, ways []int64
	newNode := func(arm ArmID) NodeID {
		n.NodeArm = append(n.NodeArm, arm)
		component := Component(0)
		if chance(o.small) {
			component = Component(1<<31 | rng.Uint32N(9))
		}
		n.NodeComponent = append(n.NodeComponent, component)
		return NodeID(len(n.NodeArm) - 1)
	}
	n.Roads = []Road{{}, {Classes: 1}, {Classes: 2, Flags: RoadLeftHand}}
	for c := range o.chains {
		n.ChainFirst = append(n.ChainFirst, uint32(len(n.ChainPlaces)))
		lon := o.center.Lon + rng.Int32N(o.size) - o.size/2
		lat := o.center.Lat + rng.Int32N(o.size) - o.size/2
		places := 2 + rng.IntN(o.maxPlaces-1)
		for i := range places {
			if i > 0 && i < places-1 && chance(o.penalties) {
				n.ChainPlaces = append(n.ChainPlaces, PlaceID(len(n.Coords)-1))
				continue
			}
			n.Coords = append(n.Coords, at(lon, lat))
			osmNodes = append(osmNodes, 1<<33+int64(len(n.Coords))*7)
			n.ChainPlaces = append(n.ChainPlaces, PlaceID(len(n.Coords)-1))
			lon += rng.Int32N(2*o.step+1) - o.step
			lat += rng.Int32N(2*o.step+1) - o.step
		}
		forward, reverse := true, true
		switch {
		case chance(o.undrivable):
			forward, reverse = false, false
		case chance(o.oneWay):
			forward = chance(0.5)
			reverse = !forward
		}
		for d, drivable := range []bool{forward, reverse} {
			arm, node := ArmID(2*c+d), InvalidNode
			if drivable {
				node = newNode(arm)
			}
			n.ArmNode = append(n.ArmNode, node)
			n.ArmRoad = append(n.ArmRoad, RoadID(rng.IntN(3)))
			end := n.ChainPlaces[n.ChainFirst[c]]
			if d == 1 {
				end = n.ChainPlaces[len(n.ChainPlaces)-1]
			}
			n.ArmJunction = append(n.ArmJunction, JunctionID(len(n.JunctionPlace)))
			n.JunctionFirst = append(n.JunctionFirst, uint32(len(n.JunctionArms)))
			n.JunctionPlace = append(n.JunctionPlace, end)
			n.JunctionArms = append(n.JunctionArms, Arm{Arm: arm})
		}
		// Both directions of a road share their component.
		if forward && reverse {
			n.NodeComponent[len(n.NodeComponent)-1] = n.NodeComponent[len(n.NodeComponent)-2]
		}
		if !chance(o.notStart) {
			n.ChainStart.Set(uint32(c))
		}
		ways = append(ways, int64(c)-5)
	}
	n.ChainFirst = append(n.ChainFirst, uint32(len(n.ChainPlaces)))
	n.JunctionFirst = append(n.JunctionFirst, uint32(len(n.JunctionArms)))
	n.OSMNodes, n.Ways = packed.NewInts(osmNodes), packed.NewInts(ways)
	n.Originals = uint32(len(n.NodeArm))
	for range o.copies {
		n.NodeArm = append(n.NodeArm, n.NodeArm[rng.IntN(int(n.Originals))])
		n.NodeComponent = append(n.NodeComponent, 0)
	}
	for range n.NumNodes() {
		n.EdgeFirst = append(n.EdgeFirst, EdgeID(len(n.EdgeHead)))
		for range rng.IntN(4) {
			n.EdgeHead = append(n.EdgeHead, NodeID(rng.IntN(n.NumNodes())))
			m.TurnWeight = append(m.TurnWeight, int16(rng.IntN(300)))
			m.TurnDuration = append(m.TurnDuration, int16(rng.IntN(300)))
		}
	}
	n.EdgeFirst = append(n.EdgeFirst, EdgeID(len(n.EdgeHead)))
	n.Strings = Strings{First: []uint32{0, 0, 4}, Data: []byte("Main")}
	n.Properties = Properties{Profile: "car", Classes: []string{"toll", "ferry"}, Excludable: []ClassMask{0, 1}, WeightPrecision: 1}

	n.SegmentLength = make([]Distance, len(n.ChainPlaces))
	n.SegmentWay = make([]uint32, len(n.ChainPlaces))
	for d := range 2 {
		m.SegmentWeight[d] = make([]Weight, len(n.ChainPlaces))
		m.SegmentDuration[d] = make([]Duration, len(n.ChainPlaces))
	}
	for c := range o.chains {
		first, end := n.ChainFirst[c], n.ChainFirst[c+1]-1
		for i := first; i < end; i++ {
			n.SegmentWay[i] = uint32(c)
			n.SegmentLength[i] = Distance(geo.DistanceCM(n.Coords[n.ChainPlaces[i]], n.Coords[n.ChainPlaces[i+1]]))
			for d := range 2 {
				m.SegmentWeight[d][i] = Weight(rng.IntN(500))
				m.SegmentDuration[d][i] = Duration(rng.IntN(500))
				if chance(o.closed) || n.ArmNode[2*c+d] == InvalidNode {
					m.SegmentWeight[d][i], m.SegmentDuration[d][i] = InvalidWeight, InvalidDuration
				}
			}
		}
	}
	for _, arm := range n.NodeArm {
		var w Weight
		var t Duration
		var l Distance
		c, d := arm.Chain(), arm&1
		for i := n.ChainFirst[c]; i < n.ChainFirst[c+1]-1; i++ {
			l += n.SegmentLength[i]
			if m.SegmentWeight[d][i] == InvalidWeight || w == InvalidWeight {
				w, t = InvalidWeight, InvalidDuration
				continue
			}
			w += m.SegmentWeight[d][i]
			t += m.SegmentDuration[d][i]
		}
		m.NodeWeight = append(m.NodeWeight, w)
		m.NodeDuration = append(m.NodeDuration, t)
		m.NodeDistance = append(m.NodeDistance, l)
	}
	n.Complete()
	return n, m
}
