package profile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/osm"
)

// tagRule is a pattern of tags, written key=value, or key=* for any value but
// "no".
type tagRule struct {
	key, value string
	any        bool
}

// parseTagRule reads a pattern.
func parseTagRule(s string) (tagRule, error) {
	key, value, ok := strings.Cut(s, "=")
	if !ok || key == "" || value == "" {
		return tagRule{}, fmt.Errorf("has %q, want a tag written key=value, or key=* for every value but no", s)
	}
	return tagRule{key: key, value: value, any: value == "*"}, nil
}

// matches tells whether an element has such a tag. Of several with the key the
// first counts.
func (r *tagRule) matches(tags osm.Tags) bool {
	value := tags.Find(r.key)
	if r.any {
		return value != "" && value != "no"
	}
	return value == r.value
}

// sortedKeys returns the keys of a map in ascending order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
