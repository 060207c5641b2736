package suite

import (
	"context"
	"errors"
	"fmt"

	"github.com/fourway-routing/fourway/internal/workload"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/routing"
)

// Case is one benchmark.
type Case struct {
	// Name has the parameters as benchstat knows them: suite/key=value.
	Name string
	// Pooled says whether the kind of memory matters, which then is Memory.
	Pooled bool
	Memory pool.Kind
	// Bytes is the size of what an operation makes, 0 where nobody asks.
	Bytes int64

	start func(context.Context, *Running) error
}

// FullName is the name with the kind of memory.
func (c *Case) FullName() string {
	if !c.Pooled {
		return c.Name
	}
	return c.Name + "/pool=" + c.Memory.String()
}

// Start makes ready and verifies. The caller closes what it returns.
func (c *Case) Start(ctx context.Context) (*Running, error) {
	r := new(Running)
	if err := c.start(ctx, r); err != nil {
		return nil, fmt.Errorf("%s: %w", c.FullName(), errors.Join(err, r.Close()))
	}
	return r, nil
}

// Running is a case under way.
type Running struct {
	// Do performs one operation.
	Do    func() error
	close []func() error
}

// Close ends the case.
func (r *Running) Close() error {
	var errs []error
	for i := len(r.close) - 1; i >= 0; i-- {
		errs = append(errs, r.close[i]())
	}
	r.close = nil
	return errors.Join(errs...)
}

// onClose has f called by Close, before what was given earlier.
func (r *Running) onClose(f func() error) { r.close = append(r.close, f) }

// verified is the number of requests whose answers are compared before a case is
// measured.
const verified = 50

// Cases returns all benchmarks but those of builds. The kinds of memory of a
// benchmark follow one another.
func (s *Suite) Cases() []Case {
	all := s.plain()
	all = append(all, s.trees()...)
	for _, a := range s.opt.Algorithms {
		for _, shapes := range [][]workload.Shape{workload.FixedShapes(), workload.Shapes()} {
			for _, shape := range shapes {
				all = append(all, s.pooled(name(shape.Suite, a, shape.Name), func(ctx context.Context, r *Running, k pool.Kind) error {
					return s.ask(ctx, r, variant{a, k}, shape, true)
				})...)
			}
		}
		for _, shape := range bindings() {
			for _, json := range []bool{false, true} {
				call := "call=typed"
				if json {
					call = "call=json"
				}
				all = append(all, s.pooled(name(shape.Suite, a, call), func(ctx context.Context, r *Running, k pool.Kind) error {
					return s.ask(ctx, r, variant{a, k}, shape, json)
				})...)
			}
		}
		for _, shape := range workload.WebShapes() {
			all = append(all, s.pooled(name(shape.Suite, a, shape.Name), func(ctx context.Context, r *Running, k pool.Kind) error {
				return s.askWeb(ctx, r, variant{a, k}, shape)
			})...)
		}
	}
	return all
}

func name(suite string, a routing.Algorithm, parameters string) string {
	s := suite + "/algo=" + a.String()
	if parameters != "" {
		s += "/" + parameters
	}
	return s
}

// pooled returns a case for each kind of memory.
func (s *Suite) pooled(name string, start func(context.Context, *Running, pool.Kind) error) []Case {
	var all []Case
	for _, k := range kinds {
		all = append(all, Case{Name: name, Pooled: true, Memory: k, start: func(ctx context.Context, r *Running) error {
			return start(ctx, r, k)
		}})
	}
	return all
}

// bindings are the shapes of which the typed call is measured alone.
func bindings() []workload.Shape {
	names := map[string]string{
		"random_nearest": "number=1", "random_route": "coordinates=3/full", "random_table": "coordinates=25",
		"random_trip": "coordinates=5", "random_match": "radius=default",
	}
	var all []workload.Shape
	for _, shape := range workload.Shapes() {
		if names[shape.Suite] == shape.Name {
			shape.Suite = "binding" + shape.Suite[len("random"):]
			all = append(all, shape)
		}
	}
	return all
}

// prepare returns the requests of a shape, and an engine that r closes.
func (s *Suite) prepare(ctx context.Context, r *Running, v variant, shape workload.Shape) (*workload.Set, *routing.Engine, error) {
	set, err := s.set(ctx, v.algorithm, shape)
	if err != nil {
		return nil, nil, err
	}
	e, err := s.engine(v)
	if err != nil {
		return nil, nil, err
	}
	r.onClose(e.Close)
	return set, e, nil
}

// ask asks the requests of a shape by turns.
func (s *Suite) ask(ctx context.Context, r *Running, v variant, shape workload.Shape, json bool) error {
	set, e, err := s.prepare(ctx, r, v, shape)
	if err != nil {
		return err
	}
	session := e.Session()
	r.onClose(func() error { session.Close(); return nil })
	if err := set.Verify(ctx, session, verified); err != nil {
		return err
	}
	i := -1
	r.Do = func() error {
		i++
		_, err := set.Queries[i%len(set.Queries)].Ask(ctx, session)
		return err
	}
	if json {
		var text []byte
		r.Do = func() (err error) {
			i++
			text, err = set.Ask(ctx, session, i, text[:0])
			return err
		}
	}
	return nil
}
