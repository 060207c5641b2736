package ch

import "github.com/fourway-routing/fourway/pool"

// queue is a heap of words, smallest first, four children to an entry. A
// search packs a weight above an id into a word, and instead of decreasing a
// key it pushes the id once more and skips the stale word when it comes up.
//
// Searches for witnesses are so small that few keys decrease, and a heap that
// knows the places of its entries takes a tenth to a fifth longer for them: see
// BenchmarkQueue. All other searches use package heap.
type queue []uint64

// push adds x.
func (q *queue) push(p *pool.Allocator, x uint64) {
	h := pool.Append(p, *q, x)
	i := uint(len(h) - 1)
	for i > 0 {
		parent := (i - 1) / 4
		if h[parent] <= x {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = x
	*q = h
}

// pop removes the smallest word; the queue is not empty.
func (q *queue) pop() uint64 {
	h := *q
	top := h[0]
	last := uint(len(h) - 1)
	x := h[last]
	h = h[:last]
	*q = h
	if last == 0 {
		return top
	}
	i := uint(0)
	for {
		child := 4*i + 1
		if child+3 < last {
			c := (*[4]uint64)(h[child : child+4])
			best, least := child, c[0]
			if c[1] < least {
				best, least = child+1, c[1]
			}
			if c[2] < least {
				best, least = child+2, c[2]
			}
			if c[3] < least {
				best, least = child+3, c[3]
			}
			if least >= x {
				break
			}
			h[i] = least
			i = best
			continue
		}
		if child >= last {
			break
		}
		best, least := child, h[child]
		for j := child + 1; j < last; j++ {
			if h[j] < least {
				best, least = j, h[j]
			}
		}
		if least >= x {
			break
		}
		h[i] = least
		i = best
	}
	h[i] = x
	return top
}
