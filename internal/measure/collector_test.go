package measure

import (
	"math"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var sink [][]byte

func TestCollectorMeter(t *testing.T) {
	m := NewCollectorMeter()
	for range 1000 {
		sink = append(sink, make([]byte, 10_000))
	}
	runtime.GC()
	sink = nil
	c := m.Stop()
	require.Positive(t, c.Cycles)
	require.GreaterOrEqual(t, c.Bytes, uint64(10_000_000))
	require.GreaterOrEqual(t, c.Objects, uint64(1000))
	require.Positive(t, c.Pause)
	require.Positive(t, c.CPU)
	require.Positive(t, Live())
	m.Start()
	require.Less(t, m.Stop().Bytes, uint64(1_000_000))
}

func TestTotalOfOpenEnds(t *testing.T) {
	h := &metrics.Float64Histogram{
		Counts:  []uint64{1, 2, 1},
		Buckets: []float64{math.Inf(-1), 1, 3, math.Inf(1)},
	}
	require.Equal(t, 8*time.Second, total(h))
}

func TestMemory(t *testing.T) {
	m := ReadMemory()
	if m == (Memory{}) {
		t.Skip("this system does not tell")
	}
	require.Positive(t, m.Resident)
	require.Positive(t, m.Private)
	require.LessOrEqual(t, m.Private, m.Resident)
	require.GreaterOrEqual(t, m.Peak, m.Resident-m.Resident/4)
}
