package suite

import (
	"context"
	"errors"
	"io"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/workload"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/routing"
)

// Kinds are the kinds of memory that are compared, in the order of tables.
var kinds = [...]pool.Kind{pool.Dropping, pool.Plain, pool.SyncPool, pool.FreeLists}

// traces is the number of drives that traces are taken from.
const traces = 400

// Options says how much is measured.
type Options struct {
	// Algorithms of the data set; none stands for all.
	Algorithms []routing.Algorithm
	// Requests is the most random requests of a shape, and Traces the number
	// of drives that traces are taken from; 0 stands for what OSRM's benchmarks
	// have.
	Requests, Traces int
}

// variant is an engine's algorithm and memory.
type variant struct {
	algorithm routing.Algorithm
	memory    pool.Kind
}

// Suite is the benchmarks on a data set. A case opens an engine of its own, and
// closes it: memory that others keep would spare it collections. It belongs to one
// goroutine.
type Suite struct {
	name    string
	opt     Options
	places  *workload.Places
	sets    map[string]*workload.Set
	network *graph.NetworkFile
	metric  *graph.MetricFile
	closers []io.Closer
}

// Open makes ready for benchmarks on a data set, named as for routing.Open.
func Open(ctx context.Context, name string, opt Options) (*Suite, error) {
	if len(opt.Algorithms) == 0 {
		opt.Algorithms = []routing.Algorithm{routing.CH, routing.MLD, routing.CCH}
	}
	if opt.Traces == 0 {
		opt.Traces = traces
	}
	s := &Suite{name: name, opt: opt, sets: map[string]*workload.Set{}}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Suite) open(ctx context.Context) (err error) {
	if s.network, err = graph.OpenNetwork(s.name+".graph", graph.FileOptions{}); err != nil {
		return err
	}
	s.closers = append(s.closers, s.network)
	if s.metric, err = graph.OpenMetric(s.name+".metric", s.network, graph.FileOptions{}); err != nil {
		return err
	}
	s.closers = append(s.closers, s.metric)
	if s.places, err = workload.PlacesOf(s.network.Network); err != nil {
		return err
	}
	return s.borrow(s.opt.Algorithms[0], func(e *routing.Engine) error {
		return s.places.Simulate(ctx, e, s.opt.Traces, workload.Seed)
	})
}

// Close closes the data set. Running cases are closed before.
func (s *Suite) Close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i].Close())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// engine opens that of a variant.
func (s *Suite) engine(v variant) (*routing.Engine, error) {
	return routing.Open(s.name, routing.Options{Algorithm: v.algorithm, Memory: v.memory})
}

// borrow opens an engine with free lists for as long as f runs.
func (s *Suite) borrow(a routing.Algorithm, f func(*routing.Engine) error) error {
	e, err := s.engine(variant{a, pool.FreeLists})
	if err != nil {
		return err
	}
	return errors.Join(f(e), e.Close())
}

// set returns the requests of a shape and what an algorithm answers.
func (s *Suite) set(ctx context.Context, a routing.Algorithm, shape workload.Shape) (*workload.Set, error) {
	key := a.String() + "/" + shape.Suite + "/" + shape.Name
	if set := s.sets[key]; set != nil {
		return set, nil
	}
	count := shape.Count
	if s.opt.Requests > 0 {
		count = min(count, s.opt.Requests)
	}
	var set *workload.Set
	if err := s.borrow(a, func(e *routing.Engine) (err error) {
		set, err = workload.Prepare(ctx, e, s.places, shape, count)
		return err
	}); err != nil {
		return nil, err
	}
	s.sets[key] = set
	return set, nil
}
