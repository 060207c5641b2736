package workload

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/routing"
)

// Places is where requests begin and end. It is immutable but for Simulate.
type Places struct {
	coords []geo.Coord   // of nodes of roads
	traces [][]orb.Point // as vehicles would record them
}

// PlacesOf returns the nodes of a network's roads.
func PlacesOf(n *graph.Network) (*Places, error) {
	if len(n.Coords) == 0 {
		return nil, errors.New("workload: the network has no roads")
	}
	return &Places{coords: slices.Clone(n.Coords)}, nil
}

// OpenPlaces returns those of a data set, named as for routing.Open.
func OpenPlaces(name string) (*Places, error) {
	f, err := graph.OpenNetwork(name+".graph", graph.FileOptions{})
	if err != nil {
		return nil, err
	}
	p, err := PlacesOf(f.Network)
	return p, errors.Join(err, f.Close())
}

// metersADegree is the length of a degree of latitude.
const metersADegree = 111_195

// noise is the standard deviation, in meters, of a place or a point of a trace
// from its road.
const noise = 5

// Any returns a place by a road, all nodes of roads being equally likely.
func (p *Places) Any(rng *rand.Rand) orb.Point {
	return stray(p.coords[rng.IntN(len(p.coords))], rng)
}

// stray returns a place about 5 m from c, rounded as a client would.
func stray(c geo.Coord, rng *rand.Rand) orb.Point {
	lon, lat := c.LonLat()
	north := rng.NormFloat64() * noise / metersADegree
	east := rng.NormFloat64() * noise / metersADegree / math.Max(math.Cos(lat*math.Pi/180), 0.01)
	return rounded(lon+east, lat+north)
}

func rounded(lon, lat float64) orb.Point {
	return orb.Point{math.Round(lon*1e6) / 1e6, math.Round(lat*1e6) / 1e6}
}

// spacing is the way in meters between two points of a trace.
const spacing = 30

// Simulate adds n traces of drives between random places: a point each 30 m, off
// the road by about 5 m.
func (p *Places) Simulate(ctx context.Context, e *routing.Engine, n int, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := e.Session()
	defer s.Close()
	for tries := 0; len(p.traces) < n; tries++ {
		if tries == 20*n+1000 {
			return fmt.Errorf("workload: %d of %d drives between random places found a way; the network is too small or falls apart", len(p.traces), tries)
		}
		res, err := s.Route(ctx, routing.RouteRequest{
			Coordinates: []orb.Point{p.Any(rng), p.Any(rng)}, Overview: routing.OverviewFull, NoHints: true,
		})
		if errors.Is(err, routing.ErrNoRoute) || errors.Is(err, routing.ErrNoSegment) {
			continue
		}
		if err != nil {
			return err
		}
		if t := drive(res.Routes[0].Geometry, rng); len(t) >= shortest {
			p.traces = append(p.traces, t)
		}
	}
	return nil
}

// shortest is the number of points that make a trace.
const shortest = 10

// drive returns the points that a vehicle records on its way.
func drive(line orb.LineString, rng *rand.Rand) []orb.Point {
	var trace []orb.Point
	left := 0.0 // until the next point
	for i := 1; i < len(line); i++ {
		a, b := geo.FromLonLat(line[i-1][0], line[i-1][1]), geo.FromLonLat(line[i][0], line[i][1])
		length := geo.Distance(a, b)
		for ; left < length; left += spacing {
			f := left / length
			trace = append(trace, stray(geo.FromLonLat(
				line[i-1][0]+(line[i][0]-line[i-1][0])*f, line[i-1][1]+(line[i][1]-line[i-1][1])*f), rng))
		}
		left -= length
	}
	return trace
}

// Trace returns a piece of 50 to 100 points of a random trace, or all of a shorter
// one. Simulate comes before it.
func (p *Places) Trace(rng *rand.Rand) []orb.Point {
	t := p.traces[rng.IntN(len(p.traces))]
	n := 50 + rng.IntN(51)
	if len(t) <= n+1 {
		return t
	}
	start := rng.IntN(len(t) - n)
	return t[start : start+n]
}
