package routing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

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
	c, err := e.customized.get(ctx, mask)
	if err != nil && fromData(err) {
		err = e.corrupt(err)
	}
	return exclusion{mask: mask, customized: c}, err
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

// keptCustomizations bounds how many sets of classes that the profile does not
// list are kept ready. Each takes a fraction of what the file of the overlay does,
// or with CCH most of what its file does.
const keptCustomizations = 8

// customizations keeps a data set customized to sets of excluded classes, made
// when first asked for. It is safe for concurrent use.
type customizations struct {
	customize func(ctx context.Context, excluded graph.Bits) (customized, error)
	net       *graph.Network
	turn      chan struct{} // holds a token while one is made: each takes all processors

	mu   sync.Mutex
	kept []*customization // least recently used first; those in the making included
}

type customization struct {
	mask  graph.ClassMask
	ready chan struct{} // closed when the fields below are final
	customized
	err error
}

func newCustomizations(n *graph.Network, customize func(context.Context, graph.Bits) (customized, error)) *customizations {
	return &customizations{customize: customize, net: n, turn: make(chan struct{}, 1)}
}

// get returns the customization to a set of excluded classes. Of callers who want the
// same set at a time one makes it and the others wait; a done context ends a
// caller's wait or work, and then the next one sets to work.
func (c *customizations) get(ctx context.Context, mask graph.ClassMask) (customized, error) {
	for {
		if err := ctx.Err(); err != nil {
			return customized{}, err
		}
		x, mine := c.enter(mask)
		if mine {
			c.fill(ctx, x)
			return x.customized, x.err
		}
		select {
		case <-x.ready:
		case <-ctx.Done():
			return customized{}, ctx.Err()
		}
		if x.err == nil {
			return x.customized, nil
		}
	}
}

// fill makes an entry final, also if the making panics.
func (c *customizations) fill(ctx context.Context, x *customization) {
	x.err = errUnfinished
	defer func() {
		if x.err != nil {
			c.forget(x)
		}
		close(x.ready)
	}()
	x.customized, x.err = c.make(ctx, x.mask)
}

// errUnfinished is what those who wait for a customization see if it panics.
var errUnfinished = errors.New("routing: the customization did not end")

// enter returns the entry of a set, and whether it is the caller's to make.
func (c *customizations) enter(mask graph.ClassMask) (x *customization, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.kept, func(x *customization) bool { return x.mask == mask })
	if at >= 0 {
		x = c.kept[at]
		c.kept = append(slices.Delete(c.kept, at, at+1), x)
		return x, false
	}
	x = &customization{mask: mask, ready: make(chan struct{})}
	c.kept = append(c.kept, x)
	if len(c.kept) > keptCustomizations {
		c.kept = slices.Delete(c.kept, 0, 1)
	}
	return x, true
}

func (c *customizations) forget(x *customization) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := slices.Index(c.kept, x); at >= 0 {
		c.kept = slices.Delete(c.kept, at, at+1)
	}
}

func (c *customizations) make(ctx context.Context, mask graph.ClassMask) (customized, error) {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return customized{}, ctx.Err()
	}
	defer func() { <-c.turn }()
	return c.customize(ctx, excluded(c.net, mask))
}
