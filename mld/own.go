package mld

import "github.com/fourway-routing/fourway/internal/sharing"

// BytesBeside returns the memory in bytes that the Overlay takes beside another one of
// the same Cells: its weights, unless Update has taken them over. Those of Cliques that
// Customize adds later do not count.
func (o *Overlay) BytesBeside(of *Overlay) int64 {
	sum := sharing.Own(o.arcs, of.arcs) + sharing.Own(o.costs, of.costs) + sharing.Own(o.setOf, of.setOf)
	for i, q := range o.cliques {
		other := new(Cliques)
		if i < len(of.cliques) {
			other = of.cliques[i]
		}
		sum += sharing.Own(q.costs, other.costs) + sharing.Own(q.excluded, other.excluded)
		for d := range 2 {
			sum += sharing.Own(q.weight[d], other.weight[d]) + sharing.Own(q.climb[d], other.climb[d]) +
				sharing.Own(q.climbCosts[d], other.climbCosts[d])
		}
	}
	return sum
}
