package junction

import (
	"math"

	"github.com/fourway-routing/fourway/internal/geo"
)

// share returns how far wanted lies on the way from one distance to another,
// 0 … 1, and 0 where there is no way.
func share(wanted, from, to float64) float64 {
	s := (wanted - from) / (to - from)
	if s > 1 {
		return 1
	}
	if !(s > 0) {
		return 0
	}
	return s
}

// atLength returns the place at a distance along a line, or its end if that is
// nearer.
func atLength(distance float64, line []geo.Coord) geo.Coord {
	passed := 0.0
	for i := 1; i < len(line); i++ {
		step := geo.Distance(line[i-1], line[i])
		if passed+step >= distance {
			return geo.Interpolate(share(distance-passed, 0, step), line[i-1], line[i])
		}
		passed += step
	}
	return line[len(line)-1]
}

// atLengthBySteps is atLength for a line whose segments' lengths are known.
func atLengthBySteps(distance float64, line []geo.Coord, steps []float64) geo.Coord {
	passed := 0.0
	for i := 1; i < len(line); i++ {
		if passed+steps[i] >= distance {
			return geo.Interpolate(share(distance-passed, 0, steps[i]), line[i-1], line[i])
		}
		passed += steps[i]
	}
	return line[len(line)-1]
}

// appendSteps appends to steps a 0 and then the length of each segment of
// line, until they sum up to limit.
func appendSteps(steps []float64, line []geo.Coord, limit float64) []float64 {
	steps = append(steps, 0)
	sum := 0.0
	for i := 1; i < len(line); i++ {
		step := geo.Distance(line[i-1], line[i])
		sum += step
		steps = append(steps, step)
		if sum >= limit {
			break
		}
	}
	return steps
}

// trim cuts line, in place, at a distance along it.
func trim(line []geo.Coord, length float64) []geo.Coord {
	passed := 0.0
	for i := 1; i < len(line); i++ {
		next := passed + geo.Distance(line[i-1], line[i])
		if next >= length {
			line[i] = geo.Interpolate(share(length, passed, next), line[i-1], line[i])
			return line[:i+1]
		}
		passed = next
	}
	return line
}

// trimBySteps cuts line, in place, at its first segment that is not shorter
// than length; if there is none, where steps end. OSRM means it to cut where
// the sum of steps reaches length, but compares single ones, and the limits of
// other rules were tuned with that.
func trimBySteps(line []geo.Coord, length float64, steps []float64) []geo.Coord {
	if last := steps[len(steps)-1]; last < length && len(line) >= 2 {
		line = line[:min(len(line), len(steps))]
		end := len(line) - 1
		if d := geo.Distance(line[end-1], line[end]); d > 0 {
			line[end] = geo.Interpolate(share(last, 0, d), line[end-1], line[end])
		}
		return line
	}
	before := 0.0
	for i := 1; i < len(line) && i < len(steps); i++ {
		if steps[i] >= length {
			line[i] = geo.Interpolate(share(length, before, steps[i]), line[i-1], line[i])
			return line[:i+1]
		}
		before = steps[i]
	}
	return line
}

// appendBeyond appends to dst what of line lies beyond a distance along it:
// nothing if the line is shorter.
func appendBeyond(dst, line []geo.Coord, distance float64) []geo.Coord {
	passed := 0.0
	for i := 1; i < len(line); i++ {
		next := passed + geo.Distance(line[i-1], line[i])
		if next >= distance {
			dst = append(dst, geo.Interpolate(share(distance, passed, next), line[i-1], line[i]))
			return append(dst, line[i:]...)
		}
		passed = next
	}
	return dst
}

// appendSamples appends to dst the start of line and then a place every
// interval meters, up to length meters.
func appendSamples(dst, line []geo.Coord, length, interval float64) []geo.Coord {
	dst = append(dst, line[0])
	carry, total := 0.0, 0.0
	for i := 1; i < len(line) && total <= length; i++ {
		step := geo.Distance(line[i-1], line[i])
		if carry+step >= interval {
			base := interval - carry
			n := math.Floor((min(length-total, step) + carry) / interval)
			for k := 0.0; k < n; k++ {
				dst = append(dst, geo.Interpolate(share(base+float64(k*interval), 0, step), line[i-1], line[i]))
			}
			carry = (step + carry) - float64(n*interval)
		} else {
			carry += step
		}
		total += step
	}
	return dst
}

// deviation returns the largest distance in meters of the places of line from
// the segment a, b.
func deviation(line []geo.Coord, a, b geo.Coord) float64 {
	most := 0.0
	for _, c := range line {
		most = max(most, geo.DistanceToSegment(c, a, b))
	}
	return most
}

// onSegment returns the place of the segment a, b that is nearest to c on the
// plane of longitude and latitude.
func onSegment(a, b, c geo.Coord) geo.Coord {
	_, p := geo.ProjectPoint(a.Point(), b.Point(), c.Point())
	return p.Coord()
}

// rotation turns coordinates around longitude and latitude 0.
type rotation struct{ sin, cos float64 }

