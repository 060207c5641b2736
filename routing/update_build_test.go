package routing

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/testmap"
)

// penalties are random penalties of the turns of some search nodes, bonuses among them.
func penalties(rng *rand.Rand, n *graph.Network, nodes int) []TurnPenalty {
	osm := func(index uint32) int64 { return n.OSMNodes.Get(uint32(n.ChainPlaces[index])) }
	// ends returns the OSM nodes at the last segment of an arm, in its direction.
	ends := func(arm graph.ArmID) [2]int64 {
		first, last := n.ChainFirst[arm.Chain()], n.ChainFirst[arm.Chain()+1]-1
		if arm.Reverse() {
			return [2]int64{osm(first + 1), osm(first)}
		}
		return [2]int64{osm(last - 1), osm(last)}
	}
	var all []TurnPenalty
	seen := map[[3]int64]bool{}
	for range nodes {
		v := graph.NodeID(rng.IntN(n.NumNodes()))
		for e := n.EdgeFirst[v]; e < n.EdgeFirst[v+1]; e++ {
			in, out := ends(n.NodeArm[v]), ends(n.NodeArm[n.EdgeHead[e]].Twin())
			turn := [3]int64{in[0], in[1], out[0]}
			if seen[turn] {
				continue
			}
			seen[turn] = true
			p := TurnPenalty{From: turn[0], Via: turn[1], To: turn[2], Penalty: float64(rng.IntN(400)-200) / 10}
			if rng.IntN(3) == 0 {
				p.Weight = float64(rng.IntN(400)-200)/10 + 0.05
			}
			all = append(all, p)
		}
	}
	return all
}

// What Updates lead to is what a build with files of the same speeds and penalties
// has, whatever was before.
func TestUpdateIsWhatBuildIs(t *testing.T) {
	t.Run("city", func(t *testing.T) {
		var city bytes.Buffer
		require.NoError(t, testmap.City(&city, 400, 7))
		compareWithBuild(t, "city.osm.pbf", city.Bytes())
	})
	t.Run("copies", func(t *testing.T) {
		data, err := restricted.OSM()
		require.NoError(t, err)
		require.NotZero(t, compareWithBuild(t, "town.osm", data))
	})
}

// restricted has restrictions over several ways, for which search nodes have copies.
var restricted = testmap.Drawing{
	Map: `
		a-b-c-d
		| | | |
		e-f-g-h
		| | | |
		i-j-k-l`,
	Ways: []testmap.Row{
		{"ab"},
		{"bcd"},
		{"ef"},
		{"fg"},
		{"gh", "oneway=yes"},
		{"ij"},
		{"jk"},
		{"kl"},
		{"aei"},
		{"bf"},
		{"fj"},
		{"cgk"},
		{"dh"},
		{"hl"},
	},
	Nodes: []testmap.Row{{"e", "highway=traffic_signals"}},
	Relations: []testmap.Row{
		{"from=ab via=bf to=fg", "restriction=no_left_turn"},
		{"from=bcd via=bf via=fj to=ij", "restriction=no_left_turn"},
		{"from=gh via=hl to=kl", "restriction=only_right_turn"},
	},
}

// compareWithBuild returns the number of copies of search nodes.
func compareWithBuild(t *testing.T, input string, data []byte) (copies int) {
	folder := t.TempDir()
	prepared := func(name string, u Updates) string {
		name = filepath.Join(folder, name)
		_, err := Build(t.Context(), BuildOptions{
			Input: input, Reader: bytes.NewReader(data), Output: name, Algorithms: []Algorithm{MLD, CCH}, Updates: u,
		})
		require.NoError(t, err)
		return name
	}
	plain := prepared("plain", Updates{})
	engines := map[Algorithm]*Engine{}
	for _, a := range []Algorithm{MLD, CCH} {
		e, err := Open(plain, Options{Algorithm: a})
		require.NoError(t, err)
		defer func() { require.NoError(t, e.Close()) }()
		engines[a] = e
	}
	n := engines[MLD].current.Load().net
	rng := rand.New(rand.NewPCG(4, 2))
	for round := range 4 {
		u := Update{Layer: "live", Clear: true, Speeds: changes(rng, n, 0.5, 4), Turns: penalties(rng, n, 60)}
		var speeds, turns strings.Builder
		seen := map[[2]int64]bool{}
		u.Speeds = keepFirst(u.Speeds, seen)
		for _, s := range u.Speeds {
			fmt.Fprintf(&speeds, "%d,%d,%g\n", s.From, s.To, s.Speed)
		}
		for _, p := range u.Turns {
			fmt.Fprintf(&turns, "%d,%d,%d,%g", p.From, p.Via, p.To, p.Penalty)
			if p.Weight != 0 {
				fmt.Fprintf(&turns, ",%g", p.Weight)
			}
			fmt.Fprintln(&turns)
		}
		speedFile, turnFile := filepath.Join(folder, "speeds.csv"), filepath.Join(folder, "turns.csv")
		require.NoError(t, os.WriteFile(speedFile, []byte(speeds.String()), 0o600))
		require.NoError(t, os.WriteFile(turnFile, []byte(turns.String()), 0o600))
		name := prepared(fmt.Sprint("built", round), Updates{SegmentSpeeds: []string{speedFile}, TurnPenalties: []string{turnFile}})
		for a, e := range engines {
			_, err := e.Update(t.Context(), u)
			require.NoError(t, err)
			built, err := Open(name, Options{Algorithm: a})
			require.NoError(t, err)
			got, want := e.current.Load(), built.current.Load()
			require.NotEqual(t, engines[a].live[""].files.metric.TurnWeight, got.metric.TurnWeight)
			gotMetric, wantMetric := *got.metric, *want.metric
			gotMetric.Sources, wantMetric.Sources = nil, nil
			require.Equal(t, wantMetric, gotMetric, a)
			if a == CCH {
				require.Equal(t, want.hierarchy, got.hierarchy)
			}
			checkCosts(t, rng, e, 3, 20)
			require.NoError(t, built.Close())
		}
	}
	return n.NumNodes() - int(n.Originals)
}

// keepFirst leaves out the speeds of segments that have one already.
func keepFirst(list []SegmentSpeed, seen map[[2]int64]bool) (kept []SegmentSpeed) {
	for _, s := range list {
		if at := [2]int64{s.From, s.To}; !seen[at] {
			seen[at] = true
			kept = append(kept, s)
		}
	}
	return kept
}
