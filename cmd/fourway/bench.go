package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/lean"
	"github.com/fourway-routing/fourway/internal/measure"
	"github.com/fourway-routing/fourway/internal/replay"
	"github.com/fourway-routing/fourway/internal/suite"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/routing"
)

type benchCmd struct {
	Extract string `arg:"" optional:"" help:"OpenStreetMap file, whose build is measured too." type:"existingfile"`
	Data    string `help:"Instead, the name of a data set that is built." placeholder:"NAME"`

	Algorithm []routing.Algorithm `default:"ch,mld,cch" help:"Searches to measure (${default})." placeholder:"ALGORITHM,..."`
	Pool      []pool.Kind         `default:"gc,make,syncpool,freelist" help:"Kinds of memory to measure (${default})." placeholder:"KIND,..."`
	Only      string              `default:"." help:"Measure benchmarks and stages whose name fits this regular expression, like ^random_ (${default})." placeholder:"REGEXP"`
	Rounds    int                 `default:"6" help:"Rounds of each benchmark, those of all kinds of memory by turns (${default})." placeholder:"N"`
	Round     time.Duration       `default:"300ms" help:"Time of a round (${default})." placeholder:"TIME"`
	Requests  int                 `default:"0" help:"Most random requests of a shape; 0 for as many as OSRM's benchmarks have." placeholder:"N"`
	JSON      string              `name:"json" help:"File to write all figures to, as JSON." placeholder:"FILE" type:"path"`
	Benchfmt  string              `help:"File to write the rounds to in the format of Go's benchmarks, for benchstat." placeholder:"FILE" type:"path"`
	Workers   int                 `default:"0" help:"Parallel workers of a build; 0 for one per processor." placeholder:"N"`

	only *regexp.Regexp
}

// benchReport is all that a run measured.
type benchReport struct {
	Started    time.Time             `json:"started"`
	Version    string                `json:"version"` // of the program
	Go         string                `json:"go"`
	Platform   string                `json:"platform"`
	CPU        string                `json:"cpu"`
	Processors int                   `json:"processors"`
	LoadBefore float64               `json:"load_before"` // average of a minute
	LoadAfter  float64               `json:"load_after"`
	Input      string                `json:"input"`
	Stages     []stageReport         `json:"stages,omitempty"`
	Serving    []suite.ServingMemory `json:"serving,omitempty"`
	Benchmarks []suite.Measurement   `json:"benchmarks"`
}

// stageReport is what a stage of a build took, as a process of its own.
type stageReport struct {
	Stage  string  `json:"stage"`
	Memory string  `json:"pool,omitempty"`
	Wall   float64 `json:"wall_seconds"`
	CPU    float64 `json:"cpu_seconds"`
	// PeakResident is the most memory of the process, PeakGo that of the Go heap
	// and stacks, Bytes the size of the files written.
	PeakResident int64 `json:"peak_resident_bytes"`
	PeakGo       int64 `json:"peak_go_bytes"`
	Bytes        int64 `json:"file_bytes"`
}

// Validate reports the first flag that makes no sense.
func (c *benchCmd) Validate() (err error) {
	switch {
	case (c.Extract == "") == (c.Data == ""):
		return fmt.Errorf("want an extract, or --data, and not both")
	case c.Rounds < 1 || c.Rounds > 1000:
		return fmt.Errorf("--rounds is %d, want 1 to 1000", c.Rounds)
	case c.Round < 0:
		return fmt.Errorf("--round is %s, want at least 0", c.Round)
	case c.Requests < 0:
		return fmt.Errorf("--requests is %d, want at least 0", c.Requests)
	}
	if c.only, err = regexp.Compile(c.Only); err != nil {
		return fmt.Errorf("--only: %w", err)
	}
	return nil
}

