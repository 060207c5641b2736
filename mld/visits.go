package mld

import "github.com/fourway-routing/fourway/pool"

// visits are the places where the routes of a search for alternatives lead over nodes:
// a hash table of the latest visit of each node, from which the others follow.
type visits struct {
	slots []uint32 // 0: free; i+1: all[i]
	all   []visit
	// lightest is the weight of the first route.
	lightest uint32
}

// visit is a route at a node, so much weight behind the beginning of a search from the
// sources.
type visit struct {
	node, at uint32
	route    uint32
	before   uint32 // an earlier visit of the node, i+1
}

const firstVisits = 1 << 11

func (v *visits) clear(memory *pool.Allocator) {
	if v.slots == nil {
		v.slots = pool.Make[uint32](memory, firstVisits)
	}
	clear(v.slots)
	v.all = v.all[:0]
}

func (v *visits) release(memory *pool.Allocator) {
	pool.Free(memory, v.slots)
	pool.Free(memory, v.all)
	*v = visits{}
}

// slot returns that of a node, or a free one.
func (v *visits) slot(node uint32) *uint32 {
	mask := uint32(len(v.slots) - 1)
	for i := node * 0x9e3779b1 >> 8; ; i++ {
		if x := &v.slots[i&mask]; *x == 0 || v.all[*x-1].node == node {
			return x
		}
	}
}

func (v *visits) add(memory *pool.Allocator, node, at, route uint32) {
	if 2*len(v.all) >= len(v.slots) {
		old := v.slots
		v.slots = pool.MakeZeroed[uint32](memory, 2*len(old))
		for i := range old {
			if x := old[i]; x != 0 {
				*v.slot(v.all[x-1].node) = x
			}
		}
		pool.Free(memory, old)
	}
	x := v.slot(node)
	v.all = pool.Append(memory, v.all, visit{node, at, route, *x})
	*x = uint32(len(v.all))
}

// first says whether the first route leads over a node at the weight.
func (v *visits) first(node, at uint32) bool {
	for i := *v.slot(node); i != 0; i = v.all[i-1].before {
		if x := &v.all[i-1]; x.route == 0 && x.at == at {
			return true
		}
	}
	return false
}

// both says whether a route leads from one node to the other and weighs as much in
// between.
func (v *visits) both(from, to, weight uint32) bool {
	for i := *v.slot(from); i != 0; i = v.all[i-1].before {
		x := &v.all[i-1]
		for j := *v.slot(to); j != 0; j = v.all[j-1].before {
			if y := &v.all[j-1]; x.route == y.route && y.at-x.at == weight {
				return true
			}
		}
	}
	return false
}
