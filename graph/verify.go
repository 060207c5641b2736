package graph

import (
	"fmt"
)

// checker gathers the first fault of a network or metric.
type checker struct {
	err error
	// fault makes the error of a section's element.
	fault func(section string, element int, format string, args ...any) error
}

func (c *checker) fail(section string, element int, format string, args ...any) {
	if c.err == nil {
		c.err = c.fault(section, element, format, args...)
	}
}

// plainFault is the fault of what is not in a file.
func plainFault(section string, element int, format string, args ...any) error {
	return fmt.Errorf("graph: %s of element %d: %s: %w", section, element, fmt.Sprintf(format, args...), ErrCorrupt)
}

// below checks that all values are ids of n things; InvalidNode and its kind
// pass if allowed.
func below[T ~uint32](c *checker, section string, values []T, n int, allowInvalid bool) {
	for i, v := range values {
		if int64(v) >= int64(n) && !(allowInvalid && v == ^T(0)) {
			c.fail(section, i, "%d is not below %d", v, n)
			return
		}
	}
}

// ascending checks where lists begin.
func ascending[T ~uint32](c *checker, section string, values []T, total int) {
	if len(values) == 0 || values[0] != 0 || int64(values[len(values)-1]) != int64(total) {
		c.fail(section, 0, "lists do not cover %d elements", total)
		return
	}
	for i := 1; i < len(values); i++ {
		if values[i] < values[i-1] {
			c.fail(section, i, "lists overlap")
			return
		}
	}
}

func (c *checker) length(section string, have, want int) {
	if have != want {
		c.fail(section, 0, "%d elements, not %d", have, want)
	}
}

// Check checks every index and order in the network and returns an error that
// says what is wrong first. It takes time linear in the network's size.
func (n *Network) Check() error {
	c := &checker{fault: plainFault}
	n.check(c)
	return c.err
}

// Verify reads the whole file, checks all checksums and then the network as
// [Network.Check] does.
func (f *NetworkFile) Verify() error {
	if err := f.f.Verify(); err != nil {
		return err
	}
	c := &checker{fault: f.f.Fault}
	f.Network.check(c)
	return c.err
}

func (n *Network) check(c *checker) {
	for _, step := range []func(*checker){
		n.checkChains, n.checkArms, n.checkJunctions, n.checkExpanded, n.checkRoads, n.checkIndex, n.checkGuidance, n.checkAreas,
	} {
		if step(c); c.err != nil {
			return // what follows relies on it
		}
	}
}

func (n *Network) checkChains(c *checker) {
	for i, place := range n.Coords {
		if !place.Valid() {
			c.fail("coords", i, "%v is not on earth", place)
			break
		}
	}
	c.length("osm_node_blocks", n.OSMNodes.Len(), len(n.Coords))
	if block, err := n.OSMNodes.Check(); err != nil {
		c.fail("osm_node_blocks", block, "%v", err)
	}
	if block, err := n.Ways.Check(); err != nil {
		c.fail("way_blocks", block, "%v", err)
	}
	segments := len(n.ChainPlaces)
	ascending(c, "chain_first", n.ChainFirst, segments)
	if c.err != nil {
		return
	}
	for chain := range n.NumChains() {
		if n.ChainFirst[chain+1]-n.ChainFirst[chain] < 2 {
			c.fail("chain_first", chain, "chain of fewer than two places")
			return
		}
	}
	below(c, "chain_places", n.ChainPlaces, len(n.Coords), false)
	c.length("segment_length", len(n.SegmentLength), segments)
	c.length("segment_way", len(n.SegmentWay), segments)
	if c.err != nil {
		return
	}
	for chain := range n.NumChains() {
		// A chain's last entry is unused.
		first, end := n.ChainFirst[chain], n.ChainFirst[chain+1]-1
		for i := first; i < end; i++ {
			if int64(n.SegmentWay[i]) >= int64(n.Ways.Len()) {
				c.fail("segment_way", int(i), "%d is not below %d", n.SegmentWay[i], n.Ways.Len())
				return
			}
		}
	}
	c.length("chain_start", len(n.ChainStart), len(MakeBits(n.NumChains())))
}

