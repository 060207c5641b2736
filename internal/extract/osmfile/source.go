package osmfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// source opens the input once per pass.
type source struct {
	name string
	size int64
	open func() (io.ReadCloser, error)
}

func pathSource(path string) (source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return source{}, readFault(err)
	}
	if !info.Mode().IsRegular() {
		return source{}, fault(ErrUnsupported, "is no regular file, and a file is read more than once: copy it to disk first")
	}
	return source{name: path, size: info.Size(), open: func() (io.ReadCloser, error) { return os.Open(path) }}, nil
}

func fsSource(fsys fs.FS, name string) (source, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return source{}, readFault(err)
	}
	if !info.Mode().IsRegular() {
		return source{}, fault(ErrUnsupported, "is no regular file")
	}
	return source{name: name, size: info.Size(), open: func() (io.ReadCloser, error) { return fsys.Open(name) }}, nil
}

func readerAtSource(r io.ReaderAt, size int64, name string) source {
	return source{name: name, size: size, open: func() (io.ReadCloser, error) {
		return section{io.NewSectionReader(r, 0, size)}, nil
	}}
}

func seekerSource(r io.ReadSeeker, name string) (source, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return source{}, readFault(err)
	}
	return source{name: name, size: size, open: func() (io.ReadCloser, error) {
		_, err := r.Seek(0, io.SeekStart)
		return seekCloser{r}, err
	}}, nil
}

// section keeps Seek, which io.NopCloser would hide.
type section struct{ *io.SectionReader }

func (section) Close() error { return nil }

type seekCloser struct{ io.ReadSeeker }

func (seekCloser) Close() error { return nil }

func readFault(err error) error {
	return &Error{Offset: -1, Block: -1, Kind: ErrRead, Err: err}
}

// endFault tells a file that ended early from one that cannot be read.
func endFault(err error, what string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault(ErrTruncated, "the file ends within %s", what)
	}
	return readFault(err)
}

// tape reads a stream forward and can pass over parts of it, by seeking where the stream allows.
type tape struct {
	r    io.ReadCloser
	pos  int64
	size int64
}

func (t *tape) readFull(p []byte) error {
	n, err := io.ReadFull(t.r, p)
	t.pos += int64(n)
	return err
}

// moveTo goes forward to an absolute position.
func (t *tape) moveTo(pos int64) error {
	if pos == t.pos {
		return nil
	}
	if s, ok := t.r.(io.Seeker); ok {
		if _, err := s.Seek(pos, io.SeekStart); err != nil {
			return err
		}
		t.pos = pos
		return nil
	}
	n, err := io.CopyN(io.Discard, t.r, pos-t.pos)
	t.pos += n
	return err
}
