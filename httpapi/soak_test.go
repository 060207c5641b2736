package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/testmap"
	"github.com/fourway-routing/fourway/profile"
	"github.com/fourway-routing/fourway/routing"
)

var (
	soakFor     = flag.Duration("soak", 0, "how long the soak test runs with each algorithm; 0 stands for a moment")
	soakExtract = flag.String("soak-extract", "", "extract that the soak test runs on; a made-up one if empty")
)

// soakStates is the number of states of traffic, the first of which is none.
const soakStates = 6

// A soak is a server under everything at once: clients in process and over HTTP,
// live traffic, other data sets, requests broken off, and faults. Every answer is
// compared with that of a contraction hierarchy built for one of the states of
// traffic that could be seen while the request ran.
type soak struct {
	t       *testing.T
	engine  *routing.Engine
	url     string
	updates [soakStates]routing.Update
	names   [2]string // of data sets
	places  []orb.Point
	pairs   [][2]int
	want    []soakAnswers // by version, which is a data set and a state

	// Versions of what is served, in the order in which they come to be. A request
	// may see those from the last one that had ended when it began, up to the last
	// that had begun when it ended.
	mu      sync.Mutex
	history []int
	ended   int

	answered, canceled, refused atomic.Int64
}

// soakAnswers is what a version answers: weights of routes, NaN where there is none.
type soakAnswers []float64

func version(set, state int) int { return set*soakStates + state }

func TestSoak(t *testing.T) {
	for _, a := range []routing.Algorithm{routing.MLD, routing.CCH} {
		t.Run(a.String(), func(t *testing.T) {
			s := newSoak(t, a)
			s.run()
		})
	}
}

func newSoak(t *testing.T, a routing.Algorithm) *soak {
	s := &soak{t: t, history: []int{version(0, 0)}}
	dir := t.TempDir()
	input := *soakExtract
	if input == "" {
		input = filepath.Join(dir, "city.osm.pbf")
		var city bytes.Buffer
		require.NoError(t, testmap.City(&city, 4000, 5))
		require.NoError(t, os.WriteFile(input, city.Bytes(), 0o600))
	}
	for i, config := range []string{"{}", `{"max_speed": 40}`} {
		p, err := profile.Configure("car", "set", []byte(config))
		require.NoError(t, err)
		s.names[i] = filepath.Join(dir, fmt.Sprint("set", i))
		_, err = routing.Build(t.Context(), routing.BuildOptions{
			Input: input, Output: s.names[i], Profile: p, Algorithms: []routing.Algorithm{routing.CH, a},
		})
		require.NoError(t, err)
	}
	first, err := routing.Open(s.names[0], routing.Options{})
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(31, uint64(a)))
	s.choose(rng, first)
	require.NoError(t, first.Close())

	for _, name := range s.names {
		for state := range s.updates {
			table := filepath.Join(dir, fmt.Sprintf("speeds%d.csv", state))
			require.NoError(t, os.WriteFile(table, speedTable(s.updates[state]), 0o600))
			_, err := routing.Contract(t.Context(), routing.StepOptions{
				Input: name, Updates: routing.Updates{SegmentSpeeds: []string{table}},
			})
			require.NoError(t, err)
			e, err := routing.Open(name, routing.Options{})
			require.NoError(t, err)
			s.want = append(s.want, s.ask(e))
			require.NoError(t, e.Close())
		}
	}
	differ := 0
	for i := range s.want[0] {
		if s.want[0][i] != s.want[1][i] {
			differ++
		}
	}
	require.Positive(t, differ, "traffic changes something")

	s.engine, err = routing.Open(s.names[0], routing.Options{Algorithm: a, Observe: func(o routing.Observation) {
		if o.Service == "nearest" { // which is asked for nothing else
			panic("a fault on purpose")
		}
	}})
	require.NoError(t, err)
	server := httptest.NewServer(Handler(s.engine, Options{MaxWaiting: 1000}))
	s.url = server.URL
	t.Cleanup(func() {
		server.Close()
		require.NoError(t, s.engine.Close())
	})
	return s
}

// choose takes places, pairs and segments that their routes use, which get other
// speeds in the states of traffic.
func (s *soak) choose(rng *rand.Rand, e *routing.Engine) {
	b := e.Info().Bounds
	for len(s.places) < 40 {
		p := orb.Point{b.Min[0] + rng.Float64()*(b.Max[0]-b.Min[0]), b.Min[1] + rng.Float64()*(b.Max[1]-b.Min[1])}
		near, err := routing.Nearest(s.t.Context(), e, routing.NearestRequest{Coordinate: p})
		require.NoError(s.t, err)
		s.places = append(s.places, near.Waypoints[0].Location)
	}
	used := map[[2]int64]bool{}
	var segments [][2]int64
	for len(s.pairs) < 120 {
		pair := [2]int{rng.IntN(len(s.places)), rng.IntN(len(s.places))}
		res, err := routing.Route(s.t.Context(), e, routing.RouteRequest{
			Coordinates: []orb.Point{s.places[pair[0]], s.places[pair[1]]}, Annotations: routing.AnnotateAll,
		})
		if pair[0] == pair[1] || err != nil {
			continue
		}
		s.pairs = append(s.pairs, pair)
		nodes := res.Routes[0].Legs[0].Annotation.Nodes
		for i := range nodes[1:] {
			if segment := [2]int64{nodes[i], nodes[i+1]}; !used[segment] {
				used[segment] = true
				segments = append(segments, segment)
			}
		}
	}
	for state := range s.updates {
		s.updates[state] = routing.Update{Layer: "live", Clear: true}
		for _, segment := range segments {
			if state == 0 || rng.IntN(8) > 0 {
				continue
			}
			speed := []float64{0, 5, 20, 60, 140}[rng.IntN(5)]
			s.updates[state].Speeds = append(s.updates[state].Speeds, routing.SegmentSpeed{From: segment[0], To: segment[1], Speed: speed})
		}
	}
}

