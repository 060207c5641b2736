package extract

import (
	"context"
	"fmt"
	"slices"

	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/geo"
)

// wayEnds tells where ways end, for profiles that look up what holds at a place:
// ways are read before the nodes whose ids they name.
type wayEnds struct {
	index  *nodeIndex // of the last nodes
	coords []geo.Coord
	onWays bool // the file stores places with the ways
}

// readWayEnds runs two passes before all others, over ways and nodes, where places
// matter and the ways do not tell them.
func (x *extraction) readWayEnds(ctx context.Context) error {
	if x.opts.Locations == nil {
		return nil
	}
	x.ends = &wayEnds{onWays: x.opts.LocationsOnWays}
	if x.ends.onWays {
		return nil
	}
	var ids []int64
	if _, err := x.file.Scan(ctx, x.scan("ends of ways", osmfile.Ways), osmfile.Handler{
		Ordered: func(b *osmfile.Block) error {
			for i := range b.Ways {
				if w := &b.Ways[i]; len(w.Tags) > 0 && len(w.Refs) > 0 {
					ids = append(ids, int64(w.Refs[len(w.Refs)-1]))
				}
			}
			return nil
		},
	}); err != nil {
		return err
	}
	sortIDs(ids, make([]int64, len(ids)))
	ids = slices.Clip(slices.Compact(ids))
	e := x.ends
	e.index, e.coords = newNodeIndex(ids), make([]geo.Coord, len(ids))
	for i := range e.coords {
		e.coords[i] = nowhere
	}
	_, err := x.file.Scan(ctx, x.scan("ends of ways", osmfile.Nodes), osmfile.Handler{
		Ordered: func(b *osmfile.Block) error {
			for row, id := range b.NodeIDs {
				if i := e.index.find(int64(id)); int(i) < len(e.coords) && e.coords[i] == nowhere {
					e.coords[i] = geo.Coord{Lon: b.Lons[row], Lat: b.Lats[row]}
				}
			}
			return nil
		},
	})
	return err
}

// of returns where a way ends. It reports false if the file lacks the node, and
// fails if the way should tell and does not.
func (e *wayEnds) of(w *osmfile.Way) (at geo.Coord, ok bool, err error) {
	if len(w.Refs) == 0 {
		return at, false, nil
	}
	if e.onWays {
		if !w.End.Known {
			return at, false, fmt.Errorf("extract: way %d has an invalid location: the file does not store the places of nodes with the ways; let them be looked up instead", w.ID)
		}
		return geo.Coord{Lon: w.End.Lon, Lat: w.End.Lat}, true, nil
	}
	i := e.index.find(int64(w.Refs[len(w.Refs)-1]))
	if int(i) >= len(e.coords) || e.coords[i] == nowhere {
		return at, false, nil
	}
	return e.coords[i], true, nil
}
