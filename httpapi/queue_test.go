package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/routing"
)

func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(2, 1)
		ctx := t.Context()
		enter := func(ctx context.Context) error {
			_, err := q.enter(ctx, false)
			return err
		}
		require.NoError(t, enter(ctx))
		require.NoError(t, enter(ctx))
		third := make(chan error)
		go func() { third <- enter(ctx) }()
		synctest.Wait()
		require.ErrorIs(t, enter(ctx), errOverloaded, "one waits already")
		running, waiting := q.load()
		require.Equal(t, [2]int{2, 1}, [2]int{running, waiting})
		q.leave(nil)
		require.NoError(t, <-third)
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		require.ErrorIs(t, enter(short), context.DeadlineExceeded)
		require.Zero(t, q.waiting.Load())
		require.EqualValues(t, 2, q.short.Load())
		q.leave(nil)
		q.leave(nil)
		require.NoError(t, enter(ctx))
	})
	q := newQueue(1, 0)
	_, err := q.enter(t.Context(), false)
	require.NoError(t, err)
	_, err = q.enter(t.Context(), false)
	require.ErrorIs(t, err, errOverloaded)
}

// TestLongRequestsLeaveAProcessor: while there are short requests one processor is
// theirs, and when there have been none for a while long ones take all.
func TestLongRequestsLeaveAProcessor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		q := newQueue(100, 100)
		procs := cap(q.long) + cap(q.last)
		var lanes []chan struct{}
		for range procs {
			lane, err := q.enter(ctx, true)
			require.NoError(t, err)
			lanes = append(lanes, lane)
		}
		require.False(t, q.contended(), "there is no short one")
		_, err := q.enter(ctx, false)
		require.NoError(t, err)
		require.True(t, q.contended())
		q.leave(nil)

		// The one that is the last to leave was the one too many.
		q.leave(lanes[procs-1])
		short, cancel := context.WithTimeout(ctx, quiet/2)
		defer cancel()
		_, err = q.enter(short, true)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		began := time.Now()
		lane, err := q.enter(ctx, true)
		require.NoError(t, err)
		require.LessOrEqual(t, time.Since(began), 2*quiet)
		require.Zero(t, q.waiting.Load())
		q.leave(lane)
		for _, lane := range lanes[:procs-1] {
			q.leave(lane)
		}
		running, waiting := q.load()
		require.Equal(t, [2]int{}, [2]int{running, waiting})
		require.Zero(t, q.short.Load())
	})
}

// TestPace: a long request rests where short ones want for a processor.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(100, 100)
		ctx, cancel := context.WithCancel(t.Context())
		p := newPace(ctx, q)
		pass := func() time.Duration {
			time.Sleep(restEvery)
			began := time.Now()
			require.NoError(t, p.Err())
			return time.Since(began)
		}
		require.Zero(t, pass())
		for range q.procs {
			_, err := q.enter(ctx, false)
			require.NoError(t, err)
		}
		require.Equal(t, restLength, pass())
		require.NoError(t, p.Err(), "it has just rested")
		require.Equal(t, restLength, pass())
		p.resting.Add(int64(time.Second)) // it was not woken for so long
		require.Zero(t, pass())
		time.Sleep(2 * time.Second)
		require.Equal(t, restLength, pass())
		cancel()
		require.ErrorIs(t, p.Err(), context.Canceled)
	})
}

// TestOverload fills the server and asks once more.
func TestOverload(t *testing.T) {
	h := Handler(drawn(t), Options{MaxRunning: 1, MaxWaiting: -1})
	url := "/route/v1/car/" + place('1') + ";" + place('2')
	lane, err := h.queue.enter(t.Context(), false)
	require.NoError(t, err)
	w, got := send(t, h, httptest.NewRequest("GET", url, nil))
	require.Equal(t, 503, w.Code)
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	require.Equal(t, "Overloaded", got.Code)
	require.NotEmpty(t, got.Message)
	w, got = send(t, h, httptest.NewRequest("GET", "/ready", nil))
	require.Equal(t, 200, w.Code, "the status does not queue")
	h.queue.leave(lane)
	w, got = send(t, h, httptest.NewRequest("GET", url, nil))
	require.Equal(t, 200, w.Code)
	require.Equal(t, "Ok", got.Code)
	require.Empty(t, h.queue.running)
}

// TestCrowd asks more at once than the server takes: each question is answered
// or turned away, and the server is as before.
func TestCrowd(t *testing.T) {
	h := Handler(drawn(t), Options{MaxRunning: 2, MaxWaiting: 3})
	url := "/table/v1/car/" + strings.Repeat(place('1')+";"+place('2')+";", 20) + place('d')
	const crowd = 64
	codes := make(chan int, crowd)
	for i := range crowd {
		go func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%8 == 0 {
				time.AfterFunc(time.Millisecond, cancel)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", url, nil).WithContext(ctx))
			codes <- w.Code
		}()
	}
	answered := 0
	for range crowd {
		code := <-codes
		require.Contains(t, []int{200, 503}, code)
		if code == 200 {
			answered++
		}
	}
	require.Positive(t, answered)
	require.Empty(t, h.queue.running)
	require.Zero(t, h.queue.waiting.Load())
}

