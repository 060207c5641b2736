package graph

import (
	"cmp"
	"math"
	"slices"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/polygon"
)

// AreaID names an open area.
type AreaID uint32

// Areas are the open areas of a network: squares and the like, which one walks
// across in straight lines. Their outlines, and the lines of sight between the
// vertices that ways lead to, are roads of the network; the shapes kept here serve
// those who start or stop in the midst of an area. They are ordered along the
// Hilbert curve. Areas are immutable and safe for concurrent use.
type Areas struct {
	records  []areaRecord // one more than there are areas
	vertices []geo.Coord
	places   []PlaceID // by vertex
	rings    []uint32  // where rings end, counted from the area's first vertex
	gates    []uint32  // vertices at which ways through the area leave it or bend
	corners  []uint32  // vertices of polygon.Graph
	sights   []uint32  // by corner and one more: first of heads
	heads    []uint32  // of polygon.Graph
	bounds   []snapBox // by area
	boxes    []snapBox // the tree above bounds, root first
}

// areaRecord is an area, with where its parts begin.
type areaRecord struct {
	Speed, Rate                float64
	Vertex, Ring, Gate, Corner uint32
	Name                       StringID
	_                          uint32
}

// Area is an open area as BuildAreas takes it.
type Area struct {
	Shape  polygon.Polygon
	Places []PlaceID // by vertex
	// Gates are the vertices at which a way through the area can leave it or
	// bend.
	Gates []uint32
	// Graph serves ways from one place in the area to another. Without it only
	// straight ones are found.
	Graph polygon.Graph
	// Speed is the walking speed in meters per second, Rate the meters that a
	// unit of weight buys.
	Speed, Rate float64
	Name        StringID
}