func (c *benchCmd) Run(t *console) error {
	r := benchReport{
		Started: time.Now().UTC(), Version: version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		CPU: cpuModel(), Processors: runtime.GOMAXPROCS(0), LoadBefore: loadAverage(), Input: filepath.Base(c.Extract + c.Data),
	}
	const busy = 0.2 // of each processor
	if r.LoadBefore > busy*float64(r.Processors) {
		fmt.Fprintf(t.err, "the load average is %.2f: other work will disturb the measurement\n", r.LoadBefore)
	}
	name := c.Data
	if c.Extract != "" {
		folder, err := os.MkdirTemp("", "fourway-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder) //nolint:errcheck // temporary
		name = filepath.Join(folder, "extract")
		if err := c.build(t, name, &r); err != nil {
			return err
		}
		if err := c.grid(t, folder, &r); err != nil {
			return err
		}
	}
	if err := c.serving(t, name, &r); err != nil {
		return err
	}
	if err := c.benchmarks(t, name, &r); err != nil {
		return err
	}
	r.LoadAfter = loadAverage()
	if c.Benchfmt != "" {
		if err := writeFile(c.Benchfmt, r.writeBenchfmt); err != nil {
			return err
		}
	}
	if c.JSON == "" {
		return nil
	}
	text, err := json.MarshalIndent(&r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(c.JSON, append(text, '\n'), 0o644)
}

// build builds the data set stage by stage, each in a process of its own, as OSRM's
// are, and as often as there are kinds of memory to compare.
func (c *benchCmd) build(t *console, name string, r *benchReport) error {
	first := true
	for _, stage := range suite.Stages() {
		kinds := []pool.Kind{pool.FreeLists}
		if suite.Pooled(stage) && c.only.MatchString(stage) {
			kinds = c.Pool
		}
		for _, kind := range kinds {
			s, err := runStage(t.ctx, stage, suite.StageOptions{Extract: c.Extract, Name: name, Memory: kind, Workers: c.Workers})
			if err != nil {
				return err
			}
			if !c.only.MatchString(stage) {
				continue // it was only needed
			}
			r.Stages = append(r.Stages, s)
			if first {
				first = false
				fmt.Fprintf(t.out, "%-13s %-9s %10s %10s %14s %14s %12s\n", "stage", "pool", "wall", "processor", "peak resident", "peak of Go", "files")
			}
			s.print(t.out)
		}
	}
	return nil
}

func (s *stageReport) print(w io.Writer) {
	fmt.Fprintf(w, "%-13s %-9s %8.2f s %8.2f s %14s %14s %12s\n", s.Stage, s.Memory, s.Wall, s.CPU,
		megabytes(s.PeakResident), megabytes(s.PeakGo), megabytes(s.Bytes))
}

// grid contracts a drawn city whose streets all weigh the same.
func (c *benchCmd) grid(t *console, folder string, r *benchReport) error {
	const stage = "contract-grid"
	if !c.only.MatchString(stage) {
		return nil
	}
	opt := suite.StageOptions{Extract: filepath.Join(folder, "grid.osm.pbf"), Name: filepath.Join(folder, "grid"), Workers: c.Workers}
	if err := writeFile(opt.Extract, func(w io.Writer) error { return suite.WriteGrid(w, suite.GridSide) }); err != nil {
		return err
	}
	if _, err := runStage(t.ctx, "extract", opt); err != nil {
		return err
	}
	s, err := runStage(t.ctx, "contract", opt)
	if err != nil {
		return err
	}
	s.Stage, s.Memory = stage, ""
	r.Stages = append(r.Stages, s)
	s.print(t.out)
	return nil
}

// runStage runs a stage as a process of its own.
func runStage(ctx context.Context, stage string, opt suite.StageOptions) (stageReport, error) {
	s := stageReport{Stage: stage}
	if suite.Pooled(stage) {
		s.Memory = opt.Memory.String()
	}
	var cost stageCost
	start := time.Now()
	err := child(ctx, &cost, "bench-stage", "--extract", opt.Extract, "--pool", opt.Memory.String(),
		"--workers", fmt.Sprint(opt.Workers), stage, opt.Name)
	s.Wall, s.CPU = time.Since(start).Seconds(), cost.CPU.Seconds()
	s.PeakResident, s.PeakGo, s.Bytes = cost.PeakResident, cost.PeakMemory, cost.Bytes
	return s, err
}

// serving measures the memory of servers.
func (c *benchCmd) serving(t *console, name string, r *benchReport) error {
	if !c.only.MatchString("serving") {
		return nil
	}
	fmt.Fprintf(t.out, "\n%-12s %14s %14s %14s %16s\n", "serving", "Go heap", "private", "resident", "private/segment")
	for _, a := range c.Algorithm {
		var m suite.ServingMemory
		if err := child(t.ctx, &m, "bench-serving", "--algorithm", a.String(), name); err != nil {
			return err
		}
		r.Serving = append(r.Serving, m)
		fmt.Fprintf(t.out, "%-12s %14s %14s %14s %14.1f B\n", m.Algorithm, megabytes(m.Heap), megabytes(m.Private), megabytes(m.Resident),
			float64(m.Private)/float64(max(m.Segments, 1)))
	}
	return nil
}

// benchmarks measures the rest of the suite.
func (c *benchCmd) benchmarks(t *console, name string, r *benchReport) error {
	s, err := suite.Open(t.ctx, name, suite.Options{Algorithms: c.Algorithm, Requests: c.Requests})
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // files that were only read
	fmt.Fprintf(t.out, "\n%-48s %-9s %10s %9s %7s %9s %9s %9s %10s %9s %8s %9s\n", "benchmark", "pool", "ops/s", "mean", "±", "p50", "p99", "processor",
		"B/op", "allocs/op", "gc/1000", "gc pause")
	cases := s.Cases()
	for len(cases) > 0 {
		n := 1
		for n < len(cases) && cases[n].Name == cases[0].Name {
			n++
		}
		group := c.wanted(cases[:n])
		cases = cases[n:]
		if len(group) == 0 {
			continue
		}
		all, err := suite.Measure(t.ctx, group, c.Rounds, c.Round)
		if err != nil {
			return err
		}
		r.Benchmarks = append(r.Benchmarks, all...)
		for _, m := range all {
			fmt.Fprintf(t.out, "%-48s %-9s %10.6g %9s %6.1f%% %9s %9s %9s %10.0f %9.1f %8.3f %9s\n", m.Name, m.Memory, m.OpsPerSecond, nanoseconds(m.Mean),
				100*m.Spread/m.Mean, nanoseconds(m.P50), nanoseconds(m.P99), nanoseconds(m.CPU), m.Bytes, m.Allocations, m.Collections, nanoseconds(m.GCPause))
		}
	}
	return nil
}

// wanted returns the cases that --only and --pool ask for.
func (c *benchCmd) wanted(cases []suite.Case) []suite.Case {
	var some []suite.Case
	for _, x := range cases {
		if !c.only.MatchString(x.Name) {
			continue
		}
		wanted := !x.Pooled
		for _, k := range c.Pool {
			wanted = wanted || x.Memory == k
		}
		if wanted {
			some = append(some, x)
		}
	}
	return some
}

func nanoseconds(ns float64) string { return replay.Brief(time.Duration(ns)) }

// writeBenchfmt writes each round as a line that benchstat reads.
func (r *benchReport) writeBenchfmt(w io.Writer) error {
	b := bufio.NewWriter(w) // keeps the first error, which Flush returns
	fmt.Fprintf(b, "goos: %s\ngoarch: %s\ncpu: %s\n", runtime.GOOS, runtime.GOARCH, r.CPU)
	for i := range r.Benchmarks {
		m := &r.Benchmarks[i]
		name := m.Name
		if m.Memory != "" {
			name += "/pool=" + m.Memory
		}
		for _, mean := range m.Rounds {
			fmt.Fprintf(b, "BenchmarkSuite/%s-%d\t%d\t%.1f ns/op\t%.1f cpu-ns/op\t%.0f B/op\t%.1f allocs/op\n", name, r.Processors,
				max(m.Count/uint64(len(m.Rounds)), 1), mean, m.CPU, m.Bytes, m.Allocations)
		}
	}
	return b.Flush()
}

// version returns the commit that the program was built from, if it is known.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return info.Main.Version
}

// child runs a command of this program as a process of its own, and reads what it
// prints.
func child(ctx context.Context, answer any, args ...string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return json.Unmarshal(out.Bytes(), answer)
}

// stageCost is what a child that ran a stage prints.
type stageCost struct {
	suite.StageCost
	PeakResident int64
}

// benchStageCmd is a child of bench.
type benchStageCmd struct {
	Stage   string    `arg:""`
	Name    string    `arg:""`
	Extract string    `help:"Extract to read."`
	Pool    pool.Kind `default:"freelist" help:"Memory of searches."`
	Workers int       `default:"0" help:"Parallel workers."`
}

func (c *benchStageCmd) Run(t *console) error {
	percent := lean.Prepare
	if c.Stage == "extract" {
		percent = lean.Extract
	}
	defer lean.Begin(percent)()
	cost, err := suite.RunStage(t.ctx, c.Stage, suite.StageOptions{Extract: c.Extract, Name: c.Name, Memory: c.Pool, Workers: c.Workers})
	if err != nil {
		return err
	}
	return printJSON(t.out, stageCost{cost, measure.ReadMemory().Peak})
}

// benchServingCmd is a child of bench.
type benchServingCmd struct {
	Name string `arg:""`
	algorithm
}

func (c *benchServingCmd) Run(t *console) error {
	m, err := suite.MeasureMemory(t.ctx, c.Name, c.Algorithm)
	if err != nil {
		return err
	}
	return printJSON(t.out, m)
}

func printJSON(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }
