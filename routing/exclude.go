package routing

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
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

	open    context.Context // until stop
	stop    context.CancelFunc
	running sync.WaitGroup

	mu   sync.Mutex
	kept []*customization // least recently used first; those in the making included
}

type customization struct {
	mask  graph.ClassMask
	ready chan struct{} // closed when customized and err are final
	customized
	err error

	// Under mu: callers who wait, and how far it is. Where the last one leaves before
	// it is started, givenUp is closed.
	waiting       int
	started, made bool
	givenUp       chan struct{}
}

func newCustomizations(n *graph.Network, customize func(context.Context, graph.Bits) (customized, error)) *customizations {
	c := &customizations{customize: customize, net: n, turn: make(chan struct{}, 1)}
	c.open, c.stop = context.WithCancel(context.Background())
	return c
}

// close ends what is being made. Nobody asks for anything anymore.
func (c *customizations) close() {
	c.stop()
	c.running.Wait()
}

// get returns the customization to a set of excluded classes. Callers who want the same
// set share what is made. A done context ends a caller's wait; what is being made
// then is made to the end, so that callers in a hurry get it in the end too.
func (c *customizations) get(ctx context.Context, mask graph.ClassMask) (customized, error) {
	if err := ctx.Err(); err != nil {
		return customized{}, err
	}
	x := c.enter(mask)
	defer c.leave(x)
	select {
	case <-x.ready:
		return x.customized, x.err
	case <-ctx.Done():
		return customized{}, ctx.Err()
	}
}

// enter returns the entry of a set, with the caller among those who wait.
func (c *customizations) enter(mask graph.ClassMask) *customization {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.kept, func(x *customization) bool { return x.mask == mask })
	if at >= 0 {
		x := c.kept[at]
		c.kept = append(slices.Delete(c.kept, at, at+1), x)
		x.waiting++
		return x
	}
	x := &customization{mask: mask, ready: make(chan struct{}), givenUp: make(chan struct{}), waiting: 1}
	c.kept = append(c.kept, x)
	c.running.Go(func() { c.fill(x) })
	return x
}

func (c *customizations) leave(x *customization) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.waiting--; x.waiting == 0 && !x.started {
		close(x.givenUp)
		c.forget(x)
	}
}

// fill makes an entry final.
func (c *customizations) fill(x *customization) {
	defer close(x.ready)
	select {
	case c.turn <- struct{}{}:
	case <-x.givenUp:
		return
	}
	defer func() { <-c.turn }()
	if !c.start(x) {
		return
	}
	x.err = errUnfinished
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if fault, ok := recover().(error); ok {
			x.err = fault
		}
		c.settle(x)
	}()
	x.customized, x.err = c.customize(c.open, excluded(c.net, x.mask))
}

// errUnfinished is what those who wait for a customization see if it panics.
var errUnfinished = errors.New("routing: the customization did not end")

// start says whether anybody waits for an entry.
func (c *customizations) start(x *customization) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	x.started = x.waiting > 0
	return x.started
}

// settle keeps an entry that was made, in the place of the one that nobody has asked
// for longest, or drops it if it was not made.
func (c *customizations) settle(x *customization) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.err != nil {
		c.forget(x)
		return
	}
	x.made = true
	made := 0
	for _, y := range c.kept {
		if y.made {
			made++
		}
	}
	if made > keptCustomizations {
		c.forget(c.kept[slices.IndexFunc(c.kept, func(y *customization) bool { return y.made })])
	}
}

// forget drops an entry. It is called under mu.
func (c *customizations) forget(x *customization) {
	if at := slices.Index(c.kept, x); at >= 0 {
		c.kept = slices.Delete(c.kept, at, at+1)
	}
}
