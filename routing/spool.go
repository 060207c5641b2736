package routing

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// defaultMaxInput is some times as much as the whole world takes.
const defaultMaxInput = 1 << 40

// spooled is what a reader held: in memory if that is little, else in a file that
// Close removes.
type spooled struct {
	io.ReaderAt
	size int64
	file *os.File // or nil
}

// spooledFrom is the size in bytes beyond which what is read goes to a file.
const spooledFrom = 64 << 20

// spool reads r to its end, most bytes at most, with a file in a folder; "" stands for
// that of the system for such files.
func spool(ctx context.Context, r io.Reader, most int64, folder string) (_ *spooled, err error) {
	r = &limited{ctx: ctx, r: r, most: most, left: most}
	head, err := io.ReadAll(io.LimitReader(r, spooledFrom))
	if err != nil {
		return nil, err
	}
	if len(head) < spooledFrom {
		return &spooled{ReaderAt: bytes.NewReader(head), size: int64(len(head))}, nil
	}
	file, err := os.CreateTemp(folder, "fourway-*.input")
	if err != nil {
		return nil, err
	}
	s := &spooled{ReaderAt: file, file: file}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.size, err = io.Copy(file, io.MultiReader(bytes.NewReader(head), r)); err != nil {
		return nil, err
	}
	return s, nil
}

// Close implements io.Closer.
func (s *spooled) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// limited is a reader that fails after so many bytes, and when the context is done.
type limited struct {
	ctx        context.Context
	r          io.Reader
	most, left int64
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, tooBig(l.most, "there are more than %d bytes; raise BuildOptions.MaxInput if they are meant", l.most)
	}
	return n, err
}
