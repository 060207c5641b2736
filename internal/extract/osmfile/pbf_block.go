package osmfile

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/paulmach/osm"
)

// Limits per block, far above what any writer makes (8,000 elements), that keep a hostile block from taking many times
// its own size. References and rows need none: one takes 8 or 16 bytes of memory for at least one byte inflated.
const (
	maxBlockGroups   = 64 << 10
	maxBlockStrings  = 4 << 20
	maxBlockElements = 1 << 20 // ways, relations
	maxBlockTags     = 4 << 20
	maxBlockMembers  = 2 << 20
)

// pbfDecoder is the state of one worker on a PBF file.
type pbfDecoder struct {
	s      *pbfStream
	in     inflater
	stored []byte // Blob message
	blob   blob
	number int

	// Of the block being read.
	table   []byte
	groups  [][]byte
	ways    int // about how many
	scale   scale
	strings stringTable
}

// scale turns stored integers into coordinates and times.
type scale struct {
	granularity int64 // nanodegrees per unit
	lonOffset   int64 // nanodegrees
	latOffset   int64
	date        int64 // milliseconds per unit
}

func (s *pbfStream) newDecoder() decoder { return &pbfDecoder{s: s} }

func (d *pbfDecoder) close() { d.in.close() }

func (d *pbfDecoder) place(err error) error {
	return located(err, d.s.file.src.name, d.number, d.blob.start)
}

func (d *pbfDecoder) next(ctx context.Context, _ *Block) error {
	b, n, data, err := d.s.fetch(ctx, d.stored)
	d.blob, d.number, d.stored = b, n, data
	return err
}

func (d *pbfDecoder) decode(ctx context.Context, b *Block) (bool, error) {
	var dispensable func([]byte, int) bool
	if d.s.opts.Want&Nodes == 0 && !d.blob.header {
		dispensable = onlyNodes
	}
	raw, err := d.in.inflate(ctx, d.stored, dispensable)
	if err != nil {
		return false, err
	}
	if raw == nil {
		return false, d.s.remember(d.number, Nodes)
	}
	if d.blob.header { // concatenated files have several
		if err := parseHeader(raw, &Header{}); err != nil {
			return false, err
		}
		return false, d.s.remember(d.number, 0)
	}
	kinds, err := d.outline(raw)
	if err != nil {
		return false, err
	}
	if err := d.s.remember(d.number, kinds); err != nil {
		return false, err
	}
	if kinds&d.s.opts.Want == 0 {
		return false, nil
	}
	if err := d.strings.reset(d.table); err != nil {
		return false, err
	}
	if d.s.opts.Want&Ways != 0 {
		b.Ways = slices.Grow(b.Ways, min(d.ways, maxBlockElements))
	}
	for _, group := range d.groups {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if err := d.decodeGroup(group, b); err != nil {
			return false, err
		}
	}
	return true, nil
}

// outline takes a PrimitiveBlock message apart and returns the kinds it holds.
func (d *pbfDecoder) outline(raw []byte) (Kind, error) {
	d.scale = scale{granularity: 100, date: 1000}
	d.table, d.groups = nil, d.groups[:0]
	m := message{rest: raw}
	for m.next() {
		switch m.num {
		case 1:
			d.table = m.bytes(d.table)
		case 2:
			if len(d.groups) <= maxBlockGroups {
				d.groups = append(d.groups, m.bytes(nil))
			}
		case 17:
			d.scale.granularity = int64(int32(m.varint()))
		case 18:
			d.scale.date = int64(int32(m.varint()))
		case 19:
			d.scale.latOffset = int64(m.varint())
		case 20:
			d.scale.lonOffset = int64(m.varint())
		}
	}
	if m.bad {
		return 0, fault(ErrCorrupt, "malformed block")
	}
	if len(d.groups) > maxBlockGroups {
		return 0, fault(ErrTooBig, "more than %d groups in one block", maxBlockGroups)
	}
	if d.scale.granularity <= 0 || d.scale.date <= 0 {
		return 0, fault(ErrCorrupt, "granularity %d of coordinates, %d of dates", d.scale.granularity, d.scale.date)
	}
	var kinds Kind
	d.ways = 0
	for _, group := range d.groups {
		held, n := survey(group)
		kinds |= held
		if held&Ways != 0 {
			d.ways += n
		}
	}
	return kinds, nil
}

// leastElement is less than any way with two nodes or relation with a member takes, in a group of its own.
const leastElement = 10

