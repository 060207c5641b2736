package main

import (
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/fourway-routing/fourway/httpapi"
	"github.com/fourway-routing/fourway/routing"
)

// metricsPath is where Prometheus asks.
const metricsPath = "/metrics"

// requestBuckets are seconds: from a nearest to the longest request.
var requestBuckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300}

// services are those that a URL may name. What else it names is counted as
// other, so that no client can make up time series.
var services = []string{"route", "table", "match", "trip", "nearest", "tile", "map", "update", "closure", "interpreter"}

const other = "other"

// metrics are what Prometheus is told. It is safe for concurrent use.
type metrics struct {
	registry *prometheus.Registry
	profiles map[string]*routing.Engine
	requests *prometheus.CounterVec   // by service, profile, code
	took     *prometheus.HistogramVec // by service, profile
	waited   prometheus.Histogram
	sent     *prometheus.CounterVec // by service
	settled  *prometheus.CounterVec // by service
	stages   *prometheus.CounterVec // by service, stage
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fourway_requests_total", Help: "Requests by service, profile and code of the answer.",
		}, []string{"service", "profile", "code"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "fourway_request_seconds", Help: "Time until the answer was sent, waiting included.", Buckets: requestBuckets,
		}, []string{"service", "profile"}),
		waited: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "fourway_wait_seconds", Help: "Time until a request's turn.", Buckets: requestBuckets,
		}),
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fourway_response_bytes_total", Help: "Bytes of bodies of answers, as sent.",
		}, []string{"service"}),
		settled: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fourway_settled_nodes_total", Help: "Search nodes visited.",
		}, []string{"service"}),
		stages: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fourway_stage_seconds_total", Help: "Time of queries by stage: snap, search, assemble.",
		}, []string{"service", "stage"}),
	}
	m.registry.MustRegister(m.requests, m.took, m.waited, m.sent, m.settled, m.stages, buildInfo(),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// buildInfo is a metric of value 1 whose labels tell what runs.
func buildInfo() prometheus.Collector {
	labels := prometheus.Labels{"version": "unknown", "revision": "unknown", "goversion": "unknown"}
	if info, ok := debug.ReadBuildInfo(); ok {
		labels["version"], labels["goversion"] = info.Main.Version, info.GoVersion
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				labels["revision"] = s.Value
			}
		}
	}
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "fourway_build_info", Help: "What runs, in labels.", ConstLabels: labels,
	}, func() float64 { return 1 })
}

// watch adds what the server and its data sets are. It is called once, before
// the server is asked anything.
func (m *metrics) watch(server *httpapi.Server, profiles map[string]*routing.Engine) {
	m.profiles = profiles
	gauge := func(name, help string, value func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
	}
	gauge("fourway_running_requests", "Requests worked on.", func() float64 {
		running, _ := server.Load()
		return float64(running)
	})
	gauge("fourway_waiting_requests", "Requests that wait for their turn.", func() float64 {
		_, waiting := server.Load()
		return float64(waiting)
	})
	data := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "fourway_data_info", Help: "The data set of each profile, in labels.",
	}, []string{"profile", "algorithm", "data_version", "data_time", "metric"})
	for profile, e := range profiles {
		info := e.Info()
		when := ""
		if !info.DataTime.IsZero() {
			when = info.DataTime.UTC().Format(time.RFC3339)
		}
		data.WithLabelValues(profile, info.Algorithm.String(), info.DataVersion, when, info.MetricID).Set(1)
	}
	m.registry.MustRegister(data)
}

// request counts a request.
func (m *metrics) request(o *httpapi.Observation) {
	service, profile := o.Service, o.Profile
	if !slices.Contains(services, service) {
		service = other
	}
	if m.profiles[profile] == nil {
		profile = other
	}
	m.requests.WithLabelValues(service, profile, o.Code).Inc()
	m.took.WithLabelValues(service, profile).Observe(o.Took.Seconds())
	m.waited.Observe(o.Waited.Seconds())
	m.sent.WithLabelValues(service).Add(float64(o.Bytes))
}

// query counts a query of a data set.
func (m *metrics) query(o routing.Observation) {
	m.settled.WithLabelValues(o.Service).Add(float64(o.Settled))
	m.stages.WithLabelValues(o.Service, "snap").Add(o.Snap.Seconds())
	m.stages.WithLabelValues(o.Service, "search").Add(o.Search.Seconds())
	m.stages.WithLabelValues(o.Service, "assemble").Add(o.Assemble.Seconds())
}

// handler answers Prometheus, and leaves the rest to next. Paths are compared
// as they stand: http.ServeMux would redirect those of polylines with // in them.
func (m *metrics) handler(next http.Handler) http.Handler {
	own := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == metricsPath {
			own.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
