package extract

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/profile"
)

// nodePass is what the pass over nodes collects.
type nodePass struct {
	// osmNodes and coords are by place; places are numbered by OSM id.
	osmNodes []int64
	coords   []geo.Coord
	// refs are the places of the ways' references, graph.InvalidPlace for
	// missing nodes; see way.firstRef.
	refs      []graph.PlaceID
	obstacles []nodeObstacle
}

// nodeObstacle is an obstacle whose direction is still told by the ways.
type nodeObstacle struct {
	place graph.PlaceID
	profile.Obstacle
}

// nodeBatch is what one worker makes of one block.
type nodeBatch struct {
	worker    profile.Worker
	node      osm.Node
	result    profile.NodeResult
	places    []locatedPlace
	obstacles []nodeObstacle
	keep      bool // tags
	tagged    []osmfile.Node
}

type locatedPlace struct {
	place graph.PlaceID
	at    geo.Coord
}

// nowhere marks places that were not met yet.
var nowhere = geo.Coord{Lon: math.MinInt32, Lat: math.MinInt32}

// readNodes runs the second pass and resolves what the first one left as ids.
func (x *extraction) readNodes(ctx context.Context) error {
	ids := x.wayPass.referenced(x.areas.refs())
	if uint64(len(ids)) >= math.MaxUint32 {
		return &SizeError{What: "nodes on usable ways", Limit: math.MaxUint32 - 1}
	}
	index := newNodeIndex(ids)
	coords := make([]geo.Coord, len(ids))
	for i := range coords {
		coords[i] = nowhere
	}
	batches := make([]nodeBatch, x.opts.Workers)
	for i := range batches {
		w, err := x.worker(i)
		if err != nil {
			return err
		}
		batches[i].worker, batches[i].keep = w, x.tags != nil
	}
	n := &x.nodePass
	stats, err := x.file.Scan(ctx, x.scan("nodes", osmfile.Nodes), osmfile.Handler{
		Parallel: func(b *osmfile.Block) error {
			return batches[b.Worker].fill(b, index, x.props.TaglessNodes)
		},
		Ordered: func(b *osmfile.Block) error {
			batch := &batches[b.Worker]
			for _, l := range batch.places {
				if coords[l.place] == nowhere {
					coords[l.place] = l.at
				}
			}
			n.obstacles = append(n.obstacles, batch.obstacles...)
			for _, node := range batch.tagged {
				if err := x.tags.addNode(node.ID, node.Tags); err != nil {
					return err
				}
			}
			return nil
		},
	})
	if err != nil {
		return err
	}
	x.report.Nodes = int(stats.Nodes)
	x.report.Dropped.UnlocatedNodes = int(stats.Unlocated)

	x.tags.endWays(&x.wayPass, index, coords)
	if err := x.meshAreas(ctx, index, coords); err != nil {
		return err
	}
	n.refs = make([]graph.PlaceID, len(x.wayPass.refs))
	for i, id := range x.wayPass.refs {
		n.refs[i] = index.find(id)
	}
	x.wayPass.refs = nil
	restrictions := x.resolveRestrictions(index)
	n.osmNodes, n.coords = ids, coords
	unused := x.dropUnused(coords)
	x.restrictions = n.dropMissing(restrictions, &x.report)
	x.report.Dropped.MissingNodes -= unused
	x.report.Places = len(n.osmNodes)
	x.tags.endNodes(n.refs)
	return nil
}

// fill finds the nodes of a block that are places, and their obstacles.
func (b *nodeBatch) fill(block *osmfile.Block, index *nodeIndex, tagless bool) error {
	b.places, b.obstacles, b.tagged = b.places[:0], b.obstacles[:0], b.tagged[:0]
	tagged := block.Nodes
	for row, id := range block.NodeIDs {
		isTagged := len(tagged) > 0 && tagged[0].Row == row
		var tags osm.Tags
		if isTagged {
			tags, tagged = tagged[0].Tags, tagged[1:]
		}
		place := index.find(int64(id))
		if place == graph.InvalidPlace {
			continue
		}
		at := geo.Coord{Lon: block.Lons[row], Lat: block.Lats[row]}
		b.places = append(b.places, locatedPlace{place, at})
		if isTagged && b.keep {
			b.tagged = append(b.tagged, osmfile.Node{ID: id, Tags: tags})
		}
		if !isTagged && !tagless {
			continue
		}
		b.node.ID, b.node.Tags = id, tags
		b.node.Lon, b.node.Lat = at.LonLat()
		if err := b.worker.Node(&b.node, &b.result); err != nil {
			return fmt.Errorf("extract: node %d: %w", id, err)
		}
		for _, o := range b.result.Obstacles {
			b.obstacles = append(b.obstacles, nodeObstacle{place, o})
		}
	}
	return nil
}

