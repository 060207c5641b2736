package profile

import "github.com/paulmach/osm"

// areaSpeed is the usual speed across squares in m/s.
const areaSpeed = 1.4

// areaWorker evaluates elements for those who walk across squares.
type areaWorker struct{ footWorker }

var _ RelationWorker = (*areaWorker)(nil)

// Way takes squares for areas.
func (w *areaWorker) Way(way *osm.Way, r *WayResult) error {
	if way.Tags.Find("highway") == "pedestrian" && saysYes(way.Tags.Find("area")) && isClosed(way) && !w.tuner.avoids(way.Tags) {
		r.Reset()
		r.Area = true
		return nil
	}
	return w.footWorker.Way(way, r)
}

// SetRelations has nothing to give to those who walk.
func (w *areaWorker) SetRelations(*Relations) {}

// Relation takes squares for areas.
func (w *areaWorker) Relation(rel *osm.Relation, r *RelationResult) error {
	*r = RelationResult{Area: rel.Tags.Find("type") == "multipolygon" && rel.Tags.Find("highway") == "pedestrian" &&
		!w.tuner.avoids(rel.Tags)}
	return nil
}

// SetAreas has nothing to give to those who walk.
func (w *areaWorker) SetAreas(*Relations) {}

func saysYes(value string) bool { return value == "yes" || value == "true" || value == "1" }

func isClosed(way *osm.Way) bool {
	n := len(way.Nodes)
	return n > 1 && way.Nodes[0].ID == way.Nodes[n-1].ID
}
