package ch

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
)

// A .ch file has these sections; the number of elements is in brackets, for a
// graph of n nodes, m arcs, s sets of excluded nodes, k different ones, and l
// loops:
//
//	rank            uint32 [n]          rank by node
//	first           uint32 [2n+1]       index of all ranks
//	arcs            2 × uint32 [m]      head and weight
//	child           uint32, uint8 [m]   EdgeID and 0; or the first of the two arcs
//	                                    bypassed, and how far before it the other is
//	child_far       2 × uint32          arc and that other where 255 stands for more
//	duration        int32 [m]           tenths of a second
//	distance        uint32 [m]          centimeters
//	sets            uint32 [s]          which of the k a set is
//	counts          uint32 [2]          ranks of the core, edges of the graph
//	core_first      uint32 [(k-1)(2·core+1)]
//	core_barred     uint64 [(k-1)⌈core/64⌉]
//	loop_first      uint32 [k+1]        first loop by set
//	loop_rank       uint32 [l]
//	loop_weight, loop_duration, loop_distance as those of arcs, [l]
//	loop_child      2 × uint32 [l]      both arcs bypassed, or EdgeID and 2³²-1
const fileVersion = 2

var fileKind = file.Kind{'h', 'i', 'e', 'r'}

// Encode returns a writer of the file of the Hierarchy, bound to the network and
// the metric with the given ids.
func (h *Hierarchy) Encode(network, metric graph.ID) *file.Writer {
	w := file.NewWriter(fileKind, fileVersion)
	w.Bind(network)
	w.Bind(metric)
	h.put(w)
	return w
}

// put adds the sections.
func (h *Hierarchy) put(w *file.Writer) {
	file.Put(w, "rank", h.rank)
	file.Put(w, "first", h.first)
	file.Put(w, "arcs", h.arcs)
	file.Put(w, "child", h.child)
	file.Put(w, "child_far", h.far)
	file.Put(w, "duration", h.duration)
	file.Put(w, "distance", h.distance)
	file.Put(w, "sets", h.coreOf)
	file.Put(w, "counts", []uint32{h.core, h.edges})
	var first []uint32
	var barred []uint64
	for i := range h.cores {
		first = append(first, h.cores[i].first...)
		barred = append(barred, h.cores[i].barred...)
	}
	file.Put(w, "core_first", first)
	file.Put(w, "core_barred", barred)
	var all loops
	ends := []uint32{0}
	for i := range h.loops {
		l := &h.loops[i]
		all.rank = append(all.rank, l.rank...)
		all.weight = append(all.weight, l.weight...)
		all.child = append(all.child, l.child...)
		all.duration = append(all.duration, l.duration...)
		all.distance = append(all.distance, l.distance...)
		ends = append(ends, uint32(len(all.rank)))
	}
	file.Put(w, "loop_first", ends)
	file.Put(w, "loop_rank", all.rank)
	file.Put(w, "loop_weight", all.weight)
	file.Put(w, "loop_child", all.child)
	file.Put(w, "loop_duration", all.duration)
	file.Put(w, "loop_distance", all.distance)
}

// WriteFile writes the Hierarchy of the network and the metric with the given
// ids to a file and returns the file's own id. The file appears as a whole or
// not at all.
func (h *Hierarchy) WriteFile(path string, network, metric graph.ID) (graph.ID, error) {
	w := h.Encode(network, metric)
	if err := w.WriteFile(path); err != nil {
		return graph.ID{}, err
	}
	return w.ID(), nil
}

// File is an open file with a Hierarchy.
type File struct {
	*Hierarchy
	f *file.File
}

// ID returns the id of the file, which names its content.
func (f *File) ID() graph.ID { return f.f.ID() }

// Size returns the bytes of the file.
func (f *File) Size() int64 { return f.f.Size() }

// Close gives the file's memory back. The Hierarchy must not be used afterwards.
func (f *File) Close() error { return f.f.Close() }

// Verify reads the whole file, checks all checksums and then the Hierarchy as
// Hierarchy.Verify does.
func (f *File) Verify() error {
	if err := f.f.Verify(); err != nil {
		return err
	}
	return f.Hierarchy.Verify()
}

