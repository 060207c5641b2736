package routing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
)

// output is a file of a data set that waits to be written.
type output struct {
	suffix string
	w      *file.Writer
}

// staged is a file that is complete and waits for its name.
type staged struct {
	suffix, path string
	bytes        int64
}

// onDisk says whether the files are the builder's to write.
func (b *builder) onDisk() bool { return b.opt.Create == nil && b.opt.Output != "" }

// writeBase writes the network and the metric, and puts the files in the place of
// their copies in memory.
func (b *builder) writeBase(p *parts) error {
	w, err := graph.EncodeNetwork(p.net)
	if err != nil {
		return err
	}
	p.graphID = w.ID()
	if err := b.add(output{graphSuffix, w}); err != nil {
		return err
	}
	if w, err = graph.EncodeMetric(p.metric, p.graphID); err != nil {
		return err
	}
	p.metricID = w.ID()
	if err := b.add(output{metricSuffix, w}); err != nil {
		return err
	}
	if p.tags != nil {
		if err := b.add(output{tagsSuffix, p.tags.EncodeTags(p.graphID)}); err != nil {
			return err
		}
	}
	p.net, p.metric, p.tags, w = nil, nil, nil, nil
	network, err := graph.OpenNetwork(b.staged[0].path, graph.FileOptions{})
	if err != nil {
		return err
	}
	p.net, p.files = network.Network, append(p.files, network)
	metric, err := graph.OpenMetric(b.staged[1].path, network, graph.FileOptions{})
	if err != nil {
		return err
	}
	p.metric, p.files = metric.Metric, append(p.files, metric)
	debug.FreeOSMemory() // once a build, when half of what it needed is garbage
	return nil
}

// write writes the files that are not written yet.
func (b *builder) write(ctx context.Context, p *parts) error {
	var outputs []output
	if !b.onDisk() {
		network, err := graph.EncodeNetwork(p.net)
		if err != nil {
			return err
		}
		p.graphID = network.ID()
		metric, err := graph.EncodeMetric(cmp.Or(b.base, p.metric), p.graphID)
		if err != nil {
			return err
		}
		p.metricID = metric.ID()
		outputs = append(outputs, output{graphSuffix, network}, output{metricSuffix, metric})
		if p.tags != nil {
			outputs = append(outputs, output{tagsSuffix, p.tags.EncodeTags(p.graphID)})
		}
	}
	if b.cells != nil {
		outputs = append(outputs, output{cellsSuffix, b.cells.Encode(p.graphID)})
	}
	prepared, err := b.encodePrepared(p)
	if err != nil {
		return err
	}
	outputs = append(outputs, prepared...)
	if !b.onDisk() {
		return b.create(ctx, outputs)
	}
	for _, o := range outputs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.add(o); err != nil {
			return err
		}
	}
	return nil
}

// encodePrepared encodes what searches need. A metric with updates goes with each
// of them, so that the algorithms may have different ones.
func (b *builder) encodePrepared(p *parts) ([]output, error) {
	var outputs []output
	var metric *file.Writer
	if b.base != nil || b.metric != "" {
		var err error
		if metric, err = graph.EncodeMetric(p.metric, p.graphID); err != nil {
			return nil, err
		}
		p.metricID = metric.ID()
	}
	prefix := metricPrefix(b.metric)
	if b.metric != "" {
		// All of its files are of one metric.
		outputs = append(outputs, output{prefix + metricSuffix, metric})
	}
	add := func(suffix string, w *file.Writer) {
		if b.metric != "" {
			suffix = prefix + suffix
		} else if metric != nil {
			outputs = append(outputs, output{suffix + metricSuffix, metric})
		} else {
			b.stale = append(b.stale, suffix+metricSuffix)
		}
		outputs = append(outputs, output{suffix, w})
	}
	if p.hierarchy != nil {
		w := p.hierarchy.Encode(p.graphID, p.metricID)
		p.hierarchyID = w.ID()
		add(chSuffix, w)
	}
	if p.overlay != nil {
		w := p.overlay.Encode(p.graphID, p.metricID)
		p.overlayID = w.ID()
		add(mldSuffix, w)
	}
	if p.order != nil {
		w := p.order.Encode(p.ordered, p.graphID, p.metricID)
		p.orderID = w.ID()
		add(cchSuffix, w)
	}
	return outputs, nil
}

// create writes the files where the caller says.
func (b *builder) create(ctx context.Context, outputs []output) error {
	for _, o := range outputs {
		name := b.opt.Output + o.suffix
		if err := ctx.Err(); err != nil {
			return err
		}
		dst, err := b.opt.Create(name)
		if err != nil {
			return fmt.Errorf("create %s: %w", name, err)
		}
		n, err := o.w.WriteTo(dst)
		if err := errors.Join(err, dst.Close()); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		b.report.Files = append(b.report.Files, FileReport{name, n})
	}
	return nil
}

// unique returns what files are called, before their suffix is complete, that
// nobody else writes.
func unique() string { return fmt.Sprintf(".%08x.new", rand.Uint32()) }

// tryOutput returns the error that writing the files would end with now.
func (b *builder) tryOutput() error {
	if base := filepath.Base(b.opt.Output); os.IsPathSeparator(b.opt.Output[len(b.opt.Output)-1]) || base == "." || base == ".." {
		return errors.New("the output is a folder; add the name of the data set")
	}
	name := b.opt.Output + unique()
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(name))
}

// add writes a file beside the one whose name it is to take.
func (b *builder) add(o output) error {
	path := b.opt.Output + o.suffix + unique()
	if err := o.w.WriteFile(path); err != nil {
		return err
	}
	b.staged = append(b.staged, staged{suffix: o.suffix, path: path})
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	b.staged[len(b.staged)-1].bytes = info.Size()
	return nil
}

// discard removes the files that have not got their names.
func (b *builder) discard() {
	for _, f := range b.staged {
		_ = os.Remove(f.path)
	}
}

// evict gives memory back that holds what has been read of mapped files.
func (p *parts) evict() {
	for _, f := range p.files {
		if f, ok := f.(interface{ Evict() }); ok {
			f.Evict()
		}
	}
}
