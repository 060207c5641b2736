package measure

import "math"

// Exponent returns the e of the t = c·n^e that fits points best, by least squares
// of their logarithms; NaN of fewer than two different n. All numbers are
// positive.
func Exponent(n, t []float64) float64 {
	e, _ := Fit(n, t)
	return e
}

// Fit returns the e and the c of the t = c·n^e that fits points best: see Exponent.
func Fit(n, t []float64) (e, c float64) {
	var sx, sy, sxx, sxy float64
	for i := range n {
		x, y := math.Log(n[i]), math.Log(t[i])
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	k := float64(len(n))
	e = (k*sxy - sx*sy) / (k*sxx - sx*sx)
	return e, math.Exp((sy - e*sx) / k)
}
