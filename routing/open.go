package routing

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
	"github.com/fourway-routing/fourway/mld"
)

// The files of a data set, by what they add to its name.
const (
	graphSuffix  = ".graph"
	metricSuffix = ".metric" // of the profile; with updates, behind .ch or .mld
	chSuffix     = ".ch"
	mldSuffix    = ".mld"
	cchSuffix    = ".cch"
	tagsSuffix   = ".tags"  // if tags were kept
	cellsSuffix  = ".cells" // between steps of a build
)

// preparedSuffixes are those of the files that hold what searches need.
var preparedSuffixes = [...]string{chSuffix, mldSuffix, cchSuffix}

// Open opens a data set that Build wrote: name is its path without the suffixes
// of the files. The caller closes the Engine.
//
// A file that is damaged, of another release, or of another data set gives an
// error that errors.Is ErrCorrupt and names the file and what to do; a file that
// is not there gives one that errors.Is fs.ErrNotExist and says whether the name is
// wrong, or what the data set is built for.
func Open(name string, opt Options) (*Engine, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	opened, err := openAll(name, &opt)
	if errors.Is(err, graph.ErrMismatch) {
		// A build may have ended in between: the second look is at what it wrote.
		opened, err = openAll(name, &opt)
	}
	if err != nil {
		return nil, damage(name, err)
	}
	e := emptyEngine(opt)
	x := e.draft(nil)
	for _, p := range opened {
		x.open(p)
	}
	x.install()
	return e, nil
}

// openAll opens the files of the default metric and of those that are wanted besides.
func openAll(name string, opt *Options) ([]*parts, error) {
	p, err := open(name, opt)
	if err != nil {
		_ = closeAll(p.files) // the first error says more
		return nil, err
	}
	all := []*parts{p}
	for _, metric := range opt.Metrics {
		q, err := p.beside(metric, opt)
		all = append(all, q)
		if err != nil {
			for _, p := range all {
				_ = closeAll(p.files)
			}
			return nil, err
		}
	}
	return all, nil
}

// metricPrefix is what comes before the suffixes of the files of a metric.
func metricPrefix(metric string) string {
	if metric == "" {
		return ""
	}
	return "." + metric
}

// beside opens the files of another metric of the same network. Those that are open
// after an error are in the parts.
func (p *parts) beside(metric string, opt *Options) (*parts, error) {
	q := &parts{name: p.name, metricName: metric, net: p.net, graphID: p.graphID, network: p.network, tags: p.tags, below: p}
	return q, q.openSearch(opt, p.network)
}

// openSearch opens what the algorithm needs besides the network.
func (p *parts) openSearch(opt *Options, network *graph.NetworkFile) (err error) {
	switch opt.Algorithm {
	case MLD:
		_, err = p.openOverlay(opt, network)
	case CCH:
		_, err = p.openOrder(opt, network)
	default:
		_, err = p.openHierarchy(opt, network)
	}
	return err
}

// open opens the files; those that are open after an error are in the parts.
func open(name string, opt *Options) (*parts, error) {
	p := &parts{name: name}
	network, err := p.openNetwork(opt)
	if err != nil {
		return p, err
	}
	if _, err := p.openTags(opt, network); err != nil {
		return p, err
	}
	return p, p.openSearch(opt, network)
}

// openBase opens what extraction wrote.
func (p *parts) openBase(opt *Options) (*graph.NetworkFile, error) {
	network, err := p.openNetwork(opt)
	if err == nil {
		_, err = p.openMetric(opt, network, metricSuffix)
	}
	return network, err
}

func (p *parts) openNetwork(opt *Options) (*graph.NetworkFile, error) {
	f, err := p.file(graphSuffix, opt)
	if err != nil {
		return nil, err
	}
	network, err := graph.DecodeNetwork(f)
	if err != nil {
		return nil, err
	}
	p.net, p.network, p.graphID = network.Network, network, network.ID()
	return network, nil
}

// openTags opens the kept tags; there is no file, and no error, if there are none.
func (p *parts) openTags(opt *Options, network *graph.NetworkFile) (*graph.TagsFile, error) {
	f, err := p.file(tagsSuffix, opt)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	tags, err := graph.DecodeTags(f, network)
	if err != nil {
		return nil, err
	}
	p.tags = tags.Elements
	return tags, nil
}

// openMetric opens a metric of the network.
func (p *parts) openMetric(opt *Options, network *graph.NetworkFile, suffix string) (*graph.MetricFile, error) {
	f, err := p.file(suffix, opt)
	if err != nil {
		return nil, err
	}
	metric, err := graph.DecodeMetric(f, network)
	if err != nil {
		return nil, err
	}
	p.metricFile, p.metric, p.metricID = metric, metric.Metric, metric.ID()
	return metric, nil
}

