package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/lean"
	"github.com/fourway-routing/fourway/profile"
	"github.com/fourway-routing/fourway/profile/lua"
	"github.com/fourway-routing/fourway/routing"
)

type buildCmd struct {
	Extract string `arg:"" optional:"" help:"OpenStreetMap file: .osm.pbf, .osm, .osm.gz or .osm.bz2." type:"existingfile"`

	From   string `help:"Name of a data set to prepare anew with other speeds and penalties, instead of an OpenStreetMap file." placeholder:"NAME"`
	Metric string `help:"With --from, write another metric of this name beside the data set's own: see fourway serve --metric." placeholder:"METRIC"`

	Like string `help:"Name of a data set of an earlier extract of the region, whose order and cells are taken over as far as the roads are the same: for regular updates." placeholder:"NAME"`

	Output      string              `short:"o" help:"Name of the data set; endings are added. Default: the extract's name without its ending, in this folder." placeholder:"NAME"`
	Profile     string              `help:"Vehicle: car, bicycle, foot, or the path of a profile in Lua, which ends in .lua. Default: what --profile-config names, else car." placeholder:"PROFILE"`
	Config      string              `name:"profile-config" help:"File of options for car, bicycle or foot, in JSON." type:"existingfile" placeholder:"FILE"`
	Trust       bool                `help:"Let a profile in Lua reach files outside its folder, without limits on its instructions."`
	Limit       int                 `name:"max-instructions" help:"Most instructions that one call into a profile in Lua may take; 0 for 10 million, or any number with --trust." default:"0" placeholder:"N"`
	Algorithm   []routing.Algorithm `help:"Searches to prepare for, of ch, mld and cch. Default: ch,mld, or with --from those of the data set." placeholder:"ALGORITHM,..."`
	Workers     int                 `help:"Number of parallel workers; 0 for one per processor." default:"0" placeholder:"N"`
	DataVersion string              `help:"Text that answers show as data_version." placeholder:"TEXT"`
	Tags        bool                `help:"Keep the tags of ways and nodes, to be looked up by fourway lookup and over HTTP at /api/interpreter."`
	Location    []string            `name:"location-data" help:"GeoJSON file of polygons with properties that the profile looks up by place, such as driving_side; may be repeated." type:"existingfile" placeholder:"FILE"`
	Updates     updateFlags         `embed:""`
	Quiet       bool                `short:"q" help:"No progress bar."`
}

func (c *buildCmd) Run(t *console) error {
	switch {
	case c.From != "":
		return c.rebuild(t)
	case c.Metric != "":
		return errors.New("--metric needs --from, the name of a data set")
	case c.Extract == "":
		return errors.New("name an OpenStreetMap file, or a data set by --from")
	}
	output := c.Output
	if output == "" {
		output = baseName(c.Extract)
	}
	opt := routing.BuildOptions{
		Input: c.Extract, Output: output, ProfileName: c.Profile, ProfileConfig: c.Config,
		Algorithms: c.Algorithm, Workers: c.Workers, DataVersion: c.DataVersion,
		Like: c.Like, LocationData: c.Location, Tags: c.Tags, Conditionals: c.Updates.conditionals(), Updates: c.Updates.updates(),
	}
	if filepath.Ext(c.Profile) == ".lua" {
		var err error
		if opt.Profile, err = c.script(t.err); err != nil {
			return err
		}
	}
	_, err := build(t, opt, c.Quiet)
	return err
}

// rebuild prepares a data set anew.
func (c *buildCmd) rebuild(t *console) error {
	if c.Extract != "" || c.Like != "" || c.Profile != "" || c.Config != "" || c.DataVersion != "" || c.Tags || len(c.Location) > 0 {
		return errors.New("--from goes with --output, --metric, --algorithm, --workers and what changes speeds and penalties")
	}
	defer lean.Begin(lean.Prepare)()
	_, err := prepare(t, c.Quiet, func(show func(routing.Progress)) (*routing.BuildReport, error) {
		return routing.Rebuild(t.ctx, routing.StepOptions{
			Input: c.From, Output: c.Output, Metric: c.Metric, Algorithms: c.Algorithm, Workers: c.Workers,
			Updates: c.Updates.updates(), Progress: show,
		})
	})
	return err
}