func speedTable(u routing.Update) []byte {
	var b bytes.Buffer
	for _, x := range u.Speeds {
		fmt.Fprintf(&b, "%d,%d,%g\n", x.From, x.To, x.Speed)
	}
	return b.Bytes()
}

func (s *soak) request(pair int) routing.RouteRequest {
	p := s.pairs[pair]
	return routing.RouteRequest{Coordinates: []orb.Point{s.places[p[0]], s.places[p[1]]}}
}

func (s *soak) ask(e *routing.Engine) soakAnswers {
	answers := make(soakAnswers, len(s.pairs))
	for i := range s.pairs {
		res, err := routing.Route(s.t.Context(), e, s.request(i))
		switch {
		case err == nil:
			answers[i] = res.Routes[0].Weight
		default:
			require.Contains(s.t, []routing.Code{routing.ErrNoRoute, routing.ErrNoSegment}, codeOf(err))
			answers[i] = math.NaN()
		}
	}
	return answers
}

func codeOf(err error) routing.Code {
	var fault *routing.Error
	if errors.As(err, &fault) {
		return fault.Code
	}
	return ""
}

// begin notes that something new may be seen from now on.
func (s *soak) begin(v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history = append(s.history, v)
}

// end notes that nothing older is seen any more.
func (s *soak) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = len(s.history) - 1
}

// undo notes that what was begun has not come.
func (s *soak) undo() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history[len(s.history)-1] = s.history[s.ended]
	s.ended = len(s.history) - 1
}

func (s *soak) since() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// check compares an answer with those of the versions that could be seen.
func (s *soak) check(pair, since int, got float64) {
	s.mu.Lock()
	seen := slices.Clone(s.history[since:]) // undo changes it
	s.mu.Unlock()
	for _, v := range seen {
		want := s.want[v][pair]
		if want == got || math.IsNaN(want) && math.IsNaN(got) {
			s.answered.Add(1)
			return
		}
	}
	s.t.Errorf("pair %d: %v is the answer of none of the versions %v", pair, got, seen)
}

func (s *soak) run() {
	length := *soakFor
	if length == 0 {
		length = 2 * time.Second
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), length)
	defer cancel()
	every := func(d time.Duration) time.Duration { return min(d, length/20) }
	var group sync.WaitGroup
	work := func(f func(rng *rand.Rand)) {
		n := uint64(time.Now().UnixNano())
		group.Go(func() {
			rng := rand.New(rand.NewPCG(7, n))
			for ctx.Err() == nil && !s.t.Failed() {
				f(rng)
			}
		})
	}
	for range 4 {
		session := s.engine.Session()
		defer session.Close()
		work(func(rng *rand.Rand) { s.inProcess(ctx, rng, session) })
		work(func(rng *rand.Rand) { s.overHTTP(ctx, rng) })
	}
	work(s.halfRequest)
	work(func(rng *rand.Rand) { s.change(ctx, rng, every(time.Second), every(10*time.Second)) })
	s.watch(ctx, length)
	group.Wait()
	http.DefaultClient.CloseIdleConnections()
	s.t.Logf("%d answers right, %d broken off, %d refused as they should, %d changes",
		s.answered.Load(), s.canceled.Load(), s.refused.Load(), len(s.history))
	require.Positive(s.t, s.answered.Load())
	require.Positive(s.t, s.canceled.Load())
}

// impatience is a context that is often done before an answer can be there.
func impatience(ctx context.Context, rng *rand.Rand) (context.Context, context.CancelFunc) {
	if rng.IntN(10) > 0 {
		return context.WithCancel(context.WithoutCancel(ctx))
	}
	return context.WithTimeout(ctx, time.Duration(rng.IntN(2000))*time.Microsecond)
}

func (s *soak) inProcess(ctx context.Context, rng *rand.Rand, session *routing.Session) {
	ctx, cancel := impatience(ctx, rng)
	defer cancel()
	pair, since := rng.IntN(len(s.pairs)), s.since()
	if rng.IntN(4) == 0 {
		// A row of a table has the durations of routes, which a tie may change: it is
		// here for the load and its errors.
		_, err := session.Table(ctx, routing.TableRequest{Coordinates: s.places[:12]})
		s.outcome(ctx, err)
		return
	}
	res, err := session.Route(ctx, s.request(pair))
	if s.outcome(ctx, err) {
		weight := math.NaN()
		if err == nil {
			weight = res.Routes[0].Weight
		}
		s.check(pair, since, weight)
	}
}

