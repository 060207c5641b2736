package graph

import (
	"cmp"
	"slices"
)

// Complete fills in what follows from the rest of the network: Copies and Index.
// It is the last step of building one, before it is shared.
func (n *Network) Complete() {
	n.Copies = n.makeCopies()
	n.Index = BuildSnapIndex(n)
}

func (n *Network) makeCopies() []NodeCopy {
	copies := make([]NodeCopy, 0, n.NumNodes()-int(n.Originals))
	for v := int(n.Originals); v < n.NumNodes(); v++ {
		copies = append(copies, NodeCopy{n.ArmNode[n.NodeArm[v]], NodeID(v)})
	}
	slices.SortFunc(copies, func(a, b NodeCopy) int {
		return cmp.Or(cmp.Compare(a.Original, b.Original), cmp.Compare(a.Copy, b.Copy))
	})
	return copies
}

// CopiesOf returns the copies of an original search node, ascending; most have
// none.
func (n *Network) CopiesOf(original NodeID) []NodeCopy {
	first, end := 0, len(n.Copies)
	for first < end {
		if mid := (first + end) / 2; n.Copies[mid].Original < original {
			first = mid + 1
		} else {
			end = mid
		}
	}
	for end < len(n.Copies) && n.Copies[end].Original == original {
		end++
	}
	return n.Copies[first:end]
}
