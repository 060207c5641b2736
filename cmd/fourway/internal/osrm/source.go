package osrm

import (
	"errors"
	"io/fs"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/store"
)

// source says which data set a server serves.
type source interface {
	current() (served, error)
}

// served is a data set to serve.
type served struct {
	name     string // path without endings
	number   int    // grows with each osrm-datastore
	disabled []feature
}

// same says whether a server that serves o need not look at s. Two runs of
// osrm-datastore at once may take the same number, but never the same links.
func (s served) same(o served) bool { return s.number == o.number && s.name == o.name }

// folderSource is a data set in a folder, by its path without endings.
type folderSource string

func (s folderSource) current() (served, error) { return served{name: string(s)}, nil }

// storeSource is a dataset of osrm-datastore.
type storeSource struct {
	store *store.Store
	name  string
}

func (s storeSource) current() (served, error) {
	d, err := s.store.Get(s.name)
	if err != nil {
		return served{}, err
	}
	now := served{name: d.Base, number: d.Number}
	for _, name := range d.Disabled {
		now.disabled = append(now.disabled, feature(name))
	}
	return now, nil
}

func (t *tool) source(o *routedOptions) (source, error) {
	if *o.sharedMemory {
		t.log.infof("Loading from shared memory")
		s, err := store.Open()
		if err != nil {
			return nil, err
		}
		if _, err := s.Get(*o.dataset); errors.Is(err, fs.ErrNotExist) {
			return nil, t.failf("No shared memory block named %q: run osrm-datastore first", *o.dataset)
		}
		return storeSource{s, *o.dataset}, nil
	}
	name := dataSet(*o.base)
	if !t.complete(name, routedInputs) {
		return nil, t.failf("Required files are missing, cannot continue")
	}
	return folderSource(name), nil
}
