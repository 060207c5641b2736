package file

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"sync"

	"github.com/edsrzf/mmap-go"
)

// File is an open file, its header checked.
type File struct {
	header
	name string
	data []byte
	// mapped says that data is a mapping.
	mapped bool
	close  func() error
}

// Options say how to open a file.
type Options struct {
	// Load reads the file into the Go heap; otherwise it is mapped, and read
	// where it is touched.
	Load bool
}

// Open opens the file at path.
func Open(path string, o Options) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Err: err}
	}
	defer f.Close()
	if o.Load {
		return readFile(path, f)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, &Error{File: path, Err: err}
	}
	if info.Size() == 0 || !info.Mode().IsRegular() {
		return readFile(path, f) // what cannot be mapped
	}
	if info.Size() > math.MaxInt {
		return nil, &Error{File: path, Err: fmt.Errorf("%d bytes exceed the address space", info.Size())}
	}
	m, err := mmap.MapRegion(f, int(info.Size()), mmap.RDONLY, 0, 0)
	if err != nil {
		return nil, &Error{File: path, Err: err}
	}
	file, err := newFile(path, m, m.Unmap)
	if err != nil {
		_ = m.Unmap() // the first error says more
		return nil, err
	}
	file.mapped = true
	return file, nil
}

// OpenFS reads a file of a file system, such as an embedded one, into the Go
// heap.
func OpenFS(fsys fs.FS, name string) (*File, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, &Error{File: name, Err: err}
	}
	defer f.Close()
	return readFile(name, f)
}

// readFile reads an open file, whose Stat tells how much memory to take.
func readFile(name string, f fs.File) (*File, error) {
	var buf bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Size() > 0 && info.Size() < math.MaxInt-bytes.MinRead {
		buf.Grow(int(info.Size()) + bytes.MinRead)
	}
	return read(name, &buf, f)
}

// Read reads a file into the Go heap; name is what errors call it.
func Read(name string, r io.Reader) (*File, error) {
	return read(name, new(bytes.Buffer), r)
}

func read(name string, buf *bytes.Buffer, r io.Reader) (*File, error) {
	if _, err := buf.ReadFrom(r); err != nil {
		return nil, &Error{File: name, Offset: int64(buf.Len()), Err: err}
	}
	return Decode(name, buf.Bytes())
}

// Decode opens a file held in memory, which must not change until the file is
// no longer used; name is what errors call it.
func Decode(name string, data []byte) (*File, error) {
	if !aligned(data) {
		data = bytes.Clone(data)
	}
	return newFile(name, data, func() error { return nil })
}

func newFile(name string, data []byte, closeData func() error) (*File, error) {
	h, err := parseHeader(data)
	if err != nil {
		return nil, named(name, err)
	}
	return &File{header: *h, name: name, data: data, close: sync.OnceValue(closeData)}, nil
}

// named adds the file's name to an error.
func named(name string, err error) error {
	err.(*Error).File = name
	return err
}

// Close gives the mapping back. Slices from [Section] must not be touched
// afterwards.
func (f *File) Close() error {
	if err := f.close(); err != nil {
		return &Error{File: f.name, Err: err}
	}
	return nil
}

// Evict gives the memory of a mapping that has been read back to the system. What
// is touched afterwards is read again.
func (f *File) Evict() {
	if f.mapped {
		evict(f.data)
	}
}

// Name returns what errors call the file.
func (f *File) Name() string { return f.name }

// ID returns the file's id.
func (f *File) ID() ID { return f.id }

// Size returns the bytes of the file.
func (f *File) Size() int64 { return f.fileSize }

// Kind returns what the file holds, and the version of that.
func (f *File) Kind() (Kind, uint32) { return f.kind, f.kindVersion }

// Bound returns the ids of the files that this one was made for.
func (f *File) Bound() []ID { return slices.Clone(f.bound) }

// Expect checks that the file is of a kind and version, and was made for exactly
// the files with the given ids.
func (f *File) Expect(kind Kind, version uint32, bound ...ID) error {
	switch {
	case f.kind != kind:
		return named(f.name, fault("", 12, ErrForeign, "holds %q, not %q", f.kind, kind))
	case f.kindVersion != version:
		return named(f.name, fault("", 16, ErrVersion, "version %d of %q, not %d", f.kindVersion, kind, version))
	case len(f.bound) != len(bound):
		return named(f.name, fault("", 32, ErrCorrupt, "%d bound ids, not %d", len(f.bound), len(bound)))
	}
	for i, id := range bound {
		if f.bound[i] != id {
			return named(f.name, fault("", headerSize+idSize*int64(i), ErrMismatch, "made for %v, not %v", f.bound[i], id))
		}
	}
	return nil
}

// Section returns the elements of a section, in place where the machine allows.
// They are read-only.
func Section[T any](f *File, name string) ([]T, error) {
	e := f.find(name)
	if e == nil {
		return nil, named(f.name, fault(name, 0, ErrCorrupt, "no such section"))
	}
	if size := elemSize[T](); int(e.elemSize) != size {
		return nil, named(f.name, fault(name, e.offset, ErrCorrupt, "elements of %d bytes, not %d", e.elemSize, size))
	}
	return view[T](f.data[e.offset:e.end():e.end()]), nil
}

// Verify reads the whole file and checks checksums, padding and id.
func (f *File) Verify() error {
	end := f.size()
	content := make([][]byte, len(f.sections))
	for i := range f.sections {
		e := &f.sections[i]
		if pad := f.data[end:e.offset]; len(bytes.Trim(pad, "\x00")) != 0 {
			return named(f.name, fault(e.name, end, ErrCorrupt, "padding is not zero"))
		}
		content[i] = f.data[e.offset:e.end()]
		if sum := crc32.Checksum(content[i], castagnoli); sum != e.checksum {
			return named(f.name, fault(e.name, e.offset, ErrCorrupt, "checksum is %08x, not %08x", sum, e.checksum))
		}
		end = e.end()
	}
	if id := contentID(&f.header, content); id != f.id {
		return named(f.name, fault("", 48, ErrCorrupt, "id of the content is %v", id))
	}
	return nil
}

// Fault returns an error about a section whose content makes no sense: what is
// wrong with which element.
func (f *File) Fault(section string, element int, format string, args ...any) error {
	offset := int64(0)
	if e := f.find(section); e != nil {
		offset = e.offset + int64(element)*int64(e.elemSize)
	}
	return named(f.name, fault(section, offset, ErrCorrupt, format, args...))
}
