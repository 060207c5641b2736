package matcheval

import (
	"context"
	"errors"

	"github.com/fourway-routing/fourway/routing"
)

// Evaluate matches traces and adds up their scores. Setup, if not nil, may change
// the request for a trace, which else is of default options with times.
func Evaluate(ctx context.Context, e *routing.Engine, traces []Trace, setup func(*Trace, *routing.MatchRequest)) (Score, error) {
	var sum Score
	session := e.Session()
	defer session.Close()
	for i := range traces {
		s, err := one(ctx, session, &traces[i], setup)
		if err != nil {
			return sum, err
		}
		sum.Add(s)
	}
	return sum, nil
}

// one matches one trace.
func one(ctx context.Context, session *routing.Session, t *Trace, setup func(*Trace, *routing.MatchRequest)) (Score, error) {
	r := routing.MatchRequest{
		Coordinates: t.Points, Timestamps: t.Times, NoHints: true, Overview: routing.OverviewFull,
		Annotations: routing.AnnotateNodes | routing.AnnotateDistance,
	}
	if setup != nil {
		setup(t, &r)
	}
	res, err := session.Match(ctx, r)
	if errors.Is(err, routing.ErrNoMatch) || errors.Is(err, routing.ErrNoSegment) {
		return score(t, nil), nil
	}
	if err != nil {
		return Score{}, err
	}
	return score(t, res), nil
}
