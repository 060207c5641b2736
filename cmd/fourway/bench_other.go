//go:build !linux

package main

// loadAverage returns 0: the load is not known here.
func loadAverage() float64 { return 0 }

// cpuModel returns nothing: the name of the processor is not known here.
func cpuModel() string { return "" }
