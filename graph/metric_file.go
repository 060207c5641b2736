package graph

import (
	"encoding/json"
	"fmt"

	"github.com/fourway-routing/fourway/internal/file"
)

var metricKind = file.Kind{'m', 't', 'r', 'c'}

const metricVersion = 1

// MetricFile is an open file with a metric.
type MetricFile struct {
	*Metric
	f *file.File
}

// ID returns the id of the metric, which names its content.
func (f *MetricFile) ID() ID { return f.f.ID() }

// Size returns the bytes of the file.
func (f *MetricFile) Size() int64 { return f.f.Size() }

// Evict gives memory back that holds what has been read of a mapped file. What is
// touched afterwards is read again.
func (f *MetricFile) Evict() { f.f.Evict() }

// Close gives the file's memory back. The metric must not be used afterwards.
func (f *MetricFile) Close() error { return f.f.Close() }

// EncodeMetric returns a writer of the file of a metric of the network with the
// given id.
func EncodeMetric(m *Metric, network ID) (*file.Writer, error) {
	sources, err := json.Marshal(m.Sources)
	if err != nil {
		return nil, fmt.Errorf("graph: sources: %w", err)
	}
	w := file.NewWriter(metricKind, metricVersion)
	w.Bind(network)
	file.Put(w, "sources", sources)
	file.Put(w, "weight_forward", m.SegmentWeight[0])
	file.Put(w, "weight_reverse", m.SegmentWeight[1])
	file.Put(w, "duration_forward", m.SegmentDuration[0])
	file.Put(w, "duration_reverse", m.SegmentDuration[1])
	file.Put(w, "source_forward", m.SegmentSource[0])
	file.Put(w, "source_reverse", m.SegmentSource[1])
	file.Put(w, "turn_weight", m.TurnWeight)
	file.Put(w, "turn_duration", m.TurnDuration)
	file.Put(w, "turn_closed", m.TurnClosed)
	file.Put(w, "node_weight", m.NodeWeight)
	file.Put(w, "node_duration", m.NodeDuration)
	file.Put(w, "node_distance", m.NodeDistance)
	return w, nil
}

// WriteMetric writes a metric of the network with the given id to a file and
// returns the metric's own id. The file appears as a whole or not at all.
func WriteMetric(path string, m *Metric, network ID) (ID, error) {
	w, err := EncodeMetric(m, network)
	if err != nil {
		return ID{}, err
	}
	return w.ID(), w.WriteFile(path)
}

// OpenMetric opens the file of a metric of a network. It checks that the metric
// was made for the network and fits it in size; [MetricFile.Verify] checks the
// rest.
func OpenMetric(path string, network *NetworkFile, o FileOptions) (*MetricFile, error) {
	f, err := file.Open(path, o)
	if err != nil {
		return nil, err
	}
	m, err := DecodeMetric(f, network)
	if err != nil {
		_ = f.Close() // the first error says more
		return nil, err
	}
	return m, nil
}

// DecodeMetric takes the metric of a network from an open file, which it then
// owns unless there is an error.
func DecodeMetric(f *file.File, network *NetworkFile) (*MetricFile, error) {
	if err := f.Expect(metricKind, metricVersion, network.ID()); err != nil {
		return nil, err
	}
	s := &sections{f: f}
	m := &Metric{}
	if raw := get[byte](s, "sources"); s.err == nil {
		if err := json.Unmarshal(raw, &m.Sources); err != nil {
			s.fail("sources", 0, "%v", err)
		}
	}
	segments, nodes, edges := len(network.ChainPlaces), network.NumNodes(), network.NumEdges()
	for d, name := range [2]string{"forward", "reverse"} {
		m.SegmentWeight[d] = sized[Weight](s, "weight_"+name, segments)
		m.SegmentDuration[d] = sized[Duration](s, "duration_"+name, segments)
		m.SegmentSource[d] = optional[uint8](s, "source_"+name, segments)
	}
	m.TurnWeight = sized[int16](s, "turn_weight", edges)
	m.TurnDuration = sized[int16](s, "turn_duration", edges)
	m.TurnClosed = optional[uint64](s, "turn_closed", len(MakeBits(edges)))
	m.NodeWeight = sized[Weight](s, "node_weight", nodes)
	m.NodeDuration = sized[Duration](s, "node_duration", nodes)
	m.NodeDistance = sized[Distance](s, "node_distance", nodes)
	if s.err != nil {
		return nil, s.err
	}
	return &MetricFile{m, f}, nil
}