// openMetricOf opens the metric that a prepared file was made for: its own, or
// else the profile's.
func (p *parts) openMetricOf(opt *Options, network *graph.NetworkFile, suffix string, prepared *file.File) (*graph.MetricFile, error) {
	count := len(p.files)
	metric, err := p.openMetric(opt, network, suffix+metricSuffix)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p.openMetric(opt, network, metricSuffix)
	case err != nil && !errors.Is(err, graph.ErrMismatch):
		return nil, err
	case err == nil && slices.Contains(prepared.Bound(), metric.ID()):
		return metric, nil
	}
	// It is left over from updates that count no more.
	err = closeAll(p.files[count:])
	p.files = p.files[:count]
	if err != nil {
		return nil, err
	}
	return p.openMetric(opt, network, metricSuffix)
}

func (p *parts) openHierarchy(opt *Options, network *graph.NetworkFile) (*ch.File, error) {
	f, err := p.file(chSuffix, opt)
	if err != nil {
		return nil, err
	}
	metric, err := p.openMetricOf(opt, network, chSuffix, f)
	if err != nil {
		return nil, err
	}
	h, err := ch.Decode(f, network, metric)
	if err != nil {
		return nil, err
	}
	p.hierarchy, p.hierarchyID = h.Hierarchy, h.ID()
	return h, p.checkSets(f, h.NumSets())
}

func (p *parts) openOverlay(opt *Options, network *graph.NetworkFile) (*mld.File, error) {
	f, err := p.file(mldSuffix, opt)
	if err != nil {
		return nil, err
	}
	metric, err := p.openMetricOf(opt, network, mldSuffix, f)
	if err != nil {
		return nil, err
	}
	o, err := mld.Decode(f, network, metric)
	if err != nil {
		return nil, err
	}
	p.overlay, p.overlayID = o.Overlay, o.ID()
	return o, p.checkSets(f, o.NumSets())
}

func (p *parts) openOrder(opt *Options, network *graph.NetworkFile) (*ch.OrderFile, error) {
	f, err := p.file(cchSuffix, opt)
	if err != nil {
		return nil, err
	}
	metric, err := p.openMetricOf(opt, network, cchSuffix, f)
	if err != nil {
		return nil, err
	}
	o, err := ch.DecodeOrder(f, network, metric)
	if err != nil {
		return nil, err
	}
	p.order, p.ordered, p.orderID = o.Order, o.Hierarchy, o.ID()
	return o, nil
}

// checkSets checks that a file has the sets of excluded classes of the profile.
func (p *parts) checkSets(f *file.File, have int) error {
	if want := len(p.net.Properties.Excludable) + 1; have != want {
		return f.Fault("sets", 0, "%d sets of excluded classes, not %d", have, want)
	}
	return nil
}

// Validate returns everything that is wrong with the options.
func (o *Options) Validate() error {
	var faults []error
	if !o.Algorithm.valid() {
		faults = append(faults, fmt.Errorf("routing: Options.Algorithm is %d: want CH, MLD or CCH", uint8(o.Algorithm)))
	}
	if o.Load > Heap {
		faults = append(faults, fmt.Errorf("routing: Options.Load is %d: want Map or Heap", o.Load))
	}
	if !o.Memory.Valid() {
		faults = append(faults, fmt.Errorf("routing: Options.Memory has no value %d", uint8(o.Memory)))
	}
	if o.Workspaces < 0 {
		faults = append(faults, fmt.Errorf("routing: Options.Workspaces is negative: %d", o.Workspaces))
	}
	for i, name := range o.Metrics {
		if !validMetric(name) || slices.Contains(o.Metrics[:i], name) {
			faults = append(faults, fmt.Errorf("routing: Options.Metrics[%d] is %q: want letters, digits, - and _, and each once", i, name))
		}
	}
	for hour, name := range o.Week {
		if name != "" && !slices.Contains(o.Metrics, name) {
			faults = append(faults, fmt.Errorf("routing: Options.Week[%d] is %q, which is not among Options.Metrics", hour, name))
			break
		}
	}
	if o.WorkspaceBytes < 0 {
		faults = append(faults, fmt.Errorf("routing: Options.WorkspaceBytes is negative: %d", o.WorkspaceBytes))
	}
	l := &o.Limits
	for _, limit := range []struct {
		name  string
		value float64
	}{
		{"RouteCoordinates", float64(l.RouteCoordinates)},
		{"NearestResults", float64(l.NearestResults)},
		{"TripCoordinates", float64(l.TripCoordinates)},
		{"MatchCoordinates", float64(l.MatchCoordinates)},
		{"MatchRadius", l.MatchRadius},
		{"Work", float64(l.Work)},
		{"DefaultRadius", l.DefaultRadius},
	} {
		if !(limit.value >= 0) {
			faults = append(faults, fmt.Errorf("routing: Options.Limits.%s is %v: want 0 (no limit) or more", limit.name, limit.value))
		}
	}
	return errors.Join(faults...)
}
