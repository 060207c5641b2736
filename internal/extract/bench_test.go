//go:build unix

package extract_test

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/extract"
	"github.com/fourway-routing/fourway/internal/osmdata"
)

// BenchmarkDelaware measures a whole extraction. Peak memory is the process's,
// so it means something only if nothing else was run before in it. OSRM 26.8
// needs 11.7 CPU seconds and 242 MB.
func BenchmarkDelaware(b *testing.B) {
	path := osmdata.Delaware(b)
	before := usage(b)
	b.ReportAllocs()
	for b.Loop() {
		runtime.KeepAlive(run(b, path, "car", extract.Options{}))
	}
	after := usage(b)
	cpu := time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
	b.ReportMetric(cpu.Seconds()/float64(b.N), "cpu-s/op")
	peak := float64(after.Maxrss)
	if runtime.GOOS != "darwin" {
		peak *= 1024 // kilobytes elsewhere
	}
	b.ReportMetric(peak/1e6, "peak-MB")
}

func usage(tb testing.TB) (u syscall.Rusage) {
	tb.Helper()
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u
}
