// Package export writes the road network of an Engine for other programs to read: as
// GeoJSON, or as tables of nodes and edges. It reads and writes box by box, so that
// memory does not grow with the network.
package export
