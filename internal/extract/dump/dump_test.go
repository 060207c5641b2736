package dump

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/packed"
	"github.com/fourway-routing/fourway/profile"
)

// town is a map with a bit of everything: one-way roads, lanes, a signal, a
// ring, a barrier, and restrictions over a node and over ways. Its ways are
// listed in the order given.
func town(order []int) []byte {
	ways := []struct{ nodes, tags string }{
		{"1 2 3 4", "highway=primary name=North ref=A_1"},
		{"4 5 6", "highway=secondary name=East destination=Away oneway=yes"},
		{"6 7 8 1", "highway=residential name=South junction:ref=7"},
		{"2 7", "highway=tertiary name=Middle toll=yes turn:lanes:forward=left|right lanes=3"},
		{"3 9 6", "highway=residential surface=gravel name:pronunciation=ai name=Ay"},
		{"9 10 11 9", "highway=residential junction=roundabout name=Ring"},
		{"10 12", "highway=service service=driveway"},
		{"8 13 14", "highway=unclassified name=Out driving_side=left"},
	}
	var b bytes.Buffer
	b.WriteString(`<osm version="0.6">`)
	for i, at := range []string{
		"0 3", "2 3", "4 3", "6 3", "7 2", "6 0", "2 0", "0 0", "5 2", "5.3 1.6", "5.6 2", "5.2 1", "-1 -1", "-2 -1",
	} {
		var lon, lat float64
		_, _ = fmt.Sscan(at, &lon, &lat)
		fmt.Fprintf(&b, `<node id="%d" lon="%.6f" lat="%.6f">`, i+1, 1+lon/1000, 1+lat/1000)
		switch i + 1 {
		case 5:
			b.WriteString(`<tag k="highway" v="traffic_signals"/>`)
		case 13:
			b.WriteString(`<tag k="barrier" v="gate"/>`)
		}
		b.WriteString(`</node>`)
	}
	for _, i := range order {
		fmt.Fprintf(&b, `<way id="%d">`, i+1)
		for node := range strings.FieldsSeq(ways[i].nodes) {
			fmt.Fprintf(&b, `<nd ref="%s"/>`, node)
		}
		for tag := range strings.FieldsSeq(ways[i].tags) {
			k, v, _ := strings.Cut(tag, "=")
			fmt.Fprintf(&b, `<tag k="%s" v="%s"/>`, k, strings.ReplaceAll(v, "_", " "))
		}
		b.WriteString(`</way>`)
	}
	b.WriteString(`
		<relation id="1">
			<member type="way" ref="1" role="from"/><member type="node" ref="2" role="via"/><member type="way" ref="4" role="to"/>
			<tag k="type" v="restriction"/><tag k="restriction" v="no_right_turn"/></relation>
		<relation id="2">
			<member type="way" ref="8" role="from"/><member type="way" ref="3" role="via"/><member type="way" ref="1" role="to"/>
			<tag k="type" v="restriction"/><tag k="restriction" v="no_left_turn"/></relation>
		<relation id="3">
			<member type="way" ref="5" role="from"/><member type="node" ref="6" role="via"/><member type="way" ref="3" role="to"/>
			<tag k="type" v="restriction"/><tag k="restriction:conditional" v="no_straight_on @ (07:00-09:00)"/></relation>
		<relation id="4">
			<member type="way" ref="1" role="from"/><member type="node" ref="4" role="via"/><member type="way" ref="2" role="to"/>
			<tag k="type" v="manoeuvre"/><tag k="manoeuvre" v="turn"/><tag k="direction" v="slight_left"/></relation>
		</osm>`)
	return b.Bytes()
}

func extractTown(t *testing.T, order []int) *extract.Result {
	t.Helper()
	data := town(order)
	f, err := osmfile.OpenReaderAt(bytes.NewReader(data), int64(len(data)), "town.osm")
	require.NoError(t, err)
	car, err := profile.ByName("car")
	require.NoError(t, err)
	r, err := extract.Run(context.Background(), f, car, extract.Options{Conditionals: true})
	require.NoError(t, err)
	return r
}

// The order of a file changes how a network is stored, but not the dump.
func TestStorageDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	order := []int{0, 1, 2, 3, 4, 5, 6, 7}
	first := extractTown(t, order)
	want := Dump(first)
	stored := 0
	for range 20 {
		rng.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		other := extractTown(t, order)
		if fmt.Sprint(other.Network.Roads) != fmt.Sprint(first.Network.Roads) {
			stored++
		}
		for i, s := range Dump(other) {
			require.Empty(t, Diff(&want[i], &s, 10), "%s of order %v", s.Name, order)
			require.Equal(t, want[i].Digest(), s.Digest())
		}
	}
	require.Positive(t, stored, "the order changes how it is stored")
}

