package traffic

// DirectedWay is an OSM way in one direction.
type DirectedWay struct {
	ID       int64
	Backward bool // against the order of its nodes
}

// Ways changes all segments of ways and returns how many of the ways it found: those
// of which a segment can be driven in the direction asked for. The first call with
// the Index takes time linear in the size of the network.
func (u *Updater) Ways(speeds map[DirectedWay]Speed, source uint8) (matched int) {
	if len(speeds) == 0 {
		return 0
	}
	index := u.index.ways()
	var list []segment
	for way, speed := range speeds {
		found := false
		list = index.segments(list[:0], way)
		for _, s := range list {
			found = u.change(s, speed, source) || found
		}
		if found {
			matched++
		}
	}
	return matched
}
