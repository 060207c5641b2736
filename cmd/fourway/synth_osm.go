package main

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/synth"
	"github.com/fourway-routing/fourway/routing"
)

type synthOSMCmd struct {
	Output string  `short:"o" required:"" help:"File to write, .osm.pbf." placeholder:"FILE" type:"path"`
	Nodes  float64 `default:"1e6" help:"OSM nodes of a made-up country, like 20e6 (${default})." placeholder:"N"`
	Seed   uint64  `default:"1" help:"Another seed makes another country (${default})." placeholder:"N"`
	Mosaic string  `help:"Instead, lay copies of this extract side by side and join them." placeholder:"EXTRACT" type:"existingfile"`
	Copies string  `default:"2x2" help:"Columns and rows of the mosaic (${default})." placeholder:"CxR"`
}

func (c *synthOSMCmd) Run(t *console) error {
	report, err := c.write(t)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.err, "wrote %s: %d nodes, %d ways, %d relations\n", c.Output, report.Nodes, report.Ways, report.Relations)
	return nil
}

// write writes the file.
func (c *synthOSMCmd) write(t *console) (report synth.Report, err error) {
	p := progress{w: t.err}
	defer p.end()
	show := func(done, total int64) { p.show(routing.Progress{Stage: "write", Done: done, Total: total}) }
	if c.Mosaic == "" {
		if !(c.Nodes <= synth.MostNodes) {
			return report, fmt.Errorf("--nodes is %g, want at most %d", c.Nodes, synth.MostNodes)
		}
		return c.file(func(w io.Writer) (synth.Report, error) {
			return synth.Country(t.ctx, w, synth.Options{Nodes: int64(math.Round(c.Nodes)), Seed: c.Seed, Progress: show})
		})
	}
	opt := synth.MosaicOptions{Progress: show}
	if n, err := fmt.Sscanf(c.Copies+" ", "%dx%d ", &opt.Columns, &opt.Rows); n != 2 || err != nil {
		return report, fmt.Errorf("--copies is %q, want columns and rows like 2x3", c.Copies)
	}
	file, err := osmfile.Open(c.Mosaic)
	if err != nil {
		return report, err
	}
	return c.file(func(w io.Writer) (synth.Report, error) { return synth.Mosaic(t.ctx, w, file, opt) })
}

// file has the file written through a buffer.
func (c *synthOSMCmd) file(to func(io.Writer) (synth.Report, error)) (report synth.Report, err error) {
	err = writeFile(c.Output, func(w io.Writer) (err error) {
		b := bufio.NewWriterSize(w, 1<<20)
		if report, err = to(b); err != nil {
			return err
		}
		return b.Flush()
	})
	return report, err
}
