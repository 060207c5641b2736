package routing

import (
	"runtime/metrics"
	"sync"
	"time"
)

// meter measures time and memory of a stage. While it runs, a goroutine looks
// at the memory now and then.
type meter struct {
	wall time.Time
	cpu  time.Duration
	quit chan struct{}
	done sync.WaitGroup
	peak int64
}

// sampleEvery is the time between looks at the memory.
const sampleEvery = 20 * time.Millisecond

func (m *meter) start() {
	m.wall, m.cpu, m.peak = time.Now(), cpuTime(), 0
	m.quit = make(chan struct{})
	m.done.Go(func() {
		tick := time.NewTicker(sampleEvery)
		defer tick.Stop()
		for {
			m.peak = max(m.peak, memoryInUse())
			select {
			case <-tick.C:
			case <-m.quit:
				m.peak = max(m.peak, memoryInUse())
				return
			}
		}
	})
}

func (m *meter) stop() StageReport {
	close(m.quit)
	m.done.Wait()
	return StageReport{Wall: time.Since(m.wall), CPU: cpuTime() - m.cpu, PeakMemory: m.peak}
}

// memoryInUse returns the bytes that the Go runtime has from the system.
func memoryInUse() int64 {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
