package guidance

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract/extracttest"
	"github.com/fourway-routing/fourway/internal/testmap"
)

// walk returns a leg over random turns of a network.
func walk(n *graph.Network, r *rand.Rand, turns int) *Leg {
	node := graph.NodeID(r.IntN(int(n.Originals)))
	leg := &Leg{}
	places := func(node graph.NodeID) []graph.PlaceID {
		arm := n.NodeArm[node]
		list := append([]graph.PlaceID(nil), n.ChainPlaces[n.ChainFirst[arm.Chain()]:n.ChainFirst[arm.Chain()+1]]...)
		if arm.Reverse() {
			for i := range len(list) / 2 {
				list[i], list[len(list)-1-i] = list[len(list)-1-i], list[i]
			}
		}
		return list
	}
	leg.Line = append(leg.Line, n.Coords[places(node)[0]])
	for turn := 0; ; turn++ {
		list := places(node)
		first, end := n.EdgeFirst[node], n.EdgeFirst[node+1]
		for _, place := range list[1:] {
			leg.Line = append(leg.Line, n.Coords[place])
		}
		leg.Runs = append(leg.Runs, Run{
			Arm: n.NodeArm[node], Node: n.ArmNode[n.NodeArm[node]], Edge: graph.InvalidEdge,
			Place: int32(len(leg.Line) - 1), Segments: int32(len(list) - 1), Duration: 10, Weight: 10,
		})
		if turn == turns || first == end {
			break
		}
		e := first + graph.EdgeID(r.IntN(int(end-first)))
		leg.Runs[len(leg.Runs)-1].Edge = e
		node = n.EdgeHead[e]
	}
	leg.From, leg.To = leg.Line[0], leg.Line[len(leg.Line)-1]
	return leg
}

func town(t testing.TB) *graph.Network {
	return extracttest.Car(t, testmap.Drawing{
		Map: `
			a---b---c---d
			|   |   | / |
			e---f---g---h
			|   |   |\  |
			i---j---k---l`,
		Cell: 60,
		Ways: []testmap.Row{
			{"abcd", "name=a turn:lanes:forward=left|through|right"},
			{"efgh", "name=b junction=roundabout"},
			{"ijkl", "name=c"},
			{"aei", "name=a"},
			{"bfj", "name=e oneway=yes"},
			{"cgk", "name=f highway=motorway"},
			{"dhl", "name=g"},
			{"dg", "name= highway=primary_link"},
			{"gl", "name=h highway=service"},
		},
	}).Network
}

// Any way through the map has steps, with all of its time and length.
func TestRandomWalks(t *testing.T) {
	n := town(t)
	b := NewBuilder(n)
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		leg := walk(n, r, r.IntN(12))
		var duration graph.Duration
		for i := range leg.Runs {
			duration += leg.Runs[i].Duration
		}
		steps, trimmed := b.Steps(leg)
		require.GreaterOrEqual(t, len(steps), 2)
		at := 0
		for i := range steps {
			s := &steps[i]
			require.Equal(t, i == 0, s.Waypoint == Depart)
			require.Equal(t, i == len(steps)-1, s.Waypoint == Arrive)
			require.Equal(t, at, s.Begin)
			require.Greater(t, s.End, s.Begin)
			at = s.End - 1
			duration -= s.Duration
			require.NotEmpty(t, b.Intersections(s))
			for k := range b.Intersections(s) {
				x := &b.Intersections(s)[k]
				require.NotEmpty(t, b.Bearings(x))
				require.Less(t, x.In, len(b.Bearings(x)))
				require.Less(t, x.Out, len(b.Bearings(x)))
			}
		}
		require.Zero(t, duration)
		require.Equal(t, len(leg.Line)-trimmed.Front-trimmed.Back, at+1)
	}
}

func TestBuilderDoesNotAllocate(t *testing.T) {
	n := town(t)
	b := NewBuilder(n)
	leg := walk(n, rand.New(rand.NewPCG(2, 2)), 40)
	require.Zero(t, testing.AllocsPerRun(10, func() { b.Steps(leg) }))
}

func BenchmarkSteps(b *testing.B) {
	n := town(b)
	builder := NewBuilder(n)
	leg := walk(n, rand.New(rand.NewPCG(2, 2)), 40)
	for b.Loop() {
		builder.Steps(leg)
	}
}

// A network made without guidance has the first and the last step.
func TestWithoutGuidance(t *testing.T) {
	n := town(t)
	leg := walk(n, rand.New(rand.NewPCG(3, 3)), 8)
	plain := *n
	plain.Guidance = graph.Guidance{}
	steps, _ := NewBuilder(&plain).Steps(leg)
	require.Len(t, steps, 2)
}

func TestNameChanges(t *testing.T) {
	n := &graph.Network{}
	ids := map[string]graph.StringID{"": 0}
	n.Strings.First = []uint32{0, 0}
	id := func(s string) graph.StringID {
		if _, ok := ids[s]; !ok {
			ids[s] = graph.StringID(len(n.Strings.First) - 1)
			n.Strings.Data = append(n.Strings.Data, s...)
			n.Strings.First = append(n.Strings.First, uint32(len(n.Strings.Data)))
		}
		return ids[s]
	}
	for _, c := range []struct {
		name, ref, toName, toRef string
		want                     bool
	}{
		{"Mill", "", "Mill", "", false},
		{"Mill", "", "Dale", "", true},
		{"", "", "Dale", "", true},
		{"", "", "", "7", true},
		{"Mill", "", "", "", false},
		{"Mill", "", "Mill Road", "", false},
		{"Mill ", "", " Mill", "", false},
		{"Mill", "7", "Dale", "7", true},
		{"Mill", "7", "", "7", false},
		{"", "7", "", "7;8", false},
		{"", "7", "", "8", true},
		{"", "7", "Mill", "", true},
		{"Mill", "", "", "7", true},
		{"Mill", "7", "Mill", "", false},
		{"Mill", "7", "Mill", "8", false},
	} {
		from := Signs{Name: id(c.name), Ref: id(c.ref)}
		to := Signs{Name: id(c.toName), Ref: id(c.toRef)}
		require.Equal(t, c.want, NewBuilder(n).nameChanges(&from, &to), c)
	}
	a := Signs{Name: id("Mill"), Exits: id("5")}
	b := Signs{Name: id("Mill")}
	require.False(t, NewBuilder(n).nameChanges(&a, &b), "an exit that ends")
	require.True(t, NewBuilder(n).nameChanges(&b, &a))
	b.Pronunciation = id("mil")
	require.True(t, NewBuilder(n).nameChanges(&a, &b))
	require.False(t, NewBuilder(n).sameName(&Step{}, &Step{}), "nameless roads")
	require.True(t, NewBuilder(n).sameName(&Step{Signs: b}, &Step{Signs: b}))
}

func TestReversed(t *testing.T) {
	for _, c := range []struct {
		in, out float64
		want    bool
	}{{0, 180, true}, {90, 270, true}, {90, 240, true}, {90, 200, false}, {350, 170, true}, {10, 10, false}, {0, 0, false}} {
		require.Equal(t, c.want, reversed(c.in, c.out), c)
	}
}
