package profile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func explain(t *testing.T, backward bool, tags ...[2]string) (Travel, map[string]Aspect) {
	t.Helper()
	car, err := ByName("car")
	require.NoError(t, err)
	travel, effects, err := Explain(car, 1, tags, backward)
	require.NoError(t, err)
	decides := map[string]Aspect{}
	for _, e := range effects {
		decides[e.Key] = e.Decides
	}
	return travel, decides
}

func TestExplain(t *testing.T) {
	street, name := [2]string{"highway", "residential"}, [2]string{"name", "Main Street"}
	travel, decides := explain(t, false, street, name)
	require.True(t, travel.Open)
	require.InDelta(t, 25, travel.Speed, 1e-9)
	require.Equal(t, map[string]Aspect{"highway": AspectAccess}, decides)

	limit := [2]string{"maxspeed", "10"}
	travel, decides = explain(t, false, street, name, limit)
	require.Less(t, travel.Speed, 25.0)
	require.Equal(t, AspectSpeed|AspectRate, decides["maxspeed"])

	travel, decides = explain(t, true, street, [2]string{"oneway", "yes"})
	require.Equal(t, Travel{Speed: Unset, Rate: Unset, Duration: Unset, Weight: Unset}, travel)
	require.Equal(t, map[string]Aspect{"oneway": AspectAccess}, decides)
	_, decides = explain(t, false, street, [2]string{"oneway", "yes"})
	require.NotContains(t, decides, "oneway")

	_, decides = explain(t, false, street, [2]string{"toll", "yes"})
	require.Equal(t, AspectClasses, decides["toll"])
	_, decides = explain(t, false, street, [2]string{"access", "destination"})
	require.NotZero(t, decides["access"]&AspectRestricted)
}

func TestAspects(t *testing.T) {
	var names []string
	for _, a := range Aspects {
		names = append(names, a.String())
	}
	require.Equal(t, []string{"access", "speed", "rate", "classes", "restricted"}, names)
	require.Equal(t, "Aspect(3)", Aspect(3).String())
}
