package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/routing"
)

// tagged returns an engine of the drawn streets, with their tags.
func tagged(t testing.TB) *routing.Engine {
	t.Helper()
	return build(t, routing.BuildOptions{Reader: streetReader(t), Tags: true}, routing.Options{})
}

// interpretIn sends a query in one of the ways that servers take them.
func interpretIn(t testing.TB, h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func getQuery(path, query string) *http.Request {
	return httptest.NewRequest(http.MethodGet, path+"?data="+url.QueryEscape(query), nil)
}

func postQuery(contentType, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/api/interpreter", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	return r
}

func TestInterpreterTakesQueries(t *testing.T) {
	s := Handler(tagged(t), Options{})
	query := fmt.Sprintf("[out:json];way(%d);out ids;", street.WayID("abc"))
	form := "a=b&data=" + url.QueryEscape(query)
	for name, r := range map[string]*http.Request{
		"GET":               getQuery("/api/interpreter", query),
		"profile":           getQuery("/api/driving/interpreter", query),
		"form":              postQuery("application/x-www-form-urlencoded", form),
		"form, not told":    postQuery("", form),
		"body":              postQuery("text/plain; charset=utf-8", query),
		"body as by curl":   postQuery("application/x-www-form-urlencoded", query),
		"URL of POST":       httptest.NewRequest(http.MethodPost, "/api/interpreter?data="+url.QueryEscape(query), nil),
		"HEAD":              httptest.NewRequest(http.MethodHead, "/api/interpreter?data="+url.QueryEscape(query), nil),
		"other parameters":  httptest.NewRequest(http.MethodGet, "/api/interpreter?database=x&data="+url.QueryEscape(query)+"&z", nil),
		"plus for a space":  httptest.NewRequest(http.MethodGet, "/api/interpreter?data="+strings.ReplaceAll(url.QueryEscape(query), "%3B", ";+"), nil),
		"wish for a time":   getQuery("/api/interpreter", "[timeout:900]"+query[len("[out:json]"):]),
		"with a comment":    getQuery("/api/interpreter", "/* find */"+query),
		"white space after": getQuery("/api/interpreter", query+"\n\n"),
	} {
		w := interpretIn(t, s, r)
		require.Equal(t, http.StatusOK, w.Code, "%s: %s", name, w.Body)
		require.Equal(t, "application/json; charset=UTF-8", w.Header().Get("Content-Type"), name)
		var a struct {
			Elements []struct {
				Type string
				ID   int64
			}
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &a), name)
		require.Len(t, a.Elements, 1, name)
		require.Equal(t, street.WayID("abc"), a.Elements[0].ID, name)
	}
}

func TestInterpreterRefuses(t *testing.T) {
	s := Handler(tagged(t), Options{MaxURL: 2000, MaxBody: 3000})
	long := strings.Repeat(" ", 4000) + "node(1);"
	for _, c := range []struct {
		r      *http.Request
		status int
		want   string
	}{
		{getQuery("/api/interpreter", "node(1);\nrel(2);"), 400, `Error</strong>: line 2: static error: the statement &#34;rel&#34; is not supported (column 1) </p>`},
		{getQuery("/api/interpreter", ""), 400, "the query is empty"},
		{httptest.NewRequest(http.MethodGet, "/api/interpreter", nil), 400, "the query is empty"},
		{httptest.NewRequest(http.MethodGet, "/api/interpreter?data=%zz", nil), 400, "not encoded as forms are"},
		{httptest.NewRequest(http.MethodPut, "/api/interpreter", nil), 405, "Method not allowed"},
		{getQuery("/api/moon/interpreter", "node(1);"), 404, "Profile moon not found"},
		{getQuery("/api/interpreter", long), 414, "larger than 2000 bytes"},
		{postQuery("text/plain", long), 413, "larger than 3000 bytes"},
		{getQuery("/api/interpreter", "out <b>;"), 400, "&#34;&lt;&#34; found"},
	} {
		w := interpretIn(t, s, c.r)
		require.Equal(t, c.status, w.Code, "%s", w.Body)
		require.Contains(t, w.Body.String(), c.want)
		require.Equal(t, "text/html; charset=UTF-8", w.Header().Get("Content-Type"))
	}
	// Other paths are no queries.
	for _, path := range []string{"/api/", "/api/interpreter/", "/api/a/b/interpreter", "/apis/interpreter"} {
		w := interpretIn(t, s, getQuery(path, "node(1);"))
		require.Contains(t, w.Body.String(), "InvalidUrl", path)
	}
}

func TestInterpreterOfDataSets(t *testing.T) {
	one, two := tagged(t), build(t, routing.BuildOptions{Reader: streetReader(t)}, routing.Options{})
	require.True(t, one.Tagged())
	require.False(t, two.Tagged())
	engines := map[string]*routing.Engine{"bike": one, "car": two}
	for _, c := range []struct {
		opt    Options
		path   string
		status int
	}{
		{Options{}, "/api/interpreter", 200},
		{Options{}, "/api/bike/interpreter", 200},
		{Options{}, "/api/car/interpreter", 404},
		{Options{Interpreter: "car"}, "/api/interpreter", 404},
		{Options{Interpreter: "bike"}, "/api/interpreter", 200},
		{Options{NoInterpreter: true}, "/api/interpreter", 400},
	} {
		w := interpretIn(t, Mux(engines, c.opt), getQuery(c.path, "node(1);out;"))
		require.Equal(t, c.status, w.Code, "%v %s: %s", c.opt.Interpreter, c.path, w.Body)
		if c.status == 404 {
			require.Contains(t, w.Body.String(), "without tags")
		}
	}
}

