package file

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// Writer gathers the sections of a file. It keeps what it is given by reference
// until the file is written.
type Writer struct {
	header
	content [][]byte
	sealed  bool
}

// NewWriter returns a writer for a file of a kind, in a version of that kind.
func NewWriter(kind Kind, version uint32) *Writer {
	return &Writer{header: header{kind: kind, kindVersion: version}}
}

// Bind notes that the file belongs to the one with the given id. It panics after
// ID, which covers the bound ids, and beyond 16 ids: a fault of the program.
func (w *Writer) Bind(id ID) {
	if w.sealed || len(w.bound) == maxBound {
		panic("file: Bind after ID or too often")
	}
	w.bound = append(w.bound, id)
}

// Put adds a section. T is made of sized numbers, in exported or blank fields
// without implicit padding; the name has 1 to 31 bytes and is not used twice: Put panics otherwise.
func Put[T any](w *Writer, name string, s []T) {
	if w.sealed || len(w.sections) == maxSections {
		panic("file: Put after ID or too often")
	}
	if name == "" || len(name) >= nameSize || w.find(name) != nil {
		panic("file: bad section name " + name)
	}
	b := bytesOf(s)
	w.content = append(w.content, b)
	w.sections = append(w.sections, entry{
		name:     name,
		length:   int64(len(b)),
		elemSize: uint32(elemSize[T]()),
	})
}

// ID returns the id of the file, which names its content. No sections can be
// added afterwards.
func (w *Writer) ID() ID {
	w.seal()
	return w.id
}

// seal places the sections and computes checksums and id.
func (w *Writer) seal() {
	if w.sealed {
		return
	}
	w.sealed = true
	end := w.size()
	for i := range w.sections {
		e := &w.sections[i]
		e.offset = align(end)
		e.checksum = crc32.Checksum(w.content[i], castagnoli)
		end = e.end()
	}
	w.fileSize = end
	w.id = contentID(&w.header, w.content)
}

// contentID hashes everything that is not derived.
func contentID(h *header, content [][]byte) ID {
	sum := sha256.New()
	head := append([]byte(nil), h.kind[:]...)
	head = binary.LittleEndian.AppendUint32(head, h.kindVersion)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(h.bound)))
	for _, id := range h.bound {
		head = append(head, id[:]...)
	}
	for i := range h.sections {
		e := &h.sections[i]
		head = append(head, e.name...)
		head = append(head, 0)
		head = binary.LittleEndian.AppendUint32(head, e.elemSize)
		head = binary.LittleEndian.AppendUint64(head, uint64(e.length))
		sum.Write(head)
		sum.Write(content[i])
		head = head[:0]
	}
	sum.Write(head)
	return ID(sum.Sum(nil)[:idSize])
}

// WriteTo writes the file to dst, front to back. It may be called again.
func (w *Writer) WriteTo(dst io.Writer) (int64, error) {
	w.seal()
	n, err := dst.Write(w.append(nil))
	written := int64(n)
	if err != nil {
		return written, err
	}
	var zeros [alignment]byte
	for i, b := range w.content {
		n, err := dst.Write(zeros[:w.sections[i].offset-written])
		written += int64(n)
		if err != nil {
			return written, err
		}
		n, err = dst.Write(b)
		written += int64(n)
		if err != nil {
			return written, fmt.Errorf("section %q: %w", w.sections[i].name, err)
		}
	}
	return written, nil
}

// WriteFile writes the file to path by [WriteAtomic].
func (w *Writer) WriteFile(path string) error {
	return WriteAtomic(path, func(dst io.Writer) error {
		_, err := w.WriteTo(dst)
		return err
	})
}
