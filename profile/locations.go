package profile

import "github.com/paulmach/osm"

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

// located looks up what holds where ways end. Workers embed it.
type located struct{ locations Locations }

// SetLocations gives what holds at places.
func (l *located) SetLocations(to Locations) { l.locations = to }

// text returns a text that holds where a way ends, if that is known.
func (l *located) text(way *osm.Way, key string) string {
	if l.locations == nil || len(way.Nodes) == 0 {
		return ""
	}
	last := &way.Nodes[len(way.Nodes)-1]
	if last.Lon == 0 && last.Lat == 0 {
		return ""
	}
	text, _ := l.locations.Find(last.Lon, last.Lat, key).(string)
	return text
}
