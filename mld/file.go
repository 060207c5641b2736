package mld

import (
	"fmt"
	"math"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
)

// A .mld file has these sections; the number of elements is in brackets, for a
// graph of n nodes and m edges, s sets of excluded nodes, k different ones:
//
//	node            uint32 [n]          NodeID by id
//	id              uint32 [n]          id by NodeID
//	codes           uint64              codes by cell of level 1
//	widths          uint8 [levels]      bits of a code by level
//	topology        uint64 [1]          hash of the edges
//	first           uint32 [2n+1]       arcs by id, forward and backward
//	edge            uint32 [2m]         EdgeID by arc
//	arcs            2 × uint32 [2m]     head and weight
//	costs           2 × uint32 [m]      duration and distance by EdgeID
//	sets            uint32 [s]          which of the k a set is
//
// for level i, from 1, of c cells, with b border nodes and the b' of the level
// below (n at level 1):
//
//	level_i_counts       uint32 [2]     b and c
//	level_i_cell         uint32 [b]     cell of each border node
//	level_i_entry_first  uint32 [c+1]   entries by cell
//	level_i_entries      uint32
//	level_i_exit_first   uint32 [c+1]   exits by cell
//	level_i_exits        uint32
//	level_i_forward      row [b]        3 × uint32, 2 × uint16
//	level_i_backward     row [b]
//	level_i_member_first uint32 [c+1]   members by cell
//	level_i_members      uint32 [b']    [b] at level 1, where those between inner follow
//	level_i_local        uint32 [b']    place among the members of the cell; [b] at level 1
//	level_i_inner        uint32 [c+1]   first id without border by cell; none above level 1
//	level_i_parent       uint32 [c]     cell of the next level; none at the last
//	level_i_sub_first    uint32 [c+1]   cells of the level below; none at level 1
//	level_i_clique_first uint32 [c+1]   weights by cell
//	level_i_climb_up     uint32 [c+1]   climb weights by cell; none at level 1
//	level_i_climb_down   uint32 [c+1]   and the last
//
// and for cliques j, from 0, of w weights, and u and d of climbs, which are all that
// there are for j = 0, and otherwise those of cells where they are not as for 0:
//
//	cliques_j_forward    uint32 [w]
//	cliques_j_backward   uint32 [w]
//	cliques_j_costs      2 × uint32 [w] duration and distance, as forward
//	cliques_j_climb_up   uint32 [u]
//	cliques_j_climb_down uint32 [d]
//	cliques_j_up_costs   2 × uint32 [u]
//	cliques_j_down_costs 2 × uint32 [d]
//	cliques_j_excluded   uint64 [⌈n/64⌉], none for j = 0
//
// and unless j = 0, for the cells of all levels together, from level 1 on:
//
//	cliques_j_at         uint32         first weight of the cell, 2³²-1 if as for 0
//	cliques_j_up_at      uint32         first climb weight, likewise
//	cliques_j_down_at    uint32
const fileVersion = 2

var fileKind = file.Kind{'o', 'v', 'r', 'l'}

// Encode returns a writer of the file of the Overlay, bound to the network and the
// metric with the given ids.
func (o *Overlay) Encode(network, metric graph.ID) *file.Writer {
	c := o.cells
	w := file.NewWriter(fileKind, fileVersion)
	w.Bind(network)
	w.Bind(metric)
	file.Put(w, "node", c.node)
	file.Put(w, "id", c.id)
	file.Put(w, "codes", c.codes)
	file.Put(w, "widths", c.widths)
	file.Put(w, "topology", []topology{c.topology})
	file.Put(w, "first", c.first)
	file.Put(w, "edge", c.edge)
	file.Put(w, "arcs", o.arcs)
	file.Put(w, "costs", o.costs)
	file.Put(w, "sets", o.setOf)
	for l := range c.levels {
		v := &c.levels[l]
		name := levelName(l)
		file.Put(w, name+"counts", []uint32{v.border, uint32(v.cells)})
		file.Put(w, name+"cell", v.cell)
		file.Put(w, name+"entry_first", v.entryFirst)
		file.Put(w, name+"entries", v.entries)
		file.Put(w, name+"exit_first", v.exitFirst)
		file.Put(w, name+"exits", v.exits)
		file.Put(w, name+"forward", v.rows[0])
		file.Put(w, name+"backward", v.rows[1])
		file.Put(w, name+"member_first", v.memberFirst)
		file.Put(w, name+"members", v.members)
		file.Put(w, name+"inner", v.inner)
		file.Put(w, name+"local", v.local)
		file.Put(w, name+"parent", v.parent)
		file.Put(w, name+"sub_first", v.subFirst)
		file.Put(w, name+"clique_first", v.cliqueFirst)
		file.Put(w, name+"climb_up", v.climbFirst[0])
		file.Put(w, name+"climb_down", v.climbFirst[1])
	}
	for i, q := range o.cliques {
		name := cliquesName(i)
		file.Put(w, name+"forward", q.weight[0])
		file.Put(w, name+"backward", q.weight[1])
		file.Put(w, name+"costs", q.costs)
		file.Put(w, name+"climb_up", q.climb[0])
		file.Put(w, name+"climb_down", q.climb[1])
		file.Put(w, name+"up_costs", q.climbCosts[0])
		file.Put(w, name+"down_costs", q.climbCosts[1])
		file.Put(w, name+"excluded", q.excluded)
		if i == 0 {
			continue
		}
		file.Put(w, name+"at", q.own.clique)
		file.Put(w, name+"up_at", q.own.climb[0])
		file.Put(w, name+"down_at", q.own.climb[1])
	}
	return w
}

