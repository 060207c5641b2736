// Package geo holds coordinates in fixed point and the geometry that routing
// needs of them: distance by cheap ruler, bearing, Web Mercator, projection on a
// segment, angles between roads.
//
// Results are reproducible: products are rounded before they are added, so that
// machines with fused multiply-add compute the same numbers as those without.
//
// All functions are pure and safe for concurrent use.
package geo
