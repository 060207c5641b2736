package profile

import (
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"
)

func TestRelations(t *testing.T) {
	way := osm.Member{Type: osm.TypeWay, Ref: 5}
	node := osm.Member{Type: osm.TypeNode, Ref: 5}
	r := NewRelations([]*osm.Relation{
		{ID: 9, Members: osm.Members{way}},
		{ID: 2, Version: 1, Members: osm.Members{way, node, way}},
		{ID: 2, Version: 2, Members: osm.Members{node}},
	})
	require.Equal(t, 2, r.Len())
	require.Equal(t, 1, r.Relation(2).Version)
	require.Nil(t, r.Relation(3))
	require.Equal(t, []osm.RelationID{2, 9}, r.Of(osm.WayID(5).FeatureID()))
	require.Equal(t, []osm.RelationID{2}, r.Of(osm.NodeID(5).FeatureID()))
	require.Empty(t, r.Of(osm.RelationID(5).FeatureID()))

	var none *Relations
	require.Zero(t, none.Len())
	require.Nil(t, none.Relation(2))
	require.Nil(t, none.Of(osm.WayID(5).FeatureID()))
}

func TestRelationsWithMembers(t *testing.T) {
	old := NewRelations([]*osm.Relation{
		{ID: 3, Members: osm.Members{{Type: osm.TypeWay, Ref: 7}}},
		{ID: 5},
	})
	longer := old.WithMembers(map[osm.RelationID][]osm.Member{3: {{Type: osm.TypeWay, Ref: 8}}, 4: {{Type: osm.TypeWay, Ref: 9}}})
	require.Equal(t, []osm.RelationID{3}, longer.Of(osm.WayID(7).FeatureID()))
	require.Equal(t, []osm.RelationID{3}, longer.Of(osm.WayID(8).FeatureID()))
	require.Empty(t, longer.Of(osm.WayID(9).FeatureID()))
	require.Len(t, longer.All(), 2)
	require.Empty(t, old.Of(osm.WayID(8).FeatureID()), "relations are immutable")
	require.Len(t, old.Relation(3).Members, 1)

	var none *Relations
	require.Empty(t, none.All())
	require.Zero(t, none.WithMembers(nil).Len())
}
