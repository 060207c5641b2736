package extract

import (
	"cmp"
	"slices"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/nbg"
	"github.com/fourway-routing/fourway/profile"
)

// obstacleMap finds obstacles by place.
type obstacleMap struct {
	// list is sorted by place; those of one place are in the order in which
	// the file tells them, the directed ones last.
	list []nbg.Obstacle
	has  graph.Bits // places with any
}

func (m *obstacleMap) init(numPlaces int) {
	slices.SortStableFunc(m.list, func(a, b nbg.Obstacle) int { return cmp.Compare(a.Node, b.Node) })
	m.has = graph.MakeBits(numPlaces)
	for i := range m.list {
		m.has.Set(uint32(m.list[i].Node))
	}
}

// at returns the obstacles of a place.
func (m *obstacleMap) at(p graph.PlaceID) []nbg.Obstacle {
	if !m.has.Get(uint32(p)) {
		return nil
	}
	i, _ := slices.BinarySearchFunc(m.list, p, func(o nbg.Obstacle, p graph.PlaceID) int { return cmp.Compare(o.Node, p) })
	end := i
	for end < len(m.list) && m.list[end].Node == p {
		end++
	}
	return m.list[i:end]
}

// AppendObstacles is profile.ObstacleFinder's.
func (m *obstacleMap) AppendObstacles(dst []profile.Obstacle, from, to uint32, types profile.ObstacleType) []profile.Obstacle {
	if uint64(to) >= uint64(len(m.has))*64 {
		return dst
	}
	at := m.at(graph.PlaceID(to))
	for i := range at {
		o := &at[i]
		if counts(o, graph.PlaceID(from)) && profile.ObstacleType(o.Type)&types != 0 {
			dst = append(dst, profile.Obstacle{
				Type: profile.ObstacleType(o.Type), Direction: profile.ObstacleDirection(o.Direction),
				Duration: o.Duration, Weight: o.Weight,
			})
		}
	}
	return dst
}

// counts tells whether an obstacle counts coming from a place;
// graph.InvalidPlace means any.
func counts(o *nbg.Obstacle, from graph.PlaceID) bool {
	return from == graph.InvalidPlace || o.From == graph.InvalidPlace || o.From == from
}

// anyAt tells whether a place has an obstacle of some type that counts coming
// from another.
func (m *obstacleMap) anyAt(p, from graph.PlaceID, types nbg.ObstacleType) bool {
	at := m.at(p)
	for i := range at {
		if counts(&at[i], from) && at[i].Type&types != 0 {
			return true
		}
	}
	return false
}

// compress takes place v out of the road between u and w: what counts coming
// from v then counts coming from beyond.
func (m *obstacleMap) compress(u, v, w graph.PlaceID) {
	replace := func(at, by graph.PlaceID) {
		os := m.at(at)
		for i := range os {
			if os[i].From == v {
				os[i].From = by
			}
		}
	}
	replace(u, w)
	replace(w, u)
}
