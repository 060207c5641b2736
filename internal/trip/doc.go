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
// (1962) and Bellman (1962) in O(2^n n²). For more stops, two tours, one by
// farthest insertion, one patched together from an assignment (Karp, 1979), are
// improved by local search: exchange of neighboring segments (the 3-opt move that
// reverses nothing), directed 2-opt, and reversed or-opt, over lists of near
// neighbors. The better one is disturbed by double bridges and repaired, a fixed
// number of times (Martin, Otto and Felten, 1991). The assignment bounds the cost
// from below, and may so prove a tour optimal; its dual prices are taken off the
// costs, which guides the search where the directions differ. Beyond 256 stops
// there is no assignment.
//
// # Order
//
// The answer depends on matrix and options alone: the budget is counted in moves,
// not in time, and the pseudo-random numbers have a fixed seed. Among optimal
// orders the exact method returns the lexicographically greatest.
//
// # Memory and concurrency
//
// Solve keeps nothing and starts no goroutine. Its scratch memory comes from
// Options.Allocator, which belongs to one goroutine at a time; without it from an
// allocator of its own. It is 64·2^n bytes for n up to 16 stops, half of that if an
// end is fixed, and about 4 bytes per cell of the matrix and 500 per stop beyond;
// twice that where sums of costs need 64 bits. With a warm allocator the Order of
// the tour is the only allocation.
package trip
