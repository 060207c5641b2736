package testmap

import (
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/fourway-routing/fourway/internal/osmwrite"
)

// City writes a made-up country of about n OSM nodes as an .osm.pbf file, the
// same for the same seed: a jittered street grid with a hierarchy of roads,
// curves, gaps, one-way streets, names, signals and turn restrictions, and
// buildings that no road uses. It is what growth is measured on.
func City(w io.Writer, n int, seed uint64) error {
	c := city{rng: rand.New(rand.NewPCG(seed, 42))}
	c.lay(n)
	return c.write(w)
}

const (
	cityStep   = 1000 // micro-degrees between junctions, about 100 m
	bends      = 3    // most nodes between two junctions
	houseNodes = 5    // nodes of a building
	cityLon    = 6e6  // south-west corner, micro-degrees
	cityLat    = 45e6 //
	lastStreet = 100_000
)

type city struct {
	rng   *rand.Rand
	size  int // junctions along a side
	next  int64
	nodes []cityNode
	ways  []cityWay
	rels  []cityTurn
	grid  []int64 // node id by junction
}

// lay lays out the streets, then the buildings up to n nodes.
func (c *city) lay(n int) {
	// Half of the nodes are streets', as in real extracts; a junction
	// brings about four nodes with it.
	for c.size = 4; c.size*c.size*4 < n/2; c.size++ {
	}
	c.junctions()
	c.streets()
	c.restrictions()
	for c.next < int64(n) {
		c.building()
	}
}

func (c *city) node(lon, lat int64, tags ...string) int64 {
	c.next++
	c.nodes = append(c.nodes, cityNode{id: c.next, lon: lon, lat: lat, tags: tags})
	return c.next
}

func (c *city) at(x, y int) (lon, lat int64) {
	jitter := func() int64 { return c.rng.Int64N(cityStep/2) - cityStep/4 }
	return cityLon + int64(x)*cityStep + jitter(), cityLat + int64(y)*cityStep + jitter()
}

func (c *city) junctions() {
	for y := range c.size {
		for x := range c.size {
			lon, lat := c.at(x, y)
			var tags []string
			if rank(x) >= 3 && rank(y) >= 3 && c.rng.IntN(2) == 0 {
				tags = []string{"highway", "traffic_signals"}
			}
			c.grid = append(c.grid, c.node(lon, lat, tags...))
		}
	}
}

// rank says how important the street with this number is: 0 for most.
func rank(line int) int {
	r := 0
	for r < 5 && line%(2<<r) == 0 {
		r++
	}
	return r
}

var highways = [...]string{"residential", "residential", "tertiary", "secondary", "primary", "trunk"}

func (c *city) streets() {
	for line := range c.size {
		c.street(line, true)
		c.street(line, false)
	}
}

// street lays one line of the grid, in pieces, since small streets have gaps.
func (c *city) street(line int, across bool) {
	r := rank(line)
	var refs []int64
	flush := func() {
		if len(refs) > 1 {
			tags := []string{"highway", highways[r], "name", fmt.Sprintf("Street %d", c.rng.IntN(lastStreet))}
			if r < 2 && c.rng.IntN(6) == 0 {
				tags = append(tags, "oneway", "yes")
			}
			if r >= 3 {
				tags = append(tags, "maxspeed", fmt.Sprint(50+10*r), "lanes", "2")
			}
			c.ways = append(c.ways, cityWay{id: int64(len(c.ways) + 1), refs: refs, tags: tags})
		}
		refs = nil
	}
	for i := range c.size {
		x, y := i, line
		if !across {
			x, y = line, i
		}
		refs = append(refs, c.grid[y*c.size+x])
		if i+1 == c.size {
			break
		}
		if r < 2 && c.rng.IntN(10) < 3 || len(refs) > 60 {
			last := refs[len(refs)-1]
			gap := r < 2
			flush()
			if gap {
				continue
			}
			refs = append(refs, last)
		}
		for range c.rng.IntN(bends + 1) {
			lon, lat := c.at(x, y)
			refs = append(refs, c.node(lon, lat))
		}
	}
	flush()
}

// restrictions forbids a turn between every fiftieth pair of crossing streets.
func (c *city) restrictions() {
	at := map[int64][]int64{}
	for _, w := range c.ways {
		for _, ref := range w.refs {
			if ref <= int64(len(c.grid)) {
				at[ref] = append(at[ref], w.id)
			}
		}
	}
	for _, via := range c.grid {
		if ws := at[via]; len(ws) > 1 && c.rng.IntN(50) == 0 {
			kind := [...]string{"no_left_turn", "no_right_turn", "only_straight_on"}[c.rng.IntN(3)]
			c.rels = append(c.rels, cityTurn{
				id: int64(len(c.rels) + 1), from: ws[0], via: via, to: ws[1],
				tags: []string{"type", "restriction", "restriction", kind},
			})
		}
	}
}

func (c *city) building() {
	lon, lat := c.at(c.rng.IntN(c.size), c.rng.IntN(c.size))
	refs := make([]int64, 0, houseNodes+1)
	for i := range int64(houseNodes) {
		refs = append(refs, c.node(lon+i*20, lat+i*i*20))
	}
	refs = append(refs, refs[0])
	c.ways = append(c.ways, cityWay{id: int64(len(c.ways) + 1), refs: refs, tags: []string{"building", "yes"}})
}

type cityNode struct {
	id, lon, lat int64
	tags         []string
}

type cityWay struct {
	id   int64
	refs []int64
	tags []string
}

type cityTurn struct {
	id, from, via, to int64
	tags              []string
}

// write writes what was laid out.
func (c *city) write(to io.Writer) error {
	w := osmwrite.New(to, osmwrite.Options{})
	// The first error stays, and Close returns it.
	for _, n := range c.nodes {
		_ = w.Node(n.id, n.lon*10, n.lat*10, n.tags)
	}
	for _, v := range c.ways {
		_ = w.Way(v.id, v.refs, v.tags)
	}
	for _, r := range c.rels {
		_ = w.Relation(r.id, []osmwrite.Member{
			{Type: osmwrite.WayMember, Ref: r.from, Role: "from"},
			{Type: osmwrite.NodeMember, Ref: r.via, Role: "via"},
			{Type: osmwrite.WayMember, Ref: r.to, Role: "to"},
		}, r.tags)
	}
	return w.Close()
}
