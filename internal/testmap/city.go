package testmap

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/klauspost/compress/zlib"
	"google.golang.org/protobuf/encoding/protowire"
)

// City writes a made-up country of about n OSM nodes as an .osm.pbf file, the
// same for the same seed: a jittered street grid with a hierarchy of roads,
// curves, gaps, one-way streets, names, signals and turn restrictions, and
// buildings that no road uses. It is what growth is measured on.
func City(w io.Writer, n int, seed uint64) error {
	c := city{rng: rand.New(rand.NewPCG(seed, 42)), out: pbfWriter{w: w}}
	return c.write(n)
}

const (
	cityStep   = 1000 // micro-degrees between junctions, about 100 m
	nodesABlob = 8000 // as the format's writers do
	waysABlob  = 4000 //
	bends      = 3    // most nodes between two junctions
	houseNodes = 5    // nodes of a building
	cityLon    = 6e6  // south-west corner, micro-degrees
	cityLat    = 45e6 //
	lastStreet = 100_000
)

type city struct {
	rng   *rand.Rand
	out   pbfWriter
	size  int // junctions along a side
	next  int64
	nodes []pbfNode
	ways  []pbfWay
	rels  []pbfRelation
	grid  []int64 // node id by junction
}

// write lays out the streets, then the buildings up to n nodes.
func (c *city) write(n int) error {
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
	return c.out.file(c.nodes, c.ways, c.rels)
}

