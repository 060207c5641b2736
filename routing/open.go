package routing

import (
	"errors"
	"fmt"
	"io"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
)

// The files of a data set, by what they add to its name.
const (
	graphSuffix  = ".graph"
	metricSuffix = ".metric"
	chSuffix     = ".ch"
)

// Open opens a data set that Build wrote: name is its path without the suffixes
// of the files. The caller closes the Engine.
//
// A file that is damaged, of another release, or of another data set gives an
// error that errors.Is ErrCorrupt and names the file and what to do; a file that
// is not there gives one that errors.Is fs.ErrNotExist.
func Open(name string, opt Options) (*Engine, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	p, err := open(name, &opt)
	if err != nil {
		_ = closeAll(p.files) // the first error says more
		return nil, damage(name, err)
	}
	return newEngine(*p, opt), nil
}

// open opens the files; those that are open after an error are in the parts.
func open(name string, opt *Options) (*parts, error) {
	p := &parts{name: name}
	f, err := p.file(graphSuffix, opt)
	if err != nil {
		return p, err
	}
	network, err := graph.DecodeNetwork(f)
	if err != nil {
		return p, err
	}
	if f, err = p.file(metricSuffix, opt); err != nil {
		return p, err
	}
	metric, err := graph.DecodeMetric(f, network)
	if err != nil {
		return p, err
	}
	if f, err = p.file(chSuffix, opt); err != nil {
		return p, err
	}
	hierarchy, err := ch.Decode(f, network, metric)
	if err != nil {
		return p, err
	}
	p.net, p.metric, p.hierarchy = network.Network, metric.Metric, hierarchy.Hierarchy
	p.graphID, p.metricID, p.pathID = network.ID(), metric.ID(), hierarchy.ID()
	if have, want := p.hierarchy.NumSets(), len(p.net.Properties.Excludable)+1; have != want {
		err = f.Fault("sets", 0, "%d sets of excluded classes, not %d", have, want)
	}
	return p, err
}

// file opens one file of the data set.
func (p *parts) file(suffix string, opt *Options) (*file.File, error) {
	var f *file.File
	var err error
	if opt.FS != nil {
		f, err = file.OpenFS(opt.FS, p.name+suffix)
	} else {
		f, err = file.Open(p.name+suffix, file.Options{Load: opt.Load == Heap})
	}
	if err != nil {
		return nil, err
	}
	p.files = append(p.files, io.Closer(f))
	return f, nil
}

// Validate returns everything that is wrong with the options.
func (o *Options) Validate() error {
	var faults []error
	if o.Algorithm != CH {
		faults = append(faults, fmt.Errorf("routing: Options.Algorithm has no meaning %d", o.Algorithm))
	}
	if o.Load > Heap {
		faults = append(faults, fmt.Errorf("routing: Options.Load has no meaning %d", o.Load))
	}
	if o.Workspaces < 0 {
		faults = append(faults, fmt.Errorf("routing: Options.Workspaces is negative: %d", o.Workspaces))
	}
	if o.WorkspaceBytes < 0 {
		faults = append(faults, fmt.Errorf("routing: Options.WorkspaceBytes is negative: %d", o.WorkspaceBytes))
	}
	l := &o.Limits
	if l.RouteCoordinates < 0 || l.NearestResults < 0 || !(l.DefaultRadius >= 0) {
		faults = append(faults, fmt.Errorf("routing: Options.Limits has a negative limit: %+v", *l))
	}
	return errors.Join(faults...)
}
