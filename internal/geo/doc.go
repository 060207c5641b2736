// Package geo holds coordinates in fixed point and the geometry that routing
// needs of them: distance by cheap ruler, bearing, projection on a segment.
//
// All functions are pure and safe for concurrent use.
package geo
