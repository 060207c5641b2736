package extract_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/osmdata"
)

// osrmAnswers are described in testdata/README.md.
type osrmAnswers struct {
	Legs []struct {
		Nodes                      []int64
		Duration, Weight, Distance []int
		LegDuration, LegWeight     int
	}
	Steps map[string][]osrmStep
}

type osrmStep struct {
	line             []geo.Coord
	duration, weight int
}

func (s *osrmStep) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &[]any{&text, &s.duration, &s.weight}); err != nil {
		return err
	}
	s.line = decodePolyline(text)
	return nil
}

func decodePolyline(s string) (line []geo.Coord) {
	var at geo.Coord
	for len(s) > 0 {
		for _, v := range []*int32{&at.Lat, &at.Lon} {
			var n uint32
			for shift := 0; ; shift += 5 {
				b := uint32(s[0] - 63)
				s = s[1:]
				n |= b & 31 << shift
				if b < 32 {
					break
				}
			}
			*v += int32(n>>1) ^ -int32(n&1)
		}
		line = append(line, at)
	}
	return line
}

func readOSRM(t *testing.T) (a osrmAnswers) {
	f, err := os.Open("testdata/osrm.json.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(z).Decode(&a))
	return a
}

// drivable is a segment in a direction of travel.
type drivable struct {
	node    graph.NodeID
	segment uint32
	dir     int
}

// byEnds finds segments by what names their ends.
func byEnds[K comparable](n *graph.Network, name func(graph.PlaceID) K) map[[2]K][]drivable {
	found := make(map[[2]K][]drivable)
	for arm := range graph.ArmID(2 * n.NumChains()) {
		if n.ArmNode[arm] == graph.InvalidNode {
			continue
		}
		for s := n.ChainFirst[arm.Chain()]; s+1 < n.ChainFirst[arm.Chain()+1]; s++ {
			a, b := n.ChainPlaces[s], n.ChainPlaces[s+1]
			if a == b {
				continue
			}
			if arm.Reverse() {
				a, b = b, a
			}
			k := [2]K{name(a), name(b)}
			found[k] = append(found[k], drivable{n.ArmNode[arm], s, int(arm & 1)})
		}
	}
	return found
}

// between sums what lies between two segments that follow each other: a turn,
// or the passage of an obstacle.
func between(r *extract.Result, a, b drivable) (duration, weight int, ok bool) {
	n, m := r.Network, r.Metric
	if a.node == b.node {
		for s := min(a.segment, b.segment) + 1; s < max(a.segment, b.segment); s++ {
			duration += int(m.SegmentDuration[a.dir][s])
			weight += int(m.SegmentWeight[a.dir][s])
		}
		return duration, weight, true
	}
	for e := n.EdgeFirst[a.node]; e < n.EdgeFirst[a.node+1]; e++ {
		if n.NodeArm[n.EdgeHead[e]] == n.NodeArm[b.node] {
			return int(m.TurnDuration[e]), int(m.TurnWeight[e]), true
		}
	}
	return 0, 0, false
}

// Every segment, and all turns and obstacles of a leg together, are equal to
// OSRM's to the last digit.
func TestLegsEqualOSRM(t *testing.T) {
	r := delaware(t)
	n, m := r.Network, r.Metric
	segments := byEnds(n, func(p graph.PlaceID) int64 { return n.OSMNodes.Get(uint32(p)) })
	checked := 0
	for _, leg := range readOSRM(t).Legs {
		duration, weight := leg.LegDuration, leg.LegWeight
		var last drivable
		for i := range leg.Duration {
			found := segments[[2]int64{leg.Nodes[i], leg.Nodes[i+1]}]
			require.Len(t, found, 1, "segment %d to %d", leg.Nodes[i], leg.Nodes[i+1])
			s := found[0]
			duration -= leg.Duration[i]
			weight -= leg.Weight[i]
			if i > 0 {
				d, w, ok := between(r, last, s)
				require.True(t, ok, "turn at node %d", leg.Nodes[i])
				duration -= d
				weight -= w
			}
			last = s
			if i == 0 || i == len(leg.Duration)-1 {
				continue // driven in part
			}
			require.Equal(t, leg.Duration[i], int(m.SegmentDuration[s.dir][s.segment]))
			require.Equal(t, leg.Weight[i], int(m.SegmentWeight[s.dir][s.segment]))
			require.InDelta(t, leg.Distance[i], int(n.SegmentLength[s.segment]), 1)
			checked++
		}
		require.Zero(t, duration, "turns and obstacles of the leg")
		require.Zero(t, weight, "turns and obstacles of the leg")
	}
	require.Greater(t, checked, 1000)
}

// Durations and weights of steps, turns included, are equal to OSRM's.
func TestStepsEqualOSRM(t *testing.T) {
	steps := readOSRM(t).Steps
	for _, name := range []string{"delaware", "andorra"} {
		var r *extract.Result
		switch {
		case name == "delaware":
			r = delaware(t)
		case testing.Short():
			continue
		default:
			r = run(t, osmdata.Andorra(t), "car", extract.Options{})
		}
		segments := byEnds(r.Network, func(p graph.PlaceID) geo.Coord { return r.Network.Coords[p] })
		checked := 0
	steps:
		for _, step := range steps[name] {
			duration, weight := step.duration, step.weight
			var last drivable
			for i := 1; i < len(step.line); i++ {
				found := segments[[2]geo.Coord{step.line[i-1], step.line[i]}]
				if len(found) != 1 {
					continue steps // begins at a waypoint, or two nodes share a place
				}
				s := found[0]
				if i > 1 {
					d, w, ok := between(r, last, s)
					require.True(t, ok, "%s: turn at %v", name, step.line[i-1])
					duration -= d
					weight -= w
				}
				if i < len(step.line)-1 {
					duration -= int(r.Metric.SegmentDuration[s.dir][s.segment])
					weight -= int(r.Metric.SegmentWeight[s.dir][s.segment])
				}
				last = s
			}
			require.Zero(t, duration, "%s: step from %v", name, step.line[0])
			require.Zero(t, weight, "%s: step from %v", name, step.line[0])
			checked++
		}
		require.Greater(t, checked, 450, name)
	}
}

// Whatever the number of workers, the outcome is the same.
func TestDeterminism(t *testing.T) {
	one := run(t, osmdata.Delaware(t), "car", extract.Options{Workers: 1})
	for _, workers := range []int{2, 5} {
		many := run(t, osmdata.Delaware(t), "car", extract.Options{Workers: workers})
		require.Equal(t, one.Report.Dropped, many.Report.Dropped)
		// Not require.Equal, which would print millions of numbers.
		require.True(t, equal(one, many), "%d workers", workers)
		if testing.Short() {
			break
		}
	}
}

func equal(a, b *extract.Result) bool {
	return reflect.DeepEqual(a.Network, b.Network) && reflect.DeepEqual(a.Metric, b.Metric)
}
