package batch

import "sync"

// shared keeps one value a key for all that use it at once. It is safe for
// concurrent use.
type shared[K comparable, V any] struct {
	mu   sync.Mutex
	open map[K]*entry[V]
}

type entry[V any] struct {
	ready sync.Once
	value V
	err   error
	users int
}

// held is a value with the duty to release it.
type held[V any] struct {
	value   V
	release func()
}

// acquire returns the value of a key, made by the first that asks for it; the last
// that releases it closes it. What could not be made is tried again by those who
// ask later.
func (s *shared[K, V]) acquire(key K, open func() (V, error), close func(V)) (*held[V], error) {
	s.mu.Lock()
	if s.open == nil {
		s.open = map[K]*entry[V]{}
	}
	e := s.open[key]
	if e == nil {
		e = &entry[V]{}
		s.open[key] = e
	}
	e.users++
	s.mu.Unlock()
	e.ready.Do(func() { e.value, e.err = open() })
	release := func() {
		s.mu.Lock()
		e.users--
		last := e.users == 0
		if last {
			delete(s.open, key)
		}
		s.mu.Unlock()
		if last && e.err == nil {
			close(e.value)
		}
	}
	if e.err != nil {
		release()
		return nil, e.err
	}
	return &held[V]{e.value, release}, nil
}
