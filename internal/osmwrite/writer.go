package osmwrite

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
	"google.golang.org/protobuf/encoding/protowire"
)

// Options says what stands in the header of a file.
type Options struct {
	Generator string
	// Bounds are west, south, east and north in 1e-7 degrees; left out where
	// they are all zero.
	Bounds [4]int64
}

// kind is what a block holds, as the number of the field of its group.
type kind protowire.Number

const (
	none     kind = 0
	node     kind = 2
	way      kind = 3
	relation kind = 4
)

// String names elements of the kind.
func (k kind) String() string {
	switch k {
	case node:
		return "node"
	case way:
		return "way"
	}
	return "relation"
}

// A block ends when it has so many elements or bytes, whatever comes first. The
// format allows 32 MiB.
const (
	mostElements = 8000
	mostBytes    = 4 << 20
)

// Writer writes a file. The first error stays, and is that of all later calls.
type Writer struct {
	w      io.Writer
	err    error
	kind   kind  // of the block
	last   int64 // id written last
	number int   // elements in the block

	strings map[string]uint64 // of the block's table
	table   []byte

	// The columns of a block of nodes: differences to the last value.
	ids, lats, lons, tags []byte
	lat, lon, id          int64
	tagged                bool
	// The messages of a block of ways or relations.
	group []byte

	message, column, packed []byte // scratch
	deflated                bytes.Buffer
	zip                     *zlib.Writer
}

// New returns a Writer to w, with the header written.
func New(w io.Writer, opt Options) *Writer {
	p := &Writer{w: w, strings: map[string]uint64{}}
	p.zip = zlib.NewWriter(&p.deflated)
	p.reset()
	var header []byte
	if opt.Bounds != [4]int64{} {
		var box []byte
		// left, right, top, bottom, in nanodegrees
		for i, edge := range [...]int64{opt.Bounds[0], opt.Bounds[2], opt.Bounds[3], opt.Bounds[1]} {
			box = appendVarint(box, protowire.Number(i+1), protowire.EncodeZigZag(edge*100))
		}
		header = appendBytes(header, 1, box)
	}
	for _, f := range []string{"OsmSchema-V0.6", "DenseNodes"} {
		header = appendBytes(header, 4, []byte(f))
	}
	header = appendBytes(header, 5, []byte("Sort.Type_then_ID"))
	if opt.Generator != "" {
		header = appendBytes(header, 16, []byte(opt.Generator))
	}
	p.blob("OSMHeader", header)
	return p
}

// Node adds a node, its place in 1e-7 degrees. Tags are keys and values by turns.
func (p *Writer) Node(id, lon, lat int64, tags []string) error {
	if !p.begin(node, id) {
		return p.err
	}
	p.ids = protowire.AppendVarint(p.ids, protowire.EncodeZigZag(id-p.id))
	p.lats = protowire.AppendVarint(p.lats, protowire.EncodeZigZag(lat-p.lat))
	p.lons = protowire.AppendVarint(p.lons, protowire.EncodeZigZag(lon-p.lon))
	p.id, p.lat, p.lon = id, lat, lon
	for _, t := range tags {
		p.tags = protowire.AppendVarint(p.tags, p.text(t))
	}
	p.tagged = p.tagged || len(tags) > 0
	p.tags = append(p.tags, 0)
	return p.end(len(p.ids) + len(p.lats) + len(p.lons) + len(p.tags))
}

// Way adds a way.
func (p *Writer) Way(id int64, refs []int64, tags []string) error {
	if !p.begin(way, id) {
		return p.err
	}
	p.element(id, tags)
	p.column = p.column[:0]
	last := int64(0)
	for _, ref := range refs {
		p.column = protowire.AppendVarint(p.column, protowire.EncodeZigZag(ref-last))
		last = ref
	}
	p.message = appendBytes(p.message, 8, p.column)
	p.group = appendBytes(p.group, protowire.Number(way), p.message)
	return p.end(len(p.group))
}

// MemberType is the kind of a relation's member.
type MemberType uint8

// The kinds, as the format numbers them.
const (
	NodeMember MemberType = iota
	WayMember
	RelationMember
)

// Member is a member of a relation.
type Member struct {
	Type MemberType
	Ref  int64
	Role string
}

