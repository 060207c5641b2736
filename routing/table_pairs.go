package routing

import (
	"context"
	"math"

	"github.com/fourway-routing/fourway/graph"
)

// Table implements graph.ManyToMany by one search for each cell.
func (s hierarchySearch) Table(ctx context.Context, sources, targets [][]graph.Seed, row func(source int, cells []graph.Cell) error) error {
	cells := make([]graph.Cell, len(targets))
	var edges []graph.EdgeID
	for i := range sources {
		for j := range targets {
			f, ok, err := s.Shortest(ctx, sources[i], targets[j])
			if err != nil {
				return err
			}
			cells[j] = graph.Cell{Weight: graph.InvalidWeight, Duration: graph.InvalidDuration}
			if !ok {
				continue
			}
			edges = s.Path(edges[:0])
			from, to := &sources[i][f.Source], &targets[j][f.Target]
			duration, distance := from.Duration+to.Duration, from.Distance+to.Distance
			tail := from.Node
			for _, e := range edges {
				duration += s.metric.EdgeDuration(tail, e)
				distance += int64(s.metric.NodeDistance[tail])
				tail = s.net.EdgeHead[e]
			}
			cells[j] = graph.Cell{Weight: f.Weight, Duration: duration, Distance: graph.Distance(min(max(distance, 0), math.MaxUint32))}
		}
		if err := row(i, cells); err != nil {
			return err
		}
	}
	return nil
}