func TestTimeout(t *testing.T) {
	// One nanosecond is over when the search begins.
	h := Handler(drawn(t), Options{Timeout: time.Nanosecond})
	w, got := send(t, h, httptest.NewRequest("GET", "/route/v1/car/"+place('1')+";"+place('2'), nil))
	require.Equal(t, 503, w.Code)
	require.Equal(t, "Timeout", got.Code)
	require.Empty(t, w.Header().Get("Retry-After"))
	require.Empty(t, h.queue.running)

	for _, c := range []struct {
		set    time.Duration
		prefer []string
		want   time.Duration
	}{
		{0, nil, 60 * time.Second},
		{5 * time.Second, nil, 5 * time.Second},
		{time.Hour, nil, 300 * time.Second},
		{0, []string{"wait=10"}, 10 * time.Second},
		{0, []string{"respond-async, Wait = \"100\""}, 100 * time.Second},
		{0, []string{"return=minimal", "wait=7; x=y"}, 7 * time.Second},
		{0, []string{"wait=301"}, 300 * time.Second},
		{0, []string{"wait=99999999999999999999"}, 60 * time.Second},
		{0, []string{"wait=-1"}, 60 * time.Second},
		{0, []string{"wait"}, 60 * time.Second},
		{0, []string{"wait=0"}, 0},
	} {
		o := Options{Timeout: c.set}
		require.Equal(t, c.want, o.timeout(http.Header{"Prefer": c.prefer}), c)
	}
}

func TestStatus(t *testing.T) {
	e := drawn(t)
	h := Handler(e, Options{})
	ask := func(path string) (int, string) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		var got struct{ Status string }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got))
		return w.Code, got.Status
	}
	for _, path := range []string{"/health", "/ready"} {
		code, status := ask(path)
		require.Equal(t, 200, code)
		require.Equal(t, "ok", status)
	}
	require.NoError(t, e.Close())
	code, status := ask("/ready")
	require.Equal(t, 503, code)
	require.Equal(t, "unavailable", status)
	h = Handler(drawn(t), Options{})
	h.Drain()
	code, status = ask("/ready")
	require.Equal(t, 503, code)
	require.Equal(t, "draining", status)
	code, _ = ask("/health")
	require.Equal(t, 200, code)
}

func TestProfiles(t *testing.T) {
	e := drawn(t)
	url := func(profile string) *http.Request {
		return httptest.NewRequest("GET", "/nearest/v1/"+profile+"/"+place('1'), nil)
	}
	one := Handler(e, Options{})
	for _, profile := range []string{"driving", "car", e.Info().Profile} {
		w, _ := send(t, one, url(profile))
		require.Equal(t, 200, w.Code, profile)
	}
	w, got := send(t, one, url("foot"))
	require.Equal(t, 404, w.Code)
	require.Equal(t, "ProfileNotFound", got.Code)
	require.Equal(t, "Profile foot not found! There is car, driving.", got.Message)
	w, _ = send(t, Handler(e, Options{AnyProfile: true}), url("foot"))
	require.Equal(t, 200, w.Code)

	other := build(t, routing.BuildOptions{Input: "street.osm", Reader: streetReader(t), DataVersion: "tomorrow"}, routing.Options{})
	many := Mux(map[string]*routing.Engine{"car": e, "new": other}, Options{AnyProfile: true})
	_, got = send(t, many, url("car"))
	require.Equal(t, "today", got.DataVersion)
	_, got = send(t, many, url("new"))
	require.Equal(t, "tomorrow", got.DataVersion)
	_, got = send(t, many, url("foot"))
	require.Equal(t, "ProfileNotFound", got.Code, "there is no data set named driving")
}

func TestObserve(t *testing.T) {
	var seen []Observation
	h := Handler(drawn(t), Options{Observe: func(o Observation) { seen = append(seen, o) }})
	w, _ := send(t, h, httptest.NewRequest("GET", "/route/v1/car/"+place('1')+";"+place('2'), nil))
	send(t, h, httptest.NewRequest("GET", "/nearest/v1/car/200,1", nil))
	send(t, h, httptest.NewRequest("GET", "/", nil))
	send(t, h, httptest.NewRequest("GET", "/health", nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	send(t, h, httptest.NewRequest("GET", "/route/v1/car/"+place('1')+";"+place('2'), nil).WithContext(ctx))
	require.Len(t, seen, 4)
	require.Equal(t, "route", seen[0].Service)
	require.Equal(t, "car", seen[0].Profile)
	require.Equal(t, "Ok", seen[0].Code)
	require.Equal(t, 200, seen[0].Status)
	require.EqualValues(t, w.Body.Len(), seen[0].Bytes)
	require.Positive(t, seen[0].Took)
	require.NoError(t, seen[0].Err)
	require.Equal(t, "InvalidOptions", seen[1].Code)
	require.ErrorIs(t, seen[1].Err, routing.ErrInvalidOptions)
	require.Equal(t, 400, seen[1].Status)
	require.Equal(t, "InvalidUrl", seen[2].Code)
	require.Empty(t, seen[2].Service)
	require.Equal(t, "ClientGone", seen[3].Code)
	require.Equal(t, 503, seen[3].Status)
	require.ErrorIs(t, seen[3].Err, context.Canceled)
}

// Long is what keeps a processor from others for milliseconds.
func TestLongMatches(t *testing.T) {
	match := func(points int, radius float64, m routing.MatchModel) *routing.MatchRequest {
		r := &routing.MatchRequest{Coordinates: make([]orb.Point, points), Model: m}
		if radius > 0 {
			r.Radiuses = slices.Repeat([]float64{radius}, points)
		}
		return r
	}
	require.Less(t, matchWork(match(100, 0, routing.MatchModel{})), longWork)
	require.Less(t, matchWork(match(100, 20, routing.MatchModel{})), longWork)
	require.GreaterOrEqual(t, matchWork(match(100, 50, routing.MatchModel{})), longWork/2)
	require.GreaterOrEqual(t, matchWork(match(1000, 0, routing.MatchModel{})), longWork)
	require.GreaterOrEqual(t, matchWork(match(1000, 50, routing.MatchModel{})), 10*longWork)
	require.GreaterOrEqual(t, matchWork(match(200, 0, routing.RobustModel())), longWork)
}
