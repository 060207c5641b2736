package graph

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// oracleHit is a segment as the oracle sees it.
type oracleHit struct {
	key          uint64
	chain        ChainID
	pos          uint32
	place        geo.Coord
	meters       float64
	own, reverse bool
	reversed     bool
	small        bool
}

// oracle lists all segments by distance, usable or not: every chain, nothing
// packed, nothing pruned.
func oracle(n *Network, m *Metric, c geo.Coord, o SnapOptions) []oracleHit {
	var hits []oracleHit
	p := geo.ToMercator(c)
	for chain := range n.NumChains() {
		arms := [2]ArmID{ArmID(2 * chain), ArmID(2*chain + 1)}
		if n.ArmNode[arms[0]] == InvalidNode {
			arms[0], arms[1] = arms[1], arms[0]
		}
		if n.ArmNode[arms[0]] == InvalidNode {
			continue
		}
		both := n.ArmNode[arms[1]] != InvalidNode
		places := n.ChainPlaces[n.ChainFirst[chain]:n.ChainFirst[chain+1]]
		for i := range places[1:] {
			u, v := n.Coords[places[i]], n.Coords[places[i+1]]
			if arms[0].Reverse() {
				u, v = v, u
			}
			if u == v {
				continue
			}
			_, nearest := geo.ProjectPoint(geo.ToMercator(u), geo.ToMercator(v), p)
			h := oracleHit{
				chain: ChainID(chain), pos: uint32(i), place: nearest.Coord(),
				reversed: arms[0].Reverse(), small: n.NodeComponent[n.ArmNode[arms[0]]].Small(),
			}
			h.key = geo.SquaredDistance(h.place, p.Coord())
			h.meters = geo.Distance(c, geo.FromMercator(h.place.Point()).Coord())
			usable := func(arm ArmID) bool {
				road := n.Roads[n.ArmRoad[arm]]
				return n.ArmNode[arm] != InvalidNode &&
					m.SegmentWeight[arm&1][n.ChainFirst[chain]+uint32(i)] != InvalidWeight &&
					road.Classes&o.Exclude == 0 &&
					(o.AnySegment || n.ChainStart.Get(uint32(chain)))
			}
			h.own, h.reverse = usable(arms[0]), usable(arms[1])
			if o.Approach != ApproachUnrestricted && both {
				left := geo.CounterClockwise(u, v, c)
				curb := left == (n.Roads[n.ArmRoad[arms[0]]].Flags&RoadLeftHand != 0)
				ok := curb == (o.Approach == ApproachCurb)
				h.own, h.reverse = h.own && ok, h.reverse && !ok
			}
			if o.HasBearing {
				b := geo.Bearing(u, v)
				h.own = h.own && geo.BearingWithin(int(math.Round(b)), o.Bearing, o.BearingRange)
				h.reverse = h.reverse && geo.BearingWithin(int(math.Round(geo.ReverseBearing(b))), o.Bearing, o.BearingRange)
			}
			hits = append(hits, h)
		}
	}
	slices.SortFunc(hits, func(a, b oracleHit) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.chain, b.chain), cmp.Compare(a.pos, b.pos))
	})
	// The first segment beyond the radius, usable or not, ends the search.
	if o.HasRadius {
		if i := slices.IndexFunc(hits, func(h oracleHit) bool { return h.meters > o.Radius }); i >= 0 {
			cut := hits[i].key
			hits = slices.DeleteFunc(hits, func(h oracleHit) bool { return h.key > cut || h.meters > o.Radius })
		}
	}
	return slices.DeleteFunc(hits, func(h oracleHit) bool { return !h.own && !h.reverse })
}

// oracleCandidates follows OSRM's two rules, nearest place and big component,
// over the sorted list.
func oracleCandidates(hits []oracleHit) (nearest, big []oracleHit) {
	var place, bigPlace geo.Coord
	hasPlace, hasBig := false, false
	for _, h := range hits {
		elsewhere := hasPlace && h.place != place
		if h.small && elsewhere || !h.small && hasBig && h.place != bigPlace {
			continue
		}
		if !hasPlace {
			hasPlace, place = true, h.place
		}
		if !h.small && !hasBig {
			hasBig, bigPlace = true, h.place
		}
		if h.place == place {
			nearest = oracleAdd(nearest, h)
		} else {
			big = oracleAdd(big, h)
		}
	}
	return nearest, big
}

// oracleAdd keeps one segment a chain, by OSRM's table of which of two to take.
func oracleAdd(list []oracleHit, h oracleHit) []oracleHit {
	for i, had := range list {
		if had.chain != h.chain {
			continue
		}
		e1, e2 := had, h
		if (h.pos < had.pos) != h.reversed {
			e1, e2 = h, had
		}
		list[i] = e1
		if !(e1.own && e1.reverse) && e2.own && e2.reverse {
			list[i] = e2
		}
		return list
	}
	return append(list, h)
}