// TestInterpreterWaitsItsTurn: queries go through the queue of all requests.
func TestInterpreterWaitsItsTurn(t *testing.T) {
	var seen Observation
	s := Handler(tagged(t), Options{MaxRunning: 1, MaxWaiting: -1, Observe: func(o Observation) { seen = o }})
	lane, err := s.queue.enter(t.Context(), false)
	require.NoError(t, err)
	w := interpretIn(t, s, getQuery("/api/interpreter", "node(1);out;"))
	require.Equal(t, http.StatusTooManyRequests, w.Code)
	require.NotEmpty(t, w.Header().Get("Retry-After"))
	require.Equal(t, "Overloaded", seen.Code)
	require.Equal(t, "interpreter", seen.Service)
	s.queue.leave(lane)

	s = Handler(tagged(t), Options{MaxRunning: 1})
	lane, err = s.queue.enter(t.Context(), false)
	require.NoError(t, err)
	start := time.Now()
	w = interpretIn(t, s, getQuery("/api/interpreter", "[timeout:1];node(1);out;"))
	require.Equal(t, http.StatusGatewayTimeout, w.Code)
	require.GreaterOrEqual(t, time.Since(start), time.Second)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	w = interpretIn(t, s, getQuery("/api/interpreter", "node(1);out;").WithContext(gone))
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Empty(t, w.Body.String())
	s.queue.leave(lane)
}

func TestInterpreterTellsWhatRanOut(t *testing.T) {
	s := Handler(tagged(t), Options{Lookup: routing.OverpassLimits{Elements: 2}})
	w := interpretIn(t, s, getQuery("/api/interpreter", "node;out;"))
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Body.String(), `"remark":"runtime error: Query found more than 2 elements`)
}

// BenchmarkInterpreter asks for one element by its id: the handler alone, and over
// connections that stay open, each of which waits for its answer.
func BenchmarkInterpreter(b *testing.B) {
	var city bytes.Buffer
	require.NoError(b, testmap.City(&city, 20000, 1))
	engine := build(b, routing.BuildOptions{Reader: &city, Tags: true, Algorithms: []routing.Algorithm{routing.CH}}, routing.Options{})
	res, err := routing.Lookup(b.Context(), engine, routing.LookupRequest{Bounds: new(engine.Info().Bounds)})
	require.NoError(b, err)
	s := Handler(engine, Options{})
	queries := make([]string, 1000)
	for i := range queries {
		query := fmt.Sprintf("[out:json];node(%d);out;", res.Nodes[i*7%len(res.Nodes)].ID)
		if i%2 == 1 {
			query = fmt.Sprintf("[out:json];way(%d);out geom;", res.Ways[i*7%len(res.Ways)].ID)
		}
		queries[i] = "/api/interpreter?data=" + url.QueryEscape(query)
	}
	b.Run("handler", func(b *testing.B) {
		b.ReportAllocs()
		requests := make([]*http.Request, len(queries))
		for i := range requests {
			requests[i] = httptest.NewRequest(http.MethodGet, queries[i], nil)
		}
		i := 0
		for b.Loop() {
			w := discard{header: http.Header{}}
			s.ServeHTTP(&w, requests[i%len(requests)])
			require.Equal(b, http.StatusOK, w.status)
			i++
		}
	})
	b.Run("HTTP", func(b *testing.B) {
		server := httptest.NewServer(s)
		defer server.Close()
		address := server.Listener.Addr().String()
		b.SetParallelism(4)
		b.RunParallel(func(pb *testing.PB) {
			conn, err := net.Dial("tcp", address)
			if err != nil {
				b.Error(err)
				return
			}
			defer conn.Close()
			in := bufio.NewReader(conn)
			for i := 0; pb.Next(); i++ {
				if err := exchangeOnce(conn, in, queries[i%len(queries)]); err != nil {
					b.Error(err)
					return
				}
			}
		})
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	})
}

// exchangeOnce sends a request and reads its answer, with as little work of its own as
// goes.
func exchangeOnce(conn net.Conn, in *bufio.Reader, path string) error {
	if _, err := io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return err
	}
	length, status := 0, ""
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if status == "" {
			status = string(line)
		}
		if rest, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(rest))); err != nil {
				return err
			}
		}
		if len(line) == 2 {
			break
		}
	}
	if _, err := in.Discard(length); err != nil {
		return err
	}
	if !strings.Contains(status, " 200 ") {
		return fmt.Errorf("%s", status)
	}
	return nil
}

// discard is a ResponseWriter that keeps the status alone.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(status int)      { d.status = status }