// dropMissing renumbers places without the missing nodes, and drops the
// restrictions that need them.
func (n *nodePass) dropMissing(restrictions []turnRestriction, report *Report) []turnRestriction {
	to := make([]graph.PlaceID, len(n.coords))
	kept := graph.PlaceID(0)
	for i, c := range n.coords {
		if c == nowhere {
			to[i] = graph.InvalidPlace
			continue
		}
		to[i] = kept
		n.coords[kept], n.osmNodes[kept] = c, n.osmNodes[i]
		kept++
	}
	report.Dropped.MissingNodes = len(n.coords) - int(kept)
	if report.Dropped.MissingNodes == 0 {
		return restrictions
	}
	n.coords, n.osmNodes = n.coords[:kept], n.osmNodes[:kept]
	for i, r := range n.refs {
		n.refs[i] = to[r]
	}
	for i := range n.obstacles {
		n.obstacles[i].place = to[n.obstacles[i].place]
	}
	whole := restrictions[:0]
	for i := range restrictions {
		r := &restrictions[i]
		if r.renumber(to) {
			whole = append(whole, *r)
		} else if r.told == nil {
			report.drop(r.relation, restrictionMissingNode)
		}
	}
	return whole
}

// resolveRestrictions replaces the ways of restrictions by the places that
// they lead over.
func (x *extraction) resolveRestrictions(index *nodeIndex) []turnRestriction {
	p := &x.wayPass
	if len(p.restrictions) == 0 {
		return nil
	}
	byID := make([]uint32, p.numWays())
	for i := range byID {
		byID[i] = uint32(i)
	}
	// The last of several ways with one id counts.
	slices.SortStableFunc(byID, func(a, b uint32) int { return cmp.Compare(p.ways[a].id, p.ways[b].id) })
	find := func(id int64) wayPlaces {
		i := sort.Search(len(byID), func(i int) bool { return p.ways[byID[i]].id > id })
		if i == 0 || p.ways[byID[i-1]].id != id {
			return nil
		}
		w := byID[i-1]
		return x.nodePass.refs[p.ways[w].firstRef:p.ways[w+1].firstRef]
	}
	var resolved []turnRestriction
	var vias []wayPlaces
	for i := range p.restrictions {
		rel := &p.restrictions[i]
		from, to := find(rel.from), find(rel.to)
		vias = vias[:0]
		missing := from == nil || to == nil
		for _, v := range rel.viaWays {
			way := find(v)
			missing = missing || way == nil
			vias = append(vias, way)
		}
		if missing {
			if rel.told == nil {
				x.report.drop(rel.relation, restrictionMissingWay)
			}
			continue
		}
		var r turnRestriction
		var ok bool
		if len(vias) > 0 {
			r, ok = pathThrough(from, vias, to)
		} else if at := index.find(rel.via); at != graph.InvalidPlace {
			var via graph.PlaceID
			r.from, via, r.to, ok = meet(from, to, at)
			r.via = []graph.PlaceID{via}
		}
		if rel.told != nil {
			if r.told = rel.told.place(index); ok && slices.Contains(r.via, r.told.at) {
				resolved = append(resolved, r)
			}
			continue
		}
		if !ok {
			x.report.drop(rel.relation, restrictionDisconnected)
			continue
		}
		r.relation, r.only, r.condition = rel.relation, rel.only, rel.condition
		resolved = append(resolved, r)
	}
	p.restrictions = nil
	return resolved
}

// placeObstacles finds for obstacles that count in one direction only the
// places from which one reaches them, on each way through them.
func (x *extraction) placeObstacles() obstacleMap {
	n := &x.nodePass
	m := obstacleMap{}
	directed := graph.MakeBits(len(n.coords))
	any := false
	for _, o := range n.obstacles {
		if o.Direction == profile.DirectionForward || o.Direction == profile.DirectionBackward {
			directed.Set(uint32(o.place))
			any = true
			continue
		}
		m.list = append(m.list, o.from(graph.InvalidPlace))
	}
	if any {
		through := x.waysThrough(directed)
		for _, o := range n.obstacles {
			if o.Direction != profile.DirectionForward && o.Direction != profile.DirectionBackward {
				continue
			}
			placed := false
			for _, way := range through[o.place] {
				if before, ok := way.before(o.place, o.Direction); ok {
					m.list = append(m.list, o.from(before))
					placed = true
				}
			}
			if !placed {
				x.report.Dropped.ObstaclesWithoutDirection++
			}
		}
	}
	n.obstacles = nil
	m.init(len(n.coords))
	x.report.Obstacles = len(m.list)
	return m
}

// waysThrough collects the ways that pass marked places, once per passage.
func (x *extraction) waysThrough(marked graph.Bits) map[graph.PlaceID][]wayPlaces {
	through := make(map[graph.PlaceID][]wayPlaces)
	for i := range x.wayPass.numWays() {
		way := wayPlaces(x.nodePass.refs[x.wayPass.ways[i].firstRef:x.wayPass.ways[i+1].firstRef])
		for _, p := range way {
			if p != graph.InvalidPlace && marked.Get(uint32(p)) {
				through[p] = append(through[p], way)
			}
		}
	}
	return through
}

// before returns the place that comes before p in a direction of the way.
func (w wayPlaces) before(p graph.PlaceID, d profile.ObstacleDirection) (graph.PlaceID, bool) {
	if d == profile.DirectionForward {
		i := slices.Index(w[1:], p)
		if i < 0 {
			return 0, false
		}
		return w[i], true
	}
	i := slices.Index(w[:len(w)-1], p)
	if i < 0 {
		return 0, false
	}
	return w[i+1], true
}

func (o *nodeObstacle) from(before graph.PlaceID) nbg.Obstacle {
	return nbg.Obstacle{
		Node: o.place, From: before,
		Type: nbg.ObstacleType(o.Type), Direction: uint8(o.Direction),
		Duration: o.Duration, Weight: o.Weight,
	}
}
