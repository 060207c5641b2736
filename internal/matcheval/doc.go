// Package matcheval measures how well traces are matched to roads.
//
// A Trace knows the way that was driven: because it is simulated (Simulate), on a
// route with noise added, or because somebody wrote it down (ReadFiles). Evaluate
// matches traces and compares the ways.
//
// The measures are those of Newson and Krumm (Hidden Markov Map Matching Through
// Noise and Sparseness, 2009) and of the surveys after it: the route mismatch
// fraction, the ratio of lengths, and the share of points that are placed right.
package matcheval
