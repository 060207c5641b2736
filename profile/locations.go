package profile

// Locations tells what holds at a place: in a country, say.
type Locations interface {
	// Find returns a property of a place given in degrees: a string, float64
	// or bool, or nil if there is none. It is safe for concurrent use.
	Find(lon, lat float64, key string) any
}

// LocationWorker is a Worker that looks at what holds at places. Whoever reads a
// map with such data calls SetLocations once, before it hands over any node or way;
// the last node of a way then has its place, unless the map lacks the node.
type LocationWorker interface {
	Worker
	SetLocations(Locations)
}
