package heap

import "golang.org/x/exp/constraints"

// Node is the type of the ids that a heap holds.
type Node interface {
	constraints.Unsigned
}

// Weight is the type of keys. Floating point keys must not be NaN.
type Weight interface {
	constraints.Integer | constraints.Float
}
