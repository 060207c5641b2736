package synth

import (
	"math"
	"strconv"
)

// chord is the number of nodes that a carriageway has in a tile.
const chord = 8

// Carriageways of a tile with motorways, in the order of their nodes, which come
// behind the junctions.
const (
	eastbound = iota
	westbound
	northbound
	southbound
)

// carriageways says where a tile's carriageways begin among its nodes.
type carriageways struct {
	east, north bool
	first       int
}

func (w *world) carriageways(x, y int) carriageways {
	side := grades[w.grade(x, y)].side
	return carriageways{w.east(y), w.north(x), side * side}
}

// node returns the place among the tile's nodes of a carriageway's k-th node, from
// the west or south on.
func (c carriageways) node(carriageway, k int) int {
	if carriageway >= northbound && !c.east {
		carriageway -= 2
	}
	return c.first + carriageway*chord + k
}

// placeCarriageways places the nodes of the carriageways, those of the first
// direction, which is on the right, before those of the second.
func (t *tile) placeCarriageways() {
	c := t.carriageways(t.x, t.y)
	if c.east {
		for _, offset := range [...]float64{-lanesOf, lanesOf} {
			for k := range chord {
				u := float64(k) / chord
				p := t.at(t.x, t.y, u, t.wander(t.y, float64(t.x)+u))
				t.add(point{p.lon, p.lat + offset})
			}
		}
	}
	if c.north {
		for _, offset := range [...]float64{lanesOf, -lanesOf} {
			for k := range chord {
				v := float64(k) / chord
				p := t.at(t.x, t.y, t.wander(t.x, float64(t.y)+v), v)
				t.add(point{p.lon + offset*tileLon/tileLat, p.lat})
			}
		}
	}
}

// layMotorways lays the carriageways as far as the next tile, their links to the
// main roads and to each other.
func (t *tile) layMotorways() {
	c := t.carriageways(t.x, t.y)
	if c.east {
		t.layMotorway(c, eastbound, t.x+1, t.y, "A "+strconv.Itoa(t.y/motorways*2+2))
		if !c.north && (t.x+t.y)%3 == 0 || t.x == 0 || t.x == t.columns-1 {
			t.layInterchange(c, eastbound)
		}
	}
	if c.north {
		t.layMotorway(c, northbound, t.x, t.y+1, "A "+strconv.Itoa(t.x/motorways*2+1))
		if !c.east && (t.x+t.y)%3 == 0 || t.y == 0 || t.y == t.rows-1 {
			t.layInterchange(c, northbound)
		}
	}
	if c.east && c.north {
		t.layCross(c)
	}
}

// layMotorway lays both carriageways of a motorway, the first being that away
// from the origin.
func (t *tile) layMotorway(c carriageways, first, x, y int, ref string) {
	tags := []string{"highway", "motorway", "oneway", "yes", "ref", ref, "maxspeed", "120", "lanes", "2"}
	t.run = t.run[:0]
	for k := range chord {
		t.run = append(t.run, t.base+int64(c.node(first, k)))
	}
	further := t.inside(x, y)
	next, base := t.carriageways(x, y), t.world.base(x, y)
	if further {
		t.run = append(t.run, base+int64(next.node(first, 0)))
	}
	t.addWay(t.run, tags...)
	t.run = t.run[:0]
	if further {
		t.run = append(t.run, base+int64(next.node(first+1, 0)))
	}
	for k := range chord {
		t.run = append(t.run, t.base+int64(c.node(first+1, chord-1-k)))
	}
	t.addWay(t.run, tags...)
}

// layInterchange lays the ramps between a motorway and the main road that it
// crosses.
func (t *tile) layInterchange(c carriageways, first int) {
	// The junctions of the main road next to the motorway, on both sides of it.
	m := t.middle()
	place := func(k int) (int, float64) {
		if first == eastbound {
			v := k*t.side + m
			return t.hub(v), t.nodes[v].lat
		}
		v := m*t.side + k
		return t.hub(v), t.nodes[v].lon
	}
	axis := t.nodes[c.node(first, chord/2)].lat
	if first == northbound {
		axis = t.nodes[c.node(first, chord/2)].lon
	}
	k := 1
	for k < t.side-1 {
		if _, at := place(k); at >= axis {
			break
		}
		k++
	}
	before, _ := place(k - 1)
	behind, _ := place(k)
	right, left := before, behind // of the first carriageway
	if first == northbound {
		right, left = behind, before
	}
	town := placeName(t.hash(ofVillage, 5))
	t.layRamp(c.node(first, 2), right, "destination", town)
	t.layRamp(right, c.node(first, 5))
	t.layRamp(c.node(first+1, 5), left, "destination", town)
	t.layRamp(left, c.node(first+1, 2))
}

// hub returns the place among the nodes of one that stands for a junction.
func (t *tile) hub(v int) int {
	if m := t.middle(); t.ring != 0 && v == m*t.side+m {
		return t.ring
	}
	return v
}

// layCross lays the links between two motorways.
func (t *tile) layCross(c carriageways) {
	for _, link := range [...][4]int{
		{eastbound, 1, northbound, 6},
		{eastbound, 2, southbound, 3},
		{westbound, 6, northbound, 5},
		{westbound, 5, southbound, 2},
		{northbound, 1, eastbound, 6},
		{northbound, 2, westbound, 3},
		{southbound, 6, eastbound, 5},
		{southbound, 5, westbound, 2},
	} {
		t.layRamp(c.node(link[0], link[1]), c.node(link[2], link[3]))
	}
}

// layRamp lays a ramp between two nodes of the tile.
func (t *tile) layRamp(from, to int, tags ...string) {
	a, b := t.nodes[from].point, t.nodes[to].point
	t.run = append(t.run[:0], t.base+int64(from))
	for k := 1; k <= 3; k++ {
		f := float64(k) / 4
		out := 0.25 * math.Sin(math.Pi*f)
		t.run = append(t.run, t.add(point{
			a.lon + (b.lon-a.lon)*f + (b.lat-a.lat)*out*tileLon/tileLat, a.lat + (b.lat-a.lat)*f - (b.lon-a.lon)*out*tileLat/tileLon,
		}))
	}
	t.run = append(t.run, t.base+int64(to))
	t.addWay(t.run, append([]string{"highway", "motorway_link", "oneway", "yes"}, tags...)...)
}

func hypot(x, y float64) float64 { return math.Sqrt(x*x + y*y) }
