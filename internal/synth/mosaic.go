package synth

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/internal/extract/osmfile"
	"github.com/fourway-routing/fourway/internal/osmwrite"
)

// MosaicOptions says how copies of an extract are laid.
type MosaicOptions struct {
	Columns, Rows int // of copies
	// Progress, if set, is called now and then with a part of the work.
	Progress func(done, total int64)
}

const (
	bands    = 6      // joins along each side of a copy
	mostLat  = 80e6   // micro-degrees that copies may reach
	mostLon  = 179e6  //
	gap      = 20_000 // micro-degrees between copies
	joinStep = 20_000 // micro-degrees between the nodes of a join
)

// Mosaic writes copies of an extract, which is sorted by kind and id, side by
// side, and joins neighbors by roads between the main roads' nodes at their edges.
// Coordinates are rounded to micro-degrees. A done context ends it with the
// context's error.
func Mosaic(ctx context.Context, w io.Writer, file *osmfile.File, opt MosaicOptions) (Report, error) {
	if opt.Columns < 1 || opt.Rows < 1 {
		return Report{}, fmt.Errorf("synth: a mosaic of %d by %d copies, want at least one of each", opt.Columns, opt.Rows)
	}
	m := mosaic{ctx: ctx, file: file, opt: opt}
	if err := m.survey(); err != nil {
		return Report{}, err
	}
	m.out = osmwrite.New(w, osmwrite.Options{Generator: generator, Bounds: [4]int64{
		m.west * 10, m.south * 10, (m.west + int64(opt.Columns)*m.width) * 10, (m.south + int64(opt.Rows)*m.height) * 10,
	}})
	for _, pass := range [...]func() error{m.writeNodes, m.writeWays, m.writeRelations} {
		if err := pass(); err != nil {
			return Report{}, fmt.Errorf("synth: mosaic of %s: %w", file.Name(), err)
		}
	}
	return m.report, m.out.Close()
}

// mosaic is the state of one.
type mosaic struct {
	ctx    context.Context
	file   *osmfile.File
	opt    MosaicOptions
	out    *osmwrite.Writer
	report Report
	passes int64

	last                       [3]int64 // id of each kind
	west, south, width, height int64    // of a copy in micro-degrees
	edges                      [4][bands]place
	joins                      []join
}

// place is a node of a main road.
type place struct {
	id, lon, lat int64
}

// join is a road between two copies.
type join struct {
	from, to place // with the ids and coordinates of their copies
	first    int64 // id of its first node; the others follow
	nodes    int64
}

// survey finds the extent of the extract and the places for joins.
func (m *mosaic) survey() error {
	var main []int64
	ways := func(b *osmfile.Block) error {
		for i := range b.Ways {
			m.last[1] = max(m.last[1], int64(b.Ways[i].ID))
			if isMain(b.Ways[i].Tags) {
				for _, ref := range b.Ways[i].Refs {
					main = append(main, int64(ref))
				}
			}
		}
		for i := range b.Relations {
			m.last[2] = max(m.last[2], int64(b.Relations[i].ID))
		}
		return nil
	}
	if _, err := m.file.Scan(m.ctx, osmfile.Options{Want: osmfile.Ways | osmfile.Relations}, osmfile.Handler{Ordered: ways}); err != nil {
		return err
	}
	slices.Sort(main)
	main = slices.Compact(main)
	var places []place
	nodes := func(b *osmfile.Block) error {
		for i, id := range b.NodeIDs {
			m.last[0] = max(m.last[0], int64(id))
			if _, ok := slices.BinarySearch(main, int64(id)); ok {
				places = append(places, place{int64(id), int64(b.Lons[i]), int64(b.Lats[i])})
			}
		}
		return nil
	}
	s, err := m.file.Scan(m.ctx, osmfile.Options{Want: osmfile.Nodes}, osmfile.Handler{Ordered: nodes})
	if err != nil {
		return err
	}
	switch {
	case !s.NodesSorted:
		return fmt.Errorf("synth: the nodes of %s are not sorted by id; sort it first", m.file.Name())
	case len(places) == 0:
		return fmt.Errorf("synth: %s holds no main roads, by which copies could be joined", m.file.Name())
	}
	return m.measure(places)
}

