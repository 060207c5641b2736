package routing

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"sync"
)

// keptCustomizations bounds how many values of a shared are kept ready. Each takes a
// fraction of what the file of the overlay does, or with CCH most of what its file
// does.
const keptCustomizations = 8

// shared keeps what takes long to make, by what it is made for, from when it is first
// asked for. It is safe for concurrent use.
type shared[K comparable, V any] struct {
	turn chan struct{} // holds a token while one is made: each takes all processors
	life *lifetime

	mu   sync.Mutex
	kept []*entry[K, V] // least recently used first; those in the making included
}

type entry[K comparable, V any] struct {
	key   K
	ready chan struct{} // closed when value and err are final
	value V
	err   error

	// Under mu: callers who wait, and how far it is. Where the last one leaves before
	// it is started, givenUp is closed.
	waiting       int
	started, made bool
	givenUp       chan struct{}
}

func newShared[K comparable, V any](life *lifetime) *shared[K, V] {
	return &shared[K, V]{turn: make(chan struct{}, 1), life: life}
}

// lifetime is how long values are made for: until the files that they are made of
// may close. Make it with newLifetime.
type lifetime struct {
	open    context.Context // until close
	stop    context.CancelFunc
	running sync.WaitGroup
}

func newLifetime() *lifetime {
	l := new(lifetime)
	l.open, l.stop = context.WithCancel(context.Background())
	return l
}

// close ends what is being made. Nobody asks for anything anymore.
func (l *lifetime) close() {
	l.stop()
	l.running.Wait()
}

// get returns the value for a key. Callers who want the same share what is made. A done
// context ends a caller's wait; what is being made then is made to the end, so that
// callers in a hurry get it in the end too.
func (c *shared[K, V]) get(ctx context.Context, key K, make func(context.Context) (V, error)) (V, error) {
	var none V
	if err := ctx.Err(); err != nil {
		return none, err
	}
	x := c.enter(key, make)
	defer c.leave(x)
	select {
	case <-x.ready:
		return x.value, x.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// enter returns the entry of a key, with the caller among those who wait.
func (c *shared[K, V]) enter(key K, make func(context.Context) (V, error)) *entry[K, V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.kept, func(x *entry[K, V]) bool { return x.key == key })
	if at >= 0 {
		x := c.kept[at]
		c.kept = append(slices.Delete(c.kept, at, at+1), x)
		x.waiting++
		return x
	}
	x := newEntry[K, V](key)
	c.kept = append(c.kept, x)
	c.life.running.Go(func() { c.fill(x, make) })
	return x
}

func newEntry[K comparable, V any](key K) *entry[K, V] {
	return &entry[K, V]{key: key, ready: make(chan struct{}), givenUp: make(chan struct{}), waiting: 1}
}

func (c *shared[K, V]) leave(x *entry[K, V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x.waiting--; x.waiting == 0 && !x.started {
		close(x.givenUp)
		c.forget(x)
	}
}

// fill makes an entry final.
func (c *shared[K, V]) fill(x *entry[K, V], make func(context.Context) (V, error)) {
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
	x.value, x.err = make(c.life.open)
}

// errUnfinished is what those who wait see if the making panics.
var errUnfinished = errors.New("routing: the customization did not end")

// start says whether anybody waits for an entry.
func (c *shared[K, V]) start(x *entry[K, V]) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	x.started = x.waiting > 0
	return x.started
}

// settle keeps an entry that was made, in the place of the one that nobody has asked
// for longest, or drops it if it was not made.
func (c *shared[K, V]) settle(x *entry[K, V]) {
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
		c.forget(c.kept[slices.IndexFunc(c.kept, func(y *entry[K, V]) bool { return y.made })])
	}
}

// forget drops an entry. It is called under mu.
func (c *shared[K, V]) forget(x *entry[K, V]) {
	if at := slices.Index(c.kept, x); at >= 0 {
		c.kept = slices.Delete(c.kept, at, at+1)
	}
}
