package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/packed"
	"github.com/fourway-routing/fourway/internal/workload"
	"github.com/fourway-routing/fourway/pool"
	"github.com/fourway-routing/fourway/routing"
)

// entries is the length of the arrays of alias and packedvector.
const entries = 1_000_000

// plain returns the cases that have nothing to do with searches.
func (s *Suite) plain() []Case {
	plain := func(name string, start func() (func() error, error)) Case {
		return Case{Name: name, start: func(_ context.Context, r *Running) (err error) {
			r.Do, err = start()
			return err
		}}
	}
	return []Case{
		plain("alias/type=uint32", aliasOf[uint32]),
		plain("alias/type=NodeID", aliasOf[graph.NodeID]),
		plain("alias/type=float64", aliasOf[float64]),
		plain("alias/type=meters", aliasOf[meters]),
		plain("packedvector/array=plain/read", readPlain),
		plain("packedvector/array=packed/read", readPacked),
		plain("packedvector/array=plain/write", writePlain),
		plain("packedvector/array=packed/write", writePacked),
		s.render("to=buffer", func([]byte) error { return nil }),
		s.render("to=writer", func(text []byte) error { _, err := io.Discard.Write(text); return err }),
	}
}

// meters is a type of its own, like those of a network's arrays.
type meters float64

var errSum = errors.New("suite: a wrong sum")

// shuffled returns the indices of an array in random order.
func shuffled() []uint32 {
	order := make([]uint32, entries)
	for i := range order {
		order[i] = uint32(i)
	}
	rng := rand.New(rand.NewPCG(1337, 0))
	rng.Shuffle(entries, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

// aliasOf sums up an array of numbers in random order, which should take a type of
// its own as long as the plain one.
func aliasOf[T ~uint32 | ~float64]() (func() error, error) {
	order := shuffled()
	values := make([]T, entries)
	var want T
	for i := range values {
		values[i] = T(i % 1000)
		want += values[i]
	}
	return func() error {
		var sum T
		for _, i := range order {
			sum += values[i]
		}
		if sum != want {
			return errSum
		}
		return nil
	}, nil
}

// numbers are those of packedvector, which need 22 bits.
func numbers() (values []int64, sum int64) {
	values = make([]int64, entries)
	for i := range values {
		values[i] = int64(i) * 4
		sum += values[i]
	}
	return values, sum
}

func readPlain() (func() error, error) {
	order := shuffled()
	values, want := numbers()
	return func() error {
		sum := int64(0)
		for _, i := range order {
			sum += values[i]
		}
		if sum != want {
			return errSum
		}
		return nil
	}, nil
}

func readPacked() (func() error, error) {
	order := shuffled()
	values, want := numbers()
	p := packed.NewInts(values)
	return func() error {
		sum := int64(0)
		for _, i := range order {
			sum += p.Get(i)
		}
		if sum != want {
			return errSum
		}
		return nil
	}, nil
}

func writePlain() (func() error, error) {
	values, _ := numbers()
	return func() error {
		if s := slices.Clone(values); len(s) != entries {
			return errSum
		}
		return nil
	}, nil
}

// writePacked packs the whole array: a packed one cannot be changed.
func writePacked() (func() error, error) {
	values, _ := numbers()
	return func() error {
		if p := packed.NewInts(values); p.Len() != entries {
			return errSum
		}
		return nil
	}, nil
}

// documentSize is that of the document that OSRM renders.
const documentSize = 1_200_000

// render renders a large answer.
func (s *Suite) render(to string, write func([]byte) error) Case {
	return Case{Name: "json-render/" + to, Bytes: documentSize, start: func(ctx context.Context, r *Running) error {
		res, text, err := s.document(ctx)
		if err != nil {
			return err
		}
		want := len(text)
		r.Do = func() error {
			if text = res.AppendJSON(text[:0]); len(text) != want {
				return errSum
			}
			return write(text)
		}
		return nil
	}}
}

// document returns an answer of about documentSize, and its JSON.
func (s *Suite) document(ctx context.Context) (*routing.RouteResponse, []byte, error) {
	e, err := s.engine(variant{s.opt.Algorithms[0], pool.FreeLists})
	if err != nil {
		return nil, nil, err
	}
	defer e.Close() // files that were only read
	rng := rand.New(rand.NewPCG(workload.Seed, 3))
	at := s.places.Trace(rng)
	q := routing.RouteRequest{
		Coordinates: []orb.Point{at[0]}, Overview: routing.OverviewFull, Steps: true, Annotations: routing.AnnotateAll,
	}
	whole := &routing.RouteResponse{}
	var text []byte
	for tries := range 10_000 {
		q.Coordinates = append(q.Coordinates[:1], s.places.Any(rng))
		res, err := routing.Route(ctx, e, q)
		switch {
		case err != nil && !workload.Unanswered(err):
			return nil, nil, err
		case err != nil:
			continue
		case tries == 0 || len(whole.Routes) == 0:
			whole = res
		default:
			whole.Routes = append(whole.Routes, res.Routes...)
		}
		if text = whole.AppendJSON(text[:0]); len(text) >= documentSize {
			// The last route is likely too long by half.
			return whole, text, nil
		}
	}
	return nil, nil, fmt.Errorf("suite: the network is too small for a document of %d bytes", documentSize)
}

// trees are the queries of the index of segments, with random points of the whole
// world, as OSRM has them.
func (s *Suite) trees() []Case {
	var all []Case
	for _, count := range []int{1, 10} {
		all = append(all, s.pooled(fmt.Sprintf("rtree/results=%d", count), func(ctx context.Context, r *Running, k pool.Kind) error {
			return s.snap(ctx, r, k, count)
		})...)
	}
	return all
}

func (s *Suite) snap(ctx context.Context, r *Running, k pool.Kind, count int) error {
	rng := rand.New(rand.NewPCG(13, 0))
	points := make([]geo.Coord, 10_000)
	for i := range points {
		points[i] = geo.Coord{Lon: rng.Int32N(360e6) - 180e6, Lat: rng.Int32N(180e6) - 90e6}
	}
	snapper := graph.NewSnapper(s.network.Network, s.metric.Metric, pool.NewKind(k))
	yardstick := graph.NewSnapper(s.network.Network, s.metric.Metric, pool.New())
	for _, p := range points[:verified] {
		got, err := snapper.Nearest(ctx, p, count, graph.SnapOptions{})
		if err != nil {
			return err
		}
		want, err := yardstick.Nearest(ctx, p, count, graph.SnapOptions{})
		if err != nil {
			return err
		}
		if len(want) == 0 || !slices.Equal(got, want) {
			return fmt.Errorf("%w: near %v", workload.ErrDiffers, p)
		}
	}
	i := 0
	r.Do = func() error {
		p := points[i%len(points)]
		i++
		found, err := snapper.Nearest(ctx, p, count, graph.SnapOptions{})
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("suite: nothing near %v", p)
		}
		return err
	}
	return nil
}