// isMain says whether a way is one that cars use to go from town to town.
func isMain(tags osm.Tags) bool {
	switch tags.Find("highway") {
	case "trunk", "primary", "secondary", "tertiary":
		return true
	}
	return false
}

// measure sets the extent, and the outermost places by side and band.
func (m *mosaic) measure(places []place) error {
	lon := func(a, b place) int { return cmp.Compare(a.lon, b.lon) }
	lat := func(a, b place) int { return cmp.Compare(a.lat, b.lat) }
	m.west, m.south = slices.MinFunc(places, lon).lon, slices.MinFunc(places, lat).lat
	m.width = slices.MaxFunc(places, lon).lon - m.west + gap
	m.height = slices.MaxFunc(places, lat).lat - m.south + gap
	if east, north := m.west+int64(m.opt.Columns)*m.width, m.south+int64(m.opt.Rows)*m.height; east > mostLon || north > mostLat {
		return fmt.Errorf("synth: %d by %d copies of %s reach %.1f east, %.1f north; want at most %.0f, %.0f",
			m.opt.Columns, m.opt.Rows, m.file.Name(), float64(east)/1e6, float64(north)/1e6, mostLon/1e6, mostLat/1e6)
	}
	far := [4][bands]int64{}
	for side := range far {
		for band := range far[side] {
			far[side][band] = math.MinInt64
		}
	}
	for _, p := range places {
		column, row := (p.lon-m.west)*bands/m.width, (p.lat-m.south)*bands/m.height
		for side, x := range [4]struct{ band, far int64 }{toEast: {row, p.lon}, toNorth: {column, p.lat}, toWest: {row, -p.lon}, toSouth: {column, -p.lat}} {
			if x.far > far[side][x.band] {
				far[side][x.band] = x.far
				m.edges[side][x.band] = p
			}
		}
	}
	m.planJoins()
	return nil
}

// copyOf returns a place as a copy has it.
func (m *mosaic) copyOf(p place, column, row int) place {
	return place{p.id + m.offset(0, column, row), p.lon + int64(column)*m.width, p.lat + int64(row)*m.height}
}

// offset is what a copy adds to ids of a kind.
func (m *mosaic) offset(kind, column, row int) int64 {
	return int64(row*m.opt.Columns+column) * m.last[kind]
}

// planJoins gives the joins their nodes, behind those of all copies.
func (m *mosaic) planJoins() {
	next := m.offset(0, 0, m.opt.Rows) + 1
	add := func(side, band, column, row, across, up int) {
		from, to := m.edges[side][band], m.edges[(side+2)%4][band]
		if from == (place{}) || to == (place{}) {
			return // no main road reaches into the band
		}
		from, to = m.copyOf(from, column, row), m.copyOf(to, column+across, row+up)
		n := max(abs(to.lon-from.lon), abs(to.lat-from.lat)) / joinStep
		m.joins = append(m.joins, join{from, to, next, n})
		next += n
	}
	for row := range m.opt.Rows {
		for column := range m.opt.Columns {
			for band := range bands {
				if column+1 < m.opt.Columns {
					add(toEast, band, column, row, 1, 0)
				}
				if row+1 < m.opt.Rows {
					add(toNorth, band, column, row, 0, 1)
				}
			}
		}
	}
}

func abs(x int64) int64 { return max(x, -x) }

