package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fourway-routing/fourway/internal/plot"
	"github.com/fourway-routing/fourway/internal/suite"
	"github.com/fourway-routing/fourway/routing"
)

type growthCmd struct {
	Sizes    []float64     `default:"1e5,2e5,5e5,1e6" help:"OSM nodes of the made-up countries to measure (${default})." placeholder:"N,..."`
	Bare     bool          `name:"no-countries" help:"Measure none of them."`
	Seed     uint64        `default:"1" help:"Of the countries (${default})." placeholder:"N"`
	Mosaic   string        `help:"Measure mosaics of this extract too." placeholder:"EXTRACT" type:"existingfile"`
	Copies   []string      `default:"1x1,2x1,2x2" help:"Columns and rows of the mosaics (${default})." placeholder:"CxR,..."`
	From     []string      `help:"Reports of earlier runs, to be plotted too." placeholder:"FILE,..." type:"existingfile"`
	Requests int           `default:"200" help:"Most random requests of a kind (${default})." placeholder:"N"`
	Round    time.Duration `default:"1s" help:"Time in which they are asked (${default})." placeholder:"TIME"`
	Folder   string        `help:"Folder for the files, which are gone afterwards; else the system's." placeholder:"DIR" type:"existingdir"`
	JSON     string        `name:"json" help:"File to write all figures to, as JSON." placeholder:"FILE" type:"path"`
	SVG      string        `name:"svg" help:"File to draw them into." placeholder:"FILE" type:"path"`
}

// growthReport is what growth measured.
type growthReport struct {
	Go     string        `json:"go"`
	CPU    string        `json:"cpu"`
	Points []growthPoint `json:"points"`
}

// growthPoint is one network.
type growthPoint struct {
	Input      string                `json:"input"` // country or the extract of a mosaic
	Nodes      int64                 `json:"nodes"` // of the OSM file
	Search     int                   `json:"search_nodes"`
	Edges      int                   `json:"search_edges"`
	Segments   int                   `json:"segments"`
	Stages     []stageReport         `json:"stages"`
	Serving    []suite.ServingMemory `json:"serving"`
	Benchmarks []suite.Measurement   `json:"benchmarks"`
}

// countries is the input of made-up countries.
const countries = "country"

// Validate reports the first flag that makes no sense.
func (c *growthCmd) Validate() error {
	if c.Requests < 10 {
		return fmt.Errorf("--requests is %d, want at least 10", c.Requests)
	}
	if c.Round < 0 {
		return fmt.Errorf("--round is %s, want at least 0", c.Round)
	}
	return nil
}

func (c *growthCmd) Run(t *console) error {
	report := growthReport{Go: runtime.Version(), CPU: cpuModel()}
	for _, path := range c.From {
		var r growthReport
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, &r); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		report.Points = append(report.Points, r.Points...)
	}
	if c.Bare {
		c.Sizes = nil
	}
	for _, n := range c.Sizes {
		p, err := c.measure(t, countries, &synthOSMCmd{Nodes: n, Seed: c.Seed})
		if err != nil {
			return err
		}
		report.Points = append(report.Points, p)
	}
	if c.Mosaic != "" {
		for _, copies := range c.Copies {
			p, err := c.measure(t, filepath.Base(c.Mosaic), &synthOSMCmd{Mosaic: c.Mosaic, Copies: copies})
			if err != nil {
				return err
			}
			report.Points = append(report.Points, p)
		}
	}
	if len(report.Points) == 0 {
		return errors.New("nothing to measure: --no-countries goes with --mosaic or --from")
	}
	if c.JSON != "" {
		if err := writeFile(c.JSON, func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "\t")
			return e.Encode(&report)
		}); err != nil {
			return err
		}
	}
	if c.SVG == "" {
		return nil
	}
	return writeFile(c.SVG, func(w io.Writer) error { return plot.Write(w, report.panels()) })
}

