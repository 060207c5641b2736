package synth

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/fourway-routing/fourway/internal/osmwrite"
)

// Options says what country to make up.
type Options struct {
	// Nodes is the number of OSM nodes wished for; there are as many tiles as
	// come closest to it.
	Nodes int64
	Seed  uint64
	// Progress, if set, is called now and then with a part of the work.
	Progress func(done, total int64)
}

// Bounds of Options.Nodes.
const (
	LeastNodes = 3000
	MostNodes  = 1_000_000_000
)

// Report tells what a file holds.
type Report struct {
	Nodes, Ways, Relations int64
}

// generator names the writer of a file.
const generator = "fourway synth-osm"

// Country writes a made-up country as .osm.pbf. It takes about a microsecond for
// each node and kind of element. A done context ends it with the context's error.
func Country(ctx context.Context, w io.Writer, opt Options) (Report, error) {
	if opt.Nodes < LeastNodes || opt.Nodes > MostNodes {
		return Report{}, fmt.Errorf("synth: %d nodes are wished for, want %d to %d", opt.Nodes, LeastNodes, MostNodes)
	}
	t := tile{world: plan(opt)}
	out := osmwrite.New(w, osmwrite.Options{Generator: generator, Bounds: t.bounds()})
	var r Report
	// Each kind of element has its turn, so each tile is laid out three times.
	for pass, write := range [...]func() error{
		func() error { return t.writeNodes(out, &r) },
		func() error { return t.writeWays(out, &r) },
		func() error { return t.writeTurns(out, &r) },
	} {
		for y := range t.rows {
			if err := ctx.Err(); err != nil {
				return Report{}, err
			}
			if opt.Progress != nil {
				opt.Progress(int64(pass*t.rows+y), int64(3*t.rows))
			}
			for x := range t.columns {
				t.lay(x, y)
				if err := write(); err != nil {
					return Report{}, err
				}
			}
		}
	}
	return r, out.Close()
}

func (t *tile) writeNodes(out *osmwrite.Writer, r *Report) error {
	for i := range t.nodes {
		n := &t.nodes[i]
		if err := out.Node(t.base+int64(i), round(n.lon), round(n.lat), n.tags); err != nil {
			return err
		}
	}
	r.Nodes += int64(len(t.nodes))
	return nil
}

func (t *tile) writeWays(out *osmwrite.Writer, r *Report) error {
	for i := range t.ways {
		if err := out.Way(t.wayID(int32(i)), t.ways[i].refs, t.ways[i].tags); err != nil {
			return err
		}
	}
	r.Ways += int64(len(t.ways))
	return nil
}

func (t *tile) writeTurns(out *osmwrite.Writer, r *Report) error {
	for i := range t.turns {
		if err := out.Relation(t.base+int64(i), t.turns[i].members, t.turns[i].tags); err != nil {
			return err
		}
	}
	r.Relations += int64(len(t.turns))
	return nil
}

// plan chooses the size of the country.
func plan(opt Options) *world {
	w := &world{seed: opt.Seed, columns: 1, rows: 1}
	// Tiles differ, so that the size is a guess that is made better.
	mean := 1500.0
	for range 6 {
		w.size(float64(opt.Nodes) / mean)
		mean = w.mean()
	}
	if opt.Nodes < 100_000 {
		return w.nearby(opt.Nodes)
	}
	return w
}

// nearby chooses among countries of about the same size, for a few tiles more or
// less make a difference to a small one.
func (w *world) nearby(nodes int64) *world {
	best, least := w, int64(math.MaxInt64)
	for columns := max(1, w.columns-1); columns <= w.columns+1; columns++ {
		for rows := max(1, w.rows-1); rows <= w.rows+1; rows++ {
			c := &world{seed: w.seed, columns: columns, rows: rows}
			if miss := abs(int64(c.mean()*float64(columns*rows)) - nodes); miss < least {
				best, least = c, miss
			}
		}
	}
	return best
}

// size makes the country about square.
func (w *world) size(tiles float64) {
	side := math.Sqrt(tiles)
	w.columns = max(1, min(int(math.Round(side)), mostTiles))
	w.rows = max(1, min(int(math.Round(tiles/float64(w.columns))), mostTiles))
}

// samples is the number of tiles that the mean is taken from, if there are more.
const samples = 600

// mean returns the nodes of a tile.
func (w *world) mean() float64 {
	t := tile{world: w}
	tiles := w.columns * w.rows
	nodes, n := 0, min(tiles, samples)
	for k := range n {
		at := k
		if tiles > samples {
			at = int(w.hash(ofSample, k, 0) % uint64(tiles))
		}
		t.lay(at%w.columns, at/w.columns)
		nodes += len(t.nodes)
	}
	return float64(nodes) / float64(n)
}
