//go:build !linux

package lean

func dropProgram() {}
