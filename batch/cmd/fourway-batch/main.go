// Command fourway-batch answers files of requests on Apache Beam: on this machine,
// or with the runner that Beam's own flags name.
//
//	fourway-batch match --dataset delaware --input 'traces-*.jsonl' --output matched
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/fourway-routing/fourway/batch"
	"github.com/fourway-routing/fourway/routing"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "fourway-batch:", err)
		}
		os.Exit(1)
	}
}

// job is what the command line asks for.
type job struct {
	service  batch.Service
	dataset  batch.Dataset
	options  batch.Options
	matrix   batch.MatrixOptions
	files    batch.FileOptions
	places   batch.MatrixFileOptions
	format   string
	distance bool
	quiet    bool
	verbose  bool
}

var errUsage = errors.New("the first argument is one of route, match, nearest, isochrone and matrix: fourway-batch match --help tells more")

func run(ctx context.Context, args []string, log io.Writer) error {
	j := job{}
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		j.service, args = batch.Service(args[0]), args[1:]
	}
	if err := j.define(flag.CommandLine, log); err != nil {
		return err
	}
	if err := flag.CommandLine.Parse(args); err != nil {
		return err
	}
	if !j.verbose {
		beamlog.LogLevel = "warn"
	}
	// A worker's process, which a runner starts with flags alone, ends in here.
	beam.Init()
	if j.service == "" {
		return errUsage
	}
	if flag.NArg() > 0 {
		return fmt.Errorf("%s has no meaning here: flags begin with --", flag.Arg(0))
	}
	return j.run(ctx, log)
}

// define adds the flags of a service to Beam's.
func (j *job) define(flags *flag.FlagSet, log io.Writer) error {
	ours := map[string]bool{}
	flags.Init("fourway-batch", flag.ContinueOnError)
	flags.SetOutput(log)
	beams := flag.NewFlagSet("beam", flag.ContinueOnError)
	flags.VisitAll(func(f *flag.Flag) { beams.Var(f.Value, f.Name, f.Usage) })
	own := flag.NewFlagSet("own", flag.ContinueOnError)
	own.StringVar(&j.dataset.Name, "dataset", "", "path of the data `set`, without suffixes; gs:// and other file systems of Beam's too")
	own.TextVar(&j.dataset.Algorithm, "algorithm", routing.CH, "ch, mld or cch")
	own.StringVar(&j.dataset.Dir, "local_dir", "", "`folder` for copies of a data set of another file system")
	own.StringVar(&j.format, "format", string(batch.JSONLines), "of the results: jsonl or parquet")
	own.BoolVar(&j.quiet, "quiet", false, "show no progress")
	own.BoolVar(&j.verbose, "verbose", false, "show what Beam tells of its work, too, and not of its troubles alone")
	switch j.service {
	case batch.ServiceRoute, batch.ServiceMatch, batch.ServiceNearest, batch.ServiceIsochrone:
		own.StringVar(&j.files.Input, "input", "", "`files` of requests, a line of JSON each: a path or a pattern")
		own.StringVar(&j.files.Output, "output", "", "`folder` for the results")
		own.Int64Var(&j.files.PartBytes, "part_bytes", 0, "about how much of the input goes into one file of results; 0 stands for 4 MiB")
		own.DurationVar(&j.options.Deadline, "deadline", 0, "the time that a request may take; 0 for no limit")
		own.BoolVar(&j.options.NoResponse, "no_response", false, "leave out all but the numbers of a result")
	case batch.ServiceMatrix:
		own.StringVar(&j.places.Sources, "sources", "", "`file` of places, a line of JSON each")
		own.StringVar(&j.places.Destinations, "destinations", "", "likewise; the sources if empty")
		own.StringVar(&j.places.Output, "output", "", "`folder` for the results")
		own.BoolVar(&j.distance, "distances", false, "distances too")
		own.IntVar(&j.matrix.Rows, "rows", 0, "the most sources of a block; 0 for the default")
		own.IntVar(&j.matrix.Columns, "columns", 0, "the most destinations of a block; 0 for the default")
	case "":
	default:
		return errUsage
	}
	own.VisitAll(func(f *flag.Flag) {
		ours[f.Name] = true
		flags.Var(f.Value, f.Name, f.Usage)
	})
	flags.Usage = func() {
		fmt.Fprintf(log, "Usage: fourway-batch route|match|nearest|isochrone|matrix flags\n\n")
		own.SetOutput(log)
		own.PrintDefaults()
		fmt.Fprintf(log, "\nBeam's flags, of which --runner chooses the runner (prism, in this process, by default):\n\n")
		beams.SetOutput(log)
		beams.PrintDefaults()
	}
	return nil
}

// run makes the pipeline and runs it.
func (j *job) run(ctx context.Context, log io.Writer) error {
	if j.dataset.Name == "" {
		return errors.New("--dataset is missing")
	}
	d, err := j.dataset.Pin(ctx)
	if err != nil {
		return err
	}
	p, s := beam.NewPipelineWithRoot()
	output := j.files.Output
	if j.service == batch.ServiceMatrix {
		j.places.Format = batch.Format(j.format)
		if j.places.Destinations == "" {
			j.places.Destinations = j.places.Sources
		}
		if j.distance {
			j.matrix.Table.Annotations = routing.TableDurations | routing.TableDistances
		}
		output = j.places.Output
		if _, err := batch.MatrixFiles(s, d, j.matrix, j.places); err != nil {
			return err
		}
	} else {
		j.files.Service, j.files.Format = j.service, batch.Format(j.format)
		if _, err := batch.Files(s, d, j.options, j.files); err != nil {
			return err
		}
	}
	begun := time.Now()
	if !j.quiet {
		c, cancel := context.WithCancel(ctx)
		defer cancel()
		go report(c, log, output)
	}
	res, err := beamx.RunWithMetrics(ctx, p)
	if err != nil {
		return err
	}
	if err := batch.Finish(ctx, output); err != nil {
		return err
	}
	if res != nil {
		fmt.Fprintln(log, summary(res.Metrics().AllMetrics().Counters(), time.Since(begun)))
	}
	return nil
}

// report tells now and then how many files of results there are.
func report(ctx context.Context, log io.Writer, output string) {
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if done, all, err := batch.Progress(ctx, output); err == nil {
			fmt.Fprintf(log, "%d of %d files\n", done, all)
		}
	}
}

// summary tells what was counted.
func summary(counters []metrics.CounterResult, took time.Duration) string {
	sum := map[string]int64{}
	for _, c := range counters {
		if c.Key.Namespace == batch.Namespace {
			sum[c.Key.Name] += c.Result()
		}
	}
	text := fmt.Sprintf("%d answered, %d failed", sum["answered"], sum["failed"])
	if n := sum["found"]; n > 0 {
		text += fmt.Sprintf(", %d files were there from a run before", n)
	}
	return fmt.Sprintf("%s; %.1f s", text, took.Seconds())
}
