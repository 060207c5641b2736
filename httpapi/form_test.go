package httpapi

import (
	"compress/gzip"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// form collects the places of a JSON value with what stands there, such as
// "routes[].distance number".
func form(v any, at string, to map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			form(member, at+"."+name, to)
		}
	case []any:
		to[at+"[]"] = true
		for _, item := range v {
			form(item, at+"[]", to)
		}
	case string:
		to[at+" string"] = true
	case float64:
		to[at+" number"] = true
	case bool:
		to[at+" boolean"] = true
	case nil:
		to[at+" null"] = true
	}
}

// TestFormOfAnswers holds the members of answers, and what they hold, to those
// of OSRM's answers to the same questions.
func TestFormOfAnswers(t *testing.T) {
	h := Handler(andorra(t), Options{})
	files, err := filepath.Glob("testdata/osrm/*.json.gz")
	require.NoError(t, err)
	require.Len(t, files, 4)
	files = append(files, filepath.Join(osrmAnswers, "andorra-nearest.json.gz"))
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			f, err := os.Open(file)
			require.NoError(t, err)
			defer f.Close()
			z, err := gzip.NewReader(f)
			require.NoError(t, err)
			var questions []struct {
				Query  string
				Answer any
			}
			require.NoError(t, json.NewDecoder(z).Decode(&questions))
			for _, q := range questions {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest("GET", q.Query, nil))
				var got any
				require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got))
				want, have := map[string]bool{}, map[string]bool{}
				form(q.Answer, "", want)
				form(got, "", have)
				require.Equal(t, sorted(want), sorted(have), q.Query)
			}
		})
	}
}

func sorted(set map[string]bool) []string {
	var list []string
	for k := range set {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}
