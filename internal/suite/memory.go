package suite

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"

	"github.com/fourway-routing/fourway/internal/measure"
	"github.com/fourway-routing/fourway/internal/workload"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/routing"
)

// ServingMemory is the memory of a process that serves a data set, in bytes.
type ServingMemory struct {
	Algorithm string `json:"algorithm"`
	Segments  int    `json:"segments"`
	Heap      int64  `json:"go_heap"`  // live, after a collection
	Private   int64  `json:"private"`  // heap and stacks, no mapped file
	Resident  int64  `json:"resident"` // with the pages of mapped files that were read
}

// asked is the number of requests of each shape before the memory is looked at.
const asked = 50

// MeasureMemory opens a data set, asks it requests of all shapes over the whole
// network, and tells what memory the process has then. The process should have done
// nothing before.
func MeasureMemory(ctx context.Context, name string, a routing.Algorithm) (m ServingMemory, err error) {
	e, err := routing.Open(name, routing.Options{Algorithm: a, Memory: pool.FreeLists})
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	places, err := workload.OpenPlaces(name)
	if err != nil {
		return m, err
	}
	if err := places.Simulate(ctx, e, asked, workload.Seed); err != nil {
		return m, err
	}
	rng := rand.New(rand.NewPCG(workload.Seed, 5))
	s := e.Session()
	for _, shape := range workload.Shapes() {
		for range asked {
			if _, err := shape.Draw(places, rng).Ask(ctx, s); err != nil && !workload.Unanswered(err) {
				s.Close()
				return m, err
			}
		}
	}
	s.Close()
	places = nil
	runtime.GC()
	runtime.GC() // what the first one only marked
	at := measure.ReadMemory()
	return ServingMemory{a.String(), e.Info().Segments, measure.Live(), at.Private, at.Resident}, nil
}
