package graph

import "context"

// mostInOrder is the number of hits up to which they are kept in order all the time.
// More are kept as a heap with the farthest on top, and sorted in the end.
const mostInOrder = 32

// sink puts a hit in the last place of sorted hits where it belongs.
func sink(hits []snapHit, h *snapHit) {
	i := len(hits) - 1
	for ; i > 0 && h.before(&hits[i-1]); i-- {
		hits[i] = hits[i-1]
	}
	hits[i] = *h
}

// raise puts the last hit of a heap where it belongs.
func raise(hits []snapHit) {
	i := len(hits) - 1
	h := hits[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !hits[parent].before(&h) {
			break
		}
		hits[i] = hits[parent]
		i = parent
	}
	hits[i] = h
}

// lower puts the top of a heap where it belongs.
func lower(hits []snapHit) {
	i, h := 0, hits[0]
	for {
		child := 2*i + 1
		if child >= len(hits) {
			break
		}
		if child+1 < len(hits) && hits[child].before(&hits[child+1]) {
			child++
		}
		if !h.before(&hits[child]) {
			break
		}
		hits[i] = hits[child]
		i = child
	}
	hits[i] = h
}

// sortMany sorts a heap of hits, unless the context is done before.
func sortMany(ctx context.Context, hits []snapHit) error {
	for n := len(hits) - 1; n > 0; n-- {
		if n%pollPhantoms == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		hits[0], hits[n] = hits[n], hits[0]
		lower(hits[:n])
	}
	return nil
}
