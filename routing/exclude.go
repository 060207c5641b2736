package routing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/fourway-routing/fourway/ch"
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/mld"
)

// exclusion is a set of classes to keep out of.
type exclusion struct {
	mask graph.ClassMask
	// set is that of the searcher, unless it has been customized.
	set int
	customized
}

// customized is what a search uses to keep out of a set of nodes, by algorithm.
type customized struct {
	cliques   *mld.Cliques
	hierarchy *ch.Hierarchy
}

// excluded returns the search nodes of a network that a set of classes closes.
func excluded(n *graph.Network, mask graph.ClassMask) graph.Bits {
	closed := graph.MakeBits(n.NumNodes())
	for v, arm := range n.NodeArm {
		if n.Roads[n.ArmRoad[arm]].Classes&mask != 0 {
			closed.Set(uint32(v))
		}
	}
	return closed
}

// excludable returns the search nodes closed by each set of classes that the
// profile lists.
func excludable(n *graph.Network) []graph.Bits {
	var sets []graph.Bits
	for _, mask := range n.Properties.Excludable {
		sets = append(sets, excluded(n, mask))
	}
	return sets
}

// exclude finds the set with the given names, or makes it.
func (e *dataset) exclude(ctx context.Context, names []string) (exclusion, error) {
	var mask graph.ClassMask
	for _, name := range names {
		i := slices.Index(e.net.Properties.Classes, name)
		if i < 0 {
			return exclusion{}, e.notExcludable(names)
		}
		mask |= 1 << i
	}
	if set := slices.Index(e.sets, mask); set >= 0 {
		return exclusion{mask: mask, set: set}, nil
	}
	if e.customized == nil {
		return exclusion{}, e.notExcludable(names)
	}
	c, err := e.customizedTo(ctx, mask)
	if err != nil && fromData(err) {
		err = e.corrupt(err)
	}
	return exclusion{mask: mask, customized: c}, err
}

// customizedTo returns what searches that keep out of a set of classes use.
func (e *dataset) customizedTo(ctx context.Context, mask graph.ClassMask) (customized, error) {
	return e.customized.get(ctx, mask, func(ctx context.Context) (customized, error) {
		return e.customize(ctx, excluded(e.net, mask))
	})
}

func (e *dataset) notExcludable(names []string) error {
	var sets []string
	if e.customized != nil {
		sets = e.info.Classes
	} else {
		for _, set := range e.info.Excludable {
			sets = append(sets, strings.Join(set, ","))
		}
	}
	return &Error{
		Code: ErrInvalidValue, Index: -1,
		Message: "Exclude flag combination is not supported.",
		Detail:  fmt.Sprintf("It is %s; this data set knows: %s.", strings.Join(names, ","), strings.Join(sets, "; ")),
	}
}
