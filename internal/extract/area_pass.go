package extract

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/areas"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/parallel"
	"github.com/fourway-routing/fourway/internal/polygon"
	"github.com/fourway-routing/fourway/profile"
)

// areaPass is what the passes collect of open areas, and what is made of it.
type areaPass struct {
	relations *profile.Relations // that are areas
	members   map[int64]bool     // ways of these
	outlines  []outline          // in the order of the file
	shapes    []areaShape
}

// outline is a way that is an area's outline, or a part of one.
type outline struct {
	id   int64
	refs []int64
	tags osm.Tags
	area bool // the whole outline of an area, with its tags
}

// areaShape is an area that has been meshed.
type areaShape struct {
	areas.Area
	shape polygon.Polygon
	gates []uint32
	graph polygon.Graph // empty if the area is only outlined
	name  string
	rate  float64 // meters per unit of weight
}

// firstAreaWay is the id of the first way across an area; the others follow
// downwards. OSRM numbers them likewise.
const firstAreaWay osm.WayID = 1<<34 - 1

// areaSource is an area in OSM terms.
type areaSource struct {
	of   osm.FeatureID
	tags osm.Tags
	ways [][]int64
}

// setAreas takes over the relations that are areas. The profile may look them up
// like those of its relation types.
func (x *extraction) setAreas(list []*osm.Relation) {
	if len(list) == 0 {
		return
	}
	x.areas.relations = profile.NewRelations(list)
	x.relations = profile.NewRelations(append(list, x.relations.All()...))
	x.areas.members = make(map[int64]bool)
	for _, r := range list {
		for _, m := range r.Members {
			if m.Type == osm.TypeWay {
				x.areas.members[m.Ref] = true
			}
		}
	}
}

// appendOutline appends a way if it is part of an area.
func appendOutline(dst []outline, w *osmfile.Way, r *profile.WayResult, members map[int64]bool) []outline {
	area := r.Area && len(w.Refs) > 1 && w.Refs[0] == w.Refs[len(w.Refs)-1]
	if !area && !members[int64(w.ID)] {
		return dst
	}
	o := outline{id: int64(w.ID), area: area}
	for _, ref := range w.Refs {
		o.refs = append(o.refs, int64(ref))
	}
	if area {
		for _, t := range w.Tags {
			o.tags = append(o.tags, osm.Tag{Key: strings.Clone(t.Key), Value: strings.Clone(t.Value)})
		}
	}
	return append(dst, o)
}

// refs returns the nodes of all outlines.
func (p *areaPass) refs() []int64 {
	var refs []int64
	for i := range p.outlines {
		refs = append(refs, p.outlines[i].refs...)
	}
	return refs
}

// sources lists the areas: closed ways, then relations whose ways are all there.
func (p *areaPass) sources(dropped *Dropped) []areaSource {
	var list []areaSource
	byID := make(map[int64][]int64)
	for i := range p.outlines {
		o := &p.outlines[i]
		if o.area {
			list = append(list, areaSource{osm.WayID(o.id).FeatureID(), o.tags, [][]int64{o.refs}})
		}
		if p.members[o.id] {
			byID[o.id] = o.refs
		}
	}
	for _, r := range p.relations.All() {
		s := areaSource{of: r.FeatureID(), tags: r.Tags}
		whole := true
		for _, m := range r.Members {
			if m.Type == osm.TypeWay {
				refs, ok := byID[m.Ref]
				whole = whole && ok
				s.ways = append(s.ways, refs)
			}
		}
		if !whole {
			dropped.AreasIncomplete++
			continue
		}
		list = append(list, s)
	}
	return list
}

