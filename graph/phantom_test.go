package graph

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// drawnChain is a chain of a drawn map: places and which directions are open.
type drawnChain struct {
	places           []geo.Coord
	forward, reverse bool
	component        Component
	road             Road
	noStart          bool
	// weights and durations by position, forward and reverse; nil is 100 each.
	weights [2][]Weight
}

func at(x, y int32) geo.Coord { return geo.Coord{Lon: x, Lat: y} }

// draw makes a network of chains that share no places, near the equator, where
// a unit is 11 cm both ways.
func draw(chains ...drawnChain) (*Network, *Metric) {
	n, m := &Network{ChainStart: MakeBits(len(chains))}, &Metric{}
	for c, chain := range chains {
		n.ChainFirst = append(n.ChainFirst, uint32(len(n.ChainPlaces)))
		for i, place := range chain.places {
			n.ChainPlaces = append(n.ChainPlaces, PlaceID(len(n.Coords)))
			n.Coords = append(n.Coords, place)
			length := Distance(0)
			if i+1 < len(chain.places) {
				length = Distance(geo.DistanceCM(place, chain.places[i+1]))
			}
			n.SegmentLength = append(n.SegmentLength, length)
			for d := range 2 {
				w := Weight(100)
				if chain.weights[d] != nil && i+1 < len(chain.places) {
					w = chain.weights[d][i]
				}
				m.SegmentWeight[d] = append(m.SegmentWeight[d], w)
				duration := Duration(w) * 2
				if w == InvalidWeight {
					duration = InvalidDuration
				}
				m.SegmentDuration[d] = append(m.SegmentDuration[d], duration)
			}
		}
		for d, open := range []bool{chain.forward, chain.reverse} {
			node := InvalidNode
			if open {
				node = NodeID(len(n.NodeArm))
				n.NodeArm = append(n.NodeArm, ArmID(2*c+d))
				n.NodeComponent = append(n.NodeComponent, chain.component)
			}
			n.ArmNode = append(n.ArmNode, node)
			n.ArmRoad = append(n.ArmRoad, RoadID(len(n.Roads)))
		}
		n.Roads = append(n.Roads, chain.road)
		if !chain.noStart {
			n.ChainStart.Set(uint32(c))
		}
	}
	n.ChainFirst = append(n.ChainFirst, uint32(len(n.ChainPlaces)))
	n.Originals = uint32(len(n.NodeArm))
	n.Complete()
	return n, m
}

func line(places ...geo.Coord) drawnChain {
	return drawnChain{places: places, forward: true, reverse: true}
}

func one(t *testing.T, n *Network, m *Metric, c geo.Coord, o SnapOptions) Phantom {
	t.Helper()
	near, big := candidates(t, NewSnapper(n, m, pool.New()), c, o)
	require.Len(t, near, 1)
	require.Empty(t, big)
	return near[0]
}

func TestPhantomOffsets(t *testing.T) {
	//  0 ---100--- 1 -(signal 7)- 1 ---300--- 2 ---50--- 3
	chain := line(at(0, 0), at(1000, 0), at(1000, 0), at(4000, 0), at(4500, 0))
	chain.weights = [2][]Weight{{100, 7, 300, 50}, {110, 9, 311, 60}}
	n, m := draw(chain)
	p := one(t, n, m, at(2001, 500), SnapOptions{})
	require.Equal(t, at(2001, 0), p.Place)
	require.Equal(t, at(2001, 500), p.Input)
	require.Equal(t, uint32(2), p.Segment)
	require.Equal(t, [2]NodeID{0, 1}, p.Nodes)
	// 1001/3000 of 300 is 100.1, of 311 is 103.77.
	require.Equal(t, [2]Weight{100 + 7 + 100, 60 + 311 - 103}, p.Weight)
	require.Equal(t, [2]Duration{200 + 14 + 200, 120 + 622 - 207}, p.Duration)
	whole := [2]Distance{}
	for _, l := range n.SegmentLength {
		whole[0] += l
	}
	require.InDelta(t, float64(whole[0]), float64(p.Distance[0]+p.Distance[1]), 1)
	require.InDelta(t, geo.Distance(at(0, 0), at(2001, 0))*100, float64(p.Distance[0]), 1)
	require.InDelta(t, geo.Distance(at(2001, 500), at(2001, 0)), p.SnapDistance, 1e-9)
	require.Equal(t, 90, p.Bearing(n, 0))
	require.Equal(t, 270, p.Bearing(n, 1))
	require.Equal(t, [2]bool{true, true}, p.Source)
	require.Equal(t, [2]bool{true, true}, p.Target)
	require.Equal(t, []Seed{{Node: 0, Weight: -207, Duration: -414, Distance: -int64(p.Distance[0])}, {Node: 1, Weight: -268, Duration: -535, Distance: -int64(p.Distance[1])}},
		p.AppendSourceSeeds(nil))
	require.Equal(t, []Seed{{Node: 0, Weight: 207, Duration: 414, Distance: int64(p.Distance[0])}, {Node: 1, Weight: 268, Duration: 535, Distance: int64(p.Distance[1])}},
		p.AppendTargetSeeds(nil, n))
}

