//go:build !race

package routing

// slowness is by how much tests run slower than the program does.
const slowness = 1
