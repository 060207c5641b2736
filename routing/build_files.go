package routing

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
)

// output is a file of a data set that waits to be written.
type output struct {
	suffix string
	w      *file.Writer
}

// write writes the files of a data set.
func (b *builder) write(ctx context.Context, p *parts) error {
	network, err := graph.EncodeNetwork(p.net)
	if err != nil {
		return err
	}
	p.graphID = network.ID()
	metric, err := graph.EncodeMetric(p.metric, p.graphID)
	if err != nil {
		return err
	}
	p.metricID = metric.ID()
	outputs := []output{{graphSuffix, network}, {metricSuffix, metric}}
	if p.hierarchy != nil {
		w := p.hierarchy.Encode(p.graphID, p.metricID)
		p.hierarchyID = w.ID()
		outputs = append(outputs, output{chSuffix, w})
	}
	if p.overlay != nil {
		w := p.overlay.Encode(p.graphID, p.metricID)
		p.overlayID = w.ID()
		outputs = append(outputs, output{mldSuffix, w})
	}
	if b.opt.Create != nil {
		return b.create(ctx, outputs)
	}
	return b.replace(ctx, outputs)
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
	name := b.opt.Output + unique()
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(name))
}

// replace writes the files beside the old ones, and lets them take their names
// when all are complete.
func (b *builder) replace(ctx context.Context, outputs []output) (err error) {
	unique := unique()
	defer func() {
		if err != nil {
			for _, o := range outputs {
				_ = os.Remove(b.opt.Output + o.suffix + unique) // may not be there
			}
		}
	}()
	for _, o := range outputs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := o.w.WriteFile(b.opt.Output + o.suffix + unique); err != nil {
			return err
		}
	}
	for _, o := range outputs {
		name := b.opt.Output + o.suffix
		if err := os.Rename(name+unique, name); err != nil {
			return err
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		b.report.Files = append(b.report.Files, FileReport{name, info.Size()})
	}
	return file.SyncFolder(filepath.Dir(b.opt.Output))
}
