package turns

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract/nbg"
)

func class(priority uint8) *nbg.RoadClass { return &nbg.RoadClass{Priority: priority} }

func TestGroups(t *testing.T) {
	want := []int{0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 7, 7}
	for p, g := range want {
		require.Equal(t, g, group(class(uint8(p))), p)
	}
	require.Equal(t, 7, group(class(31)))
}

func TestLower(t *testing.T) {
	minor := &nbg.RoadClass{Priority: priorityMotorway, MayBeIgnored: true}
	require.True(t, lower(class(prioritySideResidential), class(priorityTertiary)))
	require.False(t, lower(class(priorityTertiary), class(priorityPrimary)), "one group")
	require.True(t, lower(minor, class(prioritySideResidential)))
	require.False(t, lower(class(prioritySideResidential), minor))
}

func TestLinkOf(t *testing.T) {
	link := &nbg.RoadClass{Priority: prioritySecondaryLink, Link: true}
	require.True(t, linkOf(link, class(prioritySecondary)))
	require.False(t, linkOf(link, class(priorityPrimary)))
	require.False(t, linkOf(class(prioritySecondaryLink), class(prioritySecondary)))
	require.False(t, linkOf(&nbg.RoadClass{Priority: priorityLinkRoad, Link: true}, class(priorityParking)))
}

func TestObviousByClass(t *testing.T) {
	main, side := class(prioritySecondary), class(prioritySideResidential)
	require.True(t, obviousByClass(main, main, side))
	require.False(t, obviousByClass(main, side, main))
	require.False(t, obviousByClass(side, main, side), "the class must go on")
	require.True(t, obviousByClass(side, main, &nbg.RoadClass{MayBeIgnored: true}))
	require.True(t, alikeForFork(class(4), class(5)))
	require.False(t, alikeForFork(class(4), class(6)))
}

func TestMotorwaysAndRamps(t *testing.T) {
	a, b := &nbg.RoadClass{Motorway: true, Lanes: 2}, &nbg.RoadClass{Motorway: true, Link: true}
	require.True(t, motorway(a) && !ramp(a) && ramp(b) && !motorway(b))
	require.True(t, sameClass(a, &nbg.RoadClass{Motorway: true, Lanes: 3}), "lanes do not count")
	require.False(t, sameClass(a, b))
}