func (n *Network) checkArms(c *checker) {
	arms := 2 * n.NumChains()
	c.length("arm_node", len(n.ArmNode), arms)
	c.length("arm_road", len(n.ArmRoad), arms)
	c.length("arm_junction", len(n.ArmJunction), arms)
	below(c, "arm_node", n.ArmNode, int(n.Originals), true)
	below(c, "arm_road", n.ArmRoad, len(n.Roads), false)
	below(c, "arm_junction", n.ArmJunction, len(n.JunctionPlace), false)
	below(c, "node_arm", n.NodeArm, arms, false)
	if int64(n.Originals) > int64(n.NumNodes()) {
		c.fail("counts", 0, "%d originals of %d nodes", n.Originals, n.NumNodes())
	}
	if c.err != nil {
		return
	}
	for arm, node := range n.ArmNode {
		if node != InvalidNode && n.NodeArm[node] != ArmID(arm) {
			c.fail("arm_node", arm, "node %d is of arm %d", node, n.NodeArm[node])
			return
		}
	}
	for node, arm := range n.NodeArm {
		original := n.ArmNode[arm]
		if original == InvalidNode || node < int(n.Originals) && original != NodeID(node) {
			c.fail("node_arm", node, "arm %d has node %d", arm, original)
			return
		}
	}
}

func (n *Network) checkJunctions(c *checker) {
	below(c, "junction_place", n.JunctionPlace, len(n.Coords), false)
	c.length("junction_first", len(n.JunctionFirst), len(n.JunctionPlace)+1)
	ascending(c, "junction_first", n.JunctionFirst, len(n.JunctionArms))
	if c.err != nil {
		return
	}
	for j := range n.JunctionPlace {
		for i := n.JunctionFirst[j]; i < n.JunctionFirst[j+1]; i++ {
			arm := n.JunctionArms[i].Arm
			if int64(arm) >= int64(len(n.ArmJunction)) || n.ArmJunction[arm] != JunctionID(j) {
				c.fail("junction_arms", int(i), "arm %d does not leave junction %d", arm, j)
				return
			}
		}
	}
}

func (n *Network) checkExpanded(c *checker) {
	nodes := n.NumNodes()
	c.length("node_component", len(n.NodeComponent), nodes)
	c.length("edge_first", len(n.EdgeFirst), nodes+1)
	ascending(c, "edge_first", n.EdgeFirst, len(n.EdgeHead))
	below(c, "edge_head", n.EdgeHead, nodes, false)
	c.length("copies", len(n.Copies), nodes-int(n.Originals))
	if c.err != nil {
		return
	}
	for i, want := range n.makeCopies() {
		if n.Copies[i] != want {
			c.fail("copies", i, "%v instead of %v", n.Copies[i], want)
			return
		}
	}
}

func (n *Network) checkRoads(c *checker) {
	ascending(c, "string_first", n.Strings.First, len(n.Strings.Data))
	count := len(n.Strings.First) - 1
	if count < 1 || n.Strings.First[1] != 0 {
		c.fail("string_first", 1, "string 0 is not empty")
		return
	}
	for i := range n.Roads {
		r := &n.Roads[i]
		for _, id := range [...]StringID{r.Name, r.Ref, r.Pronunciation, r.Destinations, r.Exits, r.Lanes} {
			if int64(id) >= int64(count) {
				c.fail("roads", i, "string %d is not below %d", id, count)
				return
			}
		}
	}
	for i, x := range n.Conditions {
		if int64(x.Edge) >= int64(n.NumEdges()) || int64(x.Place) >= int64(len(n.Coords)) || int64(x.Text) >= int64(count) {
			c.fail("conditions", i, "no edge %d, place %d or string %d", x.Edge, x.Place, x.Text)
			return
		}
	}
}

// checkIndex checks that the index has every drivable segment once, inside the
// boxes above it.
func (n *Network) checkIndex(c *checker) {
	x := &n.Index
	levels := makeSnapLevels(len(x.items))
	c.length("snap_boxes", len(x.boxes), levels.boxes())
	if c.err != nil {
		return
	}
	seen := MakeBits(len(n.ChainPlaces))
	for i := range x.items {
		item := &x.items[i]
		if int64(item.Chain) >= int64(n.NumChains()) {
			c.fail("snap_items", i, "no chain %d", item.Chain)
			return
		}
		first, end := n.ChainFirst[item.Chain], n.ChainFirst[item.Chain+1]-1
		flags, drivable := snapFlags(n, item.Chain)
		if !drivable || item.Segment&(1<<snapFlagBits-1) != flags || item.position() >= end-first {
			c.fail("snap_items", i, "no such segment of chain %d", item.Chain)
			return
		}
		s := first + item.position()
		from, to := n.Coords[n.ChainPlaces[s]], n.Coords[n.ChainPlaces[s+1]]
		if flags&snapReversed != 0 {
			from, to = to, from
		}
		if item.From != from || item.To != to || from == to || seen.Get(s) {
			c.fail("snap_items", i, "segment %d of chain %d is twice or elsewhere", item.position(), item.Chain)
			return
		}
		seen.Set(s)
	}
	if want := len(snapItems(n)); want != len(x.items) {
		c.fail("snap_items", 0, "%d items, not %d", len(x.items), want)
		return
	}
	for i, want := range snapBoxes(x.items) {
		if x.boxes[i] != want {
			c.fail("snap_boxes", i, "%v instead of %v", x.boxes[i], want)
			return
		}
	}
}

