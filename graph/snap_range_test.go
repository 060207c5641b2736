package graph

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// TestWithinMost: the nearest of all, and no more memory than for them.
func TestWithinMost(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	n, m := randomMap(rng, snapMaps["streets"])
	s, few := NewSnapper(n, m, pool.New()), NewSnapper(n, m, pool.New())
	limited := 0
	for range 100 {
		c := n.Coords[rng.IntN(len(n.Coords))]
		most := 1 + rng.IntN(30)
		all := within(t, s, c, 5000, SnapOptions{})
		got := within(t, few, c, 5000, SnapOptions{Most: most})
		require.Equal(t, all[:min(most, len(all))], got)
		require.LessOrEqual(t, cap(few.phantoms), 128)
		if len(all) > 3*most {
			limited++
		}
	}
	require.Greater(t, limited, 30)
}

func TestWithinOracle(t *testing.T) {
	for name, o := range snapMaps {
		if name == "world" {
			continue // the bounds of a distance do not hold near the poles
		}
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(8, 8))
			n, m := randomMap(rng, o)
			s := NewSnapper(n, m, pool.New())
			found := 0
			for range 300 {
				c := n.Coords[rng.IntN(len(n.Coords))]
				c.Lon = max(-180e6, min(180e6, c.Lon+rng.Int32N(o.step)))
				meters := rng.Float64() * min(float64(o.size)/30, 100e3)
				opt := randomOptions(rng, o.size)
				opt.HasRadius = false
				want := map[Segment][2]bool{}
				for _, h := range oracle(n, m, c, opt) {
					// The way to the edge of what counts is rounded twice.
					if h.meters > meters-0.2 {
						continue
					}
					own, reverse := 0, 1
					if h.reversed {
						own, reverse = 1, 0
					}
					var open [2]bool
					open[own], open[reverse] = h.own, h.reverse
					want[Segment{h.chain, h.pos}] = open
				}
				got := within(t, s, c, meters, opt)
				last := 0.0
				for _, p := range got {
					require.GreaterOrEqual(t, p.SnapDistance, last)
					last = p.SnapDistance
					require.LessOrEqual(t, p.SnapDistance, meters+0.2)
					key := Segment{p.Chain, p.Segment}
					if open, ok := want[key]; ok {
						require.Equal(t, open, usable(p))
						delete(want, key)
						found++
					}
				}
				require.Empty(t, want, "%v %v", c, meters)
			}
			if name != "none" {
				require.NotZero(t, found)
			}
		})
	}
}

func TestAppendSegmentsOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, name := range []string{"streets", "world", "lattice"} {
		o := snapMaps[name]
		n, m := randomMap(rng, o)
		s := NewSnapper(n, m, pool.New())
		for range 200 {
			least, most := n.Coords[rng.IntN(len(n.Coords))], n.Coords[rng.IntN(len(n.Coords))]
			if least.Lon > most.Lon {
				least.Lon, most.Lon = most.Lon, least.Lon
			}
			if least.Lat > most.Lat {
				least.Lat, most.Lat = most.Lat, least.Lat
			}
			want := []Segment{}
			for _, item := range snapItems(n) {
				if max(item.From.Lon, item.To.Lon) >= least.Lon && min(item.From.Lon, item.To.Lon) <= most.Lon &&
					max(item.From.Lat, item.To.Lat) >= least.Lat && min(item.From.Lat, item.To.Lat) <= most.Lat {
					want = append(want, Segment{item.Chain, item.position()})
				}
			}
			require.Equal(t, want, s.AppendSegments([]Segment{}, least, most))
		}
	}
}

func TestWithinAnyRadius(t *testing.T) {
	n, m := randomMap(rand.New(rand.NewPCG(1, 1)), snapMaps["world"])
	s := NewSnapper(n, m, pool.New())
	all := len(n.Index.items)
	for _, c := range []geo.Coord{{}, {Lon: 180e6, Lat: 90e6}, {Lon: -180e6, Lat: -90e6}} {
		require.Len(t, within(t, s, c, math.Inf(1), SnapOptions{AnySegment: true}), all)
		require.Len(t, within(t, s, c, 1e12, SnapOptions{AnySegment: true}), all)
		require.Empty(t, within(t, s, c, -5, SnapOptions{}))
		within(t, s, c, math.NaN(), SnapOptions{})
		within(t, s, c, 0, SnapOptions{})
	}
	require.Empty(t, within(t, s, geo.Coord{Lon: math.MinInt32}, 100, SnapOptions{}))
}