// onlyNodes tells from the first bytes of a PrimitiveBlock, of size bytes in all, that it holds dense nodes and nothing
// else of use: most blocks of a file are like that, and have a short string table, so that a pass over the ways can do with
// the first tenth of them. What may follow the group are the granularities.
func onlyNodes(start []byte, size int) bool {
	const stringTable, group, denseNodes = 1<<3 | 2, 2<<3 | 2, 2<<3 | 2
	key, i := uvarint(start, 0)
	if key == stringTable {
		i = skipBytes(start, i)
		key, i = uvarint(start, i)
	}
	if i < 0 || key != group {
		return false
	}
	length, i := uvarint(start, i)
	if i < 0 || length > uint64(size) {
		return false
	}
	end := i + int(length)
	key, i = uvarint(start, i)
	length, i = uvarint(start, i)
	return i >= 0 && key == denseNodes && length <= uint64(size) && i+int(length) == end && end <= size && size-end < leastElement
}

// skipBytes returns the index behind a length-delimited value at b[i], or -1 if that is not within b.
func skipBytes(b []byte, i int) int {
	n, i := uvarint(b, i)
	if i < 0 || n > uint64(len(b)-i) {
		return -1
	}
	return i + int(n)
}

// survey tells what a PrimitiveGroup holds, and how many fields. The format allows one kind per group, but nothing
// depends on it.
func survey(group []byte) (kinds Kind, fields int) {
	m := message{rest: group}
	for m.next() {
		kinds |= fieldKind(int32(m.num))
		fields++
	}
	return kinds, fields
}

func fieldKind(num int32) Kind {
	switch num {
	case 1, 2:
		return Nodes
	case 3:
		return Ways
	case 4:
		return Relations
	}
	return 0
}

func (d *pbfDecoder) decodeGroup(group []byte, b *Block) error {
	m := message{rest: group}
	for m.next() {
		if fieldKind(int32(m.num))&d.s.opts.Want == 0 {
			continue
		}
		data := m.bytes(nil)
		var err error
		switch m.num {
		case 1:
			err = d.decodeNode(data, b)
		case 2:
			err = d.decodeDense(data, b)
		case 3:
			err = d.decodeWay(data, b)
		case 4:
			err = d.decodeRelation(data, b)
		}
		if err != nil {
			return err
		}
		if len(b.Ways)+len(b.Relations) > maxBlockElements {
			return fault(ErrTooBig, "more than %d ways and relations in one block", maxBlockElements)
		}
	}
	if m.bad {
		return fault(ErrCorrupt, "malformed group of elements")
	}
	return nil
}

// lon7 and lat7 give 1e-7 degrees, cut off toward zero as libosmium does.
func (s *scale) lon7(v int64) int64 { return (v*s.granularity + s.lonOffset) / 100 }
func (s *scale) lat7(v int64) int64 { return (v*s.granularity + s.latOffset) / 100 }

func (s *scale) seconds(v int64) int64 { return v * s.date / 1000 }

// decodeDense reads a DenseNodes message: columns of equal length, each delta-coded.
func (d *pbfDecoder) decodeDense(data []byte, b *Block) error {
	var ids, lats, lons, keysVals, info []byte
	m := message{rest: data}
	for m.next() {
		switch m.num {
		case 1:
			ids = m.bytes(ids)
		case 5:
			info = m.bytes(info)
		case 8:
			lats = m.bytes(lats)
		case 9:
			lons = m.bytes(lons)
		case 10:
			keysVals = m.bytes(keysVals)
		}
	}
	if m.bad {
		return fault(ErrCorrupt, "malformed dense nodes")
	}
	var meta denseMeta
	withMeta := d.s.opts.Meta && info != nil
	if withMeta && !meta.reset(info) {
		return fault(ErrCorrupt, "malformed metadata of dense nodes")
	}
	// Rows are written in place: each iteration consumes one of the n varints in ids, and fills one row at most.
	n, base, filled := varints(ids), len(b.NodeIDs), 0
	b.NodeIDs = slices.Grow(b.NodeIDs, n)[:base+n]
	b.Lons = slices.Grow(b.Lons, n)[:base+n]
	b.Lats = slices.Grow(b.Lats, n)[:base+n]
	rowIDs, rowLons, rowLats := b.NodeIDs[base:], b.Lons[base:], b.Lats[base:]
	var id, lat, lon int64
	var i, la, lo, kv int
	for i < len(ids) {
		var v uint64
		v, i = uvarint(ids, i)
		id += zigzag(v)
		v, la = uvarint(lats, la)
		lat += zigzag(v)
		v, lo = uvarint(lons, lo)
		lon += zigzag(v)
		if i|la|lo < 0 {
			return fault(ErrCorrupt, "dense nodes: a column is malformed or too short")
		}
		lon7, lat7 := d.scale.lon7(lon), d.scale.lat7(lat)
		placed := onEarth(lon7, lat7)
		if placed {
			rowIDs[filled], rowLons[filled], rowLats[filled] = osm.NodeID(id), MicroDegrees(int32(lon7)), MicroDegrees(int32(lat7))
			filled++
		} else {
			b.Unlocated++
		}
		var who Meta
		if withMeta {
			var ok bool
			if who, ok = meta.next(d); !ok {
				return fault(ErrCorrupt, "malformed metadata of node %d", id)
			}
		}
		if kv >= len(keysVals) {
			continue
		}
		if keysVals[kv] == 0 {
			kv++
			continue
		}
		tags, next, err := d.denseTags(keysVals, kv, b)
		if err != nil {
			return ofElement(err, "node", id)
		}
		kv = next
		if !placed || len(tags) == 0 {
			continue
		}
		b.Nodes = append(b.Nodes, Node{ID: osm.NodeID(id), Row: base + filled - 1, Tags: tags})
		if d.s.opts.Meta {
			b.NodeMeta = append(b.NodeMeta, who)
		}
	}
	if la != len(lats) || lo != len(lons) || kv != len(keysVals) {
		return fault(ErrCorrupt, "dense nodes: columns of different length")
	}
	b.NodeIDs, b.Lons, b.Lats = b.NodeIDs[:base+filled], b.Lons[:base+filled], b.Lats[:base+filled]
	return nil
}

