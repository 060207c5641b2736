package profile

import (
	"cmp"
	"slices"

	"github.com/paulmach/osm"
)

// RelationWorker is a Worker that looks at relations. Whoever reads a map calls
// SetRelations once with the relations whose type is one of
// Properties.RelationTypes, then Relation for every relation of the map, by one
// worker, and SetRelations and SetAreas of all, before they are given any node or
// way.
type RelationWorker interface {
	Worker
	// SetRelations gives the relations to look at.
	SetRelations(*Relations)
	// Relation shows a relation to the profile.
	Relation(*osm.Relation, *RelationResult) error
	// SetAreas gives the relations that Relation has found to be areas.
	SetAreas(*Relations)
}

// RelationResult says what a relation is.
type RelationResult struct {
	// Area marks a multipolygon as an open area that is to be crossed in all
	// directions, see WayResult.Area. The ways across it have its tags but
	// "type" and "area".
	Area bool
}

// Relations tells in which relations an element is a member. It is immutable
// and safe for concurrent use; a nil *Relations has none.
type Relations struct {
	list   []*osm.Relation // by id
	member map[osm.FeatureID][]osm.RelationID
}

// NewRelations indexes relations. Of several with one id the first counts. It
// keeps the relations, which must not be changed any more.
func NewRelations(list []*osm.Relation) *Relations {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *osm.Relation) int { return cmp.Compare(a.ID, b.ID) })
	list = slices.CompactFunc(list, func(a, b *osm.Relation) bool { return a.ID == b.ID })
	r := &Relations{list: list, member: make(map[osm.FeatureID][]osm.RelationID)}
	for _, relation := range list {
		for i := range relation.Members {
			id := relation.Members[i].FeatureID()
			// An element may be a member more than once.
			if of := r.member[id]; len(of) == 0 || of[len(of)-1] != relation.ID {
				r.member[id] = append(of, relation.ID)
			}
		}
	}
	return r
}

// All returns the relations, by id. The slice is shared and must not be changed.
func (r *Relations) All() []*osm.Relation {
	if r == nil {
		return nil
	}
	return r.list
}

// WithMembers returns the relations with further members, by relation.
func (r *Relations) WithMembers(add map[osm.RelationID][]osm.Member) *Relations {
	list := slices.Clone(r.All())
	for i, relation := range list {
		if more := add[relation.ID]; len(more) > 0 {
			longer := *relation
			longer.Members = slices.Concat(relation.Members, more)
			list[i] = &longer
		}
	}
	return NewRelations(list)
}

// Len returns the number of relations.
func (r *Relations) Len() int {
	if r == nil {
		return 0
	}
	return len(r.list)
}

// Relation returns the relation with an id, or nil.
func (r *Relations) Relation(id osm.RelationID) *osm.Relation {
	if r == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(r.list, id, func(r *osm.Relation, id osm.RelationID) int { return cmp.Compare(r.ID, id) })
	if !ok {
		return nil
	}
	return r.list[i]
}

// Of returns the ids of the relations that an element is a member of, in
// ascending order. The slice is shared and must not be changed.
func (r *Relations) Of(id osm.FeatureID) []osm.RelationID {
	if r == nil {
		return nil
	}
	return r.member[id]
}
