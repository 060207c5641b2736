package osmfile

import (
	"compress/bzip2"
	"context"
	"errors"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/paulmach/osm"
)

// Sizes of a batch of XML elements, and of one element.
const (
	xmlBatch    = 4096    // elements
	xmlParts    = 1 << 16 // tags, references and members, after which a batch ends
	maxXMLParts = 1 << 20 // of one element, above which it is refused
)

// xmlStream parses XML one batch at a time, by whichever worker asks; decompression runs ahead on a goroutine of its own.
type xmlStream struct {
	opts  *Options
	raw   *meter
	ahead *readAhead // nil for plain XML
	t     *tokenizer

	refs    []osm.NodeID
	end     WayEnd
	tags    []osm.Tag
	members []Member
}

func newXMLStream(f *File, r io.ReadCloser, opts *Options) (*xmlStream, error) {
	s := &xmlStream{opts: opts, raw: &meter{r: r}}
	var in io.Reader = s.raw
	switch f.format {
	case formatGzip:
		z, err := gzip.NewReader(s.raw)
		if err != nil {
			return nil, s.raw.fault(err)
		}
		in = z
	case formatBzip2:
		in = bzip2.NewReader(s.raw)
	}
	if f.format != formatXML {
		s.ahead = newReadAhead(in)
		in = s.ahead
	}
	s.t = newTokenizer(in)
	return s, nil
}

func (s *xmlStream) close() {
	if s.ahead != nil {
		s.ahead.close()
	}
	s.raw.r.Close()
}

func (s *xmlStream) position() int64 { return s.raw.n.Load() }

// A meter counts stored bytes, and keeps apart the errors of reading and those of decompressing.
type meter struct {
	r   io.ReadCloser
	n   atomic.Int64
	err atomic.Pointer[error]
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.n.Add(int64(n))
	if err != nil && !errors.Is(err, io.EOF) {
		m.err.CompareAndSwap(nil, &err)
	}
	return n, err
}

// fault classifies an error that came out of the tokenizer's reader.
func (m *meter) fault(err error) error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return err
	case m.err.Load() != nil:
		return readFault(*m.err.Load())
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return fault(ErrTruncated, "the compressed data end early")
	}
	return &Error{Offset: -1, Block: -1, Kind: ErrCorrupt, Err: err}
}

// tag moves to the next tag; the end of the document is io.EOF.
func (s *xmlStream) tag() error {
	err := s.t.next()
	if err == nil || err == io.EOF {
		return err
	}
	return s.raw.fault(err)
}

// root reads up to and including the root's start tag.
func (s *xmlStream) root() error {
	if err := s.tag(); err != nil {
		return err
	}
	switch string(s.t.name) {
	case "osm":
		return nil
	case "osmChange":
		return s.t.tagFault(ErrUnsupported, "it is a change file (osmChange); apply it to an extract first")
	}
	return s.t.tagFault(ErrNotOSM, "its root element is <%s>", s.t.name)
}

// maxHeaderTags is how far the header may reach into the file.
const maxHeaderTags = 64