// Check checks the metric against its network, which must have passed its own
// check, and returns an error that says what is wrong first. It takes time linear
// in the network's size.
func (m *Metric) Check(n *Network) error {
	c := &checker{fault: plainFault}
	m.check(c, n)
	return c.err
}

// Verify reads the whole file, checks all checksums and then the metric as
// [Metric.Check] does. The network must have passed its own check.
func (f *MetricFile) Verify(n *Network) error {
	if err := f.f.Verify(); err != nil {
		return err
	}
	c := &checker{fault: f.f.Fault}
	f.Metric.check(c, n)
	return c.err
}

func (m *Metric) check(c *checker, n *Network) {
	segments := len(n.ChainPlaces)
	for d, name := range [2]string{"forward", "reverse"} {
		c.length("weight_"+name, len(m.SegmentWeight[d]), segments)
		c.length("duration_"+name, len(m.SegmentDuration[d]), segments)
		if s := m.SegmentSource[d]; s != nil {
			c.length("source_"+name, len(s), segments)
		}
	}
	c.length("turn_weight", len(m.TurnWeight), n.NumEdges())
	c.length("turn_duration", len(m.TurnDuration), n.NumEdges())
	if m.TurnClosed != nil {
		c.length("turn_closed", len(m.TurnClosed), len(MakeBits(n.NumEdges())))
	}
	c.length("node_weight", len(m.NodeWeight), n.NumNodes())
	c.length("node_duration", len(m.NodeDuration), n.NumNodes())
	c.length("node_distance", len(m.NodeDistance), n.NumNodes())
	if c.err != nil {
		return
	}
	for d, name := range [2]string{"forward", "reverse"} {
		m.checkSegments(c, n, d, name)
	}
	m.checkNodes(c, n)
}

func (m *Metric) checkSegments(c *checker, n *Network, direction int, name string) {
	weights, durations := m.SegmentWeight[direction], m.SegmentDuration[direction]
	for chain := range n.NumChains() {
		for i := n.ChainFirst[chain]; i < n.ChainFirst[chain+1]-1; i++ {
			if weights[i] < 0 {
				c.fail("weight_"+name, int(i), "negative")
				return
			}
			if durations[i] < 0 || weights[i] == InvalidWeight != (durations[i] == InvalidDuration) {
				c.fail("duration_"+name, int(i), "%d where the weight is %d", durations[i], weights[i])
				return
			}
			if s := m.SegmentSource[direction]; s != nil && int(s[i]) >= len(m.Sources) {
				c.fail("source_"+name, int(i), "%d is not below %d", s[i], len(m.Sources))
				return
			}
		}
	}
}

// checkNodes compares the sums of nodes with their segments. Sums that do not
// fit are the extraction's to cap.
func (m *Metric) checkNodes(c *checker, n *Network) {
	for node, arm := range n.NodeArm {
		first, end := n.ChainFirst[arm.Chain()], n.ChainFirst[arm.Chain()+1]-1
		sum := sumSegments(m, int(arm&1), first, end)
		if open := m.NodeWeight[node] != InvalidWeight; open != sum.open {
			c.fail("node_weight", node, "open: %v, its segments: %v", open, sum.open)
			return
		}
		if !sum.open {
			continue
		}
		if w := int64(m.NodeWeight[node]); w != sum.weight && sum.weight < int64(InvalidWeight) {
			c.fail("node_weight", node, "%d, its segments: %d", w, sum.weight)
			return
		}
		if d := int64(m.NodeDuration[node]); d != sum.duration && sum.duration < int64(InvalidDuration) {
			c.fail("node_duration", node, "%d, its segments: %d", d, sum.duration)
			return
		}
		length := int64(0)
		for i := first; i < end; i++ {
			length += int64(n.SegmentLength[i])
		}
		if l := int64(m.NodeDistance[node]); l != length {
			c.fail("node_distance", node, "%d, its segments: %d", l, length)
			return
		}
	}
}