// script opens the profile in Lua. It prints to w.
func (c *buildCmd) script(w io.Writer) (profile.Profile, error) {
	if c.Config != "" {
		return nil, errors.New("--profile-config is for car, bicycle and foot; change the profile in Lua itself")
	}
	p, err := lua.Open(c.Profile, lua.Options{Trusted: c.Trust, MaxInstructions: c.Limit, Output: w})
	if err != nil {
		return nil, fmt.Errorf("--profile %s: %w", c.Profile, err)
	}
	return p, nil
}

// baseName is the name of an extract without folder and endings.
func baseName(path string) string {
	name := filepath.Base(path)
	for _, ending := range []string{".gz", ".bz2", ".pbf", ".osm", ".xml"} {
		name = strings.TrimSuffix(name, ending)
	}
	return cmp.Or(name, "map")
}

// build builds with a progress bar and prints what each stage took.
func build(t *console, opt routing.BuildOptions, quiet bool) (*routing.BuildReport, error) {
	defer lean.Begin(lean.Extract)()
	return prepare(t, quiet, func(show func(routing.Progress)) (*routing.BuildReport, error) {
		opt.Progress = show
		return routing.Build(t.ctx, opt)
	})
}

// prepare runs a build with a progress bar and prints what each stage took.
func prepare(t *console, quiet bool, run func(show func(routing.Progress)) (*routing.BuildReport, error)) (*routing.BuildReport, error) {
	p := progress{w: t.err, quiet: quiet}
	start := time.Now()
	report, err := run(p.show)
	p.end()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(t.err, "%-12s %10s %10s %12s\n", "stage", "wall", "processor", "peak memory")
	for _, s := range report.Stages {
		fmt.Fprintf(t.err, "%-12s %10s %10s %12s\n", s.Name, seconds(s.Wall), seconds(s.CPU), megabytes(s.PeakMemory))
	}
	fmt.Fprintf(t.err, "%-12s %10s %10s %12s\n", "all", seconds(time.Since(start)), "", megabytes(peakMemory()))
	for _, f := range report.Files {
		fmt.Fprintf(t.err, "wrote %s, %s\n", f.Path, megabytes(f.Bytes))
	}
	if report.Extract.Nodes > 0 { // it was read, and not prepared anew
		printLike(t.err, &report.Like)
		printDropped(t.err, report)
	}
	printUpdates(t.err, report)
	return report, nil
}

// printLike says what was taken over from an earlier data set.
func printLike(w io.Writer, r *routing.LikeReport) {
	if r.Name != "" {
		fmt.Fprintf(w, "%d of %d search nodes are as in %s (%.1f %%)\n", r.Matched, r.Nodes, r.Name, 100*float64(r.Matched)/float64(max(r.Nodes, 1)))
	}
	for _, a := range r.Reused {
		fmt.Fprintf(w, "%s: ", a)
		if a == routing.MLD {
			fmt.Fprintf(w, "%d cells, taken over but for %d that were divided anew\n", r.Cells, r.Recut)
		} else {
			fmt.Fprintln(w, "the order was taken over")
		}
	}
	for _, a := range r.Anew {
		fmt.Fprintf(w, "%s: from scratch: %s\n", a.Algorithm, a.Reason)
	}
}

// progress draws the bar of a build, a new one for each stage.
type progress struct {
	w     io.Writer
	quiet bool
	said  bool
	stage string
	bar   *progressbar.ProgressBar
}

func (p *progress) show(r routing.Progress) {
	if r.ExpectedMemory > 0 && !p.said {
		p.said = true
		fmt.Fprintf(p.w, "expecting to need at most %s of memory\n", megabytes(r.ExpectedMemory))
	}
	if p.quiet {
		return
	}
	if r.Stage != p.stage {
		p.end()
		p.stage = r.Stage
		p.bar = progressbar.NewOptions64(max(r.Total, 1),
			progressbar.OptionSetWriter(p.w),
			progressbar.OptionSetDescription(fmt.Sprintf("%-22s", r.Stage)),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetVisibility(isTerminal(p.w)))
	}
	if r.Total > 0 {
		p.bar.ChangeMax64(r.Total)
		_ = p.bar.Set64(r.Done) // a bar that cannot be drawn is no reason to stop
	}
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
