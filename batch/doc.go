// Package batch answers requests by the million on Apache Beam: routes, matches of
// traces, nearest roads, isochrones and matrices, from collections or files of requests to
// collections or files of results and of failures.
//
//	d, err := batch.Dataset{Name: "delaware"}.Pin(ctx)
//	p, s := beam.NewPipelineWithRoot()
//	traces := textio.Read(s, "traces.jsonl")
//	matched, failures := batch.Matches(s, d, batch.Options{}, traces)
//
// It schedules nothing: that is the runner's, such as Prism, Flink or Dataflow. One
// request that cannot be answered, or that panics or takes too long, is a Failure
// among the results; what is wrong with a worker, such as a data set that it cannot
// open, fails the pipeline with an error that errors.Is ErrDataset.
//
// Routes, Matches, Nearest, Isochrones and Matrix are transforms of PCollections. Files and
// MatrixFiles go from files to files: requests and results do not pass through the
// runner, and a job that was stopped goes on where it was. Answers are those of
// package routing, whatever the runner, byte for byte.
//
// A data set is opened once per process, mapped into memory, and shared by all of
// its goroutines; a bundle has a routing.Session of its own.
//
// The package is in a module of its own, so that who imports package routing does
// not get Beam. docs/batch.md tells about sizes and runners.
package batch
