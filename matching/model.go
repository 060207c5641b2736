package matching

import (
	"math"
	"slices"
)

// The parameters of the model, as in OSRM.
const (
	// beta is the mean difference in meters between the ways by road and of the
	// crow of a step, which is exponentially distributed.
	beta = 10
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

// transition returns the logarithm of the density of a step whose two ways differ
// by the given meters.
func transition(difference float64) float64 {
	const logBeta = math.Ln10
	return -logBeta - difference/beta
}

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