// denseTags reads the pairs of one node, key and value indexes up to a zero or the end, and returns where the next
// node's begin.
func (d *pbfDecoder) denseTags(keysVals []byte, from int, b *Block) (osm.Tags, int, error) {
	n, i := 0, from
	for i < len(keysVals) {
		var v uint64
		if v, i = uvarint(keysVals, i); i < 0 {
			return nil, 0, fault(ErrCorrupt, "malformed tags")
		}
		if v == 0 {
			break
		}
		n++
	}
	if n%2 != 0 {
		return nil, 0, fault(ErrCorrupt, "a key without value")
	}
	tags, err := d.takeTags(n/2, b)
	if err != nil {
		return nil, 0, err
	}
	j := from
	for t := range tags {
		var k, v uint64
		k, j = uvarint(keysVals, j)
		v, j = uvarint(keysVals, j)
		if err := d.setTag(&tags[t], k, v); err != nil {
			return nil, 0, err
		}
	}
	return tags, i, nil
}

func (d *pbfDecoder) takeTags(n int, b *Block) (osm.Tags, error) {
	if n > maxBlockTags-b.tags.taken {
		return nil, fault(ErrTooBig, "more than %d tags in one block", maxBlockTags)
	}
	return b.tags.take(n), nil
}

func (d *pbfDecoder) setTag(t *osm.Tag, key, value uint64) error {
	var ok bool
	if t.Key, ok = d.strings.at(key); ok {
		t.Value, ok = d.strings.at(value)
	}
	if !ok {
		return d.strings.fault(key, value)
	}
	return nil
}

// plainTags reads the parallel packed key and value indexes of elements other than dense nodes.
func (d *pbfDecoder) plainTags(keys, vals []byte, b *Block) (osm.Tags, error) {
	n := varints(keys)
	if n != varints(vals) {
		return nil, fault(ErrCorrupt, "keys and values differ in number")
	}
	tags, err := d.takeTags(n, b)
	if err != nil {
		return nil, err
	}
	var ki, vi int
	for t := range tags {
		var k, v uint64
		k, ki = uvarint(keys, ki)
		v, vi = uvarint(vals, vi)
		if ki|vi < 0 {
			return nil, fault(ErrCorrupt, "malformed tags")
		}
		if err := d.setTag(&tags[t], k, v); err != nil {
			return nil, err
		}
	}
	return tags, nil
}

// element holds the fields that nodes, ways and relations share.
type element struct {
	id               int64
	keys, vals, info []byte
}

// field takes a field of number 1 to 4.
func (e *element) field(m *message) {
	switch m.num {
	case 1:
		e.id = int64(m.varint())
	case 2:
		e.keys = m.bytes(e.keys)
	case 3:
		e.vals = m.bytes(e.vals)
	case 4:
		e.info = m.bytes(e.info)
	}
}

