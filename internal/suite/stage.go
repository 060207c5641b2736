package suite

import (
	"context"
	"fmt"
	"time"

	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/routing"
)

// Stages are the steps of a build, as OSRM's tools have them, in an order in which
// they can run; order, for CCH, is ours alone.
var stages = [...]string{"extract", "partition", "customize", "contract", "order"}

// Stages returns the names of the steps of a build, in an order in which they can
// run.
func Stages() []string { return stages[:] }

// Pooled says whether the kind of memory matters to a step.
func Pooled(stage string) bool { return stage == "customize" || stage == "contract" }

// StageOptions says what a step works on.
type StageOptions struct {
	Extract string // file that extract reads
	Name    string // of the data set
	Memory  pool.Kind
	Workers int // 0 for one per processor
}

// StageCost is what a step took, with reading and writing of its files.
type StageCost struct {
	CPU        time.Duration // of all goroutines; 0 where the system does not tell
	PeakMemory int64         // of the Go heap and stacks, in bytes
	Bytes      int64         // of the files written
}

// RunStage runs one step of a build.
func RunStage(ctx context.Context, stage string, opt StageOptions) (StageCost, error) {
	step := routing.StepOptions{Input: opt.Name, Memory: opt.Memory, Workers: opt.Workers}
	var report *routing.BuildReport
	var err error
	switch stage {
	case "extract":
		report, err = routing.Extract(ctx, routing.BuildOptions{Input: opt.Extract, Output: opt.Name, Workers: opt.Workers})
	case "partition":
		report, err = routing.Partition(ctx, step)
	case "customize":
		report, err = routing.Customize(ctx, step)
	case "contract":
		report, err = routing.Contract(ctx, step)
	case "order":
		step.Algorithms = []routing.Algorithm{routing.CCH}
		report, err = routing.Rebuild(ctx, step)
	default:
		return StageCost{}, fmt.Errorf("suite: no stage %q, want one of %v", stage, stages)
	}
	if err != nil {
		return StageCost{}, err
	}
	var c StageCost
	for _, s := range report.Stages {
		c.CPU += s.CPU
		c.PeakMemory = max(c.PeakMemory, s.PeakMemory)
	}
	for _, f := range report.Files {
		c.Bytes += f.Bytes
	}
	return c, nil
}