// meshAreas makes ways across the areas, once the places of nodes are known.
func (x *extraction) meshAreas(ctx context.Context, index *nodeIndex, coords []geo.Coord) error {
	p := &x.areas
	if len(p.outlines) == 0 && p.relations.Len() == 0 {
		return nil
	}
	sources := p.sources(&x.report.Dropped)
	meshes := make([]areaMesh, len(sources))
	waysAt := x.waysAtOutlines()
	if err := parallel.Each(ctx, x.opts.Workers, len(sources), func(_, i int) error {
		meshes[i].build(sources[i].ways, index, coords, waysAt, x.props.AreaVisibilityGraph)
		return nil
	}); err != nil {
		return err
	}
	made := &madeWays{member: make(map[osm.RelationID][]osm.Member)}
	for i := range meshes {
		meshes[i].count(&x.report.Dropped)
		for k := range meshes[i].shapes {
			p.shapes = append(p.shapes, meshes[i].shapes[k])
			x.makeWays(&sources[i], meshes[i].ways[k], made)
		}
	}
	return x.addMadeWays(made)
}

// areaMesh is what becomes of a source: areas, and the ways across each as pairs of
// nodes.
type areaMesh struct {
	incomplete   bool // nodes are missing
	fault        areas.Fault
	noEntries    int // areas that no ways lead to
	onlyOutlined int
	shapes       []areaShape
	ways         [][][2]int64
}

// build assembles and meshes the areas that ways are the outlines of.
func (m *areaMesh) build(ways [][]int64, index *nodeIndex, coords []geo.Coord, waysAt func(int64) []int64, all bool) {
	outlines := make([][]areas.Node, len(ways))
	for i, refs := range ways {
		for _, ref := range refs {
			at := coords[index.find(ref)]
			if at == nowhere {
				m.incomplete = true
				return
			}
			outlines[i] = append(outlines[i], areas.Node{ID: ref, At: at})
		}
	}
	var list []areas.Area
	list, m.fault = areas.Assemble(outlines)
	for i := range list {
		a := &list[i]
		entries := areas.Entries(a, waysAt)
		if len(entries) == 0 {
			m.noEntries++
			continue
		}
		s := areaShape{Area: *a, shape: a.Polygon()}
		s.gates = areas.Gates(a, &s.shape, waysAt)
		pairs, meshed := areas.Mesh(a, entries, all)
		if meshed {
			s.graph = s.shape.NewGraph()
		} else {
			m.onlyOutlined++
		}
		m.shapes, m.ways = append(m.shapes, s), append(m.ways, pairs)
	}
}

// count counts why there are no areas, or less of them.
func (m *areaMesh) count(dropped *Dropped) {
	switch {
	case m.incomplete:
		dropped.AreasIncomplete++
	case m.fault == areas.TooLarge:
		dropped.AreasTooLarge++
	case m.fault != areas.None:
		dropped.AreasBroken++
	}
	dropped.AreasWithoutEntries += m.noEntries
	dropped.AreasOnlyOutlined += m.onlyOutlined
}

// waysAtOutlines returns a function that lists the usable ways at a node of an
// outline.
func (x *extraction) waysAtOutlines() func(int64) []int64 {
	at := make(map[int64][]int64)
	for _, ref := range x.areas.refs() {
		at[ref] = nil
	}
	p := &x.wayPass
	for i := range p.numWays() {
		id := p.ways[i].id
		for _, ref := range p.refs[p.ways[i].firstRef:p.ways[i+1].firstRef] {
			if list, ok := at[ref]; ok && (len(list) == 0 || list[len(list)-1] != id) {
				at[ref] = append(list, id)
			}
		}
	}
	return func(node int64) []int64 { return at[node] }
}

// madeWays are the ways across areas.
type madeWays struct {
	ways   []osmfile.Way
	shape  []int // the area that each is of
	member map[osm.RelationID][]osm.Member
}

// makeWays makes the ways across the area that was last added. They take the place of
// its source in relations.
func (x *extraction) makeWays(s *areaSource, pairs [][2]int64, made *madeWays) {
	tags := areaTags(s)
	for _, pair := range pairs {
		id := firstAreaWay - osm.WayID(len(made.ways))
		made.ways = append(made.ways, osmfile.Way{
			ID: id, Tags: tags, Refs: []osm.NodeID{osm.NodeID(pair[0]), osm.NodeID(pair[1])},
		})
		made.shape = append(made.shape, len(x.areas.shapes)-1)
		for _, r := range x.relations.Of(s.of) {
			made.member[r] = append(made.member[r], osm.Member{Type: osm.TypeWay, Ref: int64(id)})
		}
	}
}