// rotationBy returns the counter-clockwise rotation.
func rotationBy(degrees float64) rotation {
	a := radians(degrees)
	return rotation{math.Sin(a), math.Cos(a)}
}

func (r rotation) apply(c geo.Coord) geo.Coord {
	lon, lat := c.LonLat()
	return geo.FromLonLat(float64(r.cos*lon)-float64(r.sin*lat), float64(r.sin*lon)+float64(r.cos*lat))
}

func radians(degrees float64) float64 { return degrees * (math.Pi / 180) }

// regression returns two places on the line through cs of least squares, the
// plane being longitude and latitude: a little before the first and behind the
// last by longitude, or by latitude where the line runs rather north or south.
// There must be two places at least.
func (w *Worker) regression(cs []geo.Coord) (a, b geo.Coord) {
	lo, hi := cs[0], cs[0]
	for _, c := range cs {
		lo.Lon, lo.Lat = min(lo.Lon, c.Lon), min(lo.Lat, c.Lat)
		hi.Lon, hi.Lat = max(hi.Lon, c.Lon), max(hi.Lat, c.Lat)
	}
	minLon, minLat := lo.LonLat()
	maxLon, maxLat := hi.LonLat()
	if maxLat-minLat > 2*(maxLon-minLon) {
		there, back := rotationBy(-90), rotationBy(90)
		w.rotated = w.rotated[:0]
		for _, c := range cs {
			w.rotated = append(w.rotated, there.apply(c))
		}
		a, b = regressionByLongitude(w.rotated)
		return back.apply(a), back.apply(b)
	}
	return regressionByLongitude(cs)
}

func regressionByLongitude(cs []geo.Coord) (a, b geo.Coord) {
	const (
		epsilon = 0x1p-52
		margin  = 0.00001
	)
	n := float64(len(cs))
	minLon, _ := cs[0].LonLat()
	maxLon := minLon
	var sumLon, sumLat float64
	for _, c := range cs {
		lon, lat := c.LonLat()
		minLon, maxLon = min(minLon, lon), max(maxLon, lon)
		sumLon += lon
		sumLat += lat
	}
	meanLon, meanLat := sumLon/n, sumLat/n
	var squaresLon, squaresLat float64
	for _, c := range cs {
		lon, lat := c.LonLat()
		squaresLon += float64((lon - meanLon) * (lon - meanLon))
		squaresLat += float64((lat - meanLat) * (lat - meanLat))
	}
	spreadLon, spreadLat := math.Sqrt(squaresLon/(n-1)), math.Sqrt(squaresLat/(n-1))
	if spreadLon < epsilon || spreadLat < epsilon {
		return cs[0], cs[len(cs)-1]
	}
	correlation := 0.0
	for _, c := range cs {
		lon, lat := c.LonLat()
		correlation += (lon - meanLon) * (lat - meanLat) / (spreadLon * spreadLat)
	}
	correlation /= n - 1
	slope := correlation * spreadLat / spreadLon
	intercept := meanLat - float64(slope*meanLon)
	at := func(lon float64) geo.Coord { return geo.FromLonLat(lon, intercept+float64(slope*lon)) }
	return at(minLon - margin), at(maxLon + margin)
}

// regressionAlong returns the line of least squares through the first 40 m of
// line, cut to where its ends come nearest.
func (w *Worker) regressionAlong(line []geo.Coord) (a, b geo.Coord) {
	w.samples = appendSamples(w.samples[:0], line, farLookahead, 1)
	if len(w.samples) < 2 {
		return line[0], line[len(line)-1]
	}
	a, b = w.regression(w.samples)
	return onSegment(a, b, line[0]), onSegment(a, b, line[len(line)-1])
}

// area returns the area in square meters that a closed line encloses, positive
// if it runs clockwise.
func area(line []geo.Coord) float64 {
	base := line[0].Lat
	for _, c := range line {
		base = min(base, c.Lat)
	}
	sum := 0.0
	foot := geo.Coord{Lon: line[0].Lon, Lat: base}
	height := geo.Distance(foot, line[0])
	for _, c := range line[1:] {
		nextFoot := geo.Coord{Lon: c.Lon, Lat: base}
		nextHeight := geo.Distance(nextFoot, c)
		strip := geo.Distance(foot, nextFoot) * (height + nextHeight)
		if nextFoot.Lon < foot.Lon {
			strip = -strip
		}
		sum += strip
		foot, height = nextFoot, nextHeight
	}
	return sum / 2
}

// parallel says whether the regression lines of two lines differ by less than
// a slope of a fifth.
func (w *Worker) parallel(l, r []geo.Coord) bool {
	difference := func(cs []geo.Coord) geo.Coord {
		a, b := w.regression(cs)
		return geo.Coord{Lon: a.Lon - b.Lon, Lat: a.Lat - b.Lat}
	}
	dl, dr := difference(l), difference(r)
	dr = rotationBy(geo.Bearing(geo.Coord{}, dl) - 90).apply(dr)
	return dr.Lon != 0 && math.Abs(float64(dr.Lat)/float64(dr.Lon)) < 0.20
}
