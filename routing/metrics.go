package routing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/sharing"
)

// MetricInfo tells what an Engine knows of a metric.
type MetricInfo struct {
	Name string // empty for the default
	ID   string // of its content; updates add to it
	// Nodes counts the search nodes whose costs Update has changed.
	Nodes int
	// Bytes is the memory that the metric takes beyond the files of the default one:
	// costs of segments and turns, those that searches go by, and the content of its
	// layers. Mapped files count.
	Bytes int64
}

// catalog is what an Engine answers from at a time: a dataset for each metric, which
// share the network. It is immutable.
type catalog struct {
	*dataset            // of the default metric
	named    []*dataset // of the others, ascending by name
	week     Week
	info     Info
}

// newCatalog returns a catalog of datasets of different metrics, one being the default.
func newCatalog(list []*dataset, week *Week) *catalog {
	c := &catalog{week: *week}
	for _, d := range list {
		if d.metricName == "" {
			c.dataset = d
		} else {
			c.named = append(c.named, d)
		}
	}
	slices.SortFunc(c.named, func(a, b *dataset) int { return strings.Compare(a.metricName, b.metricName) })
	c.info = c.dataset.info
	c.info.Metrics = nil
	for _, d := range c.all() {
		c.info.Metrics = append(c.info.Metrics, d.metricInfo())
	}
	return c
}

func (d *dataset) metricInfo() MetricInfo {
	return MetricInfo{Name: d.metricName, ID: d.info.MetricID, Nodes: d.changedNodes, Bytes: d.bytes}
}

// all returns the datasets, that of the default metric first.
func (c *catalog) all() []*dataset { return append([]*dataset{c.dataset}, c.named...) }

// find returns the dataset of a metric, or nil.
func (c *catalog) find(name string) *dataset {
	if name == "" {
		return c.dataset
	}
	i, ok := slices.BinarySearchFunc(c.named, name, func(d *dataset, name string) int { return strings.Compare(d.metricName, name) })
	if !ok {
		return nil
	}
	return c.named[i]
}

// names returns the names of the metrics but for the default.
func (c *catalog) names() []string {
	var names []string
	for _, d := range c.named {
		names = append(names, d.metricName)
	}
	return names
}

// wish is what a request says of the metric that it wants.
type wish struct {
	metric string
	depart time.Time
}

// told says whether a request says anything of metrics, so that the answer does too.
func told(metric string, depart time.Time) bool { return metric != "" || !depart.IsZero() }

// choose returns the dataset of the metric that is wished for.
func (c *catalog) choose(w wish) (*dataset, error) {
	switch {
	case w.depart.IsZero():
	case w.metric != "":
		return nil, &Error{
			Code: ErrInvalidOptions, Index: -1, Message: "Metric and Depart exclude each other.",
			Detail: "Depart chooses the metric by the hour.",
		}
	default:
		w.metric = c.week.At(w.depart)
	}
	if d := c.find(w.metric); d != nil {
		return d, nil
	}
	return nil, c.noMetric(w.metric)
}

// noMetric is the error for a metric that is not there.
func (c *catalog) noMetric(name string) error {
	detail := "There is none but the default one."
	if names := c.names(); len(names) > 0 {
		detail = fmt.Sprintf("There are %s, and the default one without a name.", strings.Join(names, ", "))
	}
	return &Error{Code: ErrInvalidValue, Index: -1, Message: fmt.Sprintf("There is no metric %q.", name), Detail: detail}
}