// outcome says whether a query was answered, if only by there being no route.
func (s *soak) outcome(ctx context.Context, err error) bool {
	switch {
	case err == nil, codeOf(err) == routing.ErrNoRoute, codeOf(err) == routing.ErrNoSegment:
		return true
	case ctx.Err() != nil:
		s.canceled.Add(1)
	default:
		s.t.Errorf("dropped: %v", err)
	}
	return false
}

func (s *soak) overHTTP(ctx context.Context, rng *rand.Rand) {
	ctx, cancel := impatience(ctx, rng)
	defer cancel()
	pair, since := rng.IntN(len(s.pairs)), s.since()
	p := s.request(pair).Coordinates
	url := fmt.Sprintf("%s/route/v1/car/%.6f,%.6f;%.6f,%.6f?overview=full&steps=true", s.url, p[0][0], p[0][1], p[1][0], p[1][1])
	fails := rng.IntN(50) == 0
	if fails {
		url = fmt.Sprintf("%s/nearest/v1/car/%.6f,%.6f", s.url, p[0][0], p[0][1])
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		s.t.Error(err)
		return
	}
	response, err := http.DefaultClient.Do(request)
	if err == nil {
		defer response.Body.Close()
		var body []byte
		if body, err = io.ReadAll(response.Body); err == nil {
			s.reply(pair, since, response.StatusCode, body, fails)
			return
		}
	}
	s.outcome(ctx, err)
}

func (s *soak) reply(pair, since, status int, body []byte, fails bool) {
	var got struct {
		Code   routing.Code
		Routes []struct{ Weight float64 }
	}
	if err := json.Unmarshal(body, &got); err != nil {
		s.t.Errorf("status %d: %v: %.100q", status, err, body)
		return
	}
	switch {
	case fails:
		if status != http.StatusInternalServerError {
			s.t.Errorf("fault: status %d: %.200q", status, body)
		}
		s.refused.Add(1)
	case got.Code == "Ok":
		s.check(pair, since, got.Routes[0].Weight)
	case got.Code == routing.ErrNoRoute || got.Code == routing.ErrNoSegment:
		s.check(pair, since, math.NaN())
	default:
		s.t.Errorf("dropped: status %d: %.200q", status, body)
	}
}

// halfRequest sends some of a request and goes.
func (s *soak) halfRequest(rng *rand.Rand) {
	text := "POST /route/v1/car HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"coordinates\": [[7.4"
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		s.t.Errorf("dropped: %v", err)
		return
	}
	defer c.Close()
	_, _ = io.WriteString(c, text[:rng.IntN(len(text))])
	time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
}

// change makes something new be served now and then, and lets some of it fail.
func (s *soak) change(ctx context.Context, rng *rand.Rand, update, swap time.Duration) {
	set, state := 0, 0
	updates, swaps := time.NewTicker(update), time.NewTicker(swap)
	defer updates.Stop()
	defer swaps.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-updates.C:
			next := rng.IntN(soakStates)
			s.begin(version(set, next))
			ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
			if rng.IntN(4) == 0 {
				time.AfterFunc(time.Duration(rng.IntN(20))*time.Millisecond, cancel)
			}
			_, err := s.engine.Update(ctx, s.updates[next])
			if err != nil {
				if ctx.Err() == nil {
					s.t.Errorf("update: %v", err)
				}
				s.undo()
			} else {
				state = next
				s.end()
			}
			cancel()
			if _, err := s.engine.Update(context.Background(), routing.Update{Layer: "nowhere"}); err == nil {
				s.t.Error("an update of a layer that is none")
			}
		case <-swaps.C:
			if err := s.engine.Replace(context.Background(), s.names[0]+"-nothing"); err == nil {
				s.t.Error("replaced by nothing")
			}
			set = 1 - set
			s.begin(version(set, state))
			if err := s.engine.Replace(context.Background(), s.names[set]); err != nil {
				s.t.Errorf("replace: %v", err)
				s.undo()
				set = 1 - set
			} else {
				s.end()
			}
		}
	}
}

// watch looks at memory and goroutines until ctx is done: what there is in the last
// third is not more than in the first.
func (s *soak) watch(ctx context.Context, length time.Duration) {
	var heap, goroutines [3]uint64
	began := time.Now()
	tick := time.NewTicker(length / 60)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			if heap[0] == 0 {
				return // a busy machine left no time to look
			}
			s.t.Logf("live heap %d, %d, %d MB; goroutines %v", heap[0]>>20, heap[1]>>20, heap[2]>>20, goroutines)
			require.LessOrEqual(s.t, heap[2], heap[0]+heap[0]/4+16<<20)
			require.LessOrEqual(s.t, goroutines[2], goroutines[0]+40)
			return
		case <-tick.C:
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			i := min(int(3*time.Since(began)/length), 2)
			heap[i], goroutines[i] = max(heap[i], m.HeapAlloc), max(goroutines[i], uint64(runtime.NumGoroutine()))
		}
	}
}
