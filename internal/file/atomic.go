package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
)

// WriteAtomic makes the file at path hold what write writes. The bytes go to a
// temporary name in the same folder and are synced before they take the name, so
// that a crash or a full disk leaves what was there before. On an error nothing
// is left behind.
func WriteAtomic(path string, write func(io.Writer) error) error {
	return writeAtomic(path, createNew, write)
}

// tempFile is what writeAtomic needs of an os.File.
type tempFile interface {
	io.WriteCloser
	Sync() error
}

func createNew(name string) (tempFile, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

func writeAtomic(path string, create func(string) (tempFile, error), write func(io.Writer) error) error {
	f, temp, err := createTemp(path, create)
	if err != nil {
		return &Error{File: path, Err: err}
	}
	done := false
	defer func() { // also if write panics
		if !done {
			_ = f.Close() // the first error says more
			_ = os.Remove(temp)
		}
	}()
	if err := write(f); err != nil {
		return &Error{File: path, Err: err}
	}
	if err := f.Sync(); err != nil {
		return &Error{File: path, Err: err}
	}
	if err := f.Close(); err != nil {
		return &Error{File: path, Err: err}
	}
	if err := os.Rename(temp, path); err != nil {
		return &Error{File: path, Err: err}
	}
	done = true
	if err := SyncFolder(filepath.Dir(path)); err != nil {
		return &Error{File: path, Err: err}
	}
	return nil
}

func createTemp(path string, create func(string) (tempFile, error)) (tempFile, string, error) {
	for attempt := 0; ; attempt++ {
		name := fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
		f, err := create(name)
		if err == nil || attempt == 100 || !errors.Is(err, fs.ErrExist) {
			return f, name, err
		}
	}
}

// SyncFolder makes renames in a folder durable, on systems where that takes a
// call.
func SyncFolder(name string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be synced there
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
