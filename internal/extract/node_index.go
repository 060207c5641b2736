package extract

import (
	"github.com/fourway-routing/fourway/graph"
)

// sortIDs sorts ids in place, by as many passes over 11-bit digits as their
// range needs. scratch must be as long as ids.
func sortIDs(ids, scratch []int64) {
	if len(ids) < 2 {
		return
	}
	lo, hi, sorted := ids[0], ids[0], true
	for i, id := range ids {
		lo, hi = min(lo, id), max(hi, id)
		sorted = sorted && (i == 0 || ids[i-1] <= id)
	}
	if sorted {
		return
	}
	const digit = 11
	span := uint64(hi) - uint64(lo)
	from, to := ids, scratch[:len(ids)]
	for shift := 0; span>>shift != 0; shift += digit {
		var first [1 << digit]int
		for _, id := range from {
			first[(uint64(id)-uint64(lo))>>shift&(1<<digit-1)]++
		}
		sum := 0
		for i, n := range first {
			first[i] = sum
			sum += n
		}
		for _, id := range from {
			d := (uint64(id) - uint64(lo)) >> shift & (1<<digit - 1)
			to[first[d]] = id
			first[d]++
		}
		from, to = to, from
	}
	if &from[0] != &ids[0] {
		copy(ids, from)
	}
}

// nodeIndex finds the position of an OSM id in a sorted list without
// duplicates. A table over the leading bits narrows the binary search.
type nodeIndex struct {
	ids   []int64
	shift int
	// first has an entry for each value of (id-ids[0])>>shift, and one more.
	first []uint32
}

// perBucket is the average number of ids that share a table entry.
const perBucket = 4

func newNodeIndex(ids []int64) *nodeIndex {
	x := &nodeIndex{ids: ids}
	if len(ids) == 0 {
		return x
	}
	span := uint64(ids[len(ids)-1]) - uint64(ids[0])
	for span>>x.shift > uint64(len(ids)/perBucket) {
		x.shift++
	}
	x.first = make([]uint32, span>>x.shift+2)
	for _, id := range ids {
		x.first[x.bucket(id)+1]++
	}
	for i := 1; i < len(x.first); i++ {
		x.first[i] += x.first[i-1]
	}
	return x
}

func (x *nodeIndex) bucket(id int64) uint64 { return (uint64(id) - uint64(x.ids[0])) >> x.shift }

// find returns the position of id, or graph.InvalidPlace.
func (x *nodeIndex) find(id int64) graph.PlaceID {
	if len(x.ids) == 0 || id < x.ids[0] || id > x.ids[len(x.ids)-1] {
		return graph.InvalidPlace
	}
	b := x.bucket(id)
	lo, hi := x.first[b], x.first[b+1]
	for lo < hi {
		mid := lo + (hi-lo)/2
		if x.ids[mid] < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == x.first[b+1] || x.ids[lo] != id {
		return graph.InvalidPlace
	}
	return graph.PlaceID(lo)
}