func levelName(l int) string   { return fmt.Sprintf("level_%d_", l+1) }
func cliquesName(i int) string { return fmt.Sprintf("cliques_%d_", i) }

// WriteFile writes the Overlay of the network and the metric with the given ids
// to a file and returns the file's own id. The file appears as a whole or not at
// all.
func (o *Overlay) WriteFile(path string, network, metric graph.ID) (graph.ID, error) {
	w := o.Encode(network, metric)
	if err := w.WriteFile(path); err != nil {
		return graph.ID{}, err
	}
	return w.ID(), nil
}

// File is an open file with an Overlay.
type File struct {
	*Overlay
	f *file.File
}

// ID returns the id of the file, which names its content.
func (f *File) ID() graph.ID { return f.f.ID() }

// Size returns the bytes of the file.
func (f *File) Size() int64 { return f.f.Size() }

// Close gives the file's memory back. The Overlay must not be used afterwards.
func (f *File) Close() error { return f.f.Close() }

// Verify reads the whole file, checks all checksums and then the Overlay as
// Overlay.Verify does.
func (f *File) Verify() error {
	if err := f.f.Verify(); err != nil {
		return err
	}
	return f.Overlay.Verify()
}

// Open opens the file of an Overlay of the network and the metric. It checks that
// the file is whole, belongs to them, and that its sections fit each other, in
// time independent of their size. What it does not look at, File.Verify does; a
// search in a file that is damaged there may fail by an index error. Errors are
// of type *graph.FileError.
func Open(path string, network *graph.NetworkFile, metric *graph.MetricFile, o graph.FileOptions) (*File, error) {
	f, err := file.Open(path, o)
	if err != nil {
		return nil, err
	}
	opened, err := Decode(f, network, metric)
	if err != nil {
		_ = f.Close() // the first error says more
		return nil, err
	}
	return opened, nil
}

// Decode is Open for a file that is open already, and closed by the caller if
// there is an error.
func Decode(f *file.File, network *graph.NetworkFile, metric *graph.MetricFile) (*File, error) {
	if err := f.Expect(fileKind, fileVersion, network.ID(), metric.ID()); err != nil {
		return nil, err
	}
	o, err := decode(f, network.NumNodes(), network.NumEdges())
	if err != nil {
		return nil, err
	}
	return &File{o, f}, nil
}

func decode(f *file.File, nodes, edges int) (*Overlay, error) {
	s := sections{f: f}
	c := &Cells{
		node:  sized[graph.NodeID](&s, "node", nodes),
		id:    sized[uint32](&s, "id", nodes),
		first: firsts(&s, "first", 2*nodes, 2*edges),
		edge:  sized[graph.EdgeID](&s, "edge", 2*edges),
	}
	o := &Overlay{
		cells: c,
		arcs:  sized[arc](&s, "arcs", 2*edges),
		costs: sized[cost](&s, "costs", edges),
		setOf: get[uint32](&s, "sets"),
	}
	if t := sized[topology](&s, "topology", 1); s.err == nil {
		c.topology = t[0]
	}
	c.widths = get[uint8](&s, "widths")
	bits := 0
	for _, width := range c.widths {
		bits += int(width)
	}
	s.expect(bits <= 64, "widths", "codes of %d bits", bits)
	if s.err != nil {
		return nil, s.err
	}
	c.setWidths()
	below, cells := nodes, 0
	for l := range c.widths {
		v := readLevel(&s, l, below, cells, l == len(c.widths)-1)
		below, cells = int(v.border), v.cells
		c.levels = append(c.levels, v)
	}
	c.countCells()
	lowest := 1
	if len(c.levels) > 0 {
		lowest, c.leaf = c.levels[0].cells, c.levels[0].cell
	}
	c.codes = sized[uint64](&s, "codes", lowest)
	s.expect(len(o.setOf) > 0 && o.setOf[0] == 0, "sets", "the first set is not the one that excludes nothing")
	different := uint32(0)
	for i, k := range o.setOf {
		s.expect(k <= different, "sets", "set %d is %d", i, k)
		if k == different {
			different++
		}
	}
	if s.err != nil {
		return nil, s.err
	}
	for i := range int(different) {
		o.cliques = append(o.cliques, readCliques(&s, o, i))
	}
	return o, s.err
}

