package synth

import (
	"slices"
	"strconv"

	"github.com/fourway-routing/fourway/internal/osmwrite"
)

// node, way and turn are elements of a tile; the place of a node in tile.nodes
// tells its id.
type node struct {
	point
	tags []string
}

type way struct {
	refs []int64
	tags []string
}

type turn struct {
	members []osmwrite.Member
	tags    []string
}

// tile is a tile laid out. Its memory is used again for the next.
type tile struct {
	*world
	x, y  int
	grade grade
	side  int // of the grade
	base  int64
	nodes []node
	ways  []way
	turns []turn

	kept   []bool // edges, east and north of each junction by turns
	degree []uint8
	order  []uint64
	root   []uint32 // union-find
	// Ways that end at a junction, by direction: east, north, west, south; -1
	// for none.
	ends  [][4]int32
	split []bool // junctions at which ways end
	ring  int    // node of the roundabout in the middle; 0 for none
	run   []int64
}

// lay lays a tile out.
func (t *tile) lay(x, y int) {
	t.x, t.y = x, y
	t.grade = t.world.grade(x, y)
	t.side = grades[t.grade].side
	t.base = t.world.base(x, y)
	t.nodes, t.ways, t.turns = t.nodes[:0], t.ways[:0], t.turns[:0]
	t.placeJunctions()
	t.placeCarriageways()
	t.chooseEdges()
	t.placeRing()
	t.chooseSplits()
	for line := range t.side {
		t.layStreet(line, true)
		t.layStreet(line, false)
	}
	t.layMotorways()
	t.restrict()
}

func (t *tile) hash(what uint64, more ...uint64) uint64 { return t.world.hash(what, t.x, t.y, more...) }

// middle is the line of the main road.
func (t *tile) middle() int { return t.side / 2 }

// add adds a node and returns its id.
func (t *tile) add(p point, tags ...string) int64 {
	t.nodes = append(t.nodes, node{p, tags})
	return t.base + int64(len(t.nodes)-1)
}

func (t *tile) placeJunctions() {
	for j := range t.side {
		for i := range t.side {
			t.add(t.junction(t.x, t.y, t.grade, i, j))
		}
	}
}

// edge returns the place of an edge in kept: from junction i, j to the next one
// east, or north.
func (t *tile) edge(i, j int, east bool) int {
	e := 2 * (j*t.side + i)
	if !east {
		e++
	}
	return e
}

// rank says how important a line is: 3 for the main road, 2 for its parallels
// where streets are many, 0 for most.
func (t *tile) rank(line int) int {
	switch m := t.middle(); {
	case line == m:
		return 3
	case t.grade >= suburb && (line == m/2 || line == m+m/2):
		return 2
	case t.grade == urban && line%6 == 1 || t.grade == village && line%5 == 1:
		return 1
	}
	return 0
}

// chooseEdges chooses the streets between crossings: those of the main lines, a
// tree that connects all, and some more.
func (t *tile) chooseEdges() {
	n := t.side * t.side
	t.kept = zeroed(t.kept, 2*n)
	t.degree, t.root = zeroed(t.degree, n), zeroed(t.root, n)
	t.order = t.order[:0]
	for v := range t.root {
		t.root[v] = uint32(v)
	}
	// A word orders by importance, then by chance, and ends with the edge.
	word := func(line, edge int) uint64 {
		return uint64(3-t.rank(line))<<62 | t.hash(ofEdge, uint64(edge))>>2&^0xffff | uint64(edge)
	}
	for j := range t.side {
		for i := range t.side {
			if i+1 < t.side {
				t.order = append(t.order, word(j, t.edge(i, j, true)))
			}
			if j+1 < t.side {
				t.order = append(t.order, word(i, t.edge(i, j, false)))
			}
		}
	}
	slices.Sort(t.order)
	extra := grades[t.grade].extra
	for _, word := range t.order {
		e := uint32(word & 0xffff)
		a := e / 2
		b := a + 1
		if e%2 == 1 {
			b = a + uint32(t.side)
		}
		ra, rb := t.find(a), t.find(b)
		t.root[ra] = rb
		t.kept[e] = ra != rb || word>>62 < 3 || chance(t.hash(ofExtra, uint64(e)), extra)
		if t.kept[e] {
			t.degree[a]++
			t.degree[b]++
		}
	}
}