func (c *city) node(lon, lat int64, tags ...string) int64 {
	c.next++
	c.nodes = append(c.nodes, pbfNode{id: c.next, lon: lon, lat: lat, tags: tags})
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
			c.ways = append(c.ways, pbfWay{id: int64(len(c.ways) + 1), refs: refs, tags: tags})
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
			c.rels = append(c.rels, pbfRelation{
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
	c.ways = append(c.ways, pbfWay{id: int64(len(c.ways) + 1), refs: refs, tags: []string{"building", "yes"}})
}

type pbfNode struct {
	id, lon, lat int64
	tags         []string
}

type pbfWay struct {
	id   int64
	refs []int64
	tags []string
}

type pbfRelation struct {
	id, from, via, to int64
	tags              []string
}

// pbfWriter writes the OSM PBF format, as far as a test needs it.
type pbfWriter struct {
	w   io.Writer
	ids map[string]uint64
	tab []string
}

func (p *pbfWriter) file(nodes []pbfNode, ways []pbfWay, rels []pbfRelation) error {
	var header []byte
	for _, f := range []string{"OsmSchema-V0.6", "DenseNodes"} {
		header = protowire.AppendTag(header, 4, protowire.BytesType)
		header = protowire.AppendString(header, f)
	}
	if err := p.blob("OSMHeader", header); err != nil {
		return err
	}
	for len(nodes) > 0 {
		k := min(nodesABlob, len(nodes))
		if err := p.block(2, func() []byte { return p.dense(nodes[:k]) }); err != nil {
			return err
		}
		nodes = nodes[k:]
	}
	for len(ways) > 0 {
		k := min(waysABlob, len(ways))
		if err := p.block(3, func() []byte { return p.each(k, func(i int) []byte { return p.way(ways[i]) }) }); err != nil {
			return err
		}
		ways = ways[k:]
	}
	if len(rels) == 0 {
		return nil
	}
	return p.block(4, func() []byte { return p.each(len(rels), func(i int) []byte { return p.relation(rels[i]) }) })
}

// each strings together n messages; the first tag is left to block.
func (p *pbfWriter) each(n int, message func(int) []byte) []byte {
	var out []byte
	for i := range n {
		out = protowire.AppendBytes(out, message(i))
	}
	return out
}

// block writes a primitive block of one group with the given field.
func (p *pbfWriter) block(field protowire.Number, body func() []byte) error {
	p.ids, p.tab = map[string]uint64{"": 0}, []string{""}
	messages := body()
	var group []byte
	if field == 2 {
		group = protowire.AppendTag(nil, field, protowire.BytesType)
		group = protowire.AppendBytes(group, messages)
	} else {
		for len(messages) > 0 {
			m, n := protowire.ConsumeBytes(messages)
			group = protowire.AppendTag(group, field, protowire.BytesType)
			group = protowire.AppendBytes(group, m)
			messages = messages[n:]
		}
	}
	var table []byte
	for _, s := range p.tab {
		table = protowire.AppendTag(table, 1, protowire.BytesType)
		table = protowire.AppendString(table, s)
	}
	var out []byte
	out = protowire.AppendTag(out, 1, protowire.BytesType)
	out = protowire.AppendBytes(out, table)
	out = protowire.AppendTag(out, 2, protowire.BytesType)
	out = protowire.AppendBytes(out, group)
	return p.blob("OSMData", out)
}

func (p *pbfWriter) blob(kind string, data []byte) error {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	var blob []byte
	blob = protowire.AppendTag(blob, 2, protowire.VarintType)
	blob = protowire.AppendVarint(blob, uint64(len(data)))
	blob = protowire.AppendTag(blob, 3, protowire.BytesType)
	blob = protowire.AppendBytes(blob, packed.Bytes())
	var head []byte
	head = protowire.AppendTag(head, 1, protowire.BytesType)
	head = protowire.AppendString(head, kind)
	head = protowire.AppendTag(head, 3, protowire.VarintType)
	head = protowire.AppendVarint(head, uint64(len(blob)))
	for _, part := range [][]byte{binary.BigEndian.AppendUint32(nil, uint32(len(head))), head, blob} {
		if _, err := p.w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func (p *pbfWriter) str(s string) uint64 {
	id, ok := p.ids[s]
	if !ok {
		id = uint64(len(p.tab))
		p.ids[s] = id
		p.tab = append(p.tab, s)
	}
	return id
}

func zigzags(out []byte, field protowire.Number, values []int64) []byte {
	var packed []byte
	last := int64(0)
	for _, v := range values {
		packed = protowire.AppendVarint(packed, protowire.EncodeZigZag(v-last))
		last = v
	}
	out = protowire.AppendTag(out, field, protowire.BytesType)
	return protowire.AppendBytes(out, packed)
}

func varints(out []byte, field protowire.Number, values []uint64) []byte {
	var packed []byte
	for _, v := range values {
		packed = protowire.AppendVarint(packed, v)
	}
	out = protowire.AppendTag(out, field, protowire.BytesType)
	return protowire.AppendBytes(out, packed)
}

func (p *pbfWriter) dense(nodes []pbfNode) []byte {
	var ids, lats, lons []int64
	var tags []uint64
	for _, n := range nodes {
		ids = append(ids, n.id)
		lats = append(lats, n.lat*10) // the format counts in 1e-7 degrees
		lons = append(lons, n.lon*10)
		for _, t := range n.tags {
			tags = append(tags, p.str(t))
		}
		tags = append(tags, 0)
	}
	out := zigzags(nil, 1, ids)
	out = zigzags(out, 8, lats)
	out = zigzags(out, 9, lons)
	return varints(out, 10, tags)
}

// element writes what ways and relations share: id, keys, values.
func (p *pbfWriter) element(id int64, tags []string) []byte {
	var keys, vals []uint64
	for i := 0; i < len(tags); i += 2 {
		keys = append(keys, p.str(tags[i]))
		vals = append(vals, p.str(tags[i+1]))
	}
	out := protowire.AppendTag(nil, 1, protowire.VarintType)
	out = protowire.AppendVarint(out, uint64(id))
	out = varints(out, 2, keys)
	return varints(out, 3, vals)
}

func (p *pbfWriter) way(w pbfWay) []byte { return zigzags(p.element(w.id, w.tags), 8, w.refs) }

func (p *pbfWriter) relation(r pbfRelation) []byte {
	out := p.element(r.id, r.tags)
	out = varints(out, 8, []uint64{p.str("from"), p.str("via"), p.str("to")})
	out = zigzags(out, 9, []int64{r.from, r.via, r.to})
	return varints(out, 10, []uint64{1, 0, 1}) // way, node, way
}
