package main

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// loadAverage returns the load average of the last minute.
func loadAverage() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return load
}

// cpuModel returns the name of the processor.
func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(text) {
		if name, value, ok := bytes.Cut(line, []byte(":")); ok && strings.TrimSpace(string(name)) == "model name" {
			return strings.TrimSpace(string(value))
		}
	}
	return ""
}