// areaTags are the tags of the ways across an area.
func areaTags(s *areaSource) osm.Tags {
	var tags osm.Tags
	for _, t := range s.tags {
		if t.Key != "area" && (t.Key != "type" || s.of.Type() != osm.TypeRelation) {
			tags = append(tags, t)
		}
	}
	return append(tags, osm.Tag{Key: profile.AreaWayTag, Value: "yes"})
}

// addMadeWays evaluates the ways across areas, as if they were the last ones of the
// file.
func (x *extraction) addMadeWays(made *madeWays) error {
	if len(made.member) > 0 {
		x.relations = x.relations.WithMembers(made.member)
	}
	worker, err := x.worker(0)
	if err != nil {
		return err
	}
	p := &x.wayPass
	p.ways = p.ways[:p.numWays()]
	b := wayBatch{worker: worker}
	for i := range made.ways {
		b.ways, b.refs, b.dropped = b.ways[:0], b.refs[:0], Dropped{}
		if err := b.addWay(&made.ways[i], x.props); err != nil {
			return fmt.Errorf("%w (made across an area)", err)
		}
		if err := x.addWays(&b); err != nil {
			return err
		}
		if len(b.ways) > 0 {
			s := &x.areas.shapes[made.shape[i]]
			s.name, s.rate = b.ways[0].name, x.areaRate(&b.result)
			x.report.AreaWays++
		}
	}
	p.ways = append(p.ways, way{firstRef: uint32(len(p.refs))})
	return nil
}

// areaRate returns the meters that a unit of weight buys in an area whose ways come
// out so.
func (x *extraction) areaRate(r *profile.WayResult) float64 {
	if rate := max(r.ForwardRate, r.BackwardRate); rate > 0 && !x.props.DurationIsWeight() {
		return rate
	}
	return x.props.AreaWalkingSpeed
}

// dropUnused forgets the nodes of outlines that no way has come to use, and returns
// their number.
func (x *extraction) dropUnused(coords []geo.Coord) int {
	if len(x.areas.outlines) == 0 {
		return 0
	}
	x.areas.outlines = nil
	n := &x.nodePass
	used := graph.MakeBits(len(coords))
	for _, place := range n.refs {
		used.Set(uint32(place))
	}
	unused := 0
	for i := range coords {
		if coords[i] != nowhere && !used.Get(uint32(i)) {
			coords[i] = nowhere
			unused++
		}
	}
	n.obstacles = slices.DeleteFunc(n.obstacles, func(o nodeObstacle) bool { return !used.Get(uint32(o.place)) })
	return unused
}

// addAreas puts the areas into the network, but for those across which the profile
// lets no way.
func (x *extraction) addAreas(net *graph.Network) error {
	var list []graph.Area
	vertices := 0
	for i := range x.areas.shapes {
		s := &x.areas.shapes[i]
		a := graph.Area{Shape: s.shape, Gates: s.gates, Graph: s.graph, Speed: x.props.AreaWalkingSpeed, Rate: s.rate}
		whole := true
		for _, node := range s.Nodes {
			place, ok := slices.BinarySearch(x.nodePass.osmNodes, node.ID)
			whole = whole && ok && s.rate > 0
			a.Places = append(a.Places, graph.PlaceID(place))
		}
		if !whole {
			continue
		}
		var err error
		if a.Name, err = x.wayPass.texts.id(s.name); err != nil {
			return err
		}
		vertices += len(s.Nodes)
		if vertices > math.MaxInt32 {
			return &SizeError{What: "vertices of areas", Limit: math.MaxInt32}
		}
		list = append(list, a)
	}
	net.Areas = graph.BuildAreas(list)
	x.report.Areas = len(list)
	return nil
}
