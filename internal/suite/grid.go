package suite

import (
	"io"

	"github.com/fourway-routing/fourway/internal/osmwrite"
)

// GridSide is the number of streets each way of the drawn grid that OSRM's
// contraction was measured on: 4,480 search nodes.
const GridSide = 34

// WriteGrid writes a drawn city as .osm.pbf: side by side streets, 100 m apart,
// residential, two-way. Equal weights everywhere make many paths as good as others,
// which is hard to contract.
func WriteGrid(w io.Writer, side int) error {
	out := osmwrite.New(w, osmwrite.Options{})
	const lon, lat = 1_0000000, 1_0000000 // where 100 m are alike both ways
	const step = 8990                     // 100 m in 1e-7 degrees
	id := func(x, y int) int64 { return int64(y*side+x) + 1 }
	for y := range side {
		for x := range side {
			// The first error stays, and Close returns it.
			_ = out.Node(id(x, y), lon+int64(x)*step, lat+int64(y)*step, nil)
		}
	}
	for line := range side {
		var across, along []int64
		for k := range side {
			across, along = append(across, id(k, line)), append(along, id(line, k))
		}
		_ = out.Way(int64(2*line)+1, across, []string{"highway", "residential"})
		_ = out.Way(int64(2*line)+2, along, []string{"highway", "residential"})
	}
	return out.Close()
}
