// Package areas makes ways across open areas (squares, platforms, parks) that
// the map draws by their outline only. It assembles areas from the ways of
// their rings, finds where other ways lead in and out, and meshes them: it
// joins vertices that see one another as far as a shortest way through the
// area can take the line between them.
//
// # Assembly
//
// As in OSM multipolygons, rings may come in pieces, in any order and
// direction, and roles do not matter: what is inside is told by the rule of
// even and odd. Segments that two ways share cancel out. Rings may touch in
// vertices. An area whose rings are open or cross is not assembled.
//
// # Mesh
//
// Of the visibility graph, a mesh keeps the shortest ways from each entry to
// every vertex, and all edges of rings. So it holds a shortest way from each
// vertex to each entry, at a size of entries times vertices instead of vertices
// squared. What counts as an entry, and what is kept, is what OSRM's
// visgraph+dijkstra keeps, except that a line of sight ends at the first vertex
// it meets.
//
// # Limits
//
// Time is bounded: rings of more than MaxVertices are not assembled, and where
// more than MaxSights vertices would have to be tried against one another, only
// the rings become ways.
package areas