// readCliques reads cliques i, given those before.
func readCliques(s *sections, o *Overlay, i int) *Cliques {
	c := o.cells
	name := cliquesName(i)
	q := &Cliques{overlay: o}
	weights, up, down := c.weights(), c.climbs(0), c.climbs(1)
	q.costs = get[cost](s, name+"costs")
	q.climb[0], q.climb[1] = get[uint32](s, name+"climb_up"), get[uint32](s, name+"climb_down")
	words := 0
	if i > 0 {
		// What they have of their own.
		q.base = o.cliques[0]
		weights, up, down = len(q.costs), len(q.climb[0]), len(q.climb[1])
		words = len(graph.MakeBits(c.NumNodes()))
		q.own.clique = sized[uint32](s, name+"at", c.numCells())
		q.own.climb[0] = sized[uint32](s, name+"up_at", c.numCells())
		q.own.climb[1] = sized[uint32](s, name+"down_at", c.numCells())
	}
	s.expect(len(q.costs) == weights, name+"costs", "%d elements, not %d", len(q.costs), weights)
	s.expect(len(q.climb[0]) == up, name+"climb_up", "%d elements, not %d", len(q.climb[0]), up)
	s.expect(len(q.climb[1]) == down, name+"climb_down", "%d elements, not %d", len(q.climb[1]), down)
	q.weight[0] = sized[uint32](s, name+"forward", weights)
	q.weight[1] = sized[uint32](s, name+"backward", weights)
	q.climbCosts[0] = sized[cost](s, name+"up_costs", up)
	q.climbCosts[1] = sized[cost](s, name+"down_costs", down)
	if excluded := sized[uint64](s, name+"excluded", words); i > 0 {
		q.excluded = excluded
	}
	return q
}

// readLevel reads level l+1, given the border nodes and cells of the level below.
func readLevel(s *sections, l, below, cellsBelow int, highest bool) level {
	name := levelName(l)
	var v level
	counts := sized[uint32](s, name+"counts", 2)
	if s.err != nil {
		return v
	}
	s.expect(int64(counts[0]) <= int64(below) && counts[1] < math.MaxInt32, name+"counts", "%d border nodes and %d cells; the level below has %d border nodes", counts[0], counts[1], below)
	if s.err != nil {
		return v
	}
	v.border, v.cells = counts[0], int(counts[1])
	border := int(v.border)
	v.cell = sized[uint32](s, name+"cell", border)
	v.entries = get[uint32](s, name+"entries")
	v.entryFirst = firsts(s, name+"entry_first", v.cells, len(v.entries))
	v.exits = get[uint32](s, name+"exits")
	v.exitFirst = firsts(s, name+"exit_first", v.cells, len(v.exits))
	v.rows[0] = sized[row](s, name+"forward", border)
	v.rows[1] = sized[row](s, name+"backward", border)
	listed, inner := below, 0
	if l == 0 {
		listed, inner = border, v.cells+1
	}
	v.members = sized[uint32](s, name+"members", listed)
	v.memberFirst = firsts(s, name+"member_first", v.cells, listed)
	v.local = sized[uint32](s, name+"local", listed)
	if v.inner = sized[uint32](s, name+"inner", inner); len(v.inner) == 0 {
		v.inner = nil
	}
	if highest {
		sized[uint32](s, name+"parent", 0)
	} else {
		v.parent = sized[uint32](s, name+"parent", v.cells)
	}
	if l == 0 {
		sized[uint32](s, name+"sub_first", 0)
	} else {
		v.subFirst = firsts(s, name+"sub_first", v.cells, cellsBelow)
	}
	v.cliqueFirst = sized[uint32](s, name+"clique_first", v.cells+1)
	climbs := 0
	if l >= climbFrom-1 && !highest {
		climbs = v.cells + 1
	}
	v.climbFirst[0] = sized[uint32](s, name+"climb_up", climbs)
	v.climbFirst[1] = sized[uint32](s, name+"climb_down", climbs)
	return v
}

// sections reads the sections of a file until one fails.
type sections struct {
	f   *file.File
	err error
}

// get returns a section, and nil after an error.
func get[T any](s *sections, name string) (v []T) {
	if s.err == nil {
		v, s.err = file.Section[T](s.f, name)
	}
	return v
}

// sized returns a section of n elements.
func sized[T any](s *sections, name string, n int) []T {
	v := get[T](s, name)
	s.expect(len(v) == n, name, "%d elements, not %d", len(v), n)
	return v
}

// firsts returns a section that says where each of n lists begins among total
// elements, with one more entry for the end of the last. Only its ends are looked
// at here.
func firsts(s *sections, name string, n, total int) []uint32 {
	v := sized[uint32](s, name, n+1)
	if s.err == nil {
		s.expect(v[0] == 0 && int64(v[n]) == int64(total), name, "lists do not cover %d elements", total)
	}
	return v
}

func (s *sections) expect(ok bool, section, format string, args ...any) {
	if s.err == nil && !ok {
		s.err = s.f.Fault(section, 0, format, args...)
	}
}
