package osmfile

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of XML input. OSM needs four levels, fifteen attributes and tags of a few kilobytes.
const (
	maxXMLTag   = 256 << 10 // bytes of one tag; also the buffer
	maxXMLDepth = 32
	maxXMLAttrs = 128
	maxXMLName  = 255
	maxXMLIdle  = 1 << 20 // bytes of text and comments between two tags

	maxEmptyReads = 100 // in a row
)

// A tokenizer splits XML into start and end tags. It exists because encoding/xml holds any attribute and text in memory
// whole, however long, and is an order of magnitude slower. It checks what well-formed means for tags, attributes and
// references, and passes over text, comments and CDATA without keeping them. Namespaces are left alone; a DOCTYPE must
// have no internal subset, so no entity can be defined.
type tokenizer struct {
	r       io.Reader
	buf     []byte
	lo, hi  int
	base    int64 // offset of buf[0] in the stream
	readErr error // met behind buf[hi]
	idle    int
	rooted  bool

	names []byte // of open elements, back to back
	depth int
	ends  [maxXMLDepth + 1]int // ends[i] is where the name at depth i begins

	// The tag last read; valid until the next call.
	at     int64
	start  bool // a start tag, else an end tag
	name   []byte
	attrs  []attr
	closed bool // an empty-element tag whose end comes next

	scratch []byte
	interns map[string]string
}

type attr struct {
	name, value []byte
	special     bool // value holds references or white space to be replaced
}

func newTokenizer(r io.Reader) *tokenizer {
	return &tokenizer{r: r, buf: make([]byte, maxXMLTag), interns: make(map[string]string)}
}

// fill reads until the buffer is full or the stream ends. It returns false if there was nothing to add.
func (t *tokenizer) fill() bool {
	if t.lo > 0 {
		copy(t.buf, t.buf[t.lo:t.hi])
		t.base += int64(t.lo)
		t.hi -= t.lo
		t.lo = 0
	}
	if t.readErr != nil || t.hi == len(t.buf) {
		return false
	}
	from, empty := t.hi, 0
	for t.hi < len(t.buf) && t.readErr == nil {
		n, err := t.r.Read(t.buf[t.hi:])
		t.hi += n
		t.readErr = err
		if empty++; n > 0 {
			empty = 0
		} else if empty == maxEmptyReads && err == nil {
			t.readErr = io.ErrNoProgress
		}
	}
	return t.hi > from
}

// have makes n bytes available from t.lo on.
func (t *tokenizer) have(n int) bool {
	return t.hi-t.lo >= n || t.fill() && t.hi-t.lo >= n
}

// ended explains why there are no more bytes.
func (t *tokenizer) ended() error {
	switch {
	case t.readErr != nil && !errors.Is(t.readErr, io.EOF):
		return t.readErr
	case !t.rooted:
		return fault(ErrNotOSM, "no XML element in it")
	case t.depth > 0:
		return fault(ErrTruncated, "the file ends within <%s>", t.names[t.ends[t.depth-1]:])
	}
	return io.EOF
}

func (t *tokenizer) fault(kind error, format string, args ...any) error {
	e := fault(kind, format, args...)
	e.Offset = t.base + int64(t.lo)
	return e
}

// tagFault is a fault of the tag last read.
func (t *tokenizer) tagFault(kind error, format string, args ...any) error {
	e := fault(kind, format, args...)
	e.Offset = t.at
	return e
}

// next reads the next tag. At the proper end of the document it returns [io.EOF].
func (t *tokenizer) next() error {
	if t.closed {
		t.closed, t.start = false, false
		t.pop()
		return nil
	}
	for {
		if err := t.text(); err != nil {
			return err
		}
		if !t.have(2) {
			return t.cut("a tag")
		}
		switch t.buf[t.lo+1] {
		case '/':
			return t.endTag()
		case '?':
			if err := t.instruction(); err != nil {
				return err
			}
		case '!':
			if err := t.declaration(); err != nil {
				return err
			}
		default:
			return t.startTag()
		}
	}
}

// cut is the error for an end of input, or of the buffer, inside something.
func (t *tokenizer) cut(what string) error {
	if t.hi-t.lo == len(t.buf) {
		return t.fault(ErrTooBig, "%s of more than %d bytes", what, len(t.buf))
	}
	if t.readErr != nil && !errors.Is(t.readErr, io.EOF) {
		return t.readErr
	}
	return t.fault(ErrTruncated, "the file ends within %s", what)
}

func (t *tokenizer) spend(n int) error {
	t.lo += n
	t.idle += n
	if t.idle > maxXMLIdle {
		return t.fault(ErrTooBig, "more than %d bytes without an XML element", maxXMLIdle)
	}
	return nil
}

