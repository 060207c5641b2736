// Command load asks an OSRM server the same kind of request again and again, and
// prints how long the answers took.
//
//	go run ./load -rate 500 -for 30s -box -75.7,38.5,-75.1,39.7
//	go run ./load -connections 8 -for 30s -service table -places 25 -box …
//
// With -rate the loop is open: requests start at their appointed times, whatever
// became of those before, and are timed from then on, so that a server that
// stalls is charged for all who had to wait. With -connections the loop is
// closed: each connection asks when it has its answer, which tells the rate that
// a server reaches, but flatters its tail.
//
// Places are drawn evenly from a box by a seed: two servers asked with the same
// flags get the same requests.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"time"
)

// plan is what to ask, and how.
type plan struct {
	url, service, profile, options string
	places                         int
	box                            [4]float64 // west, south, east, north
	seed                           uint64
	rate                           float64 // requests a second; 0 for a closed loop
	connections                    int
	most                           int // requests under way in an open loop
	warm, length, timeout          time.Duration
}

func main() {
	var p plan
	var box string
	flag.StringVar(&p.url, "url", "http://127.0.0.1:5000", "`address` of the server")
	flag.StringVar(&p.service, "service", "route", "route, table, trip, match or nearest")
	flag.StringVar(&p.profile, "profile", "driving", "profile in the URL")
	flag.StringVar(&p.options, "options", "", "query of the URL, like overview=false&steps=true")
	flag.StringVar(&box, "box", "-75.7,38.5,-75.1,39.7", "`west,south,east,north` of the places")
	flag.IntVar(&p.places, "places", 2, "coordinates in a request")
	flag.Uint64Var(&p.seed, "seed", 1, "of the places")
	flag.Float64Var(&p.rate, "rate", 0, "open loop: requests a `second`")
	flag.IntVar(&p.connections, "connections", 1, "closed loop, where no rate is given: connections")
	flag.IntVar(&p.most, "most", 10000, "open loop: most requests under way; those beyond count as failed")
	flag.DurationVar(&p.warm, "warm", 2*time.Second, "time before the measurement")
	flag.DurationVar(&p.length, "for", 10*time.Second, "time of the measurement")
	flag.DurationVar(&p.timeout, "timeout", 60*time.Second, "of a request")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, p, box, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, p plan, box string, out io.Writer) error {
	if _, err := fmt.Sscanf(box, "%g,%g,%g,%g", &p.box[0], &p.box[1], &p.box[2], &p.box[3]); err != nil {
		return fmt.Errorf("-box %s: %w", box, err)
	}
	if p.places < 1 || p.connections < 1 || p.most < 1 || p.rate < 0 || p.length <= 0 {
		return errors.New("-places, -connections, -most and -for must be positive, -rate not negative")
	}
	l := loader{plan: p, client: &http.Client{Timeout: p.timeout, Transport: &http.Transport{
		MaxIdleConnsPerHost: max(p.connections, p.most), DisableCompression: true,
	}}}
	defer l.client.CloseIdleConnections()
	start := time.Now()
	l.from = start.Add(p.warm)
	end := l.from.Add(p.length)
	if p.rate > 0 {
		l.open(ctx, start, end)
	} else {
		l.closed(ctx, end)
	}
	return l.report(out, min(time.Since(l.from), p.length))
}

// loader asks and keeps what it saw. Its fields from mu on are shared.
type loader struct {
	plan   plan
	client *http.Client
	from   time.Time // requests before it are not counted

	mu     sync.Mutex
	took   []time.Duration
	failed map[string]int
	bytes  int64
}

// open starts a request at every tick.
func (l *loader) open(ctx context.Context, start, end time.Time) {
	var wg sync.WaitGroup
	slots := make(chan struct{}, l.plan.most)
	random := rand.New(rand.NewPCG(l.plan.seed, 0))
	for i := 0; ctx.Err() == nil; i++ {
		due := start.Add(time.Duration(float64(i) / l.plan.rate * float64(time.Second)))
		if due.After(end) {
			break
		}
		time.Sleep(time.Until(due))
		target := l.plan.draw(random)
		select {
		case slots <- struct{}{}:
			wg.Go(func() {
				l.ask(ctx, target, due)
				<-slots
			})
		default:
			l.note(due, 0, 0, errors.New("too many requests under way"))
		}
	}
	wg.Wait()
}

// closed has each connection ask when it has its answer.
func (l *loader) closed(ctx context.Context, end time.Time) {
	var wg sync.WaitGroup
	for i := range l.plan.connections {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(l.plan.seed, uint64(i)))
			for ctx.Err() == nil && time.Now().Before(end) {
				l.ask(ctx, l.plan.draw(random), time.Now())
			}
		})
	}
	wg.Wait()
}

// draw returns the URL of a request.
func (p *plan) draw(random *rand.Rand) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s/v1/%s/", p.url, p.service, p.profile)
	for i := range p.places {
		if i > 0 {
			b.WriteByte(';')
		}
		lon := p.box[0] + random.Float64()*(p.box[2]-p.box[0])
		lat := p.box[1] + random.Float64()*(p.box[3]-p.box[1])
		fmt.Fprintf(&b, "%.6f,%.6f", lon, lat)
	}
	if p.options != "" {
		b.WriteString("?" + p.options)
	}
	return b.String()
}

// ask asks once. Only an answer of 200, or of 400 for places without a route,
// counts as one.
func (l *loader) ask(ctx context.Context, target string, due time.Time) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		l.note(due, 0, 0, err)
		return
	}
	res, err := l.client.Do(req)
	if err != nil {
		l.note(due, 0, 0, cause(err))
		return
	}
	body, err := io.ReadAll(res.Body)
	took := time.Since(due)
	_ = res.Body.Close()
	noRoute := strings.Contains(string(body[:min(len(body), 1024)]), `"NoRoute"`)
	if err == nil && res.StatusCode != http.StatusOK && !noRoute {
		err = errors.New(res.Status)
	}
	l.note(due, took, len(body), err)
}

// cause takes URL and ports off an error, so that equal ones are counted together.
func cause(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("%s: %w", e.Op, e.Err)
	}
	return err
}

// note keeps what a request that was due at a time saw.
func (l *loader) note(due time.Time, took time.Duration, size int, err error) {
	if due.Before(l.from) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		if l.failed == nil {
			l.failed = map[string]int{}
		}
		l.failed[err.Error()]++
		return
	}
	l.took = append(l.took, took)
	l.bytes += int64(size)
}

func (l *loader) report(out io.Writer, length time.Duration) error {
	failed := 0
	var why []string
	for text, n := range l.failed {
		failed += n
		why = append(why, fmt.Sprintf("%d times %s", n, text))
	}
	slices.Sort(why)
	n := len(l.took)
	fmt.Fprintf(out, "answers %d, failures %d, %.1f answers/s", n, failed, float64(n)/length.Seconds())
	if l.plan.rate > 0 {
		fmt.Fprintf(out, " of %.1f asked", l.plan.rate)
	}
	fmt.Fprintln(out)
	for _, w := range why {
		fmt.Fprintln(out, "failed:", w)
	}
	if n == 0 {
		return errors.New("no answers")
	}
	slices.Sort(l.took)
	at := func(q float64) time.Duration { return l.took[min(n-1, int(q*float64(n)))].Round(time.Microsecond) }
	_, err := fmt.Fprintf(out, "p50 %s, p90 %s, p99 %s, p99.9 %s, most %s; %d bytes an answer\n",
		at(.5), at(.9), at(.99), at(.999), at(1), l.bytes/int64(n))
	return err
}
