package routing

import (
	"context"

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
	// CellSizes are the most search nodes that Partition puts into a cell of each
	// level, ascending; nil stands for sizes that suit a country.
	CellSizes []int
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
// algorithm adds.
func Extract(ctx context.Context, opt BuildOptions) (*BuildReport, error) {
	opt.Algorithms = []Algorithm{MLD}
	b := builder{opt: opt}
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
		b.cells, err = b.partition(ctx, p, opt.CellSizes)
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
		arcs, err := b.update(ctx, p)
		if err != nil {
			return err
		}
		return b.customize(ctx, p, cells, arcs)
	})
}

// Contract reads .graph and .metric and writes .ch: what Open needs for CH. It is
// run again when the metric has changed.
func Contract(ctx context.Context, opt StepOptions) (*BuildReport, error) {
	b := opt.builder(CH)
	return b.do(ctx, "contract", func(p *parts) error {
		p.name = opt.Input
		if _, err := p.openBase(&Options{}); err != nil {
			return err
		}
		arcs, err := b.update(ctx, p)
		if err != nil {
			return err
		}
		return b.contract(ctx, p, arcs)
	})
}

func (o *StepOptions) builder(a Algorithm) *builder {
	output := o.Output
	if output == "" {
		output = o.Input
	}
	return &builder{opt: BuildOptions{
		Output: output, Algorithms: []Algorithm{a}, Updates: o.Updates,
		Workers: o.Workers, Memory: o.Memory, Progress: o.Progress,
	}}
}