func requirePhantoms(t *testing.T, n *Network, want []oracleHit, got []Phantom) {
	t.Helper()
	require.Len(t, got, len(want))
	for i, w := range want {
		g := got[i]
		require.Equal(t, w.chain, g.Chain)
		require.Equal(t, w.pos, g.Segment)
		own, reverse := 0, 1
		if w.reversed {
			own, reverse = 1, 0
		}
		require.Equal(t, w.own, g.Nodes[own] != InvalidNode)
		require.Equal(t, w.reverse, g.Nodes[reverse] != InvalidNode)
		for d, node := range g.Nodes {
			if node != InvalidNode {
				require.Equal(t, n.ArmNode[2*int(g.Chain)+d], node)
			}
		}
	}
}

var snapMaps = map[string]mapOptions{
	"streets":   {chains: 300, maxPlaces: 8, center: geo.FromLonLat(-75.5, 39.7), size: 40000, step: 800, oneWay: 0.3, small: 0.2, closed: 0.05, notStart: 0.1, penalties: 0.1, undrivable: 0.05, copies: 30},
	"lattice":   {chains: 400, maxPlaces: 6, center: geo.FromLonLat(7.42, 43.73), size: 60, step: 10, lattice: 5, oneWay: 0.4, small: 0.5, closed: 0.1, notStart: 0.2, penalties: 0.1},
	"far apart": {chains: 60, maxPlaces: 5, center: geo.FromLonLat(100, 65), size: 20e6, step: 1e6, oneWay: 0.3, small: 0.9},
	"world":     {chains: 500, maxPlaces: 3, center: geo.FromLonLat(0, 0), size: 179e6, step: 80e6, small: 0.3},
	"all small": {chains: 50, maxPlaces: 4, center: geo.FromLonLat(10, -33), size: 9000, step: 900, small: 1},
	"one":       {chains: 1, maxPlaces: 2, center: geo.FromLonLat(10, 10), size: 10, step: 100},
	"none":      {chains: 20, maxPlaces: 4, center: geo.FromLonLat(10, 10), size: 10, step: 100, undrivable: 1},
}

func randomOptions(rng *rand.Rand, size int32) SnapOptions {
	var o SnapOptions
	if rng.IntN(2) == 0 {
		o.HasRadius = true
		o.Radius = rng.Float64() * float64(size) / 10
	}
	if rng.IntN(3) == 0 {
		o.HasBearing = true
		o.Bearing, o.BearingRange = rng.IntN(361), rng.IntN(120)
	}
	if rng.IntN(2) == 0 {
		o.Approach = Approach(rng.IntN(3))
	}
	o.AnySegment = rng.IntN(2) == 0
	if rng.IntN(3) == 0 {
		o.Exclude = ClassMask(rng.IntN(4))
	}
	return o
}

func TestSnapOracle(t *testing.T) {
	for name, o := range snapMaps {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, 9))
			n, m := randomMap(rng, o)
			s := NewSnapper(n, m, pool.New())
			for range 600 {
				c := geo.Coord{
					Lon: max(-180e6, min(180e6, o.center.Lon+rng.Int32N(o.size*2)-o.size)),
					Lat: max(-90e6, min(90e6, o.center.Lat+rng.Int32N(o.size*2)-o.size)),
				}
				if rng.IntN(4) == 0 {
					c = n.Coords[rng.IntN(len(n.Coords))] // where segments meet
				}
				opt := randomOptions(rng, o.size)
				hits := oracle(n, m, c, opt)
				count := 1 + rng.IntN(20)
				if rng.IntN(4) == 0 {
					count = 1 + rng.IntN(3*mostInOrder)
				}
				requirePhantoms(t, n, hits[:min(count, len(hits))], nearest(t, s, c, count, opt))
				near, big := oracleCandidates(hits)
				gotNear, gotBig := candidates(t, s, c, opt)
				requirePhantoms(t, n, near, gotNear)
				requirePhantoms(t, n, big, gotBig)
			}
		})
	}
}

// delaware is about as many segments on as much land as Delaware has.
var delaware = mapOptions{
	chains: 90_000, maxPlaces: 8, center: geo.FromLonLat(-75.5, 39.2), size: 1_000_000, step: 700,
	oneWay: 0.2, small: 0.01, copies: 100,
}

func delawareSizedMap(testing.TB) (*Network, *Metric) {
	return randomMap(rand.New(rand.NewPCG(2, 2)), delaware)
}