// Open opens the file of a Hierarchy of the network and the metric. It checks
// that the file is whole, belongs to them, and that its sections fit each
// other, in time independent of their size. What it does not look at, File.Verify
// does; a search in a file that is damaged there may fail by an index error.
// Errors are of type *graph.FileError.
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
	h, err := decode(f, network.NumNodes(), network.NumEdges())
	if err != nil {
		return nil, err
	}
	return &File{h, f}, nil
}

func decode(f *file.File, nodes, edges int) (*Hierarchy, error) {
	s := sections{f: f}
	h := &Hierarchy{
		rank:   get[uint32](&s, "rank"),
		first:  get[uint32](&s, "first"),
		arcs:   get[arc](&s, "arcs"),
		coreOf: get[uint32](&s, "sets"),
	}
	h.child = sized[child](&s, "child", len(h.arcs))
	h.far = get[farChild](&s, "child_far")
	h.duration = sized[graph.Duration](&s, "duration", len(h.arcs))
	h.distance = sized[graph.Distance](&s, "distance", len(h.arcs))
	counts := sized[uint32](&s, "counts", 2)
	ends := get[uint32](&s, "loop_first")
	s.expect(len(h.rank) == nodes, "rank", "%d nodes, the network has %d", len(h.rank), nodes)
	s.expect(len(h.first) == 2*nodes+1, "first", "%d entries for %d nodes", len(h.first), nodes)
	s.expect(len(ends) >= 2 && ends[0] == 0, "loop_first", "no set of excluded nodes")
	if s.err != nil {
		return nil, s.err
	}
	h.core, h.edges = counts[0], counts[1]
	s.expect(int64(h.core) <= int64(nodes), "counts", "a core of %d of %d nodes", h.core, nodes)
	s.expect(int64(h.edges) == int64(edges), "counts", "%d edges, the network has %d", h.edges, edges)
	s.expect(h.first[0] <= h.first[2*nodes] && int64(h.first[2*nodes]) <= int64(len(h.arcs)), "first", "ends at arc %d of %d", h.first[2*nodes], len(h.arcs))
	sets := len(ends) - 1
	s.expect(len(h.coreOf) > 0 && h.coreOf[0] == 0, "sets", "the first set is not the one that excludes nothing")
	for i, c := range h.coreOf {
		s.expect(int64(c) < int64(sets), "sets", "set %d is %d of %d", i, c, sets)
	}
	if s.err != nil {
		return nil, s.err
	}
	h.readCores(&s, sets)
	h.readLoops(&s, ends)
	return h, s.err
}

func (h *Hierarchy) readCores(s *sections, sets int) {
	entries, words := 2*int(h.core)+1, (int(h.core)+63)/64
	first := sized[uint32](s, "core_first", (sets-1)*entries)
	barred := sized[uint64](s, "core_barred", (sets-1)*words)
	h.cores = make([]core, 1, sets)
	for i := range sets - 1 {
		if s.err != nil {
			return
		}
		h.cores = append(h.cores, core{first[i*entries : (i+1)*entries], barred[i*words : (i+1)*words]})
	}
}

func (h *Hierarchy) readLoops(s *sections, ends []uint32) {
	rank := get[uint32](s, "loop_rank")
	all := loops{
		rank:     rank,
		weight:   sized[uint32](s, "loop_weight", len(rank)),
		child:    sized[[2]uint32](s, "loop_child", len(rank)),
		duration: sized[graph.Duration](s, "loop_duration", len(rank)),
		distance: sized[graph.Distance](s, "loop_distance", len(rank)),
	}
	for i, end := range ends[1:] {
		from := ends[i]
		s.expect(from <= end && int64(end) <= int64(len(rank)), "loop_first", "loops of set %d end at %d of %d", i, end, len(rank))
		if s.err != nil {
			return
		}
		h.loops = append(h.loops, loops{all.rank[from:end], all.weight[from:end], all.child[from:end], all.duration[from:end], all.distance[from:end]})
	}
	s.expect(int(ends[len(ends)-1]) == len(rank), "loop_first", "loops end at %d of %d", ends[len(ends)-1], len(rank))
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

func (s *sections) expect(ok bool, section, format string, args ...any) {
	if s.err == nil && !ok {
		s.err = s.f.Fault(section, 0, format, args...)
	}
}