func (t *tile) find(v uint32) uint32 {
	for t.root[v] != v {
		t.root[v] = t.root[t.root[v]]
		v = t.root[v]
	}
	return v
}

// zeroed returns n zeros, in the memory of s if there is enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// crossing describes the k-th of the places where streets can go on from a tile
// of so many streets to a neighbor.
func crossing(k, here, there int) (int, int) {
	n := min(here, there)
	return (2*k + 1) * here / (2 * n), (2*k + 1) * there / (2 * n)
}

// onward returns the line in which a street goes on east, or north, of the tile.
func (t *tile) onward(line int, east bool) (next int, ok bool) {
	x, y := t.x, t.y+1
	if east {
		x, y = t.x+1, t.y
	}
	if !t.inside(x, y) {
		return 0, false
	}
	there := grades[t.world.grade(x, y)].side
	along, across := t.y, t.x
	if !east {
		along, across = t.x, t.y
	}
	h := t.hash(ofBorder, uint64(line), boolWord(east))
	if line == t.middle() {
		large := along%2 == 0
		return there / 2, large || !river(across) && (t.grade != rural || chance(h, 0.75))
	}
	if river(across) {
		return 0, false
	}
	for k := range min(t.side, there) {
		from, to := crossing(k, t.side, there)
		if from == line && to != there/2 {
			return to, chance(h, grades[t.grade].across)
		}
	}
	return 0, false
}

