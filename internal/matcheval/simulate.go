package matcheval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/routing"
)

// Simulation says what traces to make. Its zero value is not of use: see the
// fields.
type Simulation struct {
	Seed     uint64
	Traces   int
	Noise    float64       // standard deviation in meters, east and north
	Interval time.Duration // between points, one second or more
	// Correlation is the time in which noise forgets itself: two errors so far
	// apart have a correlation of 1/e. 0 makes errors independent.
	Correlation time.Duration
	// Outliers is the share of points that lie far off, 50 to 300 meters.
	Outliers float64
	// Gaps is the share of points that begin a gap, of two to six points that are
	// missing.
	Gaps float64
}

// What simulated drives are like.
const (
	leastStops, mostStops = 2, 4          // places that a drive goes through
	leastHop, mostHop     = 1_500, 10_000 // meters between them
	leastSpeed            = 0.7           // share of the speed that the road is planned with
	mostSpeed             = 1.05
	signalShare           = 0.04 // of segments that one waits at the end of
	longestWait           = 30   // seconds
	leastPoints           = 6
)

// Simulate makes traces on a data set. They drive through some random places, each
// time by the fastest way, so that the whole is not the fastest; they are slower
// than planned, now and then wait, and are seen with noise. What it makes depends
// on the data set and s alone.
func Simulate(ctx context.Context, e *routing.Engine, s Simulation) ([]Trace, error) {
	if s.Interval < time.Second || s.Noise < 0 || math.IsNaN(s.Noise) || s.Traces < 0 {
		return nil, fmt.Errorf("matcheval: a simulation of %d traces with an interval of %s and noise of %g m", s.Traces, s.Interval, s.Noise)
	}
	session := e.Session()
	defer session.Close()
	var traces []Trace
	for failed := 0; len(traces) < s.Traces; {
		// Of its own, so that drives are the same whatever is seen of them.
		rng := rand.New(rand.NewPCG(s.Seed, uint64(len(traces)+failed)))
		d, ok, err := newDrive(ctx, session, rng, e.Info().Bounds)
		if err != nil {
			return nil, err
		}
		if ok {
			if t := d.observe(rng, &s); len(t.Points) >= leastPoints {
				t.Name = fmt.Sprintf("simulated %d", len(traces))
				traces = append(traces, t)
				continue
			}
		}
		if failed++; failed > 50*(s.Traces+10) {
			return nil, errors.New("matcheval: the data set has too few roads to simulate traces on")
		}
	}
	return traces, nil
}

// drive is where a vehicle is when.
type drive struct {
	way   Way
	line  []geo.Coord // between whose places it moves evenly
	times []float64   // seconds, by place
}

// newDrive finds a drive; ok is false if places were picked that none leads
// through.
func newDrive(ctx context.Context, session *routing.Session, rng *rand.Rand, b orb.Bound) (d drive, ok bool, err error) {
	at := orb.Point{b.Min[0] + rng.Float64()*(b.Max[0]-b.Min[0]), b.Min[1] + rng.Float64()*(b.Max[1]-b.Min[1])}
	places := []orb.Point{at}
	for range leastStops - 1 + rng.IntN(mostStops-leastStops+1) {
		at = beside(at, leastHop+rng.Float64()*(mostHop-leastHop), 2*math.Pi*rng.Float64())
		places = append(places, at)
	}
	radiuses := make([]float64, len(places))
	for i := range radiuses {
		radiuses[i] = leastHop / 2
	}
	res, err := session.Route(ctx, routing.RouteRequest{
		Coordinates: places, Radiuses: radiuses, NoHints: true, SkipWaypoints: true, Overview: routing.OverviewByLegs,
		Annotations: routing.AnnotateNodes | routing.AnnotateDistance | routing.AnnotateDuration,
	})
	if err != nil {
		var refused *routing.Error
		return d, false, unless(errors.As(err, &refused) && refused.Code != routing.ErrCorrupt, err)
	}
	speed := leastSpeed + rng.Float64()*(mostSpeed-leastSpeed)
	now := 0.0
	for _, leg := range res.Routes[0].Legs {
		a := leg.Annotation
		place := 0
		for i, meters := range a.Distance {
			d.way.Segments = append(d.way.Segments, Segment{a.Nodes[i], a.Nodes[i+1], meters})
			// Segments of no length have no place of their own in the line.
			if meters == 0 {
				continue
			}
			if place+1 >= len(leg.Geometry) {
				return d, false, nil
			}
			d.add(coord(leg.Geometry[place]), now)
			place++
			now += a.Duration[i] / speed
			d.add(coord(leg.Geometry[place]), now)
			if rng.Float64() < signalShare {
				now += rng.Float64() * longestWait
			}
		}
		if place+1 < len(leg.Geometry) {
			return d, false, nil // a segment that is about as short as that
		}
	}
	return d, len(d.line) > 1, nil
}

func unless(ok bool, err error) error {
	if ok {
		return nil
	}
	return err
}

func (d *drive) add(at geo.Coord, when float64) {
	d.line = append(d.line, at)
	d.times = append(d.times, when)
}

// observe makes a trace of a drive.
func (d *drive) observe(rng *rand.Rand, s *Simulation) Trace {
	t := Trace{Way: d.way, Deviation: s.Noise}
	step := s.Interval.Seconds()
	memory := 0.0
	if s.Correlation > 0 {
		memory = math.Exp(-step / s.Correlation.Seconds())
	}
	fresh := math.Sqrt(1 - memory*memory)
	east, north := rng.NormFloat64(), rng.NormFloat64()
	gap, k := 0, 0
	for now := 0.0; now <= d.times[len(d.times)-1]; now += step {
		for d.times[k+1] < now {
			k++
		}
		share := 0.0
		if took := d.times[k+1] - d.times[k]; took > 0 {
			share = (now - d.times[k]) / took
		}
		lon, lat := geo.Interpolate(share, d.line[k], d.line[k+1]).LonLat()
		at := beside(orb.Point{lon, lat}, s.Noise*math.Hypot(east, north), math.Atan2(east, north))
		if rng.Float64() < s.Outliers {
			at = beside(at, 50+250*rng.Float64(), 2*math.Pi*rng.Float64())
		}
		if rng.Float64() < s.Gaps {
			gap = 2 + rng.IntN(5)
		}
		if gap--; gap < 0 {
			t.Points = append(t.Points, at)
			t.Times = append(t.Times, int64(math.Round(now)))
		}
		east = memory*east + fresh*rng.NormFloat64()
		north = memory*north + fresh*rng.NormFloat64()
	}
	return t
}

// beside returns the place so many meters from another, in a direction in radians
// clockwise from north.
func beside(at orb.Point, meters, direction float64) orb.Point {
	const perDegree = geo.EarthRadius * math.Pi / 180
	return orb.Point{
		at[0] + meters*math.Sin(direction)/(perDegree*math.Cos(at[1]*math.Pi/180)),
		at[1] + meters*math.Cos(direction)/perDegree,
	}
}
