package lua

import (
	"slices"
	"strings"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/profile"
)

const (
	// maxCached bounds the results that a cache holds, maxCachedKeys the keys
	// that it looks at.
	maxCached     = 1 << 16
	maxCachedKeys = 1 << 10
)

// cache keeps results by the tags that they come from. Which tags those are
// follows from what the script has asked for: it would ask again, and be told the
// same, of any element with the same values of these keys and no other of them.
type cache[R any] struct {
	keys    map[string]bool // that the script has asked for
	results map[string]R
	text    []byte // scratch memory
}

func newCache[R any]() *cache[R] {
	return &cache[R]{keys: make(map[string]bool), results: make(map[string]R)}
}

// describe writes the tags that matter.
func (c *cache[R]) describe(tags osm.Tags) []byte {
	c.text = c.text[:0]
	for i := range tags {
		if t := &tags[i]; c.keys[t.Key] {
			c.text = append(c.text, t.Key...)
			c.text = append(c.text, 0)
			c.text = append(c.text, t.Value...)
			c.text = append(c.text, 0)
		}
	}
	return c.text
}

// find returns the result for tags.
func (c *cache[R]) find(tags osm.Tags) (r R, ok bool) {
	r, ok = c.results[string(c.describe(tags))]
	return r, ok
}

// keep takes a result that shares no memory.
func (c *cache[R]) keep(tags osm.Tags, r R) {
	if len(c.results) >= maxCached {
		clear(c.results)
	}
	c.results[string(c.describe(tags))] = r
}

// ask takes note of a key that the script asks for. It returns false if those are
// too many.
func (c *cache[R]) ask(key string) bool {
	if !c.keys[key] {
		if len(c.keys) >= maxCachedKeys {
			return false
		}
		// Text with a zero could look like several tags.
		if strings.IndexByte(key, 0) >= 0 {
			return false
		}
		c.keys[strings.Clone(key)] = true
	}
	return true
}

// forget empties the caches: what scripts look up has changed.
func (w *worker) forget() {
	clear(w.ways.results)
	clear(w.nodes.results)
}

// cacheable tells whether the result for an element may follow from its tags
// alone.
func (w *worker) cacheable(id osm.FeatureID) bool {
	return !w.script.stateful.Load() && len(w.relations.Of(id)) == 0 && len(w.areas.Of(id)) == 0
}

// ask takes note of a key that the script asks an element for.
func (w *worker) ask(e *element, key string) {
	switch {
	case e == &w.way:
		w.personal = !w.ways.ask(key) || w.personal
	case e == &w.node:
		w.personal = !w.nodes.ask(key) || w.personal
	}
}

// detach makes a result share no memory with tags.
func detach(r profile.WayResult) profile.WayResult {
	for _, s := range [...]*string{
		&r.Name, &r.ForwardRef, &r.BackwardRef, &r.Pronunciation, &r.Destinations, &r.Exits,
		&r.TurnLanesForward, &r.TurnLanesBackward,
	} {
		*s = strings.Clone(*s)
	}
	return r
}

// findNode is the cache of process_node.
func (w *worker) findNode(n *osm.Node, r *profile.NodeResult) bool {
	obstacles, ok := w.nodes.find(n.Tags)
	if ok {
		r.Obstacles = append(r.Obstacles, obstacles...)
	}
	return ok
}

// keepNode fills the cache of process_node.
func (w *worker) keepNode(n *osm.Node, r *profile.NodeResult) {
	w.nodes.keep(n.Tags, slices.Clone(r.Obstacles))
}