func boolWord(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Directions from a junction.
const (
	toEast = iota
	toNorth
	toWest
	toSouth
)

// placeRing puts a roundabout in the place of the main crossing of some tiles.
func (t *tile) placeRing() {
	t.ring = 0
	if t.grade == urban || !chance(t.hash(ofRing), 0.3) {
		return
	}
	m := t.middle()
	center := t.nodes[m*t.side+m].point
	t.ring = len(t.nodes)
	const radius = 18 / unitOfLat // meters
	var refs []int64
	for _, d := range ringShape {
		refs = append(refs, t.add(point{center.lon + d.lon*radius*tileLon/tileLat, center.lat + d.lat*radius}))
	}
	refs = append(refs, refs[0])
	class, _ := t.class(t.middle(), true)
	t.addWay(refs, "highway", class, "junction", "roundabout")
}

// ringShape is a roundabout counterclockwise, from the east.
var ringShape = [...]point{{1, 0}, {0.7, 0.7}, {0, 1}, {-0.7, 0.7}, {-1, 0}, {-0.7, -0.7}, {0, -1}, {0.7, -0.7}}

func (t *tile) addWay(refs []int64, tags ...string) int32 {
	t.ways = append(t.ways, way{slices.Clone(refs), tags})
	return int32(len(t.ways) - 1)
}

func (t *tile) wayID(i int32) int64 { return t.base + int64(i) }

// chooseSplits chooses the junctions with turn restrictions, at which ways end.
func (t *tile) chooseSplits() {
	n := t.side * t.side
	t.split = zeroed(t.split, n)
	t.ends = zeroed(t.ends, n)
	for v := range n {
		t.ends[v] = [4]int32{-1, -1, -1, -1}
		t.split[v] = t.degree[v] >= 3 && chance(t.hash(ofTurn, uint64(v)), grades[t.grade].turns)
	}
	if t.ring != 0 {
		m := t.middle()
		t.split[m*t.side+m] = true
	}
}

// class returns the class of a line, and the number of the road that it belongs
// to across tiles, 0 for none.
func (t *tile) class(line int, east bool) (highway string, road int) {
	across := t.y
	if !east {
		across = t.x
	}
	switch t.rank(line) {
	case 3:
		switch {
		case across%6 == 0:
			highway = "trunk"
		case across%3 == 0:
			highway = "primary"
		case across%2 == 0:
			highway = "secondary"
		default:
			highway = "tertiary"
		}
		return highway, across + 1
	case 2:
		return "secondary", 0
	case 1:
		return "tertiary", 0
	}
	if t.grade == rural {
		return "unclassified", 0
	}
	if chance(t.hash(ofLine, uint64(line), boolWord(east), 1), 0.08) {
		return "living_street", 0
	}
	return "residential", 0
}

// street is a line of the tile on its way.
type street struct {
	line   int
	east   bool
	class  string
	road   int
	rank   int
	oneway bool
	from   int // junction at which the run began
}

// layStreet lays one line of the tile, in runs: a run ends at a gap, at a
// restriction, and where its kind changes.
func (t *tile) layStreet(line int, east bool) {
	s := street{line: line, east: east, rank: t.rank(line)}
	s.class, s.road = t.class(line, east)
	s.oneway = s.rank == 0 && chance(t.hash(ofLine, uint64(line), boolWord(east), 2), grades[t.grade].oneway)
	ahead, back := toNorth, toSouth
	if east {
		ahead, back = toEast, toWest
	}
	t.run = t.run[:0]
	for k := range t.side {
		i, j := line, k
		if east {
			i, j = k, line
		}
		v := j*t.side + i
		if len(t.run) > 0 {
			t.run = append(t.run, t.end(v, back))
			if t.split[v] {
				t.flush(&s, v, back)
			}
		}
		if k+1 == t.side || !t.kept[t.edge(i, j, east)] {
			if k+1 < t.side {
				t.flush(&s, v, back)
			}
			continue
		}
		if len(t.run) == 0 {
			s.from = v
			t.run = append(t.run, t.end(v, ahead))
		}
		next := v + 1
		if !east {
			next = v + t.side
		}
		t.bend(t.nodes[v].point, t.nodes[next].point, t.hash(ofShape, uint64(v), boolWord(east)))
	}
	t.layOnward(&s, ahead, back)
}

// end returns the node at which a street that leaves a junction in a direction
// begins.
func (t *tile) end(v, direction int) int64 {
	if m := t.middle(); t.ring != 0 && v == m*t.side+m {
		return t.base + int64(t.ring+2*direction)
	}
	return t.base + int64(v)
}

// layOnward takes a street into the next tile, or ends it.
func (t *tile) layOnward(s *street, ahead, back int) {
	i, j := s.line, t.side-1
	x, y := t.x, t.y+1
	if s.east {
		i, j = t.side-1, s.line
		x, y = t.x+1, t.y
	}
	v := j*t.side + i
	next, ok := t.onward(s.line, s.east)
	if !ok {
		t.flush(s, v, back)
		return
	}
	if s.oneway {
		t.flush(s, v, back) // a street between towns has two directions
		s.oneway = false
	}
	if len(t.run) == 0 {
		s.from = v
		t.run = append(t.run, t.end(v, ahead))
	}
	g := t.world.grade(x, y)
	side := grades[g].side
	i, j = next, 0
	if s.east {
		i, j = 0, next
	}
	t.bend(t.nodes[v].point, t.junction(x, y, g, i, j), t.hash(ofShape, uint64(v), boolWord(s.east), 1))
	t.run = append(t.run, t.world.base(x, y)+int64(j*side+i))
	t.flush(s, -1, back)
}

// bend adds the nodes between the ends of a street.
func (t *tile) bend(a, b point, h uint64) {
	dx, dy := (b.lon-a.lon)*tileLat/tileLon, b.lat-a.lat
	length := hypot(dx, dy) * unitOfLat
	at := &grades[t.grade]
	n := min(int(length/at.spacing*unit(hash(h, 9))*1.6), 24)
	bow := at.bow * spread(h)
	for k := 1; k <= n; k++ {
		f := float64(k) / float64(n+1)
		out := 4*bow*f*(1-f) + 0.02*spread(hash(h, uint64(k)))
		t.run = append(t.run, t.add(point{a.lon + (b.lon-a.lon)*f - dy*out*tileLon/tileLat, a.lat + dy*f + dx*out}))
	}
}

// flush ends a run at junction v, or in the next tile where v is negative.
func (t *tile) flush(s *street, v, back int) {
	if len(t.run) < 2 {
		t.run = t.run[:0]
		return
	}
	last := v < 0 || t.degree[v] > 1
	dead := t.degree[s.from] == 1 || !last
	i := t.addWay(t.run, t.tags(s, dead)...)
	t.run = t.run[:0]
	t.ends[s.from][(back+2)%4] = i
	if v >= 0 {
		t.ends[v][back] = i
	}
}

// tags returns those of a run. A dead end stays open both ways.
func (t *tile) tags(s *street, dead bool) []string {
	h := t.hash(ofLine, uint64(s.line), boolWord(s.east), uint64(len(t.ways)))
	class := s.class
	if dead && s.rank == 0 && chance(h, 0.25) {
		class = "service"
	}
	tags := []string{"highway", class}
	if class == "service" {
		if chance(hash(h, 1), 0.2) {
			tags = append(tags, "access", "private")
		}
		return tags
	}
	if s.road != 0 {
		tags = append(tags, "ref", roadRef(class, s.road))
	}
	if s.road == 0 || t.grade >= suburb {
		tags = append(tags, "name", streetName(t.hash(ofLine, uint64(s.line), boolWord(s.east))))
	}
	if s.oneway && !dead {
		from := "yes"
		if s.line%2 == 0 {
			from = "-1"
		}
		tags = append(tags, "oneway", from)
	}
	// The limit is that of the road, not drawn anew for each run of it: else no road
	// would be faster than those beside it all the way, and a city as hard to cross
	// as no real one.
	switch {
	case s.rank == 3 && t.grade < suburb:
		tags = append(tags, "maxspeed", betweenTowns(class))
	case s.rank == 3:
		tags = append(tags, "maxspeed", "70")
	case s.rank == 2:
		tags = append(tags, "maxspeed", "50")
	case s.rank == 1 && chance(hash(h, 2), 0.6):
		tags = append(tags, "maxspeed", "40")
	case s.rank == 0 && t.grade == urban && chance(hash(h, 3), 0.4):
		tags = append(tags, "maxspeed", "30")
	}
	if s.rank >= 2 {
		tags = append(tags, "lanes", "2")
	}
	if t.grade <= village && s.rank == 0 && chance(hash(h, 4), 0.05) {
		tags = append(tags, "surface", "gravel")
	}
	return tags
}

// betweenTowns returns the speed limit of a main road outside towns.
func betweenTowns(class string) string {
	switch class {
	case "trunk":
		return "110"
	case "primary":
		return "90"
	case "secondary":
		return "80"
	}
	return "70"
}

func roadRef(class string, number int) string {
	letter := "D"
	if class == "trunk" || class == "primary" {
		letter = "N"
	}
	return letter + " " + strconv.Itoa(number)
}

var (
	beginnings = [...]string{"Al", "Bre", "Cor", "Del", "El", "Far", "Gro", "Hal", "In", "Kar", "Lin", "Mar", "Nor", "Os", "Pel", "Ros", "Sel", "Tor", "Ul", "Wes"}
	middles    = [...]string{"", "a", "den", "en", "for", "ing", "ken", "le", "mer", "ne", "ster", "ton"}
	endings    = [...]string{"berg", "dale", "feld", "ham", "holt", "ley", "mark", "stad", "wick", "worth"}
	kinds      = [...]string{" Street", " Street", " Road", " Lane", " Avenue", " Way", " Close", " Court"}
)

func placeName(h uint64) string {
	return beginnings[h%20] + middles[h>>8%12] + endings[h>>16%10]
}

func streetName(h uint64) string { return placeName(h) + kinds[h>>24%8] }
