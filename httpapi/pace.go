package httpapi

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/fourway-routing/fourway/routing"
)

// A long request is one whose work, in units of a short route, is at least longWork.
// It makes way for others as it goes: while short ones want for a processor it rests
// for restLength after each restEvery of work, or as long as it takes to be woken: but
// not for more than mostRest times what it has worked.
const (
	longWork   = 50
	restEvery  = time.Millisecond
	restLength = 250 * time.Microsecond
	mostRest   = 2
)

func routeWork(r *routing.RouteRequest) int { return len(r.Coordinates) * (1 + r.Alternatives) }

// matchWork counts roads that come into question: those of a point grow with the
// square of its radius, of which 5 m is usual. The robust model follows more of them,
// and more than once.
func matchWork(r *routing.MatchRequest) int {
	work := float64(len(r.Coordinates))
	for _, radius := range r.Radiuses {
		work += radius * radius / 100
	}
	if r.Model != (routing.MatchModel{}) {
		work *= 5
	}
	return int(min(work/20, 1e6))
}

func tripWork(r *routing.TripRequest) int { return len(r.Coordinates) * len(r.Coordinates) / 8 }

// tableWork counts a search for each place, and the cells.
func tableWork(r *routing.TableRequest) int {
	n := len(r.Coordinates)
	sources, targets := n, n
	if len(r.Sources) > 0 {
		sources = len(r.Sources)
	}
	if len(r.Destinations) > 0 {
		targets = len(r.Destinations)
	}
	return (sources+targets)/4 + sources*targets/1000
}

// isochroneWork counts half an hour as a hundred short routes, in proportion to the
// limits, and each outline as ten.
func isochroneWork(r *routing.IsochroneRequest) int {
	minutes := slices.Max(r.Contours) / 60
	if r.Unit == routing.ContourDistance {
		minutes = slices.Max(r.Contours) / 1000 // at 60 km/h
	}
	return 10*len(r.Contours) + int(min(minutes*100/30, math.MaxInt32/2))
}

// pace is the context of a long request. The places where it looks whether the
// context is done are those where it makes way.
type pace struct {
	context.Context
	queue   *queue
	began   time.Time
	rested  atomic.Int64 // when the last rest ended, in nanoseconds since began
	resting atomic.Int64 // nanoseconds of all rests
}

func newPace(ctx context.Context, q *queue) *pace {
	return &pace{Context: ctx, queue: q, began: time.Now()}
}

// Err implements context.Context.
func (p *pace) Err() error {
	if now := time.Since(p.began); now-time.Duration(p.rested.Load()) >= restEvery && p.queue.contended() {
		if all := time.Duration(p.resting.Load()); all <= mostRest*(now-all) {
			time.Sleep(restLength)
			rested := time.Since(p.began)
			p.resting.Add(int64(rested - now))
			p.rested.Store(int64(rested))
		}
	}
	return p.Context.Err()
}
