package batch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"sort"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// fileRange is a part of a file: the lines that begin in it.
type fileRange struct {
	Path        string
	Start, End  int64 // bytes
	Part, Parts int   // number of the range, and of all
}

// input is a file as it was when the pipeline began.
type input struct {
	Path     string `json:"path"`
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"` // Unix time in nanoseconds, 0 where the file system does not tell

	seekable bool
}

// listInputs returns the files that a pattern names, sorted.
func listInputs(ctx context.Context, pattern string) ([]input, error) {
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	paths, err := fs.List(ctx, pattern)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("batch: no file is called %s", pattern)
	}
	sort.Strings(paths)
	inputs := make([]input, len(paths))
	for i, p := range paths {
		in := &inputs[i]
		in.Path = p
		if in.Size, err = fs.Size(ctx, p); err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		if m, ok := fs.(filesystem.LastModifiedGetter); ok {
			at, err := m.LastModified(ctx, p)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p, err)
			}
			in.Modified = at.UnixNano()
		}
		r, err := fs.OpenRead(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		_, in.seekable = r.(io.Seeker)
		if err := r.Close(); err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
	}
	return inputs, nil
}

// ranges cuts files into ranges of about the size. A file that cannot be read from
// its middle is one range.
func ranges(inputs []input, size int64) []fileRange {
	var all []fileRange
	for _, in := range inputs {
		parts := max(1, (in.Size+size/2)/size)
		if !in.seekable {
			parts = 1
		}
		for i := range parts {
			all = append(all, fileRange{Path: in.Path, Start: in.Size * i / parts, End: in.Size * (i + 1) / parts})
		}
	}
	for i := range all {
		all[i].Part, all[i].Parts = i, len(all)
	}
	return all
}

// maxLine is the length of a line beyond which it is not read.
const maxLine = 64 << 20

var errLongLine = fmt.Errorf("batch: the line is longer than %d bytes", maxLine)

// each calls do with each line of the range that has something in it. A line is
// valid until the next. Of one that is too long it gets the beginning, and
// errLongLine.
func (r *fileRange) each(ctx context.Context, do func(line []byte, fault error) error) (err error) {
	fs, err := filesystem.New(ctx, r.Path)
	if err != nil {
		return err
	}
	defer fs.Close()
	f, err := fs.OpenRead(ctx, r.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	at := r.Start
	if at > 0 {
		s, ok := f.(io.Seeker)
		if !ok {
			return fmt.Errorf("batch: %s cannot be read from byte %d on", r.Path, at)
		}
		// A line that begins at Start is this range's: look for the end of the one
		// before.
		at--
		if _, err := s.Seek(at, io.SeekStart); err != nil {
			return err
		}
	}
	l := lineReader{in: bufio.NewReaderSize(f, 1<<16)}
	for skip := r.Start > 0; at < r.End; skip = false {
		line, n, err := l.next()
		at += n
		if err != nil && !errors.Is(err, errLongLine) {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fmt.Errorf("%s: %w", r.Path, err)
		}
		if line = bytes.TrimSpace(line); skip || len(line) == 0 {
			continue
		}
		if err := do(line, err); err != nil {
			return err
		}
	}
	return nil
}

// lineReader reads lines into memory that is used again.
type lineReader struct {
	in  *bufio.Reader
	buf []byte
}

// next returns a line and the number of bytes that were read for it; io.EOF comes
// without a line.
func (l *lineReader) next() (line []byte, n int64, err error) {
	l.buf = l.buf[:0]
	for {
		piece, err := l.in.ReadSlice('\n')
		n += int64(len(piece))
		if n <= maxLine {
			l.buf = append(l.buf, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || n == 0):
			return nil, n, err
		case n > maxLine:
			return l.buf[:min(len(l.buf), 1<<10)], n, errLongLine
		}
		return l.buf, n, nil
	}
}

func join(dir, name string) string {
	if scheme, rest, ok := cutScheme(dir); ok {
		return scheme + path.Join(rest, name)
	}
	return path.Join(dir, name)
}
