package extract

import (
	"fmt"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/profile"
)

// compressor joins the two roads of a place to one where nothing can happen
// and nothing that an answer shows changes.
type compressor struct {
	g          *roadGraph
	notes      []annotation
	obstacles  *obstacleMap
	paths      *turnPaths
	keep       graph.Bits // places that restrictions begin or end at
	worker     profile.Worker
	turn       profile.Turn
	multiplier float64
}

// compress joins chains, place by place in ascending order.
func (x *extraction) compress(g *roadGraph) error {
	worker, err := x.worker(0)
	if err != nil {
		return err
	}
	n := len(g.first) - 1
	c := &compressor{
		g: g, notes: x.wayPass.notes.values, obstacles: &x.obstacles,
		paths: newTurnPaths(x.restrictions, n), keep: graph.MakeBits(n),
		worker: worker, multiplier: x.props.WeightMultiplier(),
	}
	for i := range x.restrictions {
		r := &x.restrictions[i]
		if r.told != nil {
			c.keep.Set(uint32(r.told.at))
			continue
		}
		c.keep.Set(uint32(r.via[0]))
		c.keep.Set(uint32(r.via[len(r.via)-1]))
	}
	for v := range graph.PlaceID(n) {
		if g.first[v+1]-g.first[v] != 2 || c.keep.Get(uint32(v)) || c.obstacles.anyAt(v, graph.InvalidPlace, nbg.Incompressible) {
			continue
		}
		if err := c.join(v); err != nil {
			return fmt.Errorf("extract: turn at node %d: %w", x.nodePass.osmNodes[v], err)
		}
	}
	return nil
}

// join takes place v out of the road between its neighbors u and w if the
// roads on both sides are alike:
//
//	   back2      forth2
//	u <------- v -------> w      becomes    u <-------> w
//	   ------->   <-------
//	   forth1      back1
func (c *compressor) join(v graph.PlaceID) error {
	g := c.g
	forth2, back2 := g.first[v], g.first[v]+1
	if g.arcs[forth2].flags.reversed() {
		forth2, back2 = back2, forth2
	}
	f2, b2 := &g.arcs[forth2], &g.arcs[back2]
	u, w := b2.head, f2.head
	f1, b1 := &g.arcs[g.find(u, v)], &g.arcs[g.find(w, v)]
	if g.find(u, w) != noArc {
		return nil
	}
	nf1, nf2, nb1, nb2 := &c.notes[f1.note], &c.notes[f2.note], &c.notes[b1.note], &c.notes[b2.note]
	if nf1.labels != nb1.labels || nf2.labels != nb2.labels ||
		((f1.flags^f2.flags)|(b1.flags^b2.flags))&chainMask != 0 ||
		!nf1.sameRoad(nf2) || !nb1.sameRoad(nb2) {
		return nil
	}
	// Lanes are those at the end of the chain, or the last ones mapped.
	if nf2.lanes != noLanes {
		f1.note = f2.note
	}
	if nb2.lanes != noLanes {
		b1.note = b2.note
	}
	if c.obstacles.has.Get(uint32(v)) {
		p := passage{at: v, near: b2.next}
		if err := c.pass(&p, 0, back2, forth2); err != nil {
			return err
		}
		if err := c.pass(&p, 1, forth2, back2); err != nil {
			return err
		}
		if p.weight != [2]graph.Weight{} || p.duration != [2]graph.Duration{} {
			g.passageAt[v] = int32(len(g.passages))
			g.passages = append(g.passages, p)
		}
	}
	f1.head, b1.head = w, u
	g.compressed.Set(uint32(v))
	c.paths.compress(u, v, w)
	c.obstacles.compress(u, v, w)
	return nil
}

// pass asks the profile what passing the place costs in a direction: from the
// road that arc a leads back on to the one that arc b leads on.
func (c *compressor) pass(p *passage, dir int, a, b uint32) error {
	g := c.g
	from, to := g.arcs[a].head, g.arcs[b].head
	in := &g.arcs[g.find(from, p.at)]
	inLength, inDuration := g.measure(p.at, a, true)
	outLength, outDuration := g.measure(p.at, b, false)
	t := &c.turn
	road := profile.TurnRoad{Mode: graph.ModeDriving, NumLanes: 1}
	*t = profile.Turn{
		Angle: 180, NumRoads: 2,
		HasTrafficLight: c.obstacles.anyAt(p.at, from, nbg.TrafficSignals),
		Source:          road, Target: road,
		SourceRoad: in.flags.leg(meters(inLength), inDuration),
		TargetRoad: g.arcs[b].flags.leg(meters(outLength), outDuration),
		From:       uint32(from), Via: uint32(p.at), To: uint32(to),
		Obstacles: c.obstacles.AppendObstacles(t.Obstacles[:0], uint32(from), uint32(p.at), profile.ObstacleAll),
		Finder:    c.obstacles,
	}
	t.SourceRoad.Incoming, t.TargetRoad.Outgoing = true, true
	if err := c.worker.Turn(t); err != nil {
		return err
	}
	p.weight[dir] = graph.Weight(truncate(t.Weight*c.multiplier, maxSegment))
	p.duration[dir] = graph.Duration(truncate(t.Duration*10, maxSegment))
	return nil
}

// truncate cuts a number toward zero and keeps it within ±limit.
func truncate(v, limit float64) int32 {
	switch {
	case v >= limit:
		return int32(limit)
	case v <= -limit:
		return int32(-limit)
	case v != v:
		return 0
	}
	return int32(v)
}
