package main

import (
	"fmt"
	"io"
	"time"

	"github.com/fourway-routing/fourway/internal/matcheval"
	"github.com/fourway-routing/fourway/routing"
)

type matchEvalCmd struct {
	Name   string   `arg:"" help:"Name of the data set, without ending."`
	Traces []string `arg:"" optional:"" help:"Traces with known ways, or folders of them: NAME-track.geojson beside NAME.json. Without, they are simulated." type:"path" placeholder:"PATH"`

	algorithm
	Seed        uint64          `default:"1" help:"Another seed makes other traces (${default})." placeholder:"N"`
	Count       int             `default:"40" help:"How many traces to simulate for each line (${default})."`
	Noise       []float64       `default:"2,5,10,20,30" help:"Standard deviations in meters (${default})."`
	Interval    []time.Duration `default:"1s,5s,15s,30s,60s,120s" help:"Times between points (${default})."`
	Correlation time.Duration   `help:"Time in which noise forgets itself; none by default." placeholder:"TIME"`
	Outliers    float64         `help:"Share of points that lie far off; none by default." placeholder:"SHARE"`
	Gaps        float64         `help:"Share of points that begin a gap; none by default." placeholder:"SHARE"`
}

// matchSettings are what match-eval compares.
var matchSettings = []struct {
	name  string
	setup func(*matcheval.Trace, *routing.MatchRequest)
}{
	{"default", nil},
	{"noise told", func(t *matcheval.Trace, r *routing.MatchRequest) {
		for range t.Points {
			r.Radiuses = append(r.Radiuses, t.Deviation)
		}
	}},
	{"robust", func(_ *matcheval.Trace, r *routing.MatchRequest) { r.Model = routing.RobustModel() }},
}

func (c *matchEvalCmd) Run(t *console) error {
	return query(t, c.Name, c.Algorithm, "match-eval", func(e *routing.Engine) error {
		fmt.Fprintln(t.out, "Of each setting: route mismatch fraction, ratio of lengths, share of points placed right.")
		if len(c.Traces) > 0 {
			return c.real(t, e)
		}
		return c.simulated(t, e)
	})
}

// real compares the settings on each trace, and on all.
func (c *matchEvalCmd) real(t *console, e *routing.Engine) error {
	traces, err := matcheval.ReadFiles(c.Traces...)
	if err != nil {
		return err
	}
	header(t.out, "trace")
	sums := make([]matcheval.Score, len(matchSettings))
	for i := range traces {
		scores, err := compare(t, e, traces[i:i+1])
		if err != nil {
			return err
		}
		row(t.out, traces[i].Name, scores)
		for k := range scores {
			sums[k].Add(scores[k])
		}
	}
	row(t.out, "all", sums)
	return nil
}

// simulated compares the settings for each interval and noise.
func (c *matchEvalCmd) simulated(t *console, e *routing.Engine) error {
	header(t.out, "interval, noise")
	for _, interval := range c.Interval {
		for _, noise := range c.Noise {
			traces, err := matcheval.Simulate(t.ctx, e, matcheval.Simulation{
				Seed: c.Seed, Traces: c.Count, Noise: noise, Interval: interval,
				Correlation: c.Correlation, Outliers: c.Outliers, Gaps: c.Gaps,
			})
			if err != nil {
				return err
			}
			scores, err := compare(t, e, traces)
			if err != nil {
				return err
			}
			row(t.out, fmt.Sprintf("%s, %g m", interval, noise), scores)
		}
	}
	return nil
}

// compare scores traces by each setting.
func compare(t *console, e *routing.Engine, traces []matcheval.Trace) ([]matcheval.Score, error) {
	scores := make([]matcheval.Score, len(matchSettings))
	for i, s := range matchSettings {
		var err error
		if scores[i], err = matcheval.Evaluate(t.ctx, e, traces, s.setup); err != nil {
			return nil, err
		}
	}
	return scores, nil
}

func header(w io.Writer, what string) {
	line, rule := fmt.Sprintf("| %-16s |", what), "| ---------------- |"
	for _, s := range matchSettings {
		line += fmt.Sprintf(" %-20s |", s.name)
		rule += " -------------------- |"
	}
	fmt.Fprintf(w, "%s\n%s\n", line, rule)
}

func row(w io.Writer, what string, scores []matcheval.Score) {
	line := fmt.Sprintf("| %-16s |", what)
	for i := range scores {
		s := &scores[i]
		right := "    -"
		if s.Points > 0 {
			right = fmt.Sprintf("%5.3f", s.PointAccuracy())
		}
		line += fmt.Sprintf(" %7.4f %6.3f %s |", s.Mismatch(), s.LengthRatio(), right)
	}
	fmt.Fprintln(w, line)
}