// BuildAreas arranges areas. The result depends on nothing but the list.
func BuildAreas(list []Area) Areas {
	if len(list) == 0 {
		return Areas{}
	}
	type keyed struct {
		area *Area
		key  uint64
	}
	sorted := make([]keyed, len(list))
	for i := range list {
		b := boundsOf(list[i].Shape.Vertices)
		diagonal := snapItem{From: geo.Coord{Lon: b.MinX, Lat: b.MinY}, To: geo.Coord{Lon: b.MaxX, Lat: b.MaxY}}
		sorted[i] = keyed{&list[i], hilbertKeyOf(&diagonal)}
	}
	slices.SortStableFunc(sorted, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	var a Areas
	for i := range sorted {
		from := sorted[i].area
		a.records = append(a.records, a.record(from))
		a.vertices = append(a.vertices, from.Shape.Vertices...)
		a.places = append(a.places, from.Places...)
		a.rings = append(a.rings, from.Shape.Ends...)
		a.gates = append(a.gates, from.Gates...)
		a.corners = append(a.corners, from.Graph.Corners...)
		for k := range from.Graph.Corners {
			a.sights = append(a.sights, uint32(len(a.heads))+from.Graph.First[k])
		}
		a.heads = append(a.heads, from.Graph.Heads...)
	}
	a.records = append(a.records, a.record(&Area{}))
	a.sights = append(a.sights, uint32(len(a.heads)))
	a.bounds, a.boxes = a.index()
	return a
}

// index returns the bounds of areas and the tree above them.
func (a *Areas) index() (bounds, boxes []snapBox) {
	levels := makeSnapLevels(a.Len())
	boxes = newSnapBoxes(&levels)
	for i := range a.Len() {
		b := boundsOf(a.Shape(AreaID(i)).Vertices)
		bounds = append(bounds, b)
		boxes[int(levels.start[levels.leaf])+i/snapFanOut].merge(b)
	}
	raiseSnapBoxes(&levels, boxes)
	return bounds, boxes
}

func boundsOf(places []geo.Coord) snapBox {
	b := emptySnapBox
	for _, c := range places {
		b.merge(snapBox{c.Lon, c.Lat, c.Lon, c.Lat})
	}
	return b
}

// record returns the record of an area whose parts come next.
func (a *Areas) record(of *Area) areaRecord {
	return areaRecord{
		Speed: of.Speed, Rate: of.Rate,
		Vertex: uint32(len(a.vertices)), Ring: uint32(len(a.rings)),
		Gate: uint32(len(a.gates)), Corner: uint32(len(a.corners)),
		Name: of.Name,
	}
}

// Len returns the number of areas.
func (a *Areas) Len() int { return max(0, len(a.records)-1) }

// Shape returns the outline of an area, which must not be changed.
func (a *Areas) Shape(i AreaID) polygon.Polygon {
	r, next := &a.records[i], &a.records[i+1]
	return polygon.Polygon{Vertices: a.vertices[r.Vertex:next.Vertex], Ends: a.rings[r.Ring:next.Ring]}
}

// Graph returns the graph for ways within an area, which must not be changed.
func (a *Areas) Graph(i AreaID) polygon.Graph {
	r, next := &a.records[i], &a.records[i+1]
	return polygon.Graph{
		Corners: a.corners[r.Corner:next.Corner],
		First:   a.sights[r.Corner : next.Corner+1],
		Heads:   a.heads,
	}
}

// Gates returns the vertices of an area at which a way through it can leave it or
// bend. They must not be changed.
func (a *Areas) Gates(i AreaID) []uint32 {
	return a.gates[a.records[i].Gate:a.records[i+1].Gate]
}

// Place returns the place of a vertex of an area.
func (a *Areas) Place(i AreaID, vertex uint32) PlaceID { return a.places[a.records[i].Vertex+vertex] }

// Walk returns the cost of walking so many meters across an area; precision is that
// of weights.
func (a *Areas) Walk(i AreaID, meters float64, precision int) Walk {
	r := &a.records[i]
	whole := func(v float64) int64 { return int64(min(math.Round(v), math.MaxInt32-1)) }
	return Walk{
		Weight:   Weight(whole(meters / r.Rate * math.Pow10(precision))),
		Duration: Duration(whole(meters / r.Speed * 10)),
		Distance: Distance(geo.Centimeters(meters)),
	}
}

// Name returns the name of an area.
func (a *Areas) Name(i AreaID) StringID { return a.records[i].Name }

// AppendAround appends the areas in which a place lies, ascending. Vertices, which
// are places of roads, lie in none.
func (a *Areas) AppendAround(dst []AreaID, at geo.Coord) []AreaID {
	if a.Len() == 0 {
		return dst
	}
	point := snapBox{at.Lon, at.Lat, at.Lon, at.Lat}
	levels := makeSnapLevels(a.Len())
	// Of each level at most one box is open at a time.
	var stack [maxSnapLevels * snapFanOut]snapNode
	depth := 1
	for depth > 0 {
		depth--
		top := stack[depth]
		level := int(top.level)
		if !a.boxes[top.box].intersects(&point) {
			continue
		}
		if level < levels.leaf {
			first, end := levels.children(level, top.box)
			for b := end; b > first; b-- {
				stack[depth] = snapNode{box: b - 1, level: top.level + 1}
				depth++
			}
			continue
		}
		first, end := levels.leafItems(top.box, a.Len())
		for i := first; i < end; i++ {
			if !a.bounds[i].intersects(&point) {
				continue
			}
			shape := a.Shape(AreaID(i))
			if where := shape.Locate(at); where == polygon.Inside || where == polygon.OnEdge {
				dst = append(dst, AreaID(i))
			}
		}
	}
	return dst
}

func (n *Network) checkAreas(c *checker) {
	a := &n.Areas
	if len(a.records) == 0 {
		return
	}
	last := a.records[len(a.records)-1]
	c.length("area_vertices", len(a.vertices), int(last.Vertex))
	c.length("area_places", len(a.places), int(last.Vertex))
	c.length("area_rings", len(a.rings), int(last.Ring))
	c.length("area_gates", len(a.gates), int(last.Gate))
	c.length("area_corners", len(a.corners), int(last.Corner))
	c.length("area_sights", len(a.sights), int(last.Corner)+1)
	if c.err != nil {
		return
	}
	for i := range a.Len() {
		r, next := &a.records[i], &a.records[i+1]
		if r.Vertex >= next.Vertex || r.Ring >= next.Ring || r.Gate > next.Gate || r.Corner > next.Corner ||
			next.Vertex > last.Vertex || next.Ring > last.Ring || next.Gate > last.Gate || next.Corner > last.Corner {
			c.fail("area_records", i, "parts are not in order")
			return
		}
		if !(r.Speed > 0) || !(r.Rate > 0) {
			c.fail("area_records", i, "walking speed %v, rate %v", r.Speed, r.Rate)
		}
		size := next.Vertex - r.Vertex
		end := uint32(0)
		for k := r.Ring; k < next.Ring; k++ {
			if a.rings[k] < end+3 || a.rings[k] > size {
				c.fail("area_rings", int(k), "ring from %d to %d of %d vertices", end, a.rings[k], size)
				return
			}
			end = a.rings[k]
		}
		if end != size {
			c.fail("area_rings", int(next.Ring)-1, "%d of %d vertices", end, size)
		}
		for k := r.Gate; k < next.Gate; k++ {
			if a.gates[k] >= size {
				c.fail("area_gates", int(k), "%d is not below %d", a.gates[k], size)
			}
		}
		corners := next.Corner - r.Corner
		for k := r.Corner; k < next.Corner; k++ {
			if a.corners[k] >= size {
				c.fail("area_corners", int(k), "%d is not below %d", a.corners[k], size)
			}
			if a.sights[k] > a.sights[k+1] || int64(a.sights[k+1]) > int64(len(a.heads)) {
				c.fail("area_sights", int(k), "lists overlap")
				return
			}
			for h := a.sights[k]; h < a.sights[k+1]; h++ {
				if a.heads[h] >= corners {
					c.fail("area_heads", int(h), "%d is not below %d", a.heads[h], corners)
				}
			}
		}
		if int64(r.Name) >= int64(len(n.Strings.First)-1) {
			c.fail("area_records", i, "string %d of %d", r.Name, len(n.Strings.First)-1)
		}
	}
	below(c, "area_places", a.places, len(n.Coords), false)
	if c.err != nil {
		return
	}
	bounds, boxes := a.index()
	if !slices.Equal(bounds, a.bounds) {
		c.fail("area_bounds", 0, "not those of the areas")
	}
	if !slices.Equal(boxes, a.boxes) {
		c.fail("area_boxes", 0, "not those of the areas")
	}
}
