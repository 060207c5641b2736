package workload

import (
	"fmt"
	"math/rand/v2"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// Seed is that of all random choices in OSRM's benchmarks, and here.
const Seed = 42

// Shape is a kind of request, of which a benchmark asks random ones.
type Shape struct {
	// Suite is the benchmark that the shape belongs to, by OSRM's name.
	Suite string
	Name  string
	// Count is the number of requests in a round of OSRM's benchmark.
	Count int
	Draw  func(p *Places, rng *rand.Rand) Query
}

// Shapes returns the shapes of OSRM's benchmarks on random requests, with its
// parameters, and a few of ours behind each.
func Shapes() []Shape {
	var all []Shape
	add := func(suite, name string, count int, draw func(p *Places, rng *rand.Rand) Query) {
		all = append(all, Shape{suite, name, count, draw})
	}
	for _, n := range []int{1, 5, 10} {
		add("random_nearest", fmt.Sprintf("number=%d", n), 10_000, func(p *Places, rng *rand.Rand) Query {
			return &Nearest{Coordinate: p.Any(rng), Number: n}
		})
	}
	for _, r := range []struct {
		name                      string
		coordinates, alternatives int
		full                      bool
	}{
		{"coordinates=3/full", 3, 0, true},
		{"coordinates=2/alternatives=3/full", 2, 3, true},
		{"coordinates=3/plain", 3, 0, false},
		{"coordinates=2/alternatives=3/plain", 2, 3, false},
		{"coordinates=2/plain", 2, 0, false}, // ours
	} {
		add("random_route", r.name, 1000, func(p *Places, rng *rand.Rand) Query {
			q := &Route{Coordinates: p.several(rng, r.coordinates), Alternatives: r.alternatives, Overview: routing.OverviewFalse}
			if r.full {
				q.Overview, q.Steps = routing.OverviewFull, true
			}
			return q
		})
	}
	for _, n := range []int{3, 25, 50} {
		add("random_table", fmt.Sprintf("coordinates=%d", n), 250, func(p *Places, rng *rand.Rand) Query {
			return &Table{Coordinates: p.several(rng, n)}
		})
	}
	add("random_table", "coordinates=50/distances", 250, func(p *Places, rng *rand.Rand) Query { // ours
		return &Table{Coordinates: p.several(rng, 50), Annotations: routing.TableDurations | routing.TableDistances}
	})
	for _, n := range []int{3, 5, 10} { // 10 is ours
		add("random_trip", fmt.Sprintf("coordinates=%d", n), 250, func(p *Places, rng *rand.Rand) Query {
			return &Trip{Coordinates: p.several(rng, n)}
		})
	}
	for _, radius := range []float64{0, 10, 20} {
		name := "radius=default"
		if radius != 0 {
			name = fmt.Sprintf("radius=%g", radius)
		}
		add("random_match", name, 500, func(p *Places, rng *rand.Rand) Query {
			q := &Match{Coordinates: p.Trace(rng)}
			if radius != 0 {
				q.Radiuses = make([]float64, len(q.Coordinates))
				for i := range q.Radiuses {
					q.Radiuses[i] = radius
				}
			}
			return q
		})
	}
	return all
}

// FixedShapes returns those of OSRM's benchmarks that ask the same requests again
// and again: route and match.
func FixedShapes() []Shape {
	var all []Shape
	for _, r := range []struct {
		name         string
		alternatives int
		full         bool
	}{
		{"full", 0, true}, {"alternatives=3/full", 3, true}, {"plain", 0, false}, {"alternatives=3/plain", 3, false},
	} {
		coordinates := 3
		if r.alternatives > 0 {
			coordinates = 2
		}
		all = append(all, Shape{"route", r.name, 1, func(p *Places, _ *rand.Rand) Query {
			q := &Route{Coordinates: p.corners()[:coordinates], Alternatives: r.alternatives, Overview: routing.OverviewFalse}
			if r.full {
				q.Overview, q.Steps = routing.OverviewFull, true
			}
			return q
		}})
	}
	for _, radius := range []float64{0, 10} {
		name := "radius=default"
		if radius != 0 {
			name = fmt.Sprintf("radius=%g", radius)
		}
		all = append(all, Shape{"match", name, 1, func(p *Places, _ *rand.Rand) Query {
			q := &Match{Coordinates: p.traces[0][:min(fixedTrace, len(p.traces[0]))]}
			if radius != 0 {
				q.Radiuses = make([]float64, len(q.Coordinates))
				for i := range q.Radiuses {
					q.Radiuses[i] = radius
				}
			}
			return q
		}})
	}
	return all
}

// fixedTrace is the number of points of the trace that OSRM matches.
const fixedTrace = 82

// WebShapes returns the requests of OSRM's benchmark over HTTP.
func WebShapes() []Shape {
	return []Shape{
		{"e2e_nearest", "", 1000, func(p *Places, rng *rand.Rand) Query { return &Nearest{Coordinate: p.Any(rng)} }},
		{"e2e_route", "", 1000, func(p *Places, rng *rand.Rand) Query {
			return &Route{Coordinates: p.several(rng, 2), Overview: routing.OverviewFull, Steps: true}
		}},
		{"e2e_table", "", 1000, func(p *Places, rng *rand.Rand) Query {
			return &Table{Coordinates: p.several(rng, 3+rng.IntN(10))}
		}},
		{"e2e_trip", "", 1000, func(p *Places, rng *rand.Rand) Query {
			return &Trip{Coordinates: p.several(rng, 2+rng.IntN(9)), Steps: true}
		}},
		{"e2e_match", "", 1000, func(p *Places, rng *rand.Rand) Query {
			q := &Match{Coordinates: p.Trace(rng), Steps: true}
			for range q.Coordinates {
				q.Radiuses = append(q.Radiuses, float64(5+rng.IntN(16)))
			}
			return q
		}},
	}
}

func (p *Places) several(rng *rand.Rand, n int) []orb.Point {
	points := make([]orb.Point, n)
	for i := range points {
		points[i] = p.Any(rng)
	}
	return points
}

// corners returns places far apart: the ends of the longest trace, then its middle.
func (p *Places) corners() []orb.Point {
	longest := p.traces[0]
	for _, t := range p.traces {
		if len(t) > len(longest) {
			longest = t
		}
	}
	return []orb.Point{longest[0], longest[len(longest)-1], longest[len(longest)/2]}
}
