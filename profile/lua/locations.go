package lua

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/fourway-routing/fourway/profile"
)

// SetLocations gives what holds at places, for get_location_tag.
func (w *worker) SetLocations(l profile.Locations) {
	w.locations = l
	w.forget()
}

// getLocationTag returns a property of the place of a node, or of the last node of
// a way, and nil if there is none or the place is not known.
func (w *worker) getLocationTag(L *glua.LState) int {
	e := checkElement(L)
	key := L.CheckString(2)
	w.personal = w.personal || w.locations != nil
	var value any
	switch {
	case w.locations == nil:
	case e.node != nil:
		value = w.locations.Find(e.node.Lon, e.node.Lat, key)
	case e.way != nil && len(e.way.Nodes) > 0:
		if last := &e.way.Nodes[len(e.way.Nodes)-1]; last.Lon != 0 || last.Lat != 0 {
			value = w.locations.Find(last.Lon, last.Lat, key)
		}
	}
	switch v := value.(type) {
	case string:
		L.Push(glua.LString(v))
	case float64:
		L.Push(glua.LNumber(v))
	case bool:
		L.Push(glua.LBool(v))
	default:
		L.Push(glua.LNil)
	}
	return 1
}