func BenchmarkNearest(b *testing.B) {
	n, m := delawareSizedMap(b)
	rng := rand.New(rand.NewPCG(3, 3))
	places := make([]geo.Coord, 4096)
	for i := range places {
		places[i] = geo.Coord{
			Lon: delaware.center.Lon + rng.Int32N(delaware.size) - delaware.size/2,
			Lat: delaware.center.Lat + rng.Int32N(delaware.size) - delaware.size/2,
		}
	}
	s := NewSnapper(n, m, pool.New())
	for _, count := range []int{1, 5, 10} {
		b.Run("results="+strconv.Itoa(count), func(b *testing.B) {
			i := 0
			for b.Loop() {
				if _, err := s.Nearest(b.Context(), places[i%len(places)], count, SnapOptions{}); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
	b.Run("candidates", func(b *testing.B) {
		i := 0
		for b.Loop() {
			if _, _, err := s.Candidates(b.Context(), places[i%len(places)], SnapOptions{}); err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
	b.Run("within=50m", func(b *testing.B) {
		i := 0
		for b.Loop() {
			if _, err := s.Within(b.Context(), places[i%len(places)], 50, SnapOptions{}); err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
}

func BenchmarkBuildSnapIndex(b *testing.B) {
	n, _ := delawareSizedMap(b)
	for b.Loop() {
		BuildSnapIndex(n)
	}
	b.ReportMetric(float64(len(n.Index.items)), "segments")
}

func TestSnapIndexIsDeterministic(t *testing.T) {
	n, _ := randomMap(rand.New(rand.NewPCG(1, 1)), snapMaps["lattice"])
	require.Equal(t, n.Index, BuildSnapIndex(n))
	require.Equal(t, snapItems(n), snapItems(n))
}

func TestSnapAllocations(t *testing.T) {
	n, m := randomMap(rand.New(rand.NewPCG(1, 1)), snapMaps["streets"])
	s := NewSnapper(n, m, pool.New())
	run := func() {
		for i := range n.Coords {
			nearest(t, s, n.Coords[i], 1+i%20, SnapOptions{})
			nearest(t, s, n.Coords[i], 100, SnapOptions{})
			candidates(t, s, n.Coords[i], SnapOptions{HasRadius: true, Radius: 100})
			within(t, s, n.Coords[i], 100, SnapOptions{})
		}
	}
	run()
	require.Zero(t, testing.AllocsPerRun(3, run))
	require.NotZero(t, s.alloc.Live())
	s.Free()
	require.Zero(t, s.alloc.Live())
	require.NotEmpty(t, nearest(t, s, n.Coords[0], 1, SnapOptions{AnySegment: true}))
}

func TestSnapAnywhere(t *testing.T) {
	extremes := []int32{math.MinInt32, -180e6 - 1, -180e6, -90e6, -85051129, -80e6, -1, 0, 80e6, 85051128, 90e6, 90e6 + 1, 180e6, math.MaxInt32}
	for _, name := range []string{"world", "streets", "one", "none"} {
		n, m := randomMap(rand.New(rand.NewPCG(1, 1)), snapMaps[name])
		s := NewSnapper(n, m, pool.New())
		for _, lon := range extremes {
			for _, lat := range extremes {
				c := geo.Coord{Lon: lon, Lat: lat}
				got := nearest(t, s, c, 3, SnapOptions{AnySegment: true})
				if !c.Valid() {
					require.Empty(t, got)
					near, big := candidates(t, s, c, SnapOptions{})
					require.Empty(t, near)
					require.Empty(t, big)
					continue
				}
				hits := oracle(n, m, c, SnapOptions{AnySegment: true})
				requirePhantoms(t, n, hits[:min(3, len(hits))], got)
			}
		}
		require.Empty(t, nearest(t, s, n.Coords[0], 0, SnapOptions{}))
		require.Empty(t, nearest(t, s, n.Coords[0], -1, SnapOptions{}))
	}
}

func FuzzSnap(f *testing.F) {
	n, m := randomMap(rand.New(rand.NewPCG(1, 1)), snapMaps["lattice"])
	s := NewSnapper(n, m, pool.New())
	f.Add(int32(7420000), int32(43730000), 50.0, int16(90), int16(20), uint8(1), uint8(3), uint8(2))
	f.Add(int32(math.MinInt32), int32(math.MaxInt32), math.NaN(), int16(-5), int16(400), uint8(9), uint8(255), uint8(0))
	f.Fuzz(func(t *testing.T, lon, lat int32, radius float64, bearing, tolerance int16, approach, exclude, flags uint8) {
		c := geo.Coord{Lon: lon, Lat: lat}
		o := SnapOptions{
			HasRadius: flags&1 != 0, Radius: radius,
			HasBearing: flags&2 != 0, Bearing: int(bearing), BearingRange: int(tolerance),
			Approach: Approach(approach % 3), Exclude: ClassMask(exclude), AnySegment: flags&4 != 0,
		}
		got := nearest(t, s, c, int(flags), o)
		if !c.Valid() {
			require.Empty(t, got)
			return
		}
		hits := oracle(n, m, c, o)
		requirePhantoms(t, n, hits[:min(int(flags), len(hits))], got)
		near, big := oracleCandidates(hits)
		gotNear, gotBig := candidates(t, s, c, o)
		requirePhantoms(t, n, near, gotNear)
		requirePhantoms(t, n, big, gotBig)
	})
}
