package httpapi

import (
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/fourway-routing/fourway/routing"
)

// Options configures a Server. The zero value is what osrm-routed does without
// flags, with bounds on time and on requests at once added. In limits of size
// 0 stands for the default and a negative number for no limit.
type Options struct {
	// MaxRouteSize is the largest number of coordinates of a route (500).
	MaxRouteSize int
	// MaxTableSize is the length of the sides of the largest table that is
	// square (100): any table with as few cells is allowed. Without a limit
	// that of the Engine counts: see routing.Limits.
	MaxTableSize int
	// MaxTripSize is the largest number of coordinates of a trip (100).
	MaxTripSize int
	// MaxMatchSize is the largest number of coordinates of a trace (100).
	MaxMatchSize int
	// MaxMatchRadius is the largest radius of a coordinate of a trace, in
	// meters; 0 and less stand for no limit.
	MaxMatchRadius float64
	// MaxNearestSize is the largest number of results of nearest (100).
	MaxNearestSize int
	// MaxAlternatives is the largest number of alternatives that may be
	// asked for: 0 stands for 3, a negative number for none.
	MaxAlternatives int
	// MaxContours is the largest number of contours of an isochrone (10).
	MaxContours int
	// MaxContourMinutes and MaxContourMeters are the largest contours of an
	// isochrone (120 and 200,000).
	MaxContourMinutes, MaxContourMeters int
	// MaxContourRoads is the largest number of stretches of road in an answer
	// (100,000).
	MaxContourRoads int
	// DefaultRadius in meters is used for coordinates without a radius, but
	// those of traces; 0 stands for no limit.
	DefaultRadius float64

	// MaxAvoid is the largest number of corners of polygons, ways and segments
	// that a request may avoid (1000).
	MaxAvoid int
	// NoAvoid refuses to avoid anything. What is avoided is prepared for the
	// first request that does, some ten milliseconds of all processors in a small
	// country, and keeps memory: a metric, and cells or arcs, for the last eight.
	NoAvoid bool

	// AllowUpdates lets clients change data sets while they are served, for everyone
	// who asks them: costs by /update, closed roads by /closure. Without it there are
	// no such services.
	AllowUpdates bool
	// UpdateToken, if it is not empty, is what requests to these services carry in
	// the header "Authorization: Bearer". Without it everybody who reaches the server
	// may change its data.
	UpdateToken string
	// MaxUpdateBody is the largest body of such a request in bytes: 0 stands for
	// 16 MiB.
	MaxUpdateBody int64

	// NoSteps and NoGeometry refuse what routing.Limits of the same names do:
	// osrm-routed's features ROUTE_STEPS and ROUTE_GEOMETRY, disabled.
	NoSteps, NoGeometry bool

	// MaxURL is the largest URL in bytes: 0 stands for 8 KiB, or more if the
	// limits above need it. http.Server.MaxHeaderBytes must not be below it.
	MaxURL int
	// MaxBody is the largest body of a POST request in bytes: 0 stands for
	// 1 MiB, or more if the limits above need it.
	MaxBody int64

	// Timeout ends a request, its time of waiting included: 0 stands for
	// 60 s. A client may wish for another time by the header
	// "Prefer: wait=seconds" (RFC 7240). Neither exceeds MaxTimeout.
	Timeout time.Duration
	// MaxRunning is the number of requests that are worked on at once: 0
	// stands for four per processor, so that short ones get their share
	// beside long ones. Of these one less runs than there are processors,
	// unless there have been no short ones for a second.
	MaxRunning int
	// MaxWaiting is the number of requests that may wait for their turn: 0
	// stands for 16 times MaxRunning, a negative number for none. Those
	// beyond it are turned away at once.
	MaxWaiting int
	// KeepAlive, if set, is told to clients as the time for which an idle
	// connection stays open: that of http.Server.IdleTimeout.
	KeepAlive time.Duration
	// NoCompression never compresses answers.
	NoCompression bool

	// NoInterpreter does without /api/interpreter and /api/{profile}/interpreter,
	// which answer queries in the Overpass language from data sets built with tags.
	NoInterpreter bool
	// Interpreter is the profile whose data set answers /api/interpreter: empty
	// stands for driving, or else the first by name.
	Interpreter string
	// Lookup bounds the elements and the memory of such a query.
	Lookup routing.OverpassLimits

	// AnyProfile answers a profile that is not known by the data set named
	// driving, instead of refusing it.
	AnyProfile bool
	// Map serves the map page at /, and what it is made of below /map/: tiles of
	// the streets at /map/v1/profile/z/x/y.mvt among them.
	Map bool
	// Observe, if set, is called at the end of each request of a service, by
	// the goroutine that served it.
	Observe func(Observation)
}

