package trip

import (
	"fmt"
	"testing"

	"github.com/fourway-routing/fourway/pool"
)

func BenchmarkSolve(b *testing.B) {
	for _, n := range []int{5, 10, 15, 16, 25, 50, 100, 200, 500} {
		for _, round := range []bool{true, false} {
			b.Run(fmt.Sprintf("stops=%d/roundtrip=%t", n, round), func(b *testing.B) {
				m := streets(newRand(42), n)
				opt := Options{Roundtrip: round, Allocator: pool.New()}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Solve(b.Context(), m, opt); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