func (d *pbfDecoder) decodeNode(data []byte, b *Block) error {
	var e element
	var lat, lon uint64
	var seen int
	m := message{rest: data}
	for m.next() {
		switch m.num {
		case 8:
			lat, seen = m.varint(), seen|1
		case 9:
			lon, seen = m.varint(), seen|2
		default:
			e.field(&m)
		}
	}
	id := zigzag(uint64(e.id))
	if m.bad {
		return fault(ErrCorrupt, "malformed node %d", id)
	}
	if seen != 3 {
		b.Unlocated++
		return nil
	}
	if !b.addNode(osm.NodeID(id), d.scale.lon7(zigzag(lon)), d.scale.lat7(zigzag(lat))) || len(e.keys) == 0 {
		return nil
	}
	tags, err := d.plainTags(e.keys, e.vals, b)
	if err != nil {
		return ofElement(err, "node", id)
	}
	b.Nodes = append(b.Nodes, Node{ID: osm.NodeID(id), Row: len(b.NodeIDs) - 1, Tags: tags})
	return d.addMeta(&b.NodeMeta, e.info, "node", id)
}

func (d *pbfDecoder) decodeWay(data []byte, b *Block) error {
	var e element
	var packed, lats, lons []byte
	m := message{rest: data}
	for m.next() {
		switch m.num {
		case 8:
			packed = m.bytes(packed)
		case 9:
			lats = m.bytes(lats)
		case 10:
			lons = m.bytes(lons)
		default:
			e.field(&m)
		}
	}
	if m.bad {
		return fault(ErrCorrupt, "malformed way %d", e.id)
	}
	tags, err := d.plainTags(e.keys, e.vals, b)
	if err != nil {
		return ofElement(err, "way", e.id)
	}
	refs := b.refs.take(varints(packed))
	var ref int64
	i := 0
	for r := range refs {
		var v uint64
		v, i = uvarint(packed, i)
		ref += zigzag(v)
		refs[r] = osm.NodeID(ref)
	}
	if i != len(packed) {
		return fault(ErrCorrupt, "way %d: malformed node references", e.id)
	}
	w := Way{ID: osm.WayID(e.id), Refs: refs, Tags: tags}
	if d.s.opts.WayEnds && len(refs) > 0 && varints(lats) == len(refs) && varints(lons) == len(refs) {
		lat, ok1 := sumZigzag(lats)
		lon, ok2 := sumZigzag(lons)
		if !ok1 || !ok2 {
			return fault(ErrCorrupt, "way %d: malformed places of nodes", e.id)
		}
		w.End = wayEnd(d.scale.lon7(lon), d.scale.lat7(lat))
	}
	b.Ways = append(b.Ways, w)
	return d.addMeta(&b.WayMeta, e.info, "way", e.id)
}

// sumZigzag sums packed differences: the last of the numbers that they make.
func sumZigzag(packed []byte) (sum int64, ok bool) {
	i := 0
	for i >= 0 && i < len(packed) {
		var v uint64
		v, i = uvarint(packed, i)
		sum += zigzag(v)
	}
	return sum, i == len(packed)
}

func (d *pbfDecoder) decodeRelation(data []byte, b *Block) error {
	var e element
	var roles, ids, types []byte
	m := message{rest: data}
	for m.next() {
		switch m.num {
		case 8:
			roles = m.bytes(roles)
		case 9:
			ids = m.bytes(ids)
		case 10:
			types = m.bytes(types)
		default:
			e.field(&m)
		}
	}
	n := varints(ids)
	if m.bad || n != varints(roles) || n != varints(types) {
		return fault(ErrCorrupt, "malformed relation %d", e.id)
	}
	tags, err := d.plainTags(e.keys, e.vals, b)
	if err != nil {
		return ofElement(err, "relation", e.id)
	}
	if n > maxBlockMembers-b.members.taken {
		return fault(ErrTooBig, "more than %d members of relations in one block", maxBlockMembers)
	}
	members := b.members.take(n)
	var ref int64
	var ri, ii, ti int
	for k := range members {
		var role, id, kind uint64
		role, ri = uvarint(roles, ri)
		id, ii = uvarint(ids, ii)
		kind, ti = uvarint(types, ti)
		ref += zigzag(id)
		name, ok := d.strings.at(role)
		if ri|ii|ti < 0 || !ok || kind > 2 {
			return fault(ErrCorrupt, "relation %d: malformed member %d", e.id, k)
		}
		members[k] = Member{Type: memberTypes[kind], Ref: ref, Role: name}
	}
	b.Relations = append(b.Relations, Relation{ID: osm.RelationID(e.id), Members: members, Tags: tags})
	return d.addMeta(&b.RelationMeta, e.info, "relation", e.id)
}

