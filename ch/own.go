package ch

import "github.com/fourway-routing/fourway/internal/sharing"

// BytesBeside returns the memory in bytes that the Hierarchy takes beside another one:
// the lists that Update or Customize has not taken over from it or from its Order.
func (h *Hierarchy) BytesBeside(o *Hierarchy) int64 {
	sum := sharing.Own(h.rank, o.rank) + sharing.Own(h.first, o.first) + sharing.Own(h.arcs, o.arcs) +
		sharing.Own(h.child, o.child) + sharing.Own(h.duration, o.duration) + sharing.Own(h.distance, o.distance) +
		sharing.Own(h.coreOf, o.coreOf) + sharing.Own(h.barred, o.barred)
	for i := range h.cores {
		var of core
		if i < len(o.cores) {
			of = o.cores[i]
		}
		sum += sharing.Own(h.cores[i].first, of.first) + sharing.Own(h.cores[i].barred, of.barred)
	}
	for i := range h.loops {
		var of loops
		if i < len(o.loops) {
			of = o.loops[i]
		}
		l := &h.loops[i]
		sum += sharing.Own(l.rank, of.rank) + sharing.Own(l.weight, of.weight) + sharing.Own(l.child, of.child) +
			sharing.Own(l.duration, of.duration) + sharing.Own(l.distance, of.distance)
	}
	return sum
}
