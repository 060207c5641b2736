package osrm

import (
	"net/http"
	"sync"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/routing"
)

// generation is a data set that is served, or was: requests that began with it end
// with it.
type generation struct {
	engine  *routing.Engine
	handler *httpapi.Server
	users   sync.WaitGroup
}

// swapper serves the current generation. It is safe for concurrent use.
type swapper struct {
	mu      sync.RWMutex
	current *generation
}

// ServeHTTP answers one request.
func (s *swapper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	g := s.current
	g.users.Add(1)
	s.mu.RUnlock()
	defer g.users.Done()
	g.handler.ServeHTTP(w, r)
}

// swap lets requests from now on be served by g, and returns the generation before.
func (s *swapper) swap(g *generation) *generation {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.current
	s.current = g
	return old
}

// close closes a generation that is not current when its last request ends.
func (g *generation) close() error {
	g.users.Wait()
	return g.engine.Close()
}
