package guidance_test

import (
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
)

// What instructions need, junctions included, is a quarter of the graph file at
// most.
func TestSizeOfGuidance(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a data set of 180,000 search nodes")
	}
	name := delaware(t) + ".graph"
	info, err := os.Stat(name)
	require.NoError(t, err)
	network, err := graph.OpenNetwork(name, graph.FileOptions{})
	require.NoError(t, err)
	defer network.Close()
	n := network.Network
	bytes := 0
	add := func(list reflect.Value) {
		if list.Kind() == reflect.Slice {
			bytes += list.Len() * int(list.Type().Elem().Size())
		}
	}
	guidance := reflect.ValueOf(n.Guidance)
	for i := range guidance.NumField() {
		add(guidance.Field(i))
	}
	require.Less(t, bytes, int(info.Size()/20), "turns and lanes alone")
	for _, list := range []any{n.JunctionPlace, n.JunctionFirst, n.JunctionArms, n.ArmJunction, n.Roads, n.Strings.First, n.Strings.Data} {
		add(reflect.ValueOf(list))
	}
	require.Less(t, bytes, int(info.Size()/4))
}