// text passes over what stands before the next markup.
func (t *tokenizer) text() error {
	for {
		run := t.buf[t.lo:t.hi]
		i := bytes.IndexByte(run, '<')
		if i >= 0 {
			run = run[:i]
		}
		if t.depth == 0 {
			if rest := bytes.TrimLeft(t.unmarked(run), " \t\r\n"); len(rest) > 0 {
				kind := ErrCorrupt
				if !t.rooted {
					kind = ErrNotOSM
				}
				return t.fault(kind, "text outside of the XML element: %q", rest[:min(len(rest), 16)])
			}
		}
		if err := t.spend(len(run)); err != nil {
			return err
		}
		if i >= 0 {
			return nil
		}
		if !t.fill() {
			return t.ended()
		}
	}
}

// unmarked drops a byte order mark at the very start.
func (t *tokenizer) unmarked(run []byte) []byte {
	if t.base+int64(t.lo) == 0 {
		return bytes.TrimPrefix(run, []byte("\xef\xbb\xbf"))
	}
	return run
}

// through passes over everything up to and including mark.
func (t *tokenizer) through(mark, what string) error {
	for {
		if i := bytes.Index(t.buf[t.lo:t.hi], []byte(mark)); i >= 0 {
			return t.spend(i + len(mark))
		}
		if drop := t.hi - t.lo - len(mark) + 1; drop > 0 {
			if err := t.spend(drop); err != nil {
				return err
			}
		}
		if !t.fill() {
			return t.cut(what)
		}
	}
}

func (t *tokenizer) instruction() error {
	if t.have(5) && string(t.buf[t.lo:t.lo+5]) == "<?xml" {
		end := t.find('>')
		if end < 0 {
			return t.cut("the XML declaration")
		}
		head := string(bytes.ToLower(t.buf[t.lo : t.lo+end]))
		if _, enc, ok := strings.Cut(head, "encoding"); ok {
			enc = strings.Trim(enc, "= \t\r\n?\"'")
			enc, _, _ = strings.Cut(strings.ReplaceAll(enc, "'", `"`), `"`)
			if enc != "utf-8" && enc != "utf8" && enc != "us-ascii" {
				return t.fault(ErrUnsupported, "encoding %q; convert the file to UTF-8", enc)
			}
		}
	}
	return t.through("?>", "a processing instruction")
}

func (t *tokenizer) declaration() error {
	t.have(9)
	head := t.buf[t.lo:t.hi]
	switch {
	case bytes.HasPrefix(head, []byte("<!--")):
		if err := t.spend(4); err != nil {
			return err
		}
		return t.through("-->", "a comment")
	case bytes.HasPrefix(head, []byte("<![CDATA[")):
		if t.depth == 0 {
			return t.fault(ErrCorrupt, "CDATA outside of the XML element")
		}
		return t.through("]]>", "CDATA")
	case bytes.HasPrefix(head, []byte("<!DOCTYPE")):
		end := t.find('>')
		if end < 0 {
			return t.cut("a document type declaration")
		}
		if bytes.IndexByte(t.buf[t.lo:t.lo+end], '[') >= 0 {
			return t.fault(ErrUnsupported, "a document type with an internal subset")
		}
		return t.through(">", "a document type declaration")
	}
	return t.fault(ErrCorrupt, "malformed markup %q", head[:min(len(head), 9)])
}

// find returns the distance of c from t.lo, or -1 if the input or the buffer ends before.
func (t *tokenizer) find(c byte) int {
	for {
		if i := bytes.IndexByte(t.buf[t.lo:t.hi], c); i >= 0 {
			return i
		}
		if !t.fill() {
			return -1
		}
	}
}

func (t *tokenizer) endTag() error {
	end := t.find('>')
	if end < 0 {
		return t.cut("an end tag")
	}
	t.at, t.start, t.attrs = t.base+int64(t.lo), false, t.attrs[:0]
	name := bytes.TrimRight(t.buf[t.lo+2:t.lo+end], " \t\r\n")
	if t.depth == 0 {
		return t.fault(ErrCorrupt, "</%.40s> closes nothing", name)
	}
	if open := t.names[t.ends[t.depth-1]:]; !bytes.Equal(open, name) {
		return t.fault(ErrCorrupt, "<%s> closed by </%.40s>", open, name)
	}
	t.name = name
	t.pop()
	t.lo += end + 1
	t.idle = 0
	return nil
}

func (t *tokenizer) pop() {
	t.depth--
	t.names = t.names[:t.ends[t.depth]]
}

var errMore = errors.New("more input needed")

func (t *tokenizer) startTag() error {
	n, err := t.parseTag(t.buf[t.lo:t.hi])
	for errors.Is(err, errMore) {
		if !t.fill() {
			return t.cut("a tag")
		}
		n, err = t.parseTag(t.buf[t.lo:t.hi])
	}
	if err != nil {
		return err
	}
	if t.depth == 0 && t.rooted {
		return t.fault(ErrCorrupt, "a second root element <%s>", t.name)
	}
	if t.depth == maxXMLDepth {
		return t.fault(ErrTooBig, "more than %d elements within each other", maxXMLDepth)
	}
	t.at, t.start, t.rooted = t.base+int64(t.lo), true, true
	t.ends[t.depth] = len(t.names)
	t.names = append(t.names, t.name...)
	t.depth++
	t.lo += n
	t.idle = 0
	return nil
}