// ofWeek returns the datasets that hours of the week choose, but for one.
func (c *catalog) ofWeek(but *dataset) []*dataset {
	var list []*dataset
	last := ""
	for i, name := range c.week {
		if i > 0 && name == last {
			continue
		}
		last = name
		if d := c.find(name); d != but && !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	return list
}

// checkWeek returns an error if an hour is of no metric.
func (c *catalog) checkWeek(w *Week) error {
	for _, name := range w {
		if c.find(name) == nil {
			return c.noMetric(name)
		}
	}
	return nil
}

// SetWeek says which metric counts in each hour of the week, for requests with Depart
// that begin after it has returned. All of the metrics must be there. Errors are an
// *Error, or the context's.
func (e *Engine) SetWeek(ctx context.Context, w Week) error {
	return e.exchange(ctx, func(c *catalog) (*catalog, error) {
		if err := c.checkWeek(&w); err != nil {
			return nil, err
		}
		return newCatalog(c.all(), &w), nil
	})
}

// DropMetric forgets a metric, with what Update has told of it, and gives its memory
// back when the last query that uses it ends. The default metric stays, and so does
// one that an hour of the week is of: both are ErrInvalidValue errors. Other errors
// are an *Error, or the context's.
func (e *Engine) DropMetric(ctx context.Context, name string) error {
	return e.exchange(ctx, func(c *catalog) (*catalog, error) {
		switch {
		case name == "":
			return nil, &Error{Code: ErrInvalidValue, Index: -1, Message: "The default metric cannot be dropped."}
		case c.find(name) == nil:
			return nil, c.noMetric(name)
		case slices.Contains(c.week[:], name):
			return nil, &Error{
				Code: ErrInvalidValue, Index: -1, Message: fmt.Sprintf("The metric %q is that of hours of the week.", name),
				Detail: "Tell SetWeek of another one for these first.",
			}
		}
		delete(e.live, name)
		return newCatalog(slices.DeleteFunc(c.all(), func(d *dataset) bool { return d.metricName == name }), &c.week), nil
	})
}

// exchange makes another catalog the current one.
func (e *Engine) exchange(ctx context.Context, make func(*catalog) (*catalog, error)) error {
	if err := e.lock(ctx); err != nil {
		return err
	}
	defer e.unlock()
	if e.closed {
		return errClosed()
	}
	c, err := make(e.current.Load())
	if err != nil {
		return err
	}
	e.put(c)
	return nil
}

func errClosed() error { return &Error{Code: ErrClosed, Index: -1, Message: "the engine is closed"} }

// maxMetricName is the length in bytes of the longest name of a metric.
const maxMetricName = 64

// reservedMetrics are no names of metrics, for the sake of the names of files.
var reservedMetrics = []string{"ch", "mld", "cch", "cells", "commit", "graph", "metric", "tags"}

// validMetric says whether a metric, but for the default one, can have a name.
func validMetric(name string) bool {
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-') {
			return false
		}
	}
	return name != "" && len(name) <= maxMetricName && !slices.Contains(reservedMetrics, strings.ToLower(name))
}

func errMetricName(name string) error {
	return invalid(-1, "%.80q is no name of a metric: want letters, digits, - and _, at most %d, and none of %s",
		name, maxMetricName, strings.Join(reservedMetrics, ", "))
}

// measure fills in what a dataset takes beyond the files of the default metric.
func (d *dataset) measure(files *parts, l live) {
	d.bytes = ownBytes(d.metric, files.metric)
	switch {
	case d.overlay != nil:
		d.bytes += d.overlay.BytesBeside(files.overlay)
	case d.order != nil:
		d.bytes += d.hierarchy.BytesBeside(files.ordered)
	default:
		d.bytes += d.hierarchy.BytesBeside(files.hierarchy)
	}
	if l.layers != nil {
		_, d.changedNodes = l.layers.Changed()
		d.bytes += l.layers.Bytes()
	}
}

// ownBytes returns the bytes of a metric's arrays that are not those of another one.
func ownBytes(m, of *graph.Metric) (sum int64) {
	for d := range 2 {
		sum += sharing.Own(m.SegmentWeight[d], of.SegmentWeight[d]) + sharing.Own(m.SegmentDuration[d], of.SegmentDuration[d]) +
			sharing.Own(m.SegmentSource[d], of.SegmentSource[d])
	}
	return sum + sharing.Own(m.TurnWeight, of.TurnWeight) + sharing.Own(m.TurnDuration, of.TurnDuration) + sharing.Own(m.TurnClosed, of.TurnClosed) +
		sharing.Own(m.NodeWeight, of.NodeWeight) + sharing.Own(m.NodeDuration, of.NodeDuration) + sharing.Own(m.NodeDistance, of.NodeDistance)
}
