package heap

import (
	"math/rand/v2"
	"testing"

	"github.com/fourway-routing/fourway/pool"
)

// op is one heap operation of a recorded search.
type op struct {
	node uint32
	key  int32
	code uint8
}

const (
	opInsert = iota
	opDecrease
	opRemove
)

// side is the width of the grid that recorded searches run on: 16 million nodes,
// whose array index exceeds the caches.
const side = 1 << 12

// record runs Dijkstra's algorithm from the middle region of the grid until
// settled nodes are removed, and returns its heap operations. rename maps a grid
// node to the id on the tape.
func record(rng *rand.Rand, settled int, rename func(uint32) uint32) []op {
	h := NewHashHeap(pool.New())
	var tape []op
	push := func(node uint32, key int32) {
		old, ok := h.Find(node)
		switch {
		case !ok:
			tape = append(tape, op{rename(node), key, opInsert})
		case !h.At(old).Removed() && key < h.At(old).Key:
			tape = append(tape, op{rename(node), key, opDecrease})
		}
		h.Relax(node, key, Label{})
	}
	push(side/4+rng.Uint32N(side/2)+side*(side/4+rng.Uint32N(side/2)), -rng.Int32N(300))
	for range settled {
		node, key := h.DeleteMin()
		tape = append(tape, op{code: opRemove})
		for _, head := range [...]uint32{node + 1, node - 1, node + side, node - side} {
			push(head, key+1+rng.Int32N(300))
		}
	}
	return tape
}

// ids are the numberings under test: a grid in blocks of 32 by 32, where a search
// stays in a few lines of an array index, and a random one.
var ids = []struct {
	name   string
	rename func(uint32) uint32
}{
	{"local", func(v uint32) uint32 {
		x, y := v%side, v/side
		return x%32 + y%32*32 + (x/32+y/32*(side/32))*1024
	}},
	{"scattered", func(v uint32) uint32 { return v * 0x9e3779b1 % (side * side) }},
}

// tapes returns recorded searches; many make each one find its memory cold.
func tapes(count int, rename func(uint32) uint32) (all [][]op, ops int) {
	rng := rand.New(rand.NewPCG(42, 42))
	for range count {
		t := record(rng, 700, rename)
		all = append(all, t)
		ops += len(t)
	}
	return all, ops
}

func TestTapesReplay(t *testing.T) {
	all, _ := tapes(3, ids[0].rename)
	for _, kind := range kinds {
		h := kind.make(pool.New(), side*side)
		for _, tape := range all {
			h.replay(tape)
		}
	}
}
