package routing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/pool"
)

// drives returns traces along routes, points 30 m apart with noise of 5 m.
func drives(b testing.TB, e *Engine, traces, points int) [][]orb.Point {
	rng := rand.New(rand.NewPCG(42, uint64(points)))
	session := e.Session()
	defer session.Close()
	var out [][]orb.Point
	for len(out) < traces {
		res, err := session.Route(b.Context(), RouteRequest{Coordinates: scatter(rng, e, 2), Overview: OverviewFull})
		if err != nil {
			continue
		}
		var trace []orb.Point
		line, rest := res.Routes[0].Geometry, 0.0
		for i := 1; i < len(line) && len(trace) < points; i++ {
			length := geo.Distance(coord(line[i-1]), coord(line[i]))
			for ; rest < length && len(trace) < points; rest += 30 {
				at := point(geo.Interpolate(rest/length, coord(line[i-1]), coord(line[i])))
				north, east := 5*rng.NormFloat64()/111_195, 5*rng.NormFloat64()/111_195/math.Cos(at[1]*math.Pi/180)
				trace = append(trace, orb.Point{at[0] + east, at[1] + north})
			}
			rest -= length
		}
		if len(trace) == points {
			out = append(out, trace)
		}
	}
	return out
}

// BenchmarkTraces matches traces of 82 and of 500 points, where a place is 5, 10 and
// 20 m off, with memory from free lists and from the built-in make, and by the
// model that is robust.
func BenchmarkTraces(b *testing.B) {
	delawares(b)
	once, _ := preparations.Load("delaware")
	p, err := once.(func() (*parts, error))()
	require.NoError(b, err)
	for _, algorithm := range []Algorithm{CH, MLD} {
		for _, memory := range []pool.Kind{pool.FreeLists, pool.Plain, pool.Dropping} {
			e := newEngine(*p, Options{Algorithm: algorithm, Memory: memory})
			for _, points := range []int{82, 500} {
				traces := drives(b, e, 20, points)
				for _, radius := range []float64{0, 10, 20} {
					b.Run(fmt.Sprintf("algorithm=%v/memory=%v/points=%d/radius=%g", algorithm, memory, points, radius), func(b *testing.B) {
						radiuses := make([]float64, points)
						for i := range radiuses {
							radiuses[i] = radius
						}
						benchmarkMatch(b, e, traces, MatchRequest{Radiuses: radiuses})
					})
				}
				b.Run(fmt.Sprintf("algorithm=%v/memory=%v/points=%d/model=robust", algorithm, memory, points), func(b *testing.B) {
					benchmarkMatch(b, e, traces, MatchRequest{Model: RobustModel()})
				})
			}
		}
	}
}

func benchmarkMatch(b *testing.B, e *Engine, traces [][]orb.Point, r MatchRequest) {
	r.NoHints, r.Overview = true, OverviewFalse
	session := e.Session()
	defer session.Close()
	b.ReportAllocs()
	runs := 0
	for b.Loop() {
		r.Coordinates = traces[runs%len(traces)]
		if _, err := session.Match(b.Context(), r); err != nil {
			b.Fatal(err)
		}
		runs++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(runs*len(traces[0])), "ns/point")
}

// TestMatchAllocatesTheAnswer: a step takes nothing from the Go heap; what a request
// takes is its answer, which is the same for any number of candidates.
func TestMatchAllocatesTheAnswer(t *testing.T) {
	for _, e := range cities(t) {
		session := e.Session()
		for _, trace := range drives(t, e, 3, 40) {
			allocs := func(radius float64) float64 {
				r := MatchRequest{Coordinates: trace, Radiuses: make([]float64, len(trace)), Overview: OverviewFalse, SkipWaypoints: true}
				for i := range r.Radiuses {
					r.Radiuses[i] = radius
				}
				return testing.AllocsPerRun(20, func() {
					_, err := session.Match(t.Context(), r)
					require.NoError(t, err)
				})
			}
			near, far := allocs(10), allocs(25)
			require.InDelta(t, near, far, 12, "the pieces of the trace")
			require.Less(t, far, 3.0*float64(len(trace)), "the legs")
		}
		session.Close()
	}
}
