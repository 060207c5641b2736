// Package packed keeps integer arrays small while any element can still be read
// directly.
//
// Arrays are immutable and safe for concurrent use.
package packed
