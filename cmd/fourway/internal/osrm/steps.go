package osrm

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/fourway-routing/fourway/cmd/fourway/internal/lean"
	"github.com/fourway-routing/fourway/cmd/fourway/internal/options"
	"github.com/fourway-routing/fourway/routing"
)

// What the tools read of a data set.
var (
	partitionInputs = []input{{suffix: ".graph"}}
	contractInputs  = []input{{suffix: ".graph"}, {suffix: ".metric"}}
	customizeInputs = []input{{suffix: ".graph"}, {suffix: ".metric"}, {suffix: ".cells"}}
)

const stepUsage = "<input.osrm> [options]"

// stepOptions are the options that the tools after osrm-extract share.
type stepOptions struct {
	threads       *int
	input, output *string
}

func (t *tool) addStepOptions(g *options.Group) stepOptions {
	hidden := t.options.Hidden()
	o := stepOptions{
		threads: options.Add(g, "threads,t", runtime.GOMAXPROCS(0), options.Unsigned, "Number of threads"),
		output:  options.Add(g, "output,o", "", options.Path, "Path of the data set to write; by default that of the input"),
		input:   options.Add(hidden, "input,i", "", options.Path, ""),
	}
	t.options.Positional("input")
	return o
}

// step returns what the options say, after a check of the inputs.
func (t *tool) step(o stepOptions) (routing.StepOptions, error) {
	if *o.input == "" {
		return routing.StepOptions{}, t.usage(stepUsage, failed)
	}
	if err := t.checkThreads(o.threads); err != nil {
		return routing.StepOptions{}, err
	}
	step := routing.StepOptions{Input: dataSet(*o.input), Workers: *o.threads, Progress: t.progress()}
	if *o.output != "" {
		step.Output = dataSet(*o.output)
	}
	return step, nil
}

// checkThreads checks a number of threads, and makes it no larger than what helps:
// each takes memory.
func (t *tool) checkThreads(n *int) error {
	if *n < 1 {
		return t.failf("Number of threads must be 1 or larger")
	}
	if most := runtime.GOMAXPROCS(0); *n > most {
		t.log.warnf("The recommended number of threads is %d! More are not used.", most)
		*n = most
	}
	return nil
}

func runPartition(t *tool) error {
	t.addGeneral()
	g := t.options.Group("Configuration")
	const moot = "Accepted, without effect: cells are found by other means"
	options.Add(g, "balance", 1.2, options.Number, moot)
	options.Add(g, "boundary", 0.25, options.Number, moot)
	options.Add(g, "optimizing-cuts", 10, options.Unsigned, moot)
	options.Add(g, "small-component-size", 1000, options.Unsigned, moot)
	sizes := options.Add(g, "max-cell-sizes", nil, options.Sizes, "Most nodes of a cell by level, separated by commas and ascending")
	o := t.addStepOptions(g)
	if err := t.parse(stepUsage, partitionInputs...); err != nil {
		return err
	}
	if !slices.IsSorted(*sizes) {
		return t.failf("The maximum cell sizes must be sorted in non-descending order")
	}
	step, err := t.step(o)
	if err != nil {
		return err
	}
	for _, path := range missing(step.Input, partitionInputs) {
		return t.failf("Input file %q not found!", path)
	}
	step.CellSizes = slices.Compact(slices.Clone(*sizes))
	report, err := routing.Partition(t.ctx, step)
	if err != nil {
		return err
	}
	t.reportBuild(report)
	return nil
}

// updateOptions change weights.
type updateOptions struct {
	speeds, penalties *[]string
	factor            *float64
	now               *int64
	timeZones         *string
}

func (t *tool) addUpdateOptions(g *options.Group) updateOptions {
	return updateOptions{
		speeds:    options.List(g, "segment-speed-file", options.Path, "CSV file of OSM nodes from and to, and the speed between them"),
		penalties: options.List(g, "turn-penalty-file", options.Path, "CSV file of OSM nodes from, via and to, and the penalty of the turn"),
		factor:    options.Add(g, "edge-weight-updates-over-factor", 0, options.Number, "Log segments that get faster by this factor or more"),
		now:       options.Add(g, "parse-conditionals-from-now", 0, options.Integer64, "Time in seconds since 1970 in UTC for which conditional restrictions count"),
		timeZones: options.Add(g, "time-zone-file", "", options.Text, "GeoJSON file with the time zones of conditional restrictions"),
	}
}

