package profile

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// The digests are those of results that were compared with the results of
// OSRM's own profiles, element by element, and found equal.
func TestDelaware(t *testing.T) {
	nodes, ways := delaware(t)
	for name, want := range map[string]struct {
		routable, obstacles int
		digest              uint64
	}{
		"bicycle": {49198, 1649, 0x2c30b7686dd8c4a6},
		"car":     {46489, 7874, 0xce507974006bfb13},
		"foot":    {49119, 1649, 0x9a841a2b83e7d005},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := ByName(name)
			require.NoError(t, err)
			w, err := p.NewWorker()
			require.NoError(t, err)
			digest := fnv.New64a()
			put := func(values ...any) {
				for _, v := range values {
					if s, ok := v.(string); ok {
						_, err := io.WriteString(digest, s+"\x00")
						require.NoError(t, err)
						continue
					}
					require.NoError(t, binary.Write(digest, binary.LittleEndian, v))
				}
			}
			var r WayResult
			routable := 0
			for _, way := range ways {
				require.NoError(t, w.Way(way, &r))
				if !r.Routable(p.Properties().DurationIsWeight()) {
					continue
				}
				routable++
				put(int64(way.ID), r.ForwardMode, r.BackwardMode, r.ForwardSpeed, r.BackwardSpeed, r.ForwardRate, r.BackwardRate,
					r.Duration, r.Weight, r.ForwardClasses, r.BackwardClasses, r.ForwardRestricted, r.BackwardRestricted,
					r.IsStartPoint, r.Roundabout, r.Circular, r.IsLeftHandDriving,
					r.Name, r.ForwardRef, r.BackwardRef, r.Pronunciation, r.Destinations, r.Exits,
					r.TurnLanesForward, r.TurnLanesBackward, r.Class, r.NumLanes(), r.Split(false))
			}
			var n NodeResult
			obstacles := 0
			for _, node := range nodes {
				require.NoError(t, w.Node(node, &n))
				obstacles += len(n.Obstacles)
				for _, o := range n.Obstacles {
					put(int64(node.ID), o)
				}
			}
			require.Len(t, ways, 73144)
			require.Equal(t, want.routable, routable)
			require.Equal(t, want.obstacles, obstacles)
			require.Equal(t, want.digest, digest.Sum64())
		})
	}
}
