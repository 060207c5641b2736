package httpapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/fourway-routing/fourway/routing"
)

// serveStatus answers the paths that tell how the server is, and says whether
// path is one of them.
func (s *Server) serveStatus(w http.ResponseWriter, r *http.Request) bool {
	switch r.URL.Path {
	case "/health":
		writeStatus(w, http.StatusOK, `{"status":"ok"}`)
	case "/ready":
		switch {
		case s.draining.Load():
			writeStatus(w, http.StatusServiceUnavailable, `{"status":"draining"}`)
		case !s.usable(r.Context()):
			writeStatus(w, http.StatusServiceUnavailable, `{"status":"unavailable"}`)
		default:
			writeStatus(w, http.StatusOK, `{"status":"ok"}`)
		}
	default:
		return false
	}
	return true
}

func writeStatus(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

// Drain makes /ready say no, so that no new requests are sent here, while those
// that come are served as before. It cannot be undone.
func (s *Server) Drain() { s.draining.Store(true) }

// Load returns how many requests are worked on at the moment, and how many wait
// for their turn.
func (s *Server) Load() (running, waiting int) { return s.queue.load() }

// usable asks every data set something.
func (s *Server) usable(ctx context.Context) bool {
	for _, name := range s.names {
		e := s.engines[name]
		_, err := routing.Nearest(ctx, e, routing.NearestRequest{Coordinate: e.Info().Bounds.Min, SkipWaypoints: true, NoHints: true})
		if errors.Is(err, routing.ErrClosed) || errors.Is(err, routing.ErrCorrupt) {
			return false
		}
	}
	return true
}
