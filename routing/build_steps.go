package routing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/mld"
	"github.com/fourway-routing/fourway/pool"
)

// StepOptions says what a step of a build works on: Partition, Customize or
// Contract.
type StepOptions struct {
	// Input is the path, without suffixes, of a data set that Extract wrote.
	Input string
	// Output is the path of the data set that the step writes to; empty stands
	// for Input.
	Output string
	// Like is as in BuildOptions, for Partition and Contract.
	Like string
	// CellSizes are the most search nodes that Partition puts into a cell of each
	// level, ascending; nil stands for sizes that suit a country.
	CellSizes []int
	// Metric, for Rebuild, names the metric to prepare beside the default one, whose
	// files stay as they are; Options.Metrics opens it. Empty stands for the default
	// one.
	Metric string
	// Algorithms, for Rebuild, are those to prepare for; empty stands for those that
	// Input is prepared for.
	Algorithms []Algorithm
	// Continue lets the updates of the last Customize or Contract of Input count
	// where Updates say nothing. Without it the weights begin as the profile gave
	// them.
	Continue bool
	// Updates change the weights that the profile gave, for Customize and
	// Contract.
	Updates Updates
	// Workers is the number of goroutines; 0 stands for one per processor. The
	// files do not depend on it.
	Workers int
	// Memory is as in BuildOptions, for Customize and Contract.
	Memory pool.Kind
	// Progress, if set, is called now and then, never by two goroutines at a
	// time.
	Progress func(Progress)
}

// Extract is the first step of Build on its own: it reads an extract and writes
// .graph and .metric, which Partition, Customize and Contract go on with.
// BuildOptions.Algorithms has no effect, and BuildReport.Info lacks what an
// algorithm adds. Updates of a data set of the same name are forgotten.
func Extract(ctx context.Context, opt BuildOptions) (*BuildReport, error) {
	opt.Algorithms = []Algorithm{MLD}
	b := builder{opt: opt}
	for _, suffix := range preparedSuffixes {
		b.stale = append(b.stale, suffix+metricSuffix)
	}
	return b.do(ctx, "extract", func(p *parts) error { return b.extract(ctx, p) })
}

// Partition reads .graph and writes .cells, which Customize reads.
func Partition(ctx context.Context, opt StepOptions) (*BuildReport, error) {
	b := opt.builder(MLD)
	return b.do(ctx, "partition", func(p *parts) error {
		p.name = opt.Input
		_, err := p.openNetwork(&Options{})
		if err != nil {
			return err
		}
		b.cells, err = b.divideLike(ctx, p, opt.CellSizes)
		return err
	})
}

// Customize reads .graph, .metric and .cells and writes .mld: what Open needs for
// MLD. It is run again when the metric has changed.
func Customize(ctx context.Context, opt StepOptions) (*BuildReport, error) {
	b := opt.builder(MLD)
	return b.do(ctx, "customize", func(p *parts) error {
		p.name = opt.Input
		network, err := p.openBase(&Options{})
		if err != nil {
			return err
		}
		f, err := p.file(cellsSuffix, &Options{})
		if err != nil {
			return err
		}
		cells, err := mld.DecodeCells(f, network)
		if err != nil {
			return err
		}
		if err := b.updateFrom(ctx, p, network, opt.Continue); err != nil {
			return err
		}
		return b.customize(ctx, p, cells)
	})
}

// Contract reads .graph and .metric and writes .ch: what Open needs for CH. It is
// run again when the metric has changed. It then keeps the order of the .ch that is
// there, which takes half of the time, unless the weight of more than a quarter of the
// search nodes has changed since, or against the profile's: searches settle up to a
// twentieth more nodes then, and would settle a tenth more with an order that suits none
// of the weights. BuildReport.Like tells which it was.
func Contract(ctx context.Context, opt StepOptions) (*BuildReport, error) {
	b := opt.builder(CH)
	return b.do(ctx, "contract", func(p *parts) error {
		p.name = opt.Input
		network, err := p.openBase(&Options{})
		if err != nil {
			return err
		}
		if err := b.updateFrom(ctx, p, network, opt.Continue); err != nil {
			return err
		}
		if opt.Like == "" {
			return b.again(ctx, p, network, CH)
		}
		like, err := b.openLike(p)
		if err != nil {
			return err
		}
		return b.contractLike(ctx, p, like)
	})
}

