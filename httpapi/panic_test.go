package httpapi

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

// A panic on the way ends one request, which is told so; the server goes on.
func TestPanicIsAnswered(t *testing.T) {
	failing := true
	var seen []Observation
	e := build(t, routing.BuildOptions{Input: "street.osm", Reader: streetReader(t)}, routing.Options{Observe: func(routing.Observation) {
		if failing {
			panic("observer")
		}
	}})
	h := Handler(e, Options{Observe: func(o Observation) { seen = append(seen, o) }})
	ask := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/nearest/v1/car/1,1", nil))
		return w
	}
	w := ask()
	require.Equal(t, http.StatusInternalServerError, w.Code)
	var said struct{ Code, Message, Detail string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &said))
	require.Equal(t, "InternalError", said.Code)
	require.Len(t, seen, 1)
	var p *PanicError
	require.ErrorAs(t, seen[0].Err, &p)
	require.Equal(t, "Failure "+p.ID+".", said.Detail)
	require.Equal(t, "observer", p.Value)
	require.Contains(t, string(p.Stack), "TestPanicIsAnswered")
	running, waiting := h.Load()
	require.Zero(t, running+waiting, "the turn was given back")
	failing = false
	require.Equal(t, http.StatusOK, ask().Code)
}

func TestAbortPasses(t *testing.T) {
	e := build(t, routing.BuildOptions{Input: "street.osm", Reader: streetReader(t)}, routing.Options{Observe: func(routing.Observation) { panic(http.ErrAbortHandler) }})
	h := Handler(e, Options{})
	require.PanicsWithValue(t, http.ErrAbortHandler, func() {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/nearest/v1/car/1,1", nil))
	})
}
