package extract_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract"
)

// randomXML makes a file of few nodes and many ways over them, in every
// combination that an editor could produce and some that none would.
func randomXML(rng *rand.Rand) string {
	var b strings.Builder
	pick := func(values ...string) string { return values[rng.IntN(len(values))] }
	tag := func(k string, values ...string) {
		if v := pick(values...); v != "" {
			fmt.Fprintf(&b, `<tag k="%s" v="%s"/>`, k, v)
		}
	}
	b.WriteString("<osm>\n")
	nodes := 3 + rng.IntN(14)
	for i := range nodes {
		if rng.IntN(20) == 0 {
			continue // missing
		}
		fmt.Fprintf(&b, `<node id="%d" lon="%.5f" lat="%.5f">`, i, float64(rng.IntN(30))/1e4, 50+float64(rng.IntN(30))/1e4)
		tag("highway", "", "", "", "", "traffic_signals", "stop", "mini_roundabout", "turning_circle", "give_way", "crossing")
		tag("barrier", "", "", "", "", "", "", "gate", "bollard", "toll_booth")
		tag("direction", "", "", "forward", "backward", "both")
		b.WriteString("</node>\n")
	}
	ways := 1 + rng.IntN(12)
	for i := range ways {
		fmt.Fprintf(&b, `<way id="%d">`, 100+i)
		for range 1 + rng.IntN(7) {
			fmt.Fprintf(&b, `<nd ref="%d"/>`, rng.IntN(nodes))
		}
		tag("highway", "primary", "primary", "residential", "service", "motorway", "motorway_link", "footway", "")
		tag("oneway", "", "", "", "yes", "-1", "reversible")
		tag("junction", "", "", "", "", "roundabout", "circular")
		tag("name", "", "A", "A", "B", "&lt;C&gt;")
		tag("ref", "", "", "1", "2;3")
		tag("access", "", "", "", "private", "destination", "no")
		tag("maxspeed", "", "", "50", "none", "5", "-1")
		tag("maxspeed:forward", "", "", "", "30")
		tag("turn:lanes:forward", "", "", "", "left|through;right", "strange", "|")
		tag("route", "", "", "", "", "", "ferry")
		tag("duration", "", "", "00:10", "99999:00", "PT1M")
		b.WriteString("</way>\n")
	}
	for i := range rng.IntN(12) {
		fmt.Fprintf(&b, `<relation id="%d">`, 200+i)
		for _, role := range [...]string{"from", "via", "via", "to"} {
			if rng.IntN(6) == 0 {
				continue
			}
			if role == "via" && rng.IntN(2) == 0 {
				fmt.Fprintf(&b, `<member type="node" role="via" ref="%d"/>`, rng.IntN(nodes))
			} else {
				fmt.Fprintf(&b, `<member type="way" role="%s" ref="%d"/>`, role, 100+rng.IntN(ways))
			}
		}
		tag("restriction", "no_left_turn", "only_straight_on", "no_u_turn", "no_exit", "")
		tag("restriction:conditional", "", "no_left_turn @ (Mo)", "only_left_turn @ (Tu")
		b.WriteString("</relation>\n")
	}
	b.WriteString("</osm>\n")
	return b.String()
}

// Whatever the map, the network is sound.
func TestRandomMaps(t *testing.T) {
	rounds := 1500
	if testing.Short() {
		rounds = 200
	}
	networks := 0
	for seed := range uint64(rounds) {
		xml := randomXML(rand.New(rand.NewPCG(seed, 8)))
		r, err := runXML(t, xml, extract.Options{Conditionals: seed%2 == 0, Workers: 1 + int(seed%3)})
		if errors.Is(err, extract.ErrNoRoads) {
			continue
		}
		require.NoError(t, err, "seed %d: %s", seed, xml)
		require.NoError(t, r.Network.Check(), "seed %d: %s", seed, xml)
		require.NoError(t, r.Metric.Check(r.Network), "seed %d: %s", seed, xml)
		networks++
	}
	require.Greater(t, networks, rounds/2)
}
