//go:build !unix

package osrm

// tellParent does nothing: there are no such signals.
func tellParent() {}