// copies scans the extract once for each copy.
func (m *mosaic) copies(want osmfile.Kind, write func(b *osmfile.Block, column, row int) error) error {
	for row := range m.opt.Rows {
		for column := range m.opt.Columns {
			if m.opt.Progress != nil {
				m.opt.Progress(m.passes, int64(3*m.opt.Rows*m.opt.Columns))
			}
			m.passes++
			_, err := m.file.Scan(m.ctx, osmfile.Options{Want: want}, osmfile.Handler{Ordered: func(b *osmfile.Block) error {
				return write(b, column, row)
			}})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *mosaic) writeNodes() error {
	var list []string
	err := m.copies(osmfile.Nodes, func(b *osmfile.Block, column, row int) error {
		next := 0 // of b.Nodes
		for i, id := range b.NodeIDs {
			list = list[:0]
			if next < len(b.Nodes) && b.Nodes[next].Row == i {
				list = flat(list, b.Nodes[next].Tags)
				next++
			}
			p := m.copyOf(place{int64(id), int64(b.Lons[i]), int64(b.Lats[i])}, column, row)
			if err := m.out.Node(p.id, p.lon*10, p.lat*10, list); err != nil {
				return err
			}
		}
		m.report.Nodes += int64(len(b.NodeIDs))
		return nil
	})
	if err != nil {
		return err
	}
	for i := range m.joins {
		j := &m.joins[i]
		for k := int64(1); k <= j.nodes; k++ {
			lon := j.from.lon + (j.to.lon-j.from.lon)*k/(j.nodes+1)
			lat := j.from.lat + (j.to.lat-j.from.lat)*k/(j.nodes+1)
			if err := m.out.Node(j.first+k-1, lon*10, lat*10, nil); err != nil {
				return err
			}
		}
		m.report.Nodes += j.nodes
	}
	return nil
}

func (m *mosaic) writeWays() error {
	var list []string
	var refs []int64
	err := m.copies(osmfile.Ways, func(b *osmfile.Block, column, row int) error {
		offset := m.offset(0, column, row)
		for i := range b.Ways {
			v := &b.Ways[i]
			list, refs = flat(list[:0], v.Tags), refs[:0]
			for _, ref := range v.Refs {
				refs = append(refs, int64(ref)+offset)
			}
			if err := m.out.Way(int64(v.ID)+m.offset(1, column, row), refs, list); err != nil {
				return err
			}
		}
		m.report.Ways += int64(len(b.Ways))
		return nil
	})
	if err != nil {
		return err
	}
	for i := range m.joins {
		j := &m.joins[i]
		refs = append(refs[:0], j.from.id)
		for k := range j.nodes {
			refs = append(refs, j.first+k)
		}
		refs = append(refs, j.to.id)
		if err := m.out.Way(m.offset(1, 0, m.opt.Rows)+1+int64(i), refs, []string{"highway", "primary", "name", "Join"}); err != nil {
			return err
		}
	}
	m.report.Ways += int64(len(m.joins))
	return nil
}

func (m *mosaic) writeRelations() error {
	var list []string
	var members []osmwrite.Member
	return m.copies(osmfile.Relations, func(b *osmfile.Block, column, row int) error {
		for i := range b.Relations {
			r := &b.Relations[i]
			list, members = flat(list[:0], r.Tags), members[:0]
			for _, member := range r.Members {
				kind := slices.Index([]osm.Type{osm.TypeNode, osm.TypeWay, osm.TypeRelation}, member.Type)
				members = append(members, osmwrite.Member{
					Type: osmwrite.MemberType(kind), Ref: member.Ref + m.offset(kind, column, row), Role: member.Role,
				})
			}
			if err := m.out.Relation(int64(r.ID)+m.offset(2, column, row), members, list); err != nil {
				return err
			}
		}
		m.report.Relations += int64(len(b.Relations))
		return nil
	})
}

// flat appends tags as keys and values by turns.
func flat(dst []string, tags osm.Tags) []string {
	for _, t := range tags {
		dst = append(dst, t.Key, t.Value)
	}
	return dst
}