// updates returns what the options say.
func (o *updateOptions) updates() routing.Updates {
	u := routing.Updates{SegmentSpeeds: *o.speeds, TurnPenalties: *o.penalties, JumpFactor: *o.factor}
	if *o.now > 0 {
		u.At = time.Unix(*o.now, 0).UTC()
		if *o.timeZones != "" {
			u.TimeZones = []string{*o.timeZones}
		}
	}
	return u
}

// reportUpdates says what the updates did, in the words of OSRM where scripts may
// look for them.
func (t *tool) reportUpdates(u *routing.Updates, report *routing.BuildReport) {
	r := &report.Updates
	for _, f := range r.Speeds {
		t.log.infof("Used %d speeds from %s, which has %d lines, of which %d name segments", f.Used, f.Path, f.Rows, f.Matched)
	}
	for _, f := range r.Penalties {
		t.log.infof("Used %d turn penalties from %s, which has %d lines", f.Matched, f.Path, f.Rows)
	}
	if r.FollowingWeights > 0 {
		t.log.warnf("Speed values were used to update %d segments for '%s' profile", r.FollowingWeights, report.Info.WeightName)
	}
	for _, j := range r.Jumps {
		t.log.warnf("[weight updates] Edge weight update from %gs to %gs Segment: %d,%d based on %s", j.Before, j.After, j.From, j.To, j.Source)
	}
	if r.Capped > 0 {
		t.log.warnf("%d values were beyond range and capped", r.Capped)
	}
	if r.RaisedTurns > 0 {
		t.log.warnf("%d negative turn penalties were more than the turn and the road before take", r.RaisedTurns)
	}
	if u.At.IsZero() {
		return
	}
	t.log.infof("%d of %d conditional turns are forbidden at %s", r.ClosedTurns, r.ConditionalTurns, u.At.Format(time.RFC3339))
	if r.UnzonedTurns > 0 {
		t.log.warnf("%d conditional turns are in no time zone", r.UnzonedTurns)
	}
	for _, zone := range r.UnknownZones {
		t.log.warnf("The time zone %s is not known", zone)
	}
}

func runCustomize(t *tool) error {
	return t.prepare(customizeInputs, routing.Customize)
}

func runContract(t *tool) error {
	return t.prepare(contractInputs, routing.Contract)
}

// prepare runs a step that prepares a search.
func (t *tool) prepare(inputs []input, run func(context.Context, routing.StepOptions) (*routing.BuildReport, error)) error {
	t.addGeneral()
	g := t.options.Group("Configuration")
	updates := t.addUpdateOptions(g)
	o := t.addStepOptions(g)
	if err := t.parse(stepUsage, inputs...); err != nil {
		return err
	}
	step, err := t.step(o)
	if err != nil {
		return err
	}
	if *updates.now < 0 {
		return t.failf("Given UTC time is invalid: %d", *updates.now)
	}
	step.Updates, step.Continue = updates.updates(), true
	if !t.complete(step.Input, inputs) {
		return failed
	}
	t.log.infof("Input file: %s", step.Input)
	t.log.infof("Threads: %d", step.Workers)
	defer lean.Begin(lean.Prepare)()
	report, err := run(t.ctx, step)
	if err != nil {
		return err
	}
	t.reportUpdates(&step.Updates, report)
	t.reportBuild(report)
	return nil
}

// progress returns a function that logs the stages of a build as they begin.
func (t *tool) progress() func(routing.Progress) {
	stage := ""
	return func(p routing.Progress) {
		if p.Stage != stage {
			stage = p.Stage
			t.log.infof("%s ...", stage)
		}
	}
}

func (t *tool) reportBuild(r *routing.BuildReport) {
	peak := int64(0)
	for _, s := range r.Stages {
		t.log.infof("%s took %s", s.Name, s.Wall.Round(time.Millisecond))
		peak = max(peak, s.PeakMemory)
	}
	for _, f := range r.Files {
		t.log.infof("Wrote %s, %d bytes", f.Path, f.Bytes)
	}
	t.log.infof("RAM: peak bytes used: %d", peak)
}
