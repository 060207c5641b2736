package httpapi

import (
	"net/http"
	"strings"
)

// serveMap answers what the map page is made of but tiles, which take their turn
// among all requests, and says whether path is of it.
func (s *Server) serveMap(w http.ResponseWriter, r *http.Request) bool {
	path := r.URL.Path
	if path != mapInfoPath && !s.page.Has(path) {
		return false
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return true
	}
	if path == mapInfoPath {
		s.serveMapInfo(w)
		return true
	}
	s.page.ServeHTTP(w, r)
	return true
}

// isMapTile says whether a URL without escapes asks for a tile of the map.
func (s *Server) isMapTile(url string) bool { return s.page != nil && strings.HasPrefix(url, mapPath) }
