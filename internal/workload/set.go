package workload

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/fourway-routing/fourway/routing"
)

// Set is random requests of a shape that have answers, and what these are. It is
// immutable.
type Set struct {
	Shape
	Queries []Query
	Asked   int      // requests drawn to find so many with an answer
	digests []uint64 // of the answers
}

// Prepare draws count requests that the engine has an answer to, checks each
// answer, and takes note of it.
func Prepare(ctx context.Context, e *routing.Engine, p *Places, shape Shape, count int) (*Set, error) {
	s := &Set{Shape: shape}
	rng := rand.New(rand.NewPCG(Seed, 2))
	session := e.Session()
	defer session.Close()
	var json []byte
	for len(s.Queries) < count {
		if s.Asked == 4*count+100 {
			return nil, fmt.Errorf("workload: %s/%s: %d of %d random requests have an answer", s.Suite, s.Name, len(s.Queries), s.Asked)
		}
		s.Asked++
		q := shape.Draw(p, rng)
		a, err := q.Ask(ctx, session)
		if err != nil && Unanswered(err) {
			continue
		}
		if err == nil {
			err = Check(q, a)
		}
		if err != nil {
			return nil, fmt.Errorf("workload: %s/%s: request %d: %w", s.Suite, s.Name, s.Asked, err)
		}
		json = a.AppendJSON(json[:0])
		s.Queries = append(s.Queries, q)
		s.digests = append(s.digests, digest(json))
	}
	return s, nil
}

func digest(json []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(json) // never fails
	return h.Sum64()
}

// Ask asks request i, counted from the start again behind the last, and appends
// the answer's JSON to dst.
func (s *Set) Ask(ctx context.Context, session *routing.Session, i int, dst []byte) ([]byte, error) {
	a, err := s.Queries[i%len(s.Queries)].Ask(ctx, session)
	if err != nil {
		return nil, err
	}
	return a.AppendJSON(dst), nil
}

// ErrDiffers is wrapped by the errors of Verify.
var ErrDiffers = errors.New("workload: an answer differs")

// Verify asks the first n requests, at most all, and compares the answers with
// those that Prepare got.
func (s *Set) Verify(ctx context.Context, session *routing.Session, n int) error {
	var json []byte
	for i := range min(n, len(s.Queries)) {
		var err error
		if json, err = s.Ask(ctx, session, i, json[:0]); err != nil {
			return fmt.Errorf("workload: %s/%s: request %d: %w", s.Suite, s.Name, i, err)
		}
		if err := s.VerifyJSON(i, json); err != nil {
			return err
		}
	}
	return nil
}

// VerifyJSON compares an answer to request i with that which Prepare got.
func (s *Set) VerifyJSON(i int, json []byte) error {
	if digest(json) != s.digests[i%len(s.Queries)] {
		return fmt.Errorf("%w: %s/%s: request %d", ErrDiffers, s.Suite, s.Name, i%len(s.Queries))
	}
	return nil
}