// A chain that is drivable only against its stored order rounds as if stored
// the other way.
func TestPhantomReversed(t *testing.T) {
	forward := line(at(0, 0), at(1000, 0), at(4000, 30))
	forward.reverse = false
	forward.weights = [2][]Weight{{100, 301}, {InvalidWeight, InvalidWeight}}
	backward := line(at(4000, 30), at(1000, 0), at(0, 0))
	backward.forward = false
	backward.weights = [2][]Weight{{InvalidWeight, InvalidWeight}, {301, 100}}
	n1, m1 := draw(forward)
	n2, m2 := draw(backward)
	for x := int32(1100); x < 3900; x += 77 {
		p := one(t, n1, m1, at(x, 400), SnapOptions{})
		q := one(t, n2, m2, at(x, 400), SnapOptions{})
		require.Equal(t, p.Place, q.Place)
		require.Equal(t, [2]NodeID{0, InvalidNode}, p.Nodes)
		require.Equal(t, [2]NodeID{InvalidNode, 0}, q.Nodes)
		require.Equal(t, p.Weight[0], q.Weight[1])
		require.Equal(t, p.Duration[0], q.Duration[1])
		require.Equal(t, p.Distance[0], q.Distance[1])
		require.Equal(t, p.Bearing(n1, 0), q.Bearing(n2, 1))
		require.Equal(t, p.Bearing(n1, 1), q.Bearing(n2, 0))
		require.Equal(t, p.SnapDistance, q.SnapDistance)
		require.Equal(t, uint32(1), p.Segment)
		require.Equal(t, uint32(0), q.Segment)
	}
}

func TestPhantomBesideClosure(t *testing.T) {
	const closed = InvalidWeight
	chain := line(at(0, 0), at(1000, 0), at(2000, 0), at(3000, 0))
	chain.weights = [2][]Weight{{100, closed, 100}, {100, 100, closed}}
	n, m := draw(chain)
	before := one(t, n, m, at(500, 10), SnapOptions{})
	require.Equal(t, [2]bool{false, false}, before.Source)
	require.Equal(t, [2]bool{true, false}, before.Target)
	require.Len(t, before.AppendTargetSeeds(nil, n), 1)
	require.Empty(t, before.AppendSourceSeeds(nil))
	inside := one(t, n, m, at(1500, 10), SnapOptions{})
	require.Equal(t, InvalidNode, inside.Nodes[0])
	require.Equal(t, [2]bool{false, false}, inside.Target)
	behind := one(t, n, m, at(2500, 10), SnapOptions{})
	require.Equal(t, [2]bool{false, false}, behind.Target)
	require.Equal(t, InvalidNode, behind.Nodes[1])
}

func TestTargetSeedsCopies(t *testing.T) {
	n, m := draw(line(at(0, 0), at(1000, 0)), line(at(0, 900), at(1000, 900)))
	n.NodeArm = append(n.NodeArm, n.NodeArm[1], n.NodeArm[0], n.NodeArm[1])
	n.NodeComponent = append(n.NodeComponent, 0, 0, 0)
	n.Complete()
	p := one(t, n, m, at(400, 1), SnapOptions{})
	seeds := p.AppendTargetSeeds(nil, n)
	var nodes []NodeID
	for _, s := range seeds {
		nodes = append(nodes, s.Node)
	}
	require.Equal(t, []NodeID{0, 5, 1, 4, 6}, nodes)
	require.Equal(t, seeds[0].Weight, seeds[1].Weight)
	require.Equal(t, seeds[2].Distance, seeds[4].Distance)
	require.Len(t, p.AppendSourceSeeds(nil), 2)
}

func usable(p Phantom) [2]bool {
	return [2]bool{p.Nodes[0] != InvalidNode, p.Nodes[1] != InvalidNode}
}

func TestApproach(t *testing.T) {
	east := line(at(0, 0), at(1000, 0))
	left := east
	left.road.Flags = RoadLeftHand
	oneWay := east
	oneWay.reverse = false
	south, north := at(500, -100), at(500, 100)
	for _, c := range []struct {
		name     string
		chain    drawnChain
		from     geo.Coord
		approach Approach
		want     [2]bool
	}{
		{"any side", east, south, ApproachUnrestricted, [2]bool{true, true}},
		{"curb on the right", east, south, ApproachCurb, [2]bool{true, false}},
		{"curb on the left", east, north, ApproachCurb, [2]bool{false, true}},
		{"opposite on the right", east, south, ApproachOpposite, [2]bool{false, true}},
		{"opposite on the left", east, north, ApproachOpposite, [2]bool{true, false}},
		{"curb, left-hand traffic", left, south, ApproachCurb, [2]bool{false, true}},
		{"opposite, left-hand traffic", left, south, ApproachOpposite, [2]bool{true, false}},
		{"one-way has no side", oneWay, north, ApproachCurb, [2]bool{true, false}},
		{"on the line counts as right", east, at(500, 0), ApproachCurb, [2]bool{true, false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, m := draw(c.chain)
			require.Equal(t, c.want, usable(one(t, n, m, c.from, SnapOptions{Approach: c.approach})))
		})
	}
}