// measure writes a network, builds it stage by stage and asks it, all in processes
// of their own.
func (c *growthCmd) measure(t *console, input string, network *synthOSMCmd) (p growthPoint, err error) {
	folder, err := os.MkdirTemp(c.Folder, "fourway-growth")
	if err != nil {
		return p, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // temporary
	network.Output = filepath.Join(folder, "network.osm.pbf")
	wrote, err := network.write(t)
	if err != nil {
		return p, err
	}
	p = growthPoint{Input: input, Nodes: wrote.Nodes}
	opt := suite.StageOptions{Extract: network.Output, Name: filepath.Join(folder, "network")}
	for _, stage := range suite.Stages() {
		s, err := runStage(t.ctx, stage, opt)
		if err != nil {
			return p, err
		}
		p.Stages = append(p.Stages, s)
		fmt.Fprintf(t.out, "%-24s %10d nodes  %-10s %9.2f s, processor %9.2f s, peak resident %s\n",
			p.Input, p.Nodes, s.Stage, s.Wall, s.CPU, megabytes(s.PeakResident))
	}
	for _, a := range []routing.Algorithm{routing.CH, routing.MLD, routing.CCH} {
		var m suite.ServingMemory
		if err := child(t.ctx, &m, "bench-serving", "--algorithm", a.String(), opt.Name); err != nil {
			return p, err
		}
		p.Serving = append(p.Serving, m)
	}
	if err := child(t.ctx, &p.Benchmarks, "bench-growing", "--requests", strconv.Itoa(c.Requests), "--round", c.Round.String(), opt.Name); err != nil {
		return p, err
	}
	for _, m := range p.Benchmarks {
		fmt.Fprintf(t.out, "%-24s %10d nodes  %-44s %9s, p99 %9s\n", p.Input, p.Nodes, m.Name, nanoseconds(cmp.Or(m.CPU, m.Mean)), nanoseconds(m.P99))
	}
	return p, p.size(opt.Name)
}

// size fills in how large the network is.
func (p *growthPoint) size(name string) error {
	engine, err := routing.Open(name, routing.Options{})
	if err != nil {
		return err
	}
	info := engine.Info()
	p.Search, p.Edges, p.Segments = info.Nodes, info.Edges, info.Segments
	return engine.Close()
}

// panels are the charts of a report: what stages take, their memory, and what
// requests take.
func (r *growthReport) panels() []plot.Panel {
	const nodes = "OSM nodes"
	build := plot.Panel{Title: "Build", X: nodes, Y: "seconds of processor"}
	memory := plot.Panel{Title: "Memory of the build", X: nodes, Y: "peak resident, MB"}
	requests := plot.Panel{Title: "Requests", X: nodes, Y: "processor time, µs"}
	for i := range r.Points {
		p := &r.Points[i]
		for k, s := range p.Stages {
			add(&build, p, s.Stage, k, s.CPU)
			add(&memory, p, s.Stage, k, float64(s.PeakResident)/1e6)
		}
		for k, m := range p.Benchmarks {
			name, _, _ := strings.Cut(strings.TrimPrefix(m.Name, "random_"), "/coordinates=2")
			name = strings.NewReplacer("/algo=", " ", "/coordinates=", " ", "/number=1", "", "/radius=default", "").Replace(name)
			add(&requests, p, name, k, cmp.Or(m.CPU, m.Mean)/1e3)
		}
	}
	return []plot.Panel{build, memory, requests}
}

// add adds a point to the series of its name, if it was measured.
func add(panel *plot.Panel, p *growthPoint, name string, color int, y float64) {
	if y <= 0 || p.Nodes <= 0 {
		return
	}
	second := p.Input != countries
	if second {
		name += ", " + baseName(p.Input)
	}
	i := slices.IndexFunc(panel.Series, func(s plot.Series) bool { return s.Name == name })
	if i < 0 {
		i = len(panel.Series)
		panel.Series = append(panel.Series, plot.Series{Name: name, Second: second, Color: color})
	}
	s := &panel.Series[i]
	s.X, s.Y = append(s.X, float64(p.Nodes)), append(s.Y, y)
}

// benchGrowingCmd is a child of growth.
type benchGrowingCmd struct {
	Name     string        `arg:""`
	Requests int           `default:"200" help:"Most random requests of a kind."`
	Round    time.Duration `default:"1s" help:"Time in which they are asked."`
}

func (c *benchGrowingCmd) Run(t *console) error {
	all, err := suite.MeasureGrowing(t.ctx, c.Name, c.Requests, c.Round)
	if err != nil {
		return err
	}
	return printJSON(t.out, all)
}