// MaxTimeout is the longest that a request may take, whatever is asked for.
const MaxTimeout = 300 * time.Second

const defaultTimeout = 60 * time.Second

// limits translates the options for package routing.
func (o *Options) limits() routing.Limits {
	side := int64(limit(o.MaxTableSize, 100))
	cells := side * side
	if side >= 1<<31 {
		cells = 0
	}
	return routing.Limits{
		RouteCoordinates: limit(o.MaxRouteSize, 500),
		TableCells:       cells,
		TripCoordinates:  limit(o.MaxTripSize, 100),
		MatchCoordinates: limit(o.MaxMatchSize, 100),
		MatchRadius:      max(o.MaxMatchRadius, 0),
		NearestResults:   limit(o.MaxNearestSize, 100),
		Alternatives:     o.MaxAlternatives,
		Contours:         limit(o.MaxContours, 10),
		ContourDuration:  float64(60 * limit(o.MaxContourMinutes, 120)),
		ContourDistance:  float64(limit(o.MaxContourMeters, 200_000)),
		ContourRoads:     limit(o.MaxContourRoads, 100_000),
		NoSteps:          o.NoSteps,
		NoGeometry:       o.NoGeometry,
	}
}

// limit returns a limit of package routing, in which 0 is none.
func limit(n, standard int) int {
	if n == 0 {
		return standard
	}
	return max(n, 0)
}

// coordinates returns the most coordinates that any service takes.
func (o *Options) coordinates() int64 {
	return int64(max(limit(o.MaxRouteSize, 500), limit(o.MaxTableSize, 100), limit(o.MaxTripSize, 100), limit(o.MaxMatchSize, 100)))
}

// maxURL returns MaxURL or its default: 48 bytes a coordinate hold it and its
// options.
func (o *Options) maxURL() int {
	if o.MaxURL > 0 {
		return o.MaxURL
	}
	return int(max(8<<10, min(48*o.coordinates()+1024, 1<<30)))
}

// maxBody returns MaxBody or its default: 128 bytes a coordinate hold it and
// its options in JSON.
func (o *Options) maxBody() int64 {
	if o.MaxBody > 0 {
		return o.MaxBody
	}
	return max(1<<20, 128*o.coordinates()+4096)
}

func (o *Options) running() int {
	if o.MaxRunning > 0 {
		return o.MaxRunning
	}
	return 4 * runtime.GOMAXPROCS(0)
}

func (o *Options) waiting() int {
	if o.MaxWaiting == 0 {
		return 16 * o.running()
	}
	return max(o.MaxWaiting, 0)
}

// timeout returns the time that a request may take.
func (o *Options) timeout(header http.Header) time.Duration {
	t := o.Timeout
	if t <= 0 {
		t = defaultTimeout
	}
	if wish, ok := wishedWait(header); ok {
		t = wish
	}
	return min(t, MaxTimeout)
}

// wishedWait finds the preference wait of RFC 7240.
func wishedWait(header http.Header) (time.Duration, bool) {
	for _, value := range header["Prefer"] {
		for part := range strings.SplitSeq(value, ",") {
			name, text, _ := strings.Cut(part, "=")
			if !strings.EqualFold(strings.TrimSpace(name), "wait") {
				continue
			}
			text, _, _ = strings.Cut(text, ";")
			if n, err := strconv.ParseUint(strings.Trim(strings.TrimSpace(text), `"`), 10, 31); err == nil {
				return time.Duration(n) * time.Second, true
			}
		}
	}
	return 0, false
}