// parseTag reads the start tag at b[0] and returns its length, or errMore.
func (t *tokenizer) parseTag(b []byte) (int, error) {
	i := nameEnd(b, 1)
	if i == len(b) {
		return 0, errMore
	}
	if i == 1 || i > maxXMLName {
		return 0, t.fault(ErrCorrupt, "malformed tag %q", b[:min(len(b), 16)])
	}
	t.name, t.attrs, t.closed = b[1:i], t.attrs[:0], false
	for {
		before := i
		for i < len(b) && isSpace(b[i]) {
			i++
		}
		if i >= len(b) {
			return 0, errMore
		}
		switch b[i] {
		case '>':
			return i + 1, nil
		case '/':
			if i+1 >= len(b) {
				return 0, errMore
			}
			if b[i+1] != '>' {
				return 0, t.fault(ErrCorrupt, "malformed tag <%s>", t.name)
			}
			t.closed = true
			return i + 2, nil
		}
		end := nameEnd(b, i)
		if end == len(b) {
			return 0, errMore
		}
		a := attr{name: b[i:end]}
		if before == i || end == i || end-i > maxXMLName || len(t.attrs) == maxXMLAttrs {
			return 0, t.fault(ErrCorrupt, "malformed attributes of <%s>", t.name)
		}
		i = end
		for i < len(b) && isSpace(b[i]) {
			i++
		}
		if i < len(b) && b[i] == '=' {
			i++
		} else if i < len(b) {
			return 0, t.fault(ErrCorrupt, "attribute %s of <%s> has no value", a.name, t.name)
		}
		for i < len(b) && isSpace(b[i]) {
			i++
		}
		if i >= len(b) {
			return 0, errMore
		}
		quote := b[i]
		if quote != '"' && quote != '\'' {
			return 0, t.fault(ErrCorrupt, "attribute %s of <%s> is not quoted", a.name, t.name)
		}
		i++
		size := bytes.IndexByte(b[i:], quote)
		if size < 0 {
			return 0, errMore
		}
		a.value = b[i : i+size]
		for _, c := range a.value {
			if c == '&' || c < ' ' {
				a.special = true
			}
			if c == '<' {
				return 0, t.fault(ErrCorrupt, "attribute %s of <%s> holds a <", a.name, t.name)
			}
		}
		t.attrs = append(t.attrs, a)
		i += size + 1
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// nameEnd returns the end of the name at b[i].
func nameEnd(b []byte, i int) int {
	for i < len(b) {
		switch c := b[i]; c {
		case ' ', '\n', '\t', '\r', '=', '/', '>', '<', '"', '\'', '&':
			return i
		default:
			i++
		}
	}
	return i
}

// Interning saves most allocations: keys and short values repeat throughout a file.
const (
	maxInterned      = 1 << 14
	maxInternedBytes = 40
)

// value returns the value of an attribute with references resolved.
func (t *tokenizer) value(a attr) (string, error) {
	b := a.value
	if a.special {
		var err error
		if b, err = t.resolve(a); err != nil {
			return "", err
		}
	}
	if s, ok := t.interns[string(b)]; ok {
		return s, nil
	}
	if !utf8.Valid(b) {
		return "", t.tagFault(ErrCorrupt, "invalid UTF-8 in attribute %s of <%s>: %q", a.name, t.name, b[:min(len(b), 64)])
	}
	s := string(b)
	if len(b) <= maxInternedBytes {
		if len(t.interns) == maxInterned {
			clear(t.interns)
		}
		t.interns[s] = s
	}
	return s, nil
}

// resolve replaces references, and white space by blanks as XML demands for attributes.
func (t *tokenizer) resolve(a attr) ([]byte, error) {
	out := t.scratch[:0]
	b := a.value
	for i := 0; i < len(b); {
		c := b[i]
		switch {
		case c == '&':
			end := bytes.IndexByte(b[i:min(len(b), i+12)], ';')
			if end < 0 {
				return nil, t.tagFault(ErrCorrupt, "malformed reference in attribute %s of <%s>", a.name, t.name)
			}
			r, ok := reference(string(b[i+1 : i+end]))
			if !ok {
				return nil, t.tagFault(ErrCorrupt, "reference %q in attribute %s of <%s>", b[i:i+end+1], a.name, t.name)
			}
			out = utf8.AppendRune(out, r)
			i += end + 1
			continue
		case c == '\r' && i+1 < len(b) && b[i+1] == '\n':
			i++
			out = append(out, ' ')
		case isSpace(c):
			out = append(out, ' ')
		case c < ' ':
			return nil, t.tagFault(ErrCorrupt, "control character %#x in attribute %s of <%s>", c, a.name, t.name)
		default:
			out = append(out, c)
		}
		i++
	}
	t.scratch = out
	return out, nil
}

// reference resolves what stands between & and ; to a character that XML allows.
func reference(name string) (rune, bool) {
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	v, err := strconv.ParseUint(digits, base, 32)
	r := rune(v)
	if err != nil || v > utf8.MaxRune || !utf8.ValidRune(r) || v < ' ' && r != '\t' && r != '\n' && r != '\r' {
		return 0, false
	}
	return r, true
}
