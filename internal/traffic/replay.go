package traffic

import "github.com/fourway-routing/fourway/graph"

// Replay takes over what earlier updates, which gave m, changed of the Updater's
// base, and the turns that they closed. Changes after it count more. Of the data
// sources of m those that segments name are kept, each as the first of the Updater's
// with the same name. m must be of the same network.
func (u *Updater) Replay(m *graph.Metric) error {
	if err := u.replaySegments(m); err != nil {
		return err
	}
	u.replayTurns(m)
	u.m.TurnClosed = m.TurnClosed
	return nil
}

func (u *Updater) replaySegments(m *graph.Metric) error {
	n := u.net
	var known [MaxSources + 1]bool
	var number [MaxSources + 1]uint8 // in u.sources
	byName := map[string]uint8{}
	for i, name := range u.sources {
		if _, ok := byName[name]; !ok && i > 0 { // the profile is no file
			byName[name] = uint8(i)
		}
	}
	for c := range n.NumChains() {
		for d := range 2 {
			if m.SegmentSource[d] == nil {
				continue
			}
			for s := n.ChainFirst[c]; s+1 < n.ChainFirst[c+1]; s++ {
				source := m.SegmentSource[d][s]
				if source == 0 {
					continue
				}
				if !known[source] {
					name := m.Sources[source]
					of, ok := byName[name]
					if !ok {
						var err error
						if of, err = u.Source(name); err != nil {
							return err
						}
						byName[name] = of
					}
					known[source], number[source] = true, of
				}
				u.ownSegments()
				u.m.SegmentWeight[d][s], u.m.SegmentDuration[d][s] = m.SegmentWeight[d][s], m.SegmentDuration[d][s]
				u.m.SegmentSource[d][s] = number[source]
				u.touch(n.ArmNode[graph.ArmID(c)<<1|graph.ArmID(d)])
			}
		}
	}
	return nil
}

func (u *Updater) replayTurns(m *graph.Metric) {
	n := u.net
	for v := range graph.NodeID(n.NumNodes()) {
		for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
			if u.base.TurnWeight[e] == m.TurnWeight[e] && u.base.TurnDuration[e] == m.TurnDuration[e] {
				continue
			}
			u.ownTurns()
			u.m.TurnWeight[e], u.m.TurnDuration[e] = m.TurnWeight[e], m.TurnDuration[e]
			if uint32(v) < n.Originals {
				u.touch(v)
			}
		}
	}
}