func TestBearingFilter(t *testing.T) {
	n, m := draw(line(at(0, 0), at(1000, 0)), line(at(0, 500), at(0, 1500)))
	s := NewSnapper(n, m, pool.New())
	get := func(bearing, tolerance int) []Phantom {
		return nearest(t, s, at(500, 100), 9, SnapOptions{HasBearing: true, Bearing: bearing, BearingRange: tolerance})
	}
	require.Len(t, get(90, 10), 1)
	require.Equal(t, [2]bool{true, false}, usable(get(90, 10)[0]))
	require.Equal(t, [2]bool{false, true}, usable(get(265, 10)[0]))
	require.Equal(t, ChainID(1), get(10, 10)[0].Chain)
	require.Equal(t, [2]bool{false, true}, usable(get(180, 0)[0]))
	require.Empty(t, get(45, 10))
	require.Len(t, get(45, 180), 2)
	require.Equal(t, [2]bool{true, true}, usable(get(45, 180)[0]))
}

func TestExcludeStartAndRadius(t *testing.T) {
	toll := line(at(0, 0), at(1000, 0))
	toll.road.Classes = 1
	motorway := line(at(0, 50), at(1000, 50))
	motorway.noStart = true
	plain := line(at(0, 900), at(1000, 900))
	n, m := draw(toll, motorway, plain)
	s := NewSnapper(n, m, pool.New())
	chains := func(o SnapOptions) (list []ChainID) {
		for _, p := range nearest(t, s, at(500, 45), 9, o) {
			list = append(list, p.Chain)
		}
		return list
	}
	require.Equal(t, []ChainID{0, 2}, chains(SnapOptions{}))
	require.Equal(t, []ChainID{1, 0, 2}, chains(SnapOptions{AnySegment: true}))
	require.Equal(t, []ChainID{2}, chains(SnapOptions{Exclude: 1}))
	require.Equal(t, []ChainID{0, 2}, chains(SnapOptions{Exclude: 2}))
	require.Equal(t, []ChainID{0}, chains(SnapOptions{HasRadius: true, Radius: 10}))
	require.Empty(t, chains(SnapOptions{HasRadius: true, Radius: 1}))
	require.Empty(t, chains(SnapOptions{HasRadius: true}))
	near, _ := candidates(t, s, at(500, 900), SnapOptions{HasRadius: true})
	require.Len(t, near, 1) // a place on the road is at no distance
}

func TestBigComponent(t *testing.T) {
	small := line(at(0, 0), at(1000, 0))
	small.component = 1<<31 | 7
	big1, big2 := line(at(0, 500), at(500, 500)), line(at(500, 500), at(1000, 500))
	n, m := draw(small, big1, big2)
	s := NewSnapper(n, m, pool.New())
	near, big := candidates(t, s, at(500, 100), SnapOptions{})
	require.Len(t, near, 1)
	require.True(t, near[0].Component.Small())
	require.Len(t, big, 2)
	require.Equal(t, at(500, 500), big[0].Place)
	near, big = candidates(t, s, at(500, 300), SnapOptions{})
	require.Len(t, near, 2)
	require.Empty(t, big)
	// Too far for the big one.
	near, big = candidates(t, s, at(500, 100), SnapOptions{HasRadius: true, Radius: 20})
	require.Len(t, near, 1)
	require.Empty(t, big)
	// A phantom is good until the next call only; capacity must not leak into big.
	near, big = candidates(t, s, at(500, 100), SnapOptions{})
	_ = append(near, Phantom{})
	require.Equal(t, ChainID(1), big[0].Chain)
}

// At the joint of two segments of a chain there is one candidate: the first
// segment, unless only the second can be driven both ways.
func TestJoint(t *testing.T) {
	const closed = InvalidWeight
	for _, c := range []struct {
		name     string
		forward  [2]Weight
		backward [2]Weight
		segment  uint32
	}{
		{"all open", [2]Weight{1, 1}, [2]Weight{1, 1}, 0},
		{"first one way, second open", [2]Weight{1, 1}, [2]Weight{closed, 1}, 1},
		{"first open, second one way", [2]Weight{1, 1}, [2]Weight{1, closed}, 0},
		{"both one way", [2]Weight{1, 1}, [2]Weight{closed, closed}, 0},
		{"first backward only", [2]Weight{closed, 1}, [2]Weight{1, 1}, 1},
		{"apart", [2]Weight{1, closed}, [2]Weight{closed, 1}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			chain := line(at(0, 0), at(1000, 0), at(2000, 400))
			chain.weights = [2][]Weight{c.forward[:], c.backward[:]}
			n, m := draw(chain)
			require.Equal(t, c.segment, one(t, n, m, at(1000, -50), SnapOptions{}).Segment)
		})
	}
	// Nearest has both.
	n, m := draw(line(at(0, 0), at(1000, 0), at(2000, 400)))
	require.Len(t, nearest(t, NewSnapper(n, m, pool.New()), at(1000, -50), 5, SnapOptions{}), 2)
}
