package trip

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/pool"
)

// FuzzSolve reads options, number of stops, ends, and costs a byte each.
func FuzzSolve(f *testing.F) {
	f.Add([]byte{1, 3, 0, 0, 0, 1, 2, 3, 0, 4, 5, 6, 0})
	f.Add([]byte{0, 4, 1, 4, 0, 255, 2, 3, 255, 0, 255, 5, 6, 255, 0})
	f.Add([]byte{1, 17, 2, 1, 9, 8, 7})
	f.Add([]byte{3, 6, 1, 1})
	f.Add([]byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 4 {
			return
		}
		opt := Options{
			Roundtrip:   data[0]&1 != 0,
			Source:      End{int(int8(data[2]))},
			Destination: End{int(int8(data[3]))},
			Allocator:   pool.New(),
		}
		scale := int32(1)
		if data[0]&2 != 0 {
			scale = 1 << 22
		}
		n := int(data[1] % 24)
		m := Matrix{Stops: n, Costs: make([]int32, n*n)}
		costs := data[4:]
		for i := range m.Costs {
			if len(costs) == 0 {
				break
			}
			switch b := costs[i%len(costs)]; b {
			case 255:
				m.Costs[i] = Unreachable
			case 254:
				m.Costs[i] = -1
			default:
				m.Costs[i] = int32(b) * scale
			}
		}
		got, err := Solve(context.Background(), m, opt)
		require.Zero(t, opt.Allocator.Live())
		var input *InputError
		if errors.As(err, &input) {
			return
		}
		if err == nil {
			got.check(t, m, opt)
		}
		if n <= 6 {
			want, found := bruteForce(m, opt)
			require.Equal(t, found, err == nil)
			if found {
				require.Equal(t, want, got)
			}
		}
		var fault *NoTourError
		if err != nil {
			require.ErrorAs(t, err, &fault)
			require.NotZero(t, len(fault.NotReached)+len(fault.NotLeft))
		}
	})
}
