package routing

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fourway-routing/fourway/internal/file"
)

// Several files cannot take their names in one step of the file system. So a commit
// first writes, in one step, what is to take which name: from then on the data set
// is the new one, whatever has happened to the names when the power fails. Who opens
// it meanwhile, or afterwards, looks at the commit and takes each file from where it
// is.
const (
	commitSuffix = ".commit"
	commitHead   = "fourway commit 1\n"
	// maxCommit is the largest size of a commit in bytes, far above what is written.
	maxCommit = 1 << 16
)

// commit says which files are to take the names of a data set, by suffix.
type commit map[string]string

// encodeCommit writes a line for each file.
func encodeCommit(files []staged) []byte {
	text := []byte(commitHead)
	for _, f := range files {
		text = fmt.Appendf(text, "%s\t%s\n", f.suffix, filepath.Base(f.path))
	}
	return text
}

// decodeCommit is the inverse of encodeCommit. All files are beside the data set,
// whose name without folder is base.
func decodeCommit(base string, text []byte) (commit, error) {
	rest, ok := bytes.CutPrefix(text, []byte(commitHead))
	if !ok {
		return nil, errors.New("it does not begin as a commit does")
	}
	c := commit{}
	for line := range strings.Lines(string(rest)) {
		suffix, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case !ok || !strings.HasSuffix(line, "\n"):
			return nil, fmt.Errorf("the line %.80q is not whole", line)
		case !strings.HasPrefix(suffix, ".") || strings.ContainsAny(suffix+name, `/\`):
			return nil, fmt.Errorf("%.80q is not of the data set", suffix)
		case !strings.HasPrefix(name, base+suffix+".") || !strings.HasSuffix(name, ".new"):
			return nil, fmt.Errorf("%.80q is not a file that waits for its name", name)
		case c[suffix] != "":
			return nil, fmt.Errorf("%s is there twice", suffix)
		}
		c[suffix] = name
	}
	return c, nil
}

// readCommit reads the commit of a data set, which is nil if there is none.
func readCommit(files fs.FS, name string) (commit, error) {
	path := name + commitSuffix
	open := func() (fs.File, error) { return os.Open(path) }
	if files != nil {
		open = func() (fs.File, error) { return files.Open(path) }
	}
	f, err := open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxCommit))
	if err != nil {
		return nil, err
	}
	c, err := decodeCommit(filepath.Base(name), text)
	if err != nil {
		return nil, &Error{
			Code: ErrCorrupt, Index: -1, Message: fmt.Sprintf("%s is damaged: %v", path, err),
			Detail: "Build the data set again.",
		}
	}
	return c, nil
}

// finish gives files that a commit lists their names, and ends it. What it is broken
// off at, by an error or by the end of the process, can be finished later.
func (c commit) finish(name string) error {
	folder := filepath.Dir(name)
	for suffix, temporary := range c {
		err := os.Rename(filepath.Join(folder, temporary), name+suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // it has its name
			return err
		}
	}
	// The names are to outlast a power failure before the commit goes.
	if err := file.SyncFolder(folder); err != nil {
		return err
	}
	if err := os.Remove(name + commitSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// commit gives the files their names, all of them or none. It looks first for what
// would stop it half way.
func (b *builder) commit() error {
	name := b.opt.Output
	before, err := readCommit(nil, name)
	if err != nil && !errors.Is(err, ErrCorrupt) { // a new build is what helps then
		return err
	}
	if err := before.finish(name); err != nil {
		return err
	}
	for _, f := range b.staged {
		if info, err := os.Lstat(name + f.suffix); err == nil && info.IsDir() {
			return &fs.PathError{Op: "replace", Path: name + f.suffix, Err: errors.New("is a folder; remove it or choose another output")}
		}
	}
	if len(b.staged) > 1 {
		text := encodeCommit(b.staged)
		err = file.WriteAtomic(name+commitSuffix, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
		if err != nil {
			return err
		}
	}
	c := commit{}
	for _, f := range b.staged {
		c[f.suffix] = filepath.Base(f.path)
		b.report.Files = append(b.report.Files, FileReport{name + f.suffix, f.bytes})
	}
	b.staged = nil
	if err := c.finish(name); err != nil {
		return err
	}
	for _, suffix := range b.stale {
		if err := os.Remove(name + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return file.SyncFolder(filepath.Dir(name))
}

// file opens one file of the data set.
func (p *parts) file(suffix string, opt *Options) (*file.File, error) {
	suffix = metricPrefix(p.metricName) + suffix
	if !p.looked {
		c, err := readCommit(opt.FS, p.name)
		if err != nil {
			return nil, err
		}
		p.committing, p.looked = c, true
	}
	var f *file.File
	err := error(fs.ErrNotExist)
	if temporary, ok := p.committing[suffix]; ok {
		f, err = openPart(strings.TrimSuffix(p.name, filepath.Base(p.name))+temporary, opt)
	}
	if errors.Is(err, fs.ErrNotExist) {
		f, err = openPart(p.name+suffix, opt)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, p.absent(suffix, opt, err)
	}
	if err != nil {
		return nil, err
	}
	p.files = append(p.files, io.Closer(f))
	return f, nil
}

func openPart(path string, opt *Options) (*file.File, error) {
	if opt.FS != nil {
		return file.OpenFS(opt.FS, path)
	}
	return file.Open(path, file.Options{Load: opt.Load == Heap})
}
