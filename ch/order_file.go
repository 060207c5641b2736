package ch

import (
	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/file"
)

// A .cch file has the sections of a .ch file, of the Hierarchy that an Order was
// customized to, and these of the Order; the number of elements is in brackets, for
// a graph of e edges:
//
//	arc_of          uint32 [e]          arc of the edge; 2³¹ + rank for a loop
//	parts           uint32 [p+1]        first rank by part
//	layers          uint32 [l+1]        first part by layer
const orderFileVersion = 2

var orderFileKind = file.Kind{'c', 'c', 'h', ' '}

// Encode returns a writer of the file of the Order and a Hierarchy that Customize
// or Update has made of it, bound to the network and the metric with the given ids.
func (o *Order) Encode(h *Hierarchy, network, metric graph.ID) *file.Writer {
	w := file.NewWriter(orderFileKind, orderFileVersion)
	w.Bind(network)
	w.Bind(metric)
	h.put(w)
	file.Put(w, "arc_of", o.arcOf)
	file.Put(w, "parts", o.parts)
	file.Put(w, "layers", o.layers)
	return w
}

// OrderFile is an open file with an Order and a Hierarchy of it.
type OrderFile struct {
	*Hierarchy
	Order *Order
	f     *file.File
}

// ID returns the id of the file, which names its content.
func (f *OrderFile) ID() graph.ID { return f.f.ID() }

// Size returns the bytes of the file.
func (f *OrderFile) Size() int64 { return f.f.Size() }

// Close gives the file's memory back. Neither the Order nor the Hierarchy must be
// used afterwards, nor a Hierarchy made of the Order.
func (f *OrderFile) Close() error { return f.f.Close() }

// Verify reads the whole file, checks all checksums and then the Hierarchy and the
// Order as their own Verify does.
func (f *OrderFile) Verify() error {
	if err := f.f.Verify(); err != nil {
		return err
	}
	if err := f.Hierarchy.Verify(); err != nil {
		return err
	}
	return f.Order.Verify()
}

// OpenOrder opens the file of an Order as Open does that of a Hierarchy.
func OpenOrder(path string, network *graph.NetworkFile, metric *graph.MetricFile, o graph.FileOptions) (*OrderFile, error) {
	f, err := file.Open(path, o)
	if err != nil {
		return nil, err
	}
	opened, err := DecodeOrder(f, network, metric)
	if err != nil {
		_ = f.Close() // the first error says more
		return nil, err
	}
	return opened, nil
}

// DecodeOrder is OpenOrder for a file that is open already, and closed by the
// caller if there is an error.
func DecodeOrder(f *file.File, network *graph.NetworkFile, metric *graph.MetricFile) (*OrderFile, error) {
	if err := f.Expect(orderFileKind, orderFileVersion, network.ID(), metric.ID()); err != nil {
		return nil, err
	}
	return decodeOrder(f, network.NumNodes(), network.NumEdges())
}

func decodeOrder(f *file.File, nodes, edges int) (*OrderFile, error) {
	h, err := decode(f, nodes, edges)
	if err != nil {
		return nil, err
	}
	s := sections{f: f}
	o := &Order{
		rank: h.rank, first: h.first, arcs: h.arcs,
		arcOf:  sized[uint32](&s, "arc_of", edges),
		parts:  get[uint32](&s, "parts"),
		layers: get[uint32](&s, "layers"),
	}
	s.expect(len(h.cores) == 1, "sets", "%d cores, one was expected", len(h.cores))
	s.expect(len(o.parts) > 0 && o.parts[0] == 0 && int(o.parts[len(o.parts)-1]) == nodes, "parts", "they do not cover the ranks")
	s.expect(len(o.layers) > 0 && o.layers[0] == 0 && int(o.layers[len(o.layers)-1]) == len(o.parts)-1, "layers", "they do not cover the parts")
	if s.err != nil {
		return nil, s.err
	}
	return &OrderFile{h, o, f}, nil
}

// Verify checks every index of the Order, that the arcs are all that contraction can
// need, and that no arc joins two parts of one layer. It takes about the time of
// customization. Errors wrap graph.ErrCorrupt.
func (o *Order) Verify() error {
	if err := o.sound(); err != nil {
		return err
	}
	for r := range uint32(len(o.rank)) {
		if err := o.closed(r); err != nil {
			return err
		}
	}
	return nil
}

// sound is Verify but for arcs that are missing. It takes time linear in the size of
// the Order.
func (o *Order) sound() error {
	n := uint32(len(o.rank))
	if len(o.first) != 2*len(o.rank)+1 || o.first[0] != 0 || int(o.first[2*n]) != len(o.arcs) {
		return damaged("index has the wrong size")
	}
	part, layer, err := o.places()
	if err != nil {
		return err
	}
	for i := range 2 * n {
		from, to := o.first[i], o.first[i+1]
		if from > to || int(to) > len(o.arcs) {
			return damaged("arcs of rank %d end at %d", i/2, to)
		}
		for a := from; a < to; a++ {
			head := o.arcs[a].Head
			if head >= i/2 || a > from && head <= o.arcs[a-1].Head {
				return damaged("arc %d of rank %d has head %d", a, i/2, head)
			}
			if p, q := part[i/2], part[head]; p != q && layer[p] == layer[q] {
				return damaged("arc %d joins parts %d and %d of layer %d", a, p, q, layer[p])
			}
		}
	}
	for e, a := range o.arcOf {
		if a < ofLoop && int(a) >= len(o.arcs) || a >= ofLoop && a-ofLoop >= n {
			return damaged("edge %d is of arc %d, which is out of range", e, a)
		}
	}
	return nil
}

// places returns the part by rank and the layer by part.
func (o *Order) places() (part, layer []uint32, err error) {
	parts := uint32(len(o.parts) - 1)
	layer = make([]uint32, parts)
	for l, end := range o.layers[1:] {
		if end < o.layers[l] || end > parts {
			return nil, nil, damaged("layer %d ends at part %d of %d", l, end, parts)
		}
		for p := o.layers[l]; p < end; p++ {
			layer[p] = uint32(l)
		}
	}
	part = make([]uint32, len(o.rank))
	for p, end := range o.parts[1:] {
		if end < o.parts[p] || int(end) > len(part) {
			return nil, nil, damaged("part %d ends at rank %d of %d", p, end, len(part))
		}
		for r := o.parts[p]; r < end; r++ {
			part[r] = uint32(p)
		}
	}
	return part, layer, nil
}

// closed returns an error if an arc over a rank is missing.
func (o *Order) closed(r uint32) error {
	for _, from := range o.arcs[o.first[2*r+1]:o.first[2*r+2]] {
		for _, to := range o.arcs[o.first[2*r]:o.first[2*r+1]] {
			if from.Head == to.Head {
				continue
			}
			if _, ok := o.search(listOf(from.Head, to.Head)); !ok {
				return damaged("no arc leads from rank %d to %d over %d", from.Head, to.Head, r)
			}
		}
	}
	return nil
}
