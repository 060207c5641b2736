// Package testmap makes maps for tests: drawn ones, which show what a test is about, and
// made-up cities and roads of any size.
package testmap