func (s *xmlStream) readHeader(h *Header) error {
	if err := s.root(); err != nil {
		return err
	}
	var err error
	for _, a := range s.t.attrs {
		if string(a.name) == "generator" {
			if h.Generator, err = s.t.value(a); err != nil {
				return err
			}
		}
	}
	for range maxHeaderTags {
		if err := s.tag(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if !s.t.start || s.t.depth != 2 {
			continue
		}
		switch string(s.t.name) {
		case "node", "way", "relation":
			return nil
		case "bounds":
			h.Bounds = s.bounds()
		case "meta": // of the Overpass API
			for _, a := range s.t.attrs {
				if at, err := time.Parse(time.RFC3339, string(a.value)); err == nil && string(a.name) == "osm_base" {
					h.ReplicationTimestamp = at.UTC()
				}
			}
		}
	}
	return nil
}

// bounds reads a <bounds> tag; nil if it is incomplete, since nothing depends on it.
func (s *xmlStream) bounds() *osm.Bounds {
	var b osm.Bounds
	found := 0
	for _, a := range s.t.attrs {
		v, err := strconv.ParseFloat(string(a.value), 64)
		if err != nil {
			continue
		}
		found++
		switch string(a.name) {
		case "minlat":
			b.MinLat = v
		case "minlon":
			b.MinLon = v
		case "maxlat":
			b.MaxLat = v
		case "maxlon":
			b.MaxLon = v
		default:
			found--
		}
	}
	if found != 4 {
		return nil
	}
	return &b
}

// xmlDecoder is a worker's view of the stream: all parsing happens in next.
type xmlDecoder struct{ s *xmlStream }

func (s *xmlStream) newDecoder() decoder { return xmlDecoder{s} }

func (d xmlDecoder) decode(context.Context, *Block) (bool, error) { return true, nil }

func (d xmlDecoder) place(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Offset < 0 {
		e.Offset = d.s.t.at
	}
	return err
}

func (d xmlDecoder) close() {}

func (d xmlDecoder) next(ctx context.Context, b *Block) error {
	s := d.s
	if !s.t.rooted {
		if err := s.root(); err != nil {
			return err
		}
	}
	for n := 0; ; n++ {
		if n%256 == 255 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		err := s.tag()
		if errors.Is(err, io.EOF) && len(b.NodeIDs)+len(b.Ways)+len(b.Relations)+b.Unlocated > 0 {
			return nil // the next call meets the end again
		}
		if err != nil {
			return err
		}
		if !s.t.start || s.t.depth != 2 {
			continue
		}
		if err := s.element(b); err != nil {
			return err
		}
		if len(b.NodeIDs)+len(b.Ways)+len(b.Relations) >= xmlBatch || b.refs.taken+b.tags.taken+b.members.taken >= xmlParts {
			return nil
		}
	}
}

// element reads the element whose start tag was just met, if it is wanted. Others are passed over tag by tag.
func (s *xmlStream) element(b *Block) error {
	var kind Kind
	switch string(s.t.name) {
	case "node":
		kind = Nodes
	case "way":
		kind = Ways
	case "relation":
		kind = Relations
	}
	if kind&s.opts.Want == 0 {
		return nil
	}
	h, err := s.head(kind)
	if err != nil {
		return err
	}
	s.refs, s.tags, s.members, s.end = s.refs[:0], s.tags[:0], s.members[:0], WayEnd{}
	for {
		if err := s.tag(); err != nil {
			return err
		}
		if !s.t.start {
			if s.t.depth == 1 {
				break
			}
			continue
		}
		if s.t.depth != 3 {
			continue
		}
		var err error
		switch name := string(s.t.name); {
		case name == "tag":
			err = s.addTag()
		case name == "nd" && kind == Ways:
			err = s.addRef()
		case name == "member" && kind == Relations:
			err = s.addMember()
		}
		if err != nil {
			return err
		}
		if len(s.refs)+len(s.tags)+len(s.members) > maxXMLParts {
			return s.t.tagFault(ErrTooBig, "%v %d has more than %d tags, nodes or members", kind, h.id, maxXMLParts)
		}
	}
	if !h.deleted {
		s.emit(b, kind, &h)
	}
	return nil
}

// emit adds the element to the block.
func (s *xmlStream) emit(b *Block, kind Kind, h *xmlHead) {
	if kind == Nodes {
		if !h.hasLon || !h.hasLat {
			b.Unlocated++
			return
		}
		if !b.addNode(osm.NodeID(h.id), h.lon7, h.lat7) || len(s.tags) == 0 {
			return
		}
	}
	tags := osm.Tags(b.tags.take(len(s.tags)))
	copy(tags, s.tags)
	metas := &b.NodeMeta
	switch kind {
	case Nodes:
		b.Nodes = append(b.Nodes, Node{ID: osm.NodeID(h.id), Row: len(b.NodeIDs) - 1, Tags: tags})
	case Ways:
		refs := b.refs.take(len(s.refs))
		copy(refs, s.refs)
		b.Ways = append(b.Ways, Way{ID: osm.WayID(h.id), Refs: refs, Tags: tags, End: s.end})
		metas = &b.WayMeta
	case Relations:
		members := b.members.take(len(s.members))
		copy(members, s.members)
		b.Relations = append(b.Relations, Relation{ID: osm.RelationID(h.id), Members: members, Tags: tags})
		metas = &b.RelationMeta
	}
	if s.opts.Meta {
		*metas = append(*metas, h.meta)
	}
}

// xmlHead holds the attributes of a node, way or relation.
type xmlHead struct {
	id             int64
	lon7, lat7     int64
	hasLon, hasLat bool
	deleted        bool
	meta           Meta
}

func (s *xmlStream) head(kind Kind) (xmlHead, error) {
	var h xmlHead
	hasID := false
	for _, a := range s.t.attrs {
		ok := true
		switch string(a.name) {
		case "id":
			h.id, ok = parseInt(a.value)
			hasID = true
		case "lat":
			h.lat7, ok = parseDegrees(a.value)
			h.hasLat = true
		case "lon":
			h.lon7, ok = parseDegrees(a.value)
			h.hasLon = true
		case "visible":
			h.deleted = h.deleted || string(a.value) == "false"
		case "action": // of the editor JOSM
			h.deleted = h.deleted || string(a.value) == "delete"
		default:
			if s.opts.Meta {
				var err error
				if ok, err = s.metaAttr(&h.meta, a); err != nil {
					return h, err
				}
			}
		}
		if !ok {
			return h, s.t.tagFault(ErrCorrupt, "attribute %s of <%s> is %.40q", a.name, s.t.name, a.value)
		}
	}
	if !hasID {
		return h, s.t.tagFault(ErrCorrupt, "<%s> without id", s.t.name)
	}
	return h, nil
}

func (s *xmlStream) metaAttr(m *Meta, a attr) (bool, error) {
	var v int64
	ok := true
	var err error
	switch string(a.name) {
	case "version":
		v, ok = parseInt(a.value)
		m.Version = int32(v)
	case "changeset":
		v, ok = parseInt(a.value)
		m.Changeset = osm.ChangesetID(v)
	case "uid":
		v, ok = parseInt(a.value)
		m.UserID = osm.UserID(v)
	case "user":
		m.User, err = s.t.value(a)
	case "timestamp":
		at, bad := time.Parse(time.RFC3339, string(a.value))
		m.Timestamp, ok = at.Unix(), bad == nil
	}
	return ok, err
}

func (s *xmlStream) addTag() error {
	var tag osm.Tag
	var err error
	for _, a := range s.t.attrs {
		switch string(a.name) {
		case "k":
			tag.Key, err = s.t.value(a)
		case "v":
			tag.Value, err = s.t.value(a)
		}
		if err != nil {
			return err
		}
	}
	s.tags = append(s.tags, tag)
	return nil
}

func (s *xmlStream) addRef() error {
	if s.opts.WayEnds {
		s.end = s.refPlace()
	}
	for _, a := range s.t.attrs {
		if string(a.name) == "ref" {
			ref, ok := parseInt(a.value)
			if !ok {
				break
			}
			s.refs = append(s.refs, osm.NodeID(ref))
			return nil
		}
	}
	return s.t.tagFault(ErrCorrupt, "<nd> without a valid ref")
}

// refPlace reads the place of a node as far as it stands with its way.
func (s *xmlStream) refPlace() WayEnd {
	var lon7, lat7 int64
	hasLon, hasLat := false, false
	for _, a := range s.t.attrs {
		switch string(a.name) {
		case "lon":
			lon7, hasLon = parseDegrees(a.value)
		case "lat":
			lat7, hasLat = parseDegrees(a.value)
		}
	}
	if !hasLon || !hasLat {
		return WayEnd{}
	}
	return wayEnd(lon7, lat7)
}

func (s *xmlStream) addMember() error {
	var m Member
	hasRef := false
	for _, a := range s.t.attrs {
		var err error
		switch string(a.name) {
		case "type":
			switch string(a.value) {
			case "node":
				m.Type = osm.TypeNode
			case "way":
				m.Type = osm.TypeWay
			case "relation":
				m.Type = osm.TypeRelation
			}
		case "ref":
			m.Ref, hasRef = parseInt(a.value)
		case "role":
			m.Role, err = s.t.value(a)
		}
		if err != nil {
			return err
		}
	}
	if !hasRef || m.Type == "" {
		return s.t.tagFault(ErrCorrupt, "<member> without a valid type and ref")
	}
	s.members = append(s.members, m)
	return nil
}

// Read-ahead buffers: enough to keep the decompressor busy while a batch is parsed.
const (
	aheadBuffers = 4
	aheadSize    = 256 << 10
)

// readAhead reads a stream on a goroutine of its own.
type readAhead struct {
	full    chan aheadPart
	empty   chan []byte
	quit    chan struct{}
	done    sync.WaitGroup
	current aheadPart
	rest    []byte
}

type aheadPart struct {
	data []byte
	err  error // after data
}

func newReadAhead(r io.Reader) *readAhead {
	a := &readAhead{full: make(chan aheadPart, aheadBuffers), empty: make(chan []byte, aheadBuffers), quit: make(chan struct{})}
	for range aheadBuffers {
		a.empty <- nil
	}
	a.done.Go(func() { a.run(r) })
	return a
}

func (a *readAhead) run(r io.Reader) {
	defer func() {
		if p := recover(); p != nil {
			a.full <- aheadPart{err: fault(ErrCorrupt, "the decompressor failed: %v", p)}
		}
	}()
	for {
		var buf []byte
		select {
		case buf = <-a.empty:
		case <-a.quit:
			return
		}
		if buf == nil {
			buf = make([]byte, aheadSize)
		}
		n, err := r.Read(buf[:aheadSize])
		a.full <- aheadPart{data: buf[:n], err: err} // never blocks: there are no more parts than buffers
		if err != nil {
			return
		}
	}
}

func (a *readAhead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.current.err != nil {
			return 0, a.current.err
		}
		if a.current.data != nil {
			a.empty <- a.current.data
		}
		a.current = <-a.full
		a.rest = a.current.data
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

func (a *readAhead) close() {
	close(a.quit)
	a.done.Wait()
}
