// Package store keeps named datasets for servers to follow: osrm-datastore puts
// them there, and osrm-routed --shared-memory serves them.
//
// A dataset is a link to the files of a data set, a hard one where the file
// system has it, so that the dataset stays what it was when the files get new
// versions or are removed. Files must not be overwritten in place, which the
// steps of a build never do. Nothing is copied into memory: servers map files and
// share what they read.
//
// The store is a folder: that of the environment variable SHM_LOCK_DIR if it is
// set, or one in the user's folder for caches, or else in that for temporary files.
// Other users may read it, if they are let into the folders above. For each dataset there is
// a record, replaced as a whole, and a folder of links. The functions are safe for
// use by any number of processes.
package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// suffixes are those of the files that a data set may have.
var suffixes = []string{".graph", ".metric", ".ch", ".ch.metric", ".mld", ".mld.metric", ".cch", ".cch.metric", ".tags"}

// Store is an open store.
type Store struct{ folder string }

// Dataset is a dataset in a store.
type Dataset struct {
	Name string
	// Number grows with each Put of the name.
	Number int
	// Base is the path of the data set that the dataset is, to which endings of
	// files are added.
	Base string
	// Source is the path that Put was told.
	Source string
	// Disabled are the features that servers do without.
	Disabled []string `json:",omitempty"`
	Files    []File
	// Links is the path of the folder of links, empty if Base is Source.
	Links string `json:",omitempty"`
}

// File is a file of a dataset.
type File struct {
	Suffix string
	Bytes  int64
}

// Open opens the store of the user, which it makes if need be.
func Open() (*Store, error) {
	if folder := os.Getenv("SHM_LOCK_DIR"); folder != "" {
		folder, err := filepath.Abs(folder)
		if err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		return OpenFolder(filepath.Join(folder, "datasets"))
	}
	if cache, err := os.UserCacheDir(); err == nil {
		if s, err := OpenFolder(filepath.Join(cache, "fourway", "datasets")); err == nil {
			return s, nil
		}
	}
	// The user has no home.
	return OpenFolder(filepath.Join(os.TempDir(), "fourway-"+strconv.Itoa(os.Getuid()), "datasets"))
}

// OpenFolder opens the store in a folder, given by an absolute path, which it makes
// if need be.
func OpenFolder(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return &Store{folder}, nil
}

const (
	recordPrefix, recordSuffix = "dataset-", ".json"
	linksPrefix                = "links-"
)

func (s *Store) record(name string) string {
	return filepath.Join(s.folder, recordPrefix+url.QueryEscape(name)+recordSuffix)
}

// Put makes the dataset of a name the data set at a path. Servers that follow the
// name go over to it.
func (s *Store) Put(name, source string, disabled []string) (*Dataset, error) {
	source, err := filepath.Abs(source)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	d := &Dataset{Name: name, Number: 1, Base: source, Source: source, Disabled: disabled}
	old, err := s.Get(name)
	switch {
	case err == nil:
		d.Number = old.Number + 1
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if err := s.link(d); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := s.write(d); err != nil {
		_ = removeLinks(d) // the first error says more
		return nil, fmt.Errorf("store: %w", err)
	}
	if old != nil {
		// Servers have its files open, or will read the record again. Where open
		// files cannot be removed Clear will.
		_ = removeLinks(old)
	}
	return d, nil
}

// link links the files of a dataset, in the store or, where that is another file
// system, beside the files. It leaves Base at the source where neither is possible.
func (s *Store) link(d *Dataset) error {
	for _, suffix := range suffixes {
		info, err := os.Stat(d.Source + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		d.Files = append(d.Files, File{suffix, info.Size()})
	}
	for _, parent := range []string{s.folder, filepath.Dir(d.Source)} {
		folder, err := os.MkdirTemp(parent, linksPrefix)
		if err != nil {
			continue // a folder that is not the user's
		}
		if base := filepath.Join(folder, "data"); os.Chmod(folder, 0o755) == nil && d.linkTo(base) {
			d.Base, d.Links = base, folder
			return nil
		}
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	return nil
}

// linkTo links the files of a dataset to names, and says whether that is possible.
func (d *Dataset) linkTo(base string) bool {
	for _, f := range d.Files {
		if os.Link(d.Source+f.Suffix, base+f.Suffix) != nil {
			return false
		}
	}
	return true
}

func removeLinks(d *Dataset) error {
	if d.Links == "" {
		return nil
	}
	return os.RemoveAll(d.Links)
}

// write replaces the record of a dataset.
func (s *Store) write(d *Dataset) error {
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(s.folder, "new-")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), s.record(d.Name))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error says more
	}
	return err
}

// Get returns the dataset of a name. If there is none the error is fs.ErrNotExist.
func (s *Store) Get(name string) (*Dataset, error) { return read(s.record(name)) }

func read(path string) (*Dataset, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	d := new(Dataset)
	if err := json.Unmarshal(data, d); err != nil {
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	if d.Links != "" && (!filepath.IsAbs(d.Links) || !strings.HasPrefix(filepath.Base(d.Links), linksPrefix)) {
		return nil, fmt.Errorf("store: %s: %q is no folder of links", path, d.Links)
	}
	return d, nil
}

// List returns all datasets by name.
func (s *Store) List() ([]*Dataset, error) {
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	var sets []*Dataset
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), recordPrefix) {
			continue
		}
		d, err := read(filepath.Join(s.folder, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since
		}
		if err != nil {
			return nil, err
		}
		sets = append(sets, d)
	}
	slices.SortFunc(sets, func(a, b *Dataset) int { return strings.Compare(a.Name, b.Name) })
	return sets, nil
}

// Clear removes all datasets. Servers go on with what they have.
func (s *Store) Clear() error {
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	var errs []error
	for _, e := range entries {
		path := filepath.Join(s.folder, e.Name())
		if d, err := read(path); err == nil {
			errs = append(errs, removeLinks(d))
		}
		errs = append(errs, os.RemoveAll(path))
	}
	return errors.Join(errs...)
}
