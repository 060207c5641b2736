package traffic

import "github.com/fourway-routing/fourway/graph"

// DirectedWay is an OSM way in one direction.
type DirectedWay struct {
	ID       int64
	Backward bool // against the order of its nodes
}

// Ways changes all segments of ways and returns how many of the ways it found: those
// of which a segment can be driven in the direction asked for. It takes time linear
// in the size of the network.
func (u *Updater) Ways(speeds map[DirectedWay]Speed, source uint8) (matched int) {
	if len(speeds) == 0 {
		return 0
	}
	n := u.net
	found := make(map[DirectedWay]bool)
	for c := range n.NumChains() {
		for s := n.ChainFirst[c]; s+1 < n.ChainFirst[c+1]; s++ {
			if n.ChainPlaces[s] == n.ChainPlaces[s+1] {
				continue // an obstacle's penalty
			}
			id := n.Ways.Get(n.SegmentWay[s])
			for d := range 2 {
				way := DirectedWay{max(id, -id), (id < 0) != (d == 1)}
				if speed, ok := speeds[way]; ok && u.change(segment{s, graph.ArmID(c)<<1 | graph.ArmID(d)}, speed, source) {
					found[way] = true
				}
			}
		}
	}
	return len(found)
}
