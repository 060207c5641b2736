package suite

import (
	"context"
	"time"

	"github.com/fourway-routing/fourway/pool"
)

// growing are the benchmarks whose cost is plotted over the size of the network.
var growing = [...]string{
	"random_nearest/algo=ch/number=1",
	"random_route/algo=ch/coordinates=2/plain", "random_route/algo=mld/coordinates=2/plain",
	"random_route/algo=cch/coordinates=2/plain",
	"random_table/algo=ch/coordinates=25", "random_table/algo=mld/coordinates=25",
	"random_match/algo=ch/radius=default",
}

// MeasureGrowing measures the benchmarks that are plotted over the size of a
// network, with up to so many random requests of each.
func MeasureGrowing(ctx context.Context, name string, requests int, round time.Duration) (all []Measurement, err error) {
	s, err := Open(ctx, name, Options{Requests: requests, Traces: requests / 10})
	if err != nil {
		return nil, err
	}
	defer func() {
		if closing := s.Close(); err == nil {
			err = closing
		}
	}()
	wanted := map[string]bool{}
	for _, g := range growing {
		wanted[g] = true
	}
	for _, c := range s.Cases() {
		if !wanted[c.Name] || c.Memory != pool.FreeLists {
			continue
		}
		m, err := Measure(ctx, []Case{c}, 1, round)
		if err != nil {
			return nil, err
		}
		all = append(all, m...)
	}
	return all, nil
}
