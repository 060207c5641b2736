// Package trip finds the order in which to visit stops: the traveling salesman
// problem, round or one way, with the first and the last stop fixed or free, over
// a matrix of costs that need not be symmetric. It knows no roads; the caller
// fills the [Matrix] and drives the [Tour].
//
//	tour, err := trip.Solve(ctx, trip.Matrix{Stops: 4, Costs: costs}, trip.Options{
//		Roundtrip: true,
//		Source:    trip.At(0),
//	})
//
// # Method
//
// Every combination of ends becomes a closed tour through one root: the stop that
// is fixed, the pair of fixed stops as one, or a stop that costs nothing. Up to
// [ExactStops] stops it is solved exactly, by the dynamic program of Held and Karp
// (1962) and Bellman (1962) in O(2^n n²). More stops get a tour by farthest
// insertion, which iterated local search improves (Lourenço, Martin and Stützle,
// 2003): exchange of neighboring segments (the one 3-opt move that reverses
// nothing), directed 2-opt, and reversed or-opt, over lists of near neighbors;
// then double bridges (Martin, Otto and Felten, 1991) and repair. The assignment
// problem bounds the cost from below and may prove such a tour optimal.
//
// # Order
//
// The answer depends on matrix and options alone: the budget is counted in moves,
// not in time, and the pseudo-random numbers have a fixed seed. Among optimal
// orders the exact method returns the lexicographically smallest.
//
// # Memory and concurrency
//
// Solve keeps nothing. Its scratch memory, about 1 MiB for 15 stops and 4 to
// 8 bytes per matrix cell beyond, comes from Options.Allocator, which belongs to
// one goroutine at a time; without it from an allocator of its own. With a warm
// allocator the Order of the tour is the only allocation.
package trip
