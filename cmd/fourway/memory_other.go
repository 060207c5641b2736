//go:build !linux

package main

import "runtime"

// peakMemory returns what the Go runtime took from the system, the nearest
// figure to a peak that is to be had here.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
