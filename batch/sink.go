package batch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// Format is that of the files of results.
type Format string

// The formats. Files of failures are lines of JSON always.
const (
	JSONLines Format = "jsonl"
	Parquet   Format = "parquet"
)

func (f Format) valid() bool { return f == JSONLines || f == Parquet }

// temporary is the folder, within that of the results, of files that are not
// complete.
const temporary = "_temporary"

func cutScheme(name string) (scheme, rest string, ok bool) {
	if i := strings.Index(name, "://"); i > 0 {
		return name[:i+3], name[i+3:], true
	}
	return "", name, false
}

// fileExists says whether there is a file.
func fileExists(ctx context.Context, fs filesystem.Interface, name string) bool {
	_, err := fs.Size(ctx, name)
	return err == nil
}

// newFile is a file that has its name only when it is complete.
type newFile struct {
	fs          filesystem.Interface
	temp, final string
	out         io.WriteCloser
	buf         *bufio.Writer
}

// create begins a file of a folder. Two workers may make the same one.
func create(ctx context.Context, fs filesystem.Interface, dir, name string) (*newFile, error) {
	f := &newFile{
		fs:    fs,
		temp:  join(dir, fmt.Sprintf("%s/%s.%016x", temporary, name, rand.Uint64())),
		final: join(dir, name),
	}
	out, err := fs.OpenWrite(ctx, f.temp)
	if err != nil {
		return nil, err
	}
	f.out, f.buf = out, bufio.NewWriterSize(out, 1<<18)
	return f, nil
}

// Write implements io.Writer.
func (f *newFile) Write(p []byte) (int, error) { return f.buf.Write(p) }

// commit completes the file.
func (f *newFile) commit(ctx context.Context) error {
	err := f.buf.Flush()
	if s, ok := f.out.(interface{ Sync() error }); ok && err == nil {
		err = s.Sync()
	}
	if err = errors.Join(err, f.out.Close()); err != nil {
		return fmt.Errorf("%s: %w", f.temp, err)
	}
	f.out = nil
	return filesystem.Rename(ctx, f.fs, f.temp, f.final)
}

// abandon removes a file that was not committed.
func (f *newFile) abandon(ctx context.Context) {
	if f.out == nil {
		return
	}
	_ = f.out.Close()
	if r, ok := f.fs.(filesystem.Remover); ok {
		_ = r.Remove(ctx, f.temp)
	}
}

// rowSink writes results in one of the formats.
type rowSink[R any] struct {
	*newFile
	columns *parquet.GenericWriter[R]
	line    func(r *R, dst []byte) []byte
	buf     []byte
	one     [1]R
}

// createRows begins a file of results. A group of that many rows is in memory, with
// Parquet.
func createRows[R any](ctx context.Context, fs filesystem.Interface, dir, name string, format Format, group int64, codec compress.Codec, line func(*R, []byte) []byte) (*rowSink[R], error) {
	f, err := create(ctx, fs, dir, name+"."+string(format))
	if err != nil {
		return nil, err
	}
	s := &rowSink[R]{newFile: f, line: line}
	if format == Parquet {
		s.columns = parquet.NewGenericWriter[R](f, parquet.MaxRowsPerRowGroup(group), parquet.Compression(codec))
	}
	return s, nil
}

func (s *rowSink[R]) write(r *R) error {
	if s.columns != nil {
		s.one[0] = *r
		_, err := s.columns.Write(s.one[:])
		return err
	}
	s.buf = append(s.line(r, s.buf[:0]), '\n')
	_, err := s.Write(s.buf)
	return err
}

func (s *rowSink[R]) commit(ctx context.Context) error {
	if s.columns != nil {
		if err := s.columns.Close(); err != nil {
			return err
		}
	}
	return s.newFile.commit(ctx)
}
