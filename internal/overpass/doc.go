// Package overpass answers a small part of the Overpass query language from the
// OSM nodes and ways of a road network: queries by id, rectangle, circle and tag,
// unions and differences, named sets, the steps from ways to their nodes and back,
// and output as JSON. docs/lookup.md lists what there is; all else is refused by an
// error that names it and says where it stands.
//
// [Parse] reads a query, [Query.Append] answers it. A Query is immutable and safe for
// concurrent use. Answers depend on the data and the query alone, unless time or
// memory runs out.
package overpass
