package osmfile

import (
	"compress/bzip2"
	"fmt"
	"io"
	"os"
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

// BenchmarkDelawareFirstPass is the pass over the ways of a file just opened, which does not know yet where they are.
func BenchmarkDelawareFirstPass(b *testing.B) {
	path := osmdata.Delaware(b)
	b.SetBytes(7812234)
	b.ReportAllocs()
	for b.Loop() {
		f, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.Scan(b.Context(), Options{Want: Ways | Relations, Workers: 1}, Handler{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAndorra(b *testing.B) {
	packed, err := os.Open(osmdata.Andorra(b))
	require.NoError(b, err)
	defer packed.Close()
	plain, err := io.ReadAll(bzip2.NewReader(packed))
	require.NoError(b, err)
	for _, c := range []struct {
		name string
		open func() (*File, error)
	}{
		{"bzip2", func() (*File, error) { return OpenSeeker(packed, "andorra") }},
		{"plain", func() (*File, error) { return openBytes(plain) }},
	} {
		b.Run("packed="+c.name, func(b *testing.B) {
			f, err := c.open()
			require.NoError(b, err)
			b.SetBytes(int64(len(plain)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := f.Scan(b.Context(), Options{Want: All}, Handler{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
