package routing

import "context"

// Session answers queries one after the other with memory of its own, which
// saves a loop of queries from borrowing it anew each time. It belongs to one
// goroutine at a time.
type Session struct {
	engine *Engine
	w      *workspace
}

// Session returns a new Session, to be closed by the caller. It does not keep
// the Engine open.
func (e *Engine) Session() *Session {
	return &Session{engine: e, w: e.workspaces.Get()}
}

// Close gives the session's memory back. Queries after it fail with ErrClosed.
func (s *Session) Close() {
	if s.w != nil {
		s.engine.workspaces.Put(s.w)
		s.w = nil
	}
}

// workspace returns a workspace that is fit for use.
func (s *Session) workspace() (*workspace, error) {
	if s.w == nil {
		return nil, &Error{Code: ErrClosed, Index: -1, Message: "the session is closed"}
	}
	if s.w.damaged {
		s.engine.workspaces.Put(s.w)
		s.w = s.engine.workspaces.Get()
	}
	return s.w, nil
}

// Route is the function Route.
func (s *Session) Route(ctx context.Context, r RouteRequest) (*RouteResponse, error) {
	w, err := s.workspace()
	if err != nil {
		return nil, err
	}
	return w.route(ctx, &r)
}

// Nearest is the function Nearest.
func (s *Session) Nearest(ctx context.Context, r NearestRequest) (*NearestResponse, error) {
	w, err := s.workspace()
	if err != nil {
		return nil, err
	}
	return w.nearest(ctx, &r)
}