// Whatever answers show or searches use is in the dump.
func TestEveryFieldCounts(t *testing.T) {
	for name, change := range map[string]func(r *extract.Result){
		"properties name":           func(r *extract.Result) { r.Network.Properties.Profile = "x" },
		"properties weight":         func(r *extract.Result) { r.Network.Properties.WeightPrecision++ },
		"properties penalty":        func(r *extract.Result) { r.Network.Properties.UTurnPenalty++ },
		"properties classes":        func(r *extract.Result) { r.Network.Properties.Classes[0] = "x" },
		"places position":           func(r *extract.Result) { r.Network.Coords[3].Lon++ },
		"places id":                 func(r *extract.Result) { r.Network.OSMNodes = shifted(r.Network.OSMNodes) },
		"roads way":                 func(r *extract.Result) { r.Network.Ways = shifted(r.Network.Ways) },
		"roads length":              func(r *extract.Result) { r.Network.SegmentLength[0]++ },
		"roads weight":              func(r *extract.Result) { r.Metric.SegmentWeight[1][0]++ },
		"roads duration":            func(r *extract.Result) { r.Metric.SegmentDuration[0][0]++ },
		"roads sum of weights":      func(r *extract.Result) { r.Metric.NodeWeight[1]++ },
		"roads sum of durations":    func(r *extract.Result) { r.Metric.NodeDuration[1]++ },
		"roads sum of distances":    func(r *extract.Result) { r.Metric.NodeDistance[1]++ },
		"roads component":           func(r *extract.Result) { r.Network.NodeComponent[0] ^= 1 << 31 },
		"roads start":               func(r *extract.Result) { r.Network.ChainStart[0] ^= 1 },
		"roads name":                func(r *extract.Result) { r.Network.Strings.Data[0] ^= 1 },
		"roads mode":                func(r *extract.Result) { r.Network.Roads[1].Mode++ },
		"roads priority":            func(r *extract.Result) { r.Network.Roads[1].Priority++ },
		"roads flags":               func(r *extract.Result) { r.Network.Roads[1].Flags ^= graph.RoadLeftHand },
		"roads classes":             func(r *extract.Result) { r.Network.Roads[1].Classes ^= 1 },
		"roads lanes":               func(r *extract.Result) { r.Network.Roads[1].NumLanes++ },
		"junctions bearing":         func(r *extract.Result) { r.Network.JunctionArms[0].Perceived++ },
		"junctions initial bearing": func(r *extract.Result) { r.Network.JunctionArms[0].Initial++ },
		"junctions unseen":          func(r *extract.Result) { r.Network.Guidance.Unseen[0] ^= 1 },
		"turns weight":              func(r *extract.Result) { r.Metric.TurnWeight[2]++ },
		"turns duration":            func(r *extract.Result) { r.Metric.TurnDuration[2]++ },
		"turns closed": func(r *extract.Result) {
			r.Metric.TurnClosed = graph.MakeBits(r.Network.NumEdges())
			r.Metric.TurnClosed.Set(1)
		},
		"guidance instruction": func(r *extract.Result) { r.Network.Guidance.Instructions[0] ^= 1 },
		"guidance before":      func(r *extract.Result) { r.Network.Guidance.Before[0]++ },
		"guidance entries":     func(r *extract.Result) { r.Network.Guidance.EntrySets[0] ^= 1 },
		"guidance segregated":  func(r *extract.Result) { r.Network.Guidance.Segregated[0] ^= 1 },
		"guidance lanes":       func(r *extract.Result) { r.Network.Guidance.Lanes[0] ^= graph.LaneUTurn },
		"guidance override":    func(r *extract.Result) { r.Network.Guidance.Overrides[0].Type++ },
		"conditions text":      func(r *extract.Result) { r.Network.Conditions[0].Text-- },
	} {
		r := extractTown(t, []int{0, 1, 2, 3, 4, 5, 6, 7})
		before := Dump(r)
		change(r)
		section, _, _ := strings.Cut(name, " ")
		changed := false
		for i, s := range Dump(r) {
			if s.Name == section {
				changed = s.Digest() != before[i].Digest()
				require.NotEmpty(t, Diff(&before[i], &s, 1), name)
			}
		}
		require.True(t, changed, name)
	}
}

// shifted returns the numbers plus one.
func shifted(from packed.Ints) packed.Ints {
	values := make([]int64, from.Len())
	for i := range values {
		values[i] = from.Get(uint32(i)) + 1
	}
	return packed.NewInts(values)
}

func TestDiff(t *testing.T) {
	section := func(lines ...string) *Section {
		s := &Section{Name: "x"}
		for _, l := range lines {
			s.Lines = append(s.Lines, []byte(l))
		}
		return s
	}
	a, b := section("a", "b", "d", "e"), section("b", "c", "e", "e")
	require.Equal(t, []string{"-a", "+c", "-d", "+e"}, Diff(a, b, 10))
	require.Equal(t, []string{"-a", "+c"}, Diff(a, b, 2))
	require.Empty(t, Diff(a, a, 10))
}
