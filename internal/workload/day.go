package workload

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/routing"
)

// DayOptions says what day to make up.
type DayOptions struct {
	Requests int
	Seed     uint64
	// Profile is what URLs call the data set; empty stands for driving.
	Profile string
}

const (
	hotPlaces = 200 // stations, shops, depots
	towns     = 40  // around which most requests lie
	near      = 20_000.0
	hotShare  = 0.3 // of ends that are a hot place
	townShare = 0.8 // of the others that lie around a town
	nearShare = 0.8 // of routes that end near their start
	nearTries = 30
)

// hourly is how many requests come in each hour, by the mean of the day: a quiet
// night, and peaks in the morning and the evening.
var hourly = [24]float64{
	0.25, 0.2, 0.2, 0.2, 0.25, 0.45, 0.9, 1.5, 1.8, 1.5, 1.25, 1.2,
	1.25, 1.2, 1.2, 1.3, 1.5, 1.8, 1.75, 1.4, 1.05, 0.8, 0.55, 0.4,
}

// WriteDay writes a made-up day of requests, one a line: the second of the day
// and the path of the URL. Simulate comes before it. What comes is 55 % route (half
// with steps, a tenth with alternatives), 15 % nearest, 15 % match, 10 % table (3
// to 50 places, one in a hundred 200), 5 % trip. Most ends lie around towns, some
// at hot places that come again and again, and most routes are short. A done
// context ends it with the context's error.
func WriteDay(ctx context.Context, w io.Writer, p *Places, opt DayOptions) error {
	if opt.Profile == "" {
		opt.Profile = "driving"
	}
	d := day{p: p, rng: rand.New(rand.NewPCG(opt.Seed, 4))}
	d.settle()
	out := bufio.NewWriterSize(w, 1<<16)
	// bufio keeps the first error, which Flush returns.
	fmt.Fprintf(out, "# %d requests of a day, seed %d: second of the day, path of the URL\n", opt.Requests, opt.Seed)
	var line []byte
	for i, at := range d.arrivals(opt.Requests) {
		if i%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line = fmt.Appendf(line[:0], "%d.%03d ", at/time.Second, at%time.Second/time.Millisecond)
		line = append(d.query().AppendPath(line, opt.Profile), '\n')
		_, _ = out.Write(line)
	}
	return out.Flush()
}

// day makes requests up.
type day struct {
	p     *Places
	rng   *rand.Rand
	hot   []orb.Point
	towns []geo.Coord
}

func (d *day) settle() {
	for range hotPlaces {
		d.hot = append(d.hot, d.p.Any(d.rng))
	}
	for range towns {
		d.towns = append(d.towns, d.p.coords[d.rng.IntN(len(d.p.coords))])
	}
}

// arrivals returns n times of the day, ascending.
func (d *day) arrivals(n int) []time.Duration {
	sum := 0.0
	for _, h := range hourly {
		sum += h
	}
	times := make([]time.Duration, n)
	for i := range times {
		u := d.rng.Float64() * sum
		hour := 0
		for ; hour < len(hourly)-1 && u >= hourly[hour]; hour++ {
			u -= hourly[hour]
		}
		times[i] = min(time.Duration((float64(hour)+u/hourly[hour])*float64(time.Hour)), 24*time.Hour-1)
	}
	slices.Sort(times)
	return times
}

// popular returns a number below n, small ones being more likely: about half of
// all are among the first tenth.
func (d *day) popular(n int) int {
	u := d.rng.Float64()
	return int(u * u * u * float64(n))
}

// query makes a request.
func (d *day) query() Query {
	switch u := d.rng.Float64(); {
	case u < 0.55:
		return d.route()
	case u < 0.70:
		return &Nearest{Coordinate: d.end(), Number: [...]int{0, 0, 0, 3, 10}[d.rng.IntN(5)]}
	case u < 0.85:
		return &Match{Coordinates: d.p.Trace(d.rng), Steps: d.rng.IntN(4) == 0}
	case u < 0.95:
		return d.table()
	}
	q := &Trip{Coordinates: []orb.Point{d.end()}, Steps: d.rng.IntN(2) == 0}
	for range 1 + d.rng.IntN(9) {
		q.Coordinates = append(q.Coordinates, d.nearby(q.Coordinates[0]))
	}
	return q
}

func (d *day) route() Query {
	q := &Route{Coordinates: []orb.Point{d.end()}}
	legs := 1
	if d.rng.IntN(10) == 0 {
		legs = 2 + d.rng.IntN(3)
	}
	for i := range legs {
		q.Coordinates = append(q.Coordinates, d.nearby(q.Coordinates[i]))
	}
	if d.rng.IntN(2) == 0 {
		q.Steps, q.Overview = true, routing.OverviewFull
	}
	if legs == 1 && d.rng.IntN(10) == 0 {
		q.Alternatives = 2
	}
	return q
}

func (d *day) table() Query {
	n := 3 + d.popular(48)
	if d.rng.IntN(100) == 0 {
		n = 200
	}
	q := &Table{Coordinates: []orb.Point{d.end()}}
	for range n - 1 {
		q.Coordinates = append(q.Coordinates, d.nearby(q.Coordinates[0]))
	}
	if d.rng.IntN(3) == 0 {
		q.Annotations = routing.TableDurations | routing.TableDistances
	}
	return q
}

// end returns a place that a request begins at.
func (d *day) end() orb.Point {
	switch {
	case d.rng.Float64() < hotShare:
		return d.hot[d.popular(len(d.hot))]
	case d.rng.Float64() < townShare:
		return d.within(d.towns[d.popular(len(d.towns))], near/2)
	}
	return d.p.Any(d.rng)
}

// nearby returns a place that a request from another one leads to.
func (d *day) nearby(from orb.Point) orb.Point {
	switch {
	case d.rng.Float64() < hotShare/2:
		return d.hot[d.popular(len(d.hot))]
	case d.rng.Float64() < nearShare:
		return d.within(geo.FromLonLat(from[0], from[1]), near*d.rng.Float64())
	}
	return d.p.Any(d.rng)
}

// within returns a place not farther away than a distance in meters, or else the
// nearest of several.
func (d *day) within(c geo.Coord, distance float64) orb.Point {
	best, least := c, math.Inf(1)
	for range nearTries {
		at := d.p.coords[d.rng.IntN(len(d.p.coords))]
		away := geo.Distance(c, at)
		if away <= distance {
			return stray(at, d.rng)
		}
		if away < least {
			best, least = at, away
		}
	}
	return stray(best, d.rng)
}