// Relation adds a relation.
func (p *Writer) Relation(id int64, members []Member, tags []string) error {
	if !p.begin(relation, id) {
		return p.err
	}
	p.element(id, tags)
	p.column = p.column[:0]
	for i := range members {
		p.column = protowire.AppendVarint(p.column, p.text(members[i].Role))
	}
	p.message = appendBytes(p.message, 8, p.column)
	p.column = p.column[:0]
	last := int64(0)
	for i := range members {
		p.column = protowire.AppendVarint(p.column, protowire.EncodeZigZag(members[i].Ref-last))
		last = members[i].Ref
	}
	p.message = appendBytes(p.message, 9, p.column)
	p.column = p.column[:0]
	for i := range members {
		p.column = protowire.AppendVarint(p.column, uint64(members[i].Type))
	}
	p.message = appendBytes(p.message, 10, p.column)
	p.group = appendBytes(p.group, protowire.Number(relation), p.message)
	return p.end(len(p.group))
}

// Close writes what is left. It does not close the io.Writer.
func (p *Writer) Close() error {
	p.flush()
	return p.err
}

// begin makes ready for an element, which must come behind those before it.
func (p *Writer) begin(k kind, id int64) bool {
	if p.err != nil {
		return false
	}
	if k < p.kind || k == p.kind && id <= p.last {
		p.err = fmt.Errorf("osmwrite: %s %d comes behind %s %d", k, id, p.kind, p.last)
		return false
	}
	if k != p.kind {
		p.flush()
		p.kind = k
	}
	p.last = id
	return p.err == nil
}

// end closes the block if it is full.
func (p *Writer) end(size int) error {
	p.number++
	if p.number == mostElements || size >= mostBytes {
		p.flush()
	}
	return p.err
}

// element starts p.message with what ways and relations share: id, keys, values.
func (p *Writer) element(id int64, tags []string) {
	p.message = appendVarint(p.message[:0], 1, uint64(id))
	for k := range 2 {
		p.column = p.column[:0]
		for i := k; i < len(tags); i += 2 {
			p.column = protowire.AppendVarint(p.column, p.text(tags[i]))
		}
		p.message = appendBytes(p.message, protowire.Number(2+k), p.column)
	}
}

// text returns the place of s in the block's table.
func (p *Writer) text(s string) uint64 {
	i, ok := p.strings[s]
	if !ok {
		i = uint64(len(p.strings))
		p.strings[s] = i
		p.table = appendBytes(p.table, 1, []byte(s))
	}
	return i
}

// reset begins a block.
func (p *Writer) reset() {
	p.number = 0
	clear(p.strings)
	p.table = p.table[:0]
	p.text("") // index 0 ends the tags of a node
	p.ids, p.lats, p.lons, p.tags, p.group = p.ids[:0], p.lats[:0], p.lons[:0], p.tags[:0], p.group[:0]
	p.id, p.lat, p.lon, p.tagged = 0, 0, 0, false
}

// flush writes the block.
func (p *Writer) flush() {
	if p.number == 0 || p.err != nil {
		return
	}
	if p.kind == node {
		p.message = appendBytes(p.message[:0], 1, p.ids)
		p.message = appendBytes(p.message, 8, p.lats)
		p.message = appendBytes(p.message, 9, p.lons)
		if p.tagged {
			p.message = appendBytes(p.message, 10, p.tags)
		}
		p.group = appendBytes(p.group[:0], protowire.Number(node), p.message)
	}
	p.packed = appendBytes(p.packed[:0], 1, p.table)
	p.packed = appendBytes(p.packed, 2, p.group)
	p.blob("OSMData", p.packed)
	p.reset()
}

// blob writes data under a header of its own.
func (p *Writer) blob(name string, data []byte) {
	p.deflated.Reset()
	p.zip.Reset(&p.deflated)
	_, _ = p.zip.Write(data) // to memory, which cannot fail
	_ = p.zip.Close()
	blob := appendVarint(nil, 2, uint64(len(data)))
	blob = appendBytes(blob, 3, p.deflated.Bytes())
	head := appendBytes(nil, 1, []byte(name))
	head = appendVarint(head, 3, uint64(len(blob)))
	for _, part := range [][]byte{binary.BigEndian.AppendUint32(nil, uint32(len(head))), head, blob} {
		if _, err := p.w.Write(part); err != nil && p.err == nil {
			p.err = err
		}
	}
}

func appendVarint(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}
