// Package measure holds what benchmarks and replays measure with: response times
// in a histogram, the cost of the garbage collector, and the memory of a process.
package measure
