package main

// measuring are the commands that measure.
type measuring struct {
	Bench    benchCmd    `cmd:"" help:"Measure builds and requests of all kinds, and what memory they take."`
	Growth   growthCmd   `cmd:"" help:"Measure how builds and requests grow with the network, and draw it."`
	Replay   replayCmd   `cmd:"" help:"Play a log of requests, and tell how long the answers took."`
	SynthDay synthDayCmd `cmd:"" name:"synth-day" help:"Write a made-up day of requests for a data set."`
	SynthOSM synthOSMCmd `cmd:"" name:"synth-osm" help:"Write a made-up road network, or a mosaic of copies of a real one."`

	BenchStage   benchStageCmd   `cmd:"" hidden:""`
	BenchServing benchServingCmd `cmd:"" hidden:""`
	BenchGrowing benchGrowingCmd `cmd:"" hidden:""`
}
