// Package fourway is the root of an OSRM-class routing engine in pure Go.
//
// The public API is the package routing: Build prepares an OpenStreetMap
// extract, Open maps the prepared files, and Route and Nearest answer inside
// the caller's process. This root package holds no code of its own; its
// benchmark suite (go test -bench . in this folder) measures the whole engine.
package fourway
