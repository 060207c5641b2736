package lua

import (
	"fmt"
	"io"
)

// Options of a Lua profile. The zero value is for scripts that nobody has
// checked.
type Options struct {
	// Trusted gives the script the libraries io, os, debug and coroutine, and
	// lets it load code and rasters from everywhere. Without it the script sees
	// only the folder that it is in, and its strings are of bounded length.
	Trusted bool
	// MaxInstructions bounds what one call of a function of the script may
	// take. By default it is 10 million, and unlimited for trusted scripts.
	// Coroutines are not counted.
	MaxInstructions int
	// Output receives what the script prints; nil discards it. Writes of
	// several workers do not overlap.
	Output io.Writer
	// RasterRead, if set, is called with the path of each raster that was read,
	// once for all workers and never by two goroutines at a time.
	RasterRead func(path string)
}

// defaultInstructions are a few hundred times what a large profile needs for
// its longest call.
const defaultInstructions = 10_000_000

// EnsureDefaults fills in the values that are left zero.
func (o *Options) EnsureDefaults() {
	if o.MaxInstructions == 0 && !o.Trusted {
		o.MaxInstructions = defaultInstructions
	}
	if o.Output == nil {
		o.Output = io.Discard
	}
}

// Validate reports everything that is wrong with the options.
func (o *Options) Validate() error {
	if o.MaxInstructions < 0 {
		return fmt.Errorf("lua: MaxInstructions is %d, want at least 0", o.MaxInstructions)
	}
	return nil
}
