package osmfile

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/internal/osmdata"
)

func BenchmarkDelaware(b *testing.B) {
	path := osmdata.Delaware(b)
	for _, want := range []Kind{Nodes, Ways | Relations, All} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("want=%v/workers=%d", want, workers), func(b *testing.B) {
				f, err := Open(path)
				require.NoError(b, err)
				opts := Options{Want: want, Workers: workers}
				stats, err := f.Scan(b.Context(), opts, Handler{})
				require.NoError(b, err)
				b.SetBytes(f.Size())
				b.ReportAllocs()
				for b.Loop() {
					if _, err := f.Scan(b.Context(), opts, Handler{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(stats.Blocks), "blocks/op")
			})
		}
	}
}
