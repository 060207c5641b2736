package guidance_test

import (
	"compress/gzip"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/internal/osmdata"
	"github.com/fourway-routing/fourway/routing"
)

// The answers of OSRM are described in their folder.

type osrmCase struct {
	Query    string
	Geometry string
	Legs     [][]map[string]any
}

type osrmAnswer struct {
	Routes []struct {
		Geometry string
		Legs     []struct{ Steps []map[string]any }
	}
}

func readOSRM(t testing.TB, path string) []osrmCase {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var cases []osrmCase
	require.NoError(t, json.NewDecoder(z).Decode(&cases))
	return cases
}

func get(t testing.TB, h http.Handler, query string) (a osrmAnswer) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, query, nil))
	require.Equal(t, http.StatusOK, w.Code, query)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &a))
	return a
}

func TestStepsOfOSRMInAndorra(t *testing.T) {
	e := buildAndOpen(t, routing.BuildOptions{Input: osmdata.Andorra(t)})
	compareSteps(t, e, "testdata/osrm/andorra.json.gz")
}

func TestStepsOfOSRMInDelaware(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a data set of 180,000 search nodes")
	}
	compareSteps(t, open(t, delaware(t), routing.CH), "testdata/osrm/delaware.json.gz")
}

// compareSteps compares every field of steps but weights, which OSRM loses
// where it trims a step.
func compareSteps(t *testing.T, e *routing.Engine, answers string) {
	h := httpapi.Handler(e, httpapi.Options{})
	for _, want := range readOSRM(t, answers) {
		got := get(t, h, want.Query).Routes[0]
		require.Equal(t, want.Geometry, got.Geometry, want.Query)
		require.Equal(t, len(want.Legs), len(got.Legs))
		for l, steps := range want.Legs {
			require.Len(t, got.Legs[l].Steps, len(steps), want.Query)
			for i, w := range steps {
				g := got.Legs[l].Steps[i]
				delete(g, "geometry")
				delete(g, "weight")
				for _, name := range []string{"distance", "duration"} {
					require.InDelta(t, w[name], g[name], 0.11, "%s of step %d: %s", name, i, want.Query)
					delete(w, name)
					delete(g, name)
				}
				require.Equal(t, w, g, "step %d: %s", i, want.Query)
			}
		}
	}
}
