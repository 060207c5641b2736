package httpapi

import "github.com/fourway-routing/fourway/routing"

// Options configures a Handler. The zero value is what osrm-routed does
// without flags.
type Options struct {
	// MaxRouteSize is the largest number of coordinates of a route: 0 stands
	// for 500, a negative number for no limit.
	MaxRouteSize int
	// MaxNearestSize is the largest number of results of nearest: 0 stands
	// for 100, a negative number for no limit.
	MaxNearestSize int
	// MaxAlternatives is the largest number of alternatives that may be
	// asked for: 0 stands for 3, a negative number for none.
	MaxAlternatives int
	// DefaultRadius in meters is used for coordinates without a radius; 0
	// stands for no limit.
	DefaultRadius float64
	// MaxBody is the largest body of a POST request in bytes: 0 stands for
	// 1 MiB, or more if MaxRouteSize needs it.
	MaxBody int64
	// NoCompression never compresses answers.
	NoCompression bool
}

// limits translates the options for package routing.
func (o *Options) limits() routing.Limits {
	return routing.Limits{
		RouteCoordinates: limit(o.MaxRouteSize, 500),
		NearestResults:   limit(o.MaxNearestSize, 100),
		Alternatives:     o.MaxAlternatives,
	}
}

// maxBody returns MaxBody or its default: 128 bytes a coordinate hold it and
// what is said of it.
func (o *Options) maxBody() int64 {
	if o.MaxBody > 0 {
		return o.MaxBody
	}
	return max(1<<20, 128*int64(limit(o.MaxRouteSize, 500))+4096)
}

func limit(n, standard int) int {
	if n == 0 {
		return standard
	}
	return max(n, 0)
}
