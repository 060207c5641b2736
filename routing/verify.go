package routing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	slash "path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fourway-routing/fourway/graph"
)

// Verify checks every checksum and every index of a data set that Build wrote,
// for all algorithms that it was built for, and of all metrics that Rebuild wrote beside
// it: name is its path without the suffixes of the files. It reads the files as whole,
// which takes longer than Open's look at their heads. Of the options only Load, FS and
// Metrics matter, the latter being those that must be there. Its errors are those of Open.
func Verify(ctx context.Context, name string, opt Options) (err error) {
	if err := opt.Validate(); err != nil {
		return err
	}
	p := &parts{name: name}
	defer func() {
		err = errors.Join(damage(name, err), closeAll(p.files))
	}()
	network, err := p.openNetwork(&opt)
	if err != nil {
		return err
	}
	if err := network.Verify(); err != nil {
		return err
	}
	tags, err := p.openTags(&opt, network)
	if err == nil && tags != nil {
		err = tags.Verify()
	}
	if err != nil {
		return err
	}
	if err := p.verifyMetric(ctx, &opt, network); err != nil {
		return err
	}
	metrics, err := metricsBeside(name, opt.FS)
	if err != nil {
		return err
	}
	metrics = append(metrics, opt.Metrics...)
	slices.Sort(metrics)
	for _, metric := range slices.Compact(metrics) {
		q := &parts{name: name, metricName: metric, net: p.net}
		err := q.verifyMetric(ctx, &opt, network)
		p.files = append(p.files, q.files...)
		if err != nil {
			return err
		}
	}
	return nil
}

// metricsBeside returns the names of the metrics that have files beside those of a data
// set, in any order and more than once.
func metricsBeside(name string, files fs.FS) ([]string, error) {
	c, err := readCommit(files, name)
	if err != nil {
		return nil, err
	}
	if files == nil {
		files, name = os.DirFS(filepath.Dir(name)), filepath.Base(name)
	}
	entries, err := fs.ReadDir(files, slash.Dir(name))
	if err != nil {
		return nil, err
	}
	suffixes := slices.Collect(maps.Keys(c))
	for _, e := range entries {
		if suffix, ok := strings.CutPrefix(e.Name(), slash.Base(name)); ok {
			suffixes = append(suffixes, suffix)
		}
	}
	var metrics []string
	for _, suffix := range suffixes {
		kind := slash.Ext(suffix)
		metric := strings.TrimPrefix(strings.TrimSuffix(suffix, kind), ".")
		ours := kind == metricSuffix || kind == chSuffix || kind == mldSuffix || kind == cchSuffix
		// One with a graph is another data set, whose name has a point.
		if ours && suffix[0] == '.' && validMetric(metric) && !slices.Contains(suffixes, metricPrefix(metric)+graphSuffix) {
			metrics = append(metrics, metric)
		}
	}
	return metrics, nil
}

// verifyMetric verifies the files of a metric, for all algorithms.
func (p *parts) verifyMetric(ctx context.Context, opt *Options, network *graph.NetworkFile) error {
	if _, err := p.openMetric(opt, network, metricSuffix); err != nil {
		return err
	}
	base := p.metricID
	check := func(verify func() error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return verify()
	}
	verifyMetric := func() error { return p.metricFile.Verify(network.Network) }
	if err := check(verifyMetric); err != nil {
		return err
	}
	// Its metric may be another one.
	verifySearch := func(verify func() error) error {
		if p.metricID != base {
			if err := check(verifyMetric); err != nil {
				return err
			}
		}
		return check(verify)
	}
	var missing []error
	for _, open := range []func() (interface{ Verify() error }, error){
		func() (interface{ Verify() error }, error) { return p.openHierarchy(opt, network) },
		func() (interface{ Verify() error }, error) { return p.openOverlay(opt, network) },
		func() (interface{ Verify() error }, error) { return p.openOrder(opt, network) },
	} {
		f, err := open()
		if err == nil {
			err = verifySearch(f.Verify)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, err)
		case err != nil:
			return err
		}
	}
	if len(missing) == len(algorithmNames) {
		return errors.Join(missing...)
	}
	return nil
}

// damage makes an error of the packages below one of this package.
func damage(name string, err error) error {
	if err == nil {
		return nil
	}
	for _, kind := range []error{graph.ErrForeign, graph.ErrVersion, graph.ErrTruncated, graph.ErrCorrupt, graph.ErrMismatch} {
		if errors.Is(err, kind) {
			return &Error{Code: ErrCorrupt, Index: -1, Message: "data set " + name, cause: err}
		}
	}
	return fmt.Errorf("routing: open %s: %w", name, err)
}