// Rebuild prepares a data set anew for its searches, with Updates: it keeps the cells of
// .mld and the order of .cch, which suit any weights, and contracts .ch again as
// Contract does. Of
// StepOptions.Algorithms it prepares anew what Input is not prepared for. With
// StepOptions.Metric it writes the files of another metric of the same network:
// .NAME.metric, .NAME.mld and so on. Nothing is extracted.
func Rebuild(ctx context.Context, opt StepOptions) (*BuildReport, error) {
	b := opt.builder(MLD)
	b.metric = opt.Metric
	return b.do(ctx, "rebuild", func(p *parts) error {
		if opt.Metric != "" && !validMetric(opt.Metric) {
			return errMetricName(opt.Metric)
		}
		p.name = opt.Input
		if opt.Metric != "" && p.exists(metricPrefix(opt.Metric)+graphSuffix, &Options{}) {
			return fmt.Errorf("%s is another data set; choose another name for the metric", opt.Input+metricPrefix(opt.Metric))
		}
		network, err := p.openBase(&Options{})
		if err != nil {
			return err
		}
		b.opt.Algorithms = opt.Algorithms
		for a := range Algorithm(len(algorithmNames)) {
			if len(opt.Algorithms) == 0 && p.exists("."+a.String(), &Options{}) {
				b.opt.Algorithms = append(b.opt.Algorithms, a)
			}
		}
		if len(b.opt.Algorithms) == 0 {
			return p.absent(chSuffix, &Options{}, fs.ErrNotExist)
		}
		if err := b.updateFrom(ctx, p, network, opt.Continue); err != nil {
			return err
		}
		for _, a := range b.opt.Algorithms {
			if err := b.again(ctx, p, network, a); err != nil {
				return err
			}
		}
		return nil
	})
}

// again prepares for an algorithm with what does not depend on weights as it is.
func (b *builder) again(ctx context.Context, p *parts, network *graph.NetworkFile, a Algorithm) error {
	before := &parts{name: p.name, net: p.net}
	defer func() { p.files = append(p.files, before.files...) }()
	switch a {
	case MLD:
		f, err := before.openOverlay(&Options{}, network)
		if errors.Is(err, fs.ErrNotExist) {
			return b.partitionAll(ctx, p)
		}
		if err != nil {
			return err
		}
		return b.customize(ctx, p, f.Cells())
	case CCH:
		f, err := before.openOrder(&Options{}, network)
		if errors.Is(err, fs.ErrNotExist) {
			return b.order(ctx, p)
		}
		if err != nil {
			return err
		}
		p.order = f.Order
		return b.customizeOrder(ctx, p)
	}
	if _, err := before.openHierarchy(&Options{}, network); err != nil {
		return b.contract(ctx, p, nil) // there is none, or it is of another network
	}
	if b.changedMuch(before.metric, p.metric) || b.base != nil && b.changedMuch(b.base, p.metric) {
		return b.contract(ctx, p, nil)
	}
	return b.contractAgain(ctx, p, before.hierarchy, before.hierarchy.Ranks())
}

// openUpdated opens what the last updates made of the metric, if there were any.
func (b *builder) openUpdated(p *parts, network *graph.NetworkFile) error {
	last, when := "", time.Time{}
	for _, suffix := range preparedSuffixes {
		info, err := os.Stat(p.name + suffix + metricSuffix)
		if err == nil && info.ModTime().After(when) {
			last, when = suffix+metricSuffix, info.ModTime()
		}
	}
	if last == "" {
		return nil
	}
	f, err := p.file(last, &Options{})
	if err != nil {
		return err
	}
	m, err := graph.DecodeMetric(f, network)
	if errors.Is(err, graph.ErrMismatch) {
		return nil // it was made for another network
	}
	if err != nil {
		return err
	}
	b.after = m.Metric
	return nil
}

// updateFrom applies the updates to the profile's metric, or to that of the last step
// that had updates.
func (b *builder) updateFrom(ctx context.Context, p *parts, network *graph.NetworkFile, last bool) error {
	if last {
		if err := b.openUpdated(p, network); err != nil {
			return err
		}
	}
	return b.update(ctx, p)
}

func (o *StepOptions) builder(a Algorithm) *builder {
	output := o.Output
	if output == "" {
		output = o.Input
	}
	return &builder{opt: BuildOptions{
		Output: output, Algorithms: []Algorithm{a}, Like: o.Like, Updates: o.Updates,
		Workers: o.Workers, Memory: o.Memory, Progress: o.Progress,
	}}
}