var memberTypes = [...]osm.Type{osm.TypeNode, osm.TypeWay, osm.TypeRelation}

// ofElement names the element that a fault is about.
func ofElement(err error, kind string, id int64) error {
	if e, ok := err.(*Error); ok {
		return fault(e.Kind, "%s %d: %w", kind, id, e.Err)
	}
	return err
}

// addMeta appends the content of an Info message, if asked for.
func (d *pbfDecoder) addMeta(list *[]Meta, info []byte, kind string, id int64) error {
	if !d.s.opts.Meta {
		return nil
	}
	var meta Meta
	ok := true
	m := message{rest: info}
	for m.next() && ok {
		switch m.num {
		case 1:
			meta.Version = int32(m.varint())
		case 2:
			meta.Timestamp = d.scale.seconds(int64(m.varint()))
		case 3:
			meta.Changeset = osm.ChangesetID(m.varint())
		case 4:
			meta.UserID = osm.UserID(m.varint())
		case 5:
			meta.User, ok = d.strings.at(m.varint())
		}
	}
	if m.bad || !ok {
		return fault(ErrCorrupt, "%s %d: malformed metadata", kind, id)
	}
	*list = append(*list, meta)
	return nil
}

// denseMeta reads a DenseInfo message in step with the nodes.
type denseMeta struct {
	versions                             []byte
	version                              int
	times, changesets, userIDs, userSIDs column
}

func (dm *denseMeta) reset(info []byte) bool {
	m := message{rest: info}
	for m.next() {
		switch m.num {
		case 1:
			dm.versions = m.bytes(dm.versions)
		case 2:
			dm.times.data = m.bytes(dm.times.data)
		case 3:
			dm.changesets.data = m.bytes(dm.changesets.data)
		case 4:
			dm.userIDs.data = m.bytes(dm.userIDs.data)
		case 5:
			dm.userSIDs.data = m.bytes(dm.userSIDs.data)
		}
	}
	return !m.bad
}

func (dm *denseMeta) next(d *pbfDecoder) (Meta, bool) {
	var meta Meta
	if len(dm.versions) > 0 {
		var v uint64
		v, dm.version = uvarint(dm.versions, dm.version)
		meta.Version = int32(v)
	}
	meta.Timestamp = d.scale.seconds(dm.times.next())
	meta.Changeset = osm.ChangesetID(dm.changesets.next())
	meta.UserID = osm.UserID(dm.userIDs.next())
	user, ok := d.strings.at(uint64(dm.userSIDs.next()))
	meta.User = user
	return meta, ok && dm.version|dm.times.i|dm.changesets.i|dm.userIDs.i|dm.userSIDs.i >= 0
}

// A stringTable makes each string of a block at most once, when first used: most are names of users and keys of
// elements that nobody asked for.
type stringTable struct {
	data  []byte
	spans []span
	made  []string
}

type span struct{ lo, hi uint32 }

func (t *stringTable) reset(table []byte) error {
	t.data, t.spans = table, t.spans[:0]
	m := message{rest: table}
	for m.next() {
		if m.num == 1 {
			if len(t.spans) == maxBlockStrings {
				return fault(ErrTooBig, "more than %d strings in one block", maxBlockStrings)
			}
			s := m.bytes(nil)
			hi := uint32(len(table) - len(m.rest))
			t.spans = append(t.spans, span{hi - uint32(len(s)), hi})
		}
	}
	t.made = slices.Grow(t.made[:0], len(t.spans))[:len(t.spans)]
	clear(t.made)
	if m.bad {
		return fault(ErrCorrupt, "malformed string table")
	}
	return nil
}

// at returns string i, or false if there is none or it is no UTF-8. Index 0 is reserved and reads as empty.
func (t *stringTable) at(i uint64) (string, bool) {
	if i >= uint64(len(t.made)) {
		return "", i == 0
	}
	if s := t.made[i]; s != "" {
		return s, true
	}
	text := t.data[t.spans[i].lo:t.spans[i].hi]
	if !utf8.Valid(text) {
		return "", false
	}
	t.made[i] = string(text)
	return t.made[i], true
}

// fault explains which of the indexes failed.
func (t *stringTable) fault(indexes ...uint64) error {
	for _, i := range indexes {
		if i >= uint64(len(t.made)) {
			return fault(ErrCorrupt, "string %d of a table of %d", i, len(t.made))
		}
		if text := t.data[t.spans[i].lo:t.spans[i].hi]; !utf8.Valid(text) {
			return fault(ErrCorrupt, "invalid UTF-8 %q", text)
		}
	}
	return fault(ErrCorrupt, "malformed string")
}
