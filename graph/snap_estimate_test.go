package graph

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/geo"
)

// An estimate is never more than localError too large, and not much too small
// where it is meant to be good.
func TestEstimate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, reach := range []int32{10, 1000, localRange - 1, 3_000_000, 100_000_000} {
		for range 20000 {
			c := geo.Coord{Lon: rng.Int32N(300e6) - 150e6, Lat: rng.Int32N(180e6) - 90e6}
			near := func() geo.Coord {
				return geo.Coord{
					Lon: max(-180e6, min(180e6, c.Lon+rng.Int32N(2*reach)-reach)),
					Lat: max(-90e6, min(90e6, c.Lat+rng.Int32N(2*reach)-reach)),
				}
			}
			a, b := near(), near()
			if a == b {
				continue
			}
			local := newLocalMercator(c)
			estimate := math.Sqrt(local.estimate(a, b))
			_, nearest := geo.ProjectPoint(geo.ToMercator(a), geo.ToMercator(b), geo.ToMercator(c))
			distance := math.Sqrt(float64(geo.SquaredDistance(nearest.Coord(), geo.ToMercator(c).Coord())))
			require.LessOrEqual(t, estimate, distance+localError, "%v to %v %v", c, a, b)
			if reach < localRange && max(c.Lat, -c.Lat) < localLatitude*geo.Precision {
				require.GreaterOrEqual(t, estimate, distance-localError, "%v to %v %v", c, a, b)
			}
		}
	}
}
