package matching

import (
	"math"
	"slices"

	"github.com/fourway-routing/fourway/internal/geo"
)

// Model is what may be chosen of the model. The zero value is OSRM's.
type Model struct {
	// Beta is the mean difference in meters between the ways by road and of the
	// crow of a step, which is exponentially distributed; 0 stands for
	// DefaultBeta.
	Beta float64
	// Stretch adds to Beta a share of the way of the crow: the longer a step, the
	// less its road is straight.
	Stretch float64
	// Outlier, if above 0, lets ways leave points out, up to three in a row. Each
	// counts as much as a place that is so many standard deviations away from its
	// road.
	Outlier float64
	// Hold is by how many of its standard deviations a place may fall back on the
	// way to the one before. The trace then stands still, rather than turning
	// around.
	Hold float64
	// Pace makes steps of a timed trace unlikely that take longer by road than
	// there was time.
	Pace bool
	// Bridge keeps a trace whole as long as any way leads on: neither a time
	// between two points nor a detour parts it, and a point that no way leads to takes no other with it.
	Bridge bool
}

// DefaultBeta is the mean difference in meters between the ways by road and of
// the crow where nothing is known of it.
const DefaultBeta = 10

// The parameters of the model, as in OSRM.
const (
	// maxDifference is the difference in meters from which on a step is
	// impossible, in a trace without times.
	maxDifference = 2000
	// minSpeed in m/s bounds the search: a way that takes longer is none.
	minSpeed = 4
	// maxSkipped is the number of points without a step to them, and of median
	// times between points, after which a trace is parted.
	maxSkipped = 10
)

// DefaultDeviation is the standard deviation of a place in meters where nothing
// is known of it.
const DefaultDeviation = 5

// normal is the logarithm of the density at a distance from a place, both in
// meters.
type normal struct{ deviation, logDeviation float64 }

// gaussian returns that of a place of the given standard deviation.
func gaussian(deviation float64) normal { return normal{deviation, math.Log(deviation)} }

func (n normal) at(distance float64) float64 {
	const logTwoPi = 1.83787706640934533908
	z := distance / n.deviation
	return float64(-0.5*(logTwoPi+float64(z*z))) - n.logDeviation
}

// exponential is the logarithm of the density of the difference between the two
// ways of a step, in meters.
type exponential struct{ mean, top float64 }

// differences returns that of a step of so many meters.
func (m *Model) differences(crow float64) exponential {
	mean := m.Beta
	if mean <= 0 {
		mean = DefaultBeta
	}
	mean += m.Stretch * crow
	return newExponential(mean)
}

func newExponential(mean float64) exponential { return exponential{mean, -math.Log(mean)} }

func (e exponential) at(difference float64) float64 { return e.top - difference/e.mean }

// lost is the logarithm of the density of a point that a way leaves out, and with
// it a step to or from a point beside it.
func (m *Model) lost(p, beside *Point) float64 {
	return gaussian(p.Deviation).at(m.Outlier*p.Deviation) + m.differences(geo.Distance(p.Place, beside.Place)).top
}

// What a step may take longer by road than there was time: the mean of an
// exponential distribution, in seconds, and as a share of that time.
const (
	lateSeconds = 2
	lateShare   = 0.2
)

// Confidence returns the probability, 0 … 1, that a way is the right one for a
// trace, by their lengths in meters: by Bayes' theorem from the distributions of
// the logarithm of their ratio, fitted for OSRM to ways that were known to be
// right or wrong.
func Confidence(trace, way float64) float64 {
	x := math.Log(way) - math.Log(trace)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0 // a trace that stays at one place tells nothing
	}
	const share = 0.696774 // of right ways
	right := share * laplace(x, 0.005986, 0.016646)
	wrong := (1 - share) * laplace(x, 0.054385, 0.458432)
	return right / (right + wrong)
}

// laplace returns the density of a Laplace distribution.
func laplace(x, location, scale float64) float64 {
	return math.Exp(-math.Abs(x-location)/scale) / (2 * scale)
}

// medianStep returns the median time between neighboring points, at least 1.
func medianStep(steps []int64, points []Point) int64 {
	steps = steps[:0]
	for i := 1; i < len(points); i++ {
		steps = append(steps, points[i].Time-points[i-1].Time)
	}
	slices.Sort(steps)
	return max(1, steps[len(steps)/2])
}
