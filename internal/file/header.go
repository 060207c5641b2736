package file

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math"
)

const (
	magic            = "\x89FWY\r\n\x1a\n"
	containerVersion = 1

	headerSize = 64
	idSize     = 16
	entrySize  = 64
	nameSize   = 32
	alignment  = 64

	maxBound    = 16
	maxSections = 1024
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ID names the content of a file.
type ID [idSize]byte

// String returns the id in hexadecimal.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Kind says what a file holds, in four ASCII letters.
type Kind [4]byte

// String returns the letters.
func (k Kind) String() string { return string(k[:]) }

// entry is a line of the section table.
type entry struct {
	name     string
	offset   int64
	length   int64 // bytes
	elemSize uint32
	checksum uint32
}

func (e *entry) end() int64 { return e.offset + e.length }

// header is what precedes the sections.
type header struct {
	kind        Kind
	kindVersion uint32
	fileSize    int64
	id          ID
	bound       []ID
	sections    []entry
}

func (h *header) size() int64 {
	return headerSize + idSize*int64(len(h.bound)) + entrySize*int64(len(h.sections))
}

// align returns the next multiple of alignment.
func align(n int64) int64 { return (n + alignment - 1) &^ (alignment - 1) }

// append appends the encoded header to dst.
func (h *header) append(dst []byte) []byte {
	le := binary.LittleEndian
	start := len(dst)
	dst = append(dst, magic...)
	dst = le.AppendUint32(dst, containerVersion)
	dst = append(dst, h.kind[:]...)
	dst = le.AppendUint32(dst, h.kindVersion)
	dst = le.AppendUint32(dst, uint32(h.size()))
	dst = le.AppendUint64(dst, uint64(h.fileSize))
	dst = le.AppendUint32(dst, uint32(len(h.bound)))
	dst = le.AppendUint32(dst, uint32(len(h.sections)))
	dst = le.AppendUint64(dst, 0) // checksum and padding
	dst = append(dst, h.id[:]...)
	for _, id := range h.bound {
		dst = append(dst, id[:]...)
	}
	for i := range h.sections {
		e := &h.sections[i]
		var name [nameSize]byte
		copy(name[:], e.name)
		dst = append(dst, name[:]...)
		dst = le.AppendUint64(dst, uint64(e.offset))
		dst = le.AppendUint64(dst, uint64(e.length))
		dst = le.AppendUint32(dst, e.elemSize)
		dst = le.AppendUint32(dst, e.checksum)
		dst = le.AppendUint64(dst, 0)
	}
	le.PutUint32(dst[start+40:], crc32.Checksum(dst[start:], castagnoli))
	return dst
}

// fault is an Error before the file's name is known.
func fault(section string, offset int64, kind error, format string, args ...any) error {
	return &Error{Section: section, Offset: offset, Err: fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), kind)}
}

// parseHeader reads and checks the header of a file of the given bytes.
func parseHeader(data []byte) (*header, error) {
	le := binary.LittleEndian
	if len(data) < len(magic) {
		if bytes.HasPrefix([]byte(magic), data) {
			return nil, fault("", int64(len(data)), ErrTruncated, "no header")
		}
		return nil, fault("", 0, ErrForeign, "no magic number")
	}
	if string(data[:len(magic)]) != magic {
		return nil, fault("", 0, ErrForeign, "no magic number")
	}
	if len(data) < headerSize {
		return nil, fault("", int64(len(data)), ErrTruncated, "no header")
	}
	if v := le.Uint32(data[8:]); v != containerVersion {
		return nil, fault("", 8, ErrVersion, "container version %d, not %d", v, containerVersion)
	}
	h := &header{kind: Kind(data[12:16]), kindVersion: le.Uint32(data[16:]), id: ID(data[48:64])}
	size, fileSize := int64(le.Uint32(data[20:])), le.Uint64(data[24:])
	numBound, numSections := le.Uint32(data[32:]), le.Uint32(data[36:])
	if numBound > maxBound || numSections > maxSections ||
		size != headerSize+idSize*int64(numBound)+entrySize*int64(numSections) {
		return nil, fault("", 20, ErrCorrupt, "bad counts in header")
	}
	if size > int64(len(data)) {
		return nil, fault("", int64(len(data)), ErrTruncated, "no section table")
	}
	raw := bytes.Clone(data[:size])
	clear(raw[40:44])
	if sum := crc32.Checksum(raw, castagnoli); sum != le.Uint32(data[40:]) {
		return nil, fault("", 40, ErrCorrupt, "checksum of header is %08x", sum)
	}
	if fileSize > math.MaxInt64 {
		return nil, fault("", 24, ErrCorrupt, "file size out of range")
	}
	h.fileSize = int64(fileSize)
	switch have := int64(len(data)); {
	case have < h.fileSize:
		return nil, fault("", have, ErrTruncated, "%d of %d bytes", have, h.fileSize)
	case have > h.fileSize:
		return nil, fault("", h.fileSize, ErrCorrupt, "%d bytes more than %d", have-h.fileSize, h.fileSize)
	}
	at := int64(headerSize)
	for range numBound {
		h.bound = append(h.bound, ID(raw[at:]))
		at += idSize
	}
	h.sections = make([]entry, 0, numSections)
	end := size
	for range numSections {
		e, err := parseEntry(raw[at:at+entrySize], at, end, h.fileSize)
		if err != nil {
			return nil, err
		}
		if h.find(e.name) != nil {
			return nil, fault(e.name, at, ErrCorrupt, "second section of this name")
		}
		h.sections = append(h.sections, e)
		end = e.end()
		at += entrySize
	}
	if end != h.fileSize {
		return nil, fault("", end, ErrCorrupt, "sections end before the file")
	}
	return h, nil
}

// parseEntry reads the table line at offset at; the previous section ends at end.
func parseEntry(raw []byte, at, end, fileSize int64) (entry, error) {
	le := binary.LittleEndian
	name, rest, _ := bytes.Cut(raw[:nameSize], []byte{0})
	e := entry{name: string(name), elemSize: le.Uint32(raw[48:]), checksum: le.Uint32(raw[52:])}
	if len(name) == 0 || len(bytes.Trim(rest, "\x00")) != 0 {
		return e, fault("", at, ErrCorrupt, "bad section name")
	}
	offset, length := le.Uint64(raw[32:]), le.Uint64(raw[40:])
	if offset != uint64(align(end)) || offset > uint64(fileSize) || length > uint64(fileSize)-offset {
		return e, fault(e.name, at, ErrCorrupt, "section out of place")
	}
	e.offset, e.length = int64(offset), int64(length)
	if e.elemSize == 0 || e.length%int64(e.elemSize) != 0 {
		return e, fault(e.name, at, ErrCorrupt, "%d bytes are no multiple of an element of %d", e.length, e.elemSize)
	}
	return e, nil
}

func (h *header) find(name string) *entry {
	for i := range h.sections {
		if h.sections[i].name == name {
			return &h.sections[i]
		}
	}
	return nil
}
