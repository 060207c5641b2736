package main

// measuring are the commands that measure.
type measuring struct {
	SynthOSM synthOSMCmd `cmd:"" name:"synth-osm" help:"Write a made-up road network, or a mosaic of copies of a real one."`
}
