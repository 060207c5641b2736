package dump

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/internal/extract"
)

// Section is a part of a dump: lines in ascending order, without their ends.
type Section struct {
	Name  string
	Lines [][]byte
}

// Digest is the SHA-256 of the lines, each followed by a line feed.
func (s *Section) Digest() string {
	h := sha256.New()
	for _, line := range s.Lines {
		h.Write(line)
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Diff returns up to limit lines that only one of two sections has, marked by
// - and +.
func Diff(a, b *Section, limit int) (lines []string) {
	i, k := 0, 0
	for len(lines) < limit && (i < len(a.Lines) || k < len(b.Lines)) {
		order := 0
		switch {
		case k == len(b.Lines):
			order = -1
		case i == len(a.Lines):
			order = 1
		default:
			order = bytes.Compare(a.Lines[i], b.Lines[k])
		}
		switch {
		case order < 0:
			lines = append(lines, "-"+string(a.Lines[i]))
			i++
		case order > 0:
			lines = append(lines, "+"+string(b.Lines[k]))
			k++
		default:
			i++
			k++
		}
	}
	return lines
}

// Dump lists everything of a result that answers show or searches use, in
// sections that do not overlap.
func Dump(r *extract.Result) []Section {
	d := dumper{n: r.Network, m: r.Metric}
	d.nameArms()
	d.nameNodes()
	d.nameComponents()
	sections := []Section{
		{"properties", d.properties()},
		{"places", d.places()},
		{"roads", d.roads()},
		{"junctions", d.junctions()},
		{"turns", d.turns()},
		{"guidance", d.guidance()},
		{"conditions", d.conditions()},
	}
	for i := range sections {
		slices.SortFunc(sections[i].Lines, bytes.Compare)
	}
	return sections
}

type dumper struct {
	n *graph.Network
	m *graph.Metric
	// arms, nodes and components are named so that the names do not depend on
	// their numbers.
	arms       []string
	nodes      []string
	components map[graph.Component]string
}

// osm is the OpenStreetMap id of a place.
func (d *dumper) osm(p graph.PlaceID) int64 { return d.n.OSMNodes.Get(uint32(p)) }

// path returns the places of an arm in its direction.
func (d *dumper) path(arm graph.ArmID) []graph.PlaceID {
	c := arm.Chain()
	places := slices.Clone(d.n.ChainPlaces[d.n.ChainFirst[c]:d.n.ChainFirst[c+1]])
	if arm.Reverse() {
		slices.Reverse(places)
	}
	return places
}

// nameArms names arms by their first two nodes and their last, and by all where
// that is not unique.
func (d *dumper) nameArms() {
	d.arms = make([]string, 2*d.n.NumChains())
	count := make(map[string]int, len(d.arms))
	for arm := range d.arms {
		places := d.path(graph.ArmID(arm))
		name := strconv.FormatInt(d.osm(places[0]), 10) + ">" + strconv.FormatInt(d.osm(places[1]), 10)
		if len(places) > 2 {
			name += ">>" + strconv.FormatInt(d.osm(places[len(places)-1]), 10)
		}
		d.arms[arm] = name
		count[name]++
	}
	for arm, name := range d.arms {
		if count[name] == 1 {
			continue
		}
		h := fnv.New64a()
		for _, p := range d.path(graph.ArmID(arm)) {
			_ = binary.Write(h, binary.LittleEndian, d.osm(p))
		}
		d.arms[arm] = fmt.Sprintf("%s#%x", name, h.Sum64())
	}
}

// copyRounds bounds how far from a copy of a search node its name looks: the
// copies for one restriction follow each other along its path.
const copyRounds = 8

// nameNodes names search nodes by their arms, and copies also by what follows
// them.
func (d *dumper) nameNodes() {
	n := d.n
	d.nodes = make([]string, n.NumNodes())
	for i, arm := range n.NodeArm {
		d.nodes[i] = d.arms[arm]
	}
	copies := d.nodes[n.Originals:]
	for range copyRounds {
		next := make([]string, len(copies))
		for i := range copies {
			node := graph.NodeID(int(n.Originals) + i)
			h := fnv.New64a()
			for _, line := range d.turnsFrom(node, nil) {
				h.Write(line)
				h.Write([]byte{'\n'})
			}
			next[i] = fmt.Sprintf("%s~%x", d.arms[n.NodeArm[node]], h.Sum64())
		}
		copy(copies, next)
	}
}

// nameComponents names components by the least of their nodes.
func (d *dumper) nameComponents() {
	d.components = make(map[graph.Component]string)
	for i, c := range d.n.NodeComponent {
		if name, ok := d.components[c]; !ok || d.nodes[i] < name {
			d.components[c] = d.nodes[i]
		}
	}
}

func (d *dumper) properties() (lines [][]byte) {
	p := &d.n.Properties
	add := func(format string, args ...any) { lines = append(lines, fmt.Appendf(nil, format, args...)) }
	add("profile %q", p.Profile)
	add("weight %q precision %d", p.WeightName, p.WeightPrecision)
	add("straight %t left %t", p.ContinueStraight, p.LeftHandDriving)
	add("matching %v collapse %v", p.MaxSpeedForMapMatching, p.MaxCollapseDistance)
	add("signal %v uturn %v", p.TrafficSignalPenalty, p.UTurnPenalty)
	add("classes %q order %v excludable %v", p.Classes, p.ClassOrder, p.Excludable)
	add("suffixes %q", slices.Sorted(slices.Values(p.SuffixList)))
	add("small %d", p.SmallComponent)
	add("version %q time %d", p.DataVersion, p.DataTime)
	add("bounds %v %v", p.Min, p.Max)
	add("sources %q", d.m.Sources)
	return lines
}

func (d *dumper) places() [][]byte {
	lines := make([][]byte, len(d.n.Coords))
	for i, c := range d.n.Coords {
		b := strconv.AppendInt(nil, d.osm(graph.PlaceID(i)), 10)
		b = strconv.AppendInt(append(b, ' '), int64(c.Lon), 10)
		lines[i] = strconv.AppendInt(append(b, ' '), int64(c.Lat), 10)
	}
	return lines
}

// roads describes chains in both directions: what they look like, and their
// segments with node reached, way, length, weight and duration.
func (d *dumper) roads() [][]byte {
	lines := make([][]byte, len(d.arms))
	for arm := range graph.ArmID(len(d.arms)) {
		b := append([]byte(nil), d.arms[arm]...)
		b = fmt.Appendf(b, " start=%t", d.n.ChainStart.Get(uint32(arm.Chain())))
		if node := d.n.ArmNode[arm]; node != graph.InvalidNode {
			b = fmt.Appendf(b, " node %d %d %d component %s small=%t", d.m.NodeWeight[node], d.m.NodeDuration[node],
				d.m.NodeDistance[node], d.components[d.n.NodeComponent[node]], d.n.NodeComponent[node].Small())
		}
		b = d.appendRoad(b, d.n.ArmRoad[arm])
		lines[arm] = d.appendSegments(b, arm)
	}
	return lines
}

func (d *dumper) appendRoad(b []byte, id graph.RoadID) []byte {
	r, s := &d.n.Roads[id], &d.n.Strings
	return fmt.Appendf(b, " %q %q %q %q %q lanes %q %d classes %d mode %d priority %d flags %d",
		s.Get(r.Name), s.Get(r.Ref), s.Get(r.Pronunciation), s.Get(r.Destinations), s.Get(r.Exits),
		s.Get(r.Lanes), r.NumLanes, r.Classes, r.Mode, r.Priority, r.Flags)
}

func (d *dumper) appendSegments(b []byte, arm graph.ArmID) []byte {
	n, m := d.n, d.m
	first, end := n.ChainFirst[arm.Chain()], n.ChainFirst[arm.Chain()+1]
	dir := int(arm & 1)
	for k := range end - first - 1 {
		s, next := first+k, first+k+1
		sign := int64(1)
		if arm.Reverse() {
			s, next = end-2-k, end-2-k
			sign = -1
		}
		b = append(b, " | "...)
		for _, v := range [...]int64{
			d.osm(n.ChainPlaces[next]), sign * n.Ways.Get(n.SegmentWay[s]), int64(n.SegmentLength[s]),
			int64(m.SegmentWeight[dir][s]), int64(m.SegmentDuration[dir][s]),
		} {
			b = strconv.AppendInt(b, v, 10)
			b = append(b, ' ')
		}
		if m.SegmentSource[dir] != nil {
			b = fmt.Appendf(b, "source %d", m.SegmentSource[dir][s])
		}
	}
	return b
}

func (d *dumper) junctions() [][]byte {
	n := d.n
	lines := make([][]byte, len(n.JunctionPlace))
	for j, place := range n.JunctionPlace {
		b := strconv.AppendInt(nil, d.osm(place), 10)
		for i := n.JunctionFirst[j]; i < n.JunctionFirst[j+1]; i++ {
			a := &n.JunctionArms[i]
			b = fmt.Appendf(b, " %s %d %d", d.arms[a.Arm], a.Initial, a.Perceived)
			if n.Guidance.Present() && n.Guidance.Unseen.Get(i) {
				b = append(b, " unseen"...)
			}
		}
		lines[j] = b
	}
	return lines
}

// turns lists the edges of the search graph with what they cost.
func (d *dumper) turns() (lines [][]byte) {
	lines = make([][]byte, 0, d.n.NumEdges())
	for node := range graph.NodeID(d.n.NumNodes()) {
		lines = append(lines, d.turnsFrom(node, nil)...)
	}
	return lines
}

// turnsFrom lists the edges of a search node, extra appending to each line.
func (d *dumper) turnsFrom(node graph.NodeID, extra func([]byte, graph.EdgeID) []byte) [][]byte {
	n, m := d.n, d.m
	lines := make([][]byte, 0, n.EdgeFirst[node+1]-n.EdgeFirst[node])
	for e := n.EdgeFirst[node]; e < n.EdgeFirst[node+1]; e++ {
		b := append([]byte(nil), d.nodes[node]...)
		b = append(b, ' ')
		b = append(b, d.nodes[n.EdgeHead[e]]...)
		b = append(b, ' ')
		if extra != nil {
			lines = append(lines, extra(b, e))
			continue
		}
		b = strconv.AppendInt(b, int64(m.TurnWeight[e]), 10)
		b = append(b, ' ')
		b = strconv.AppendInt(b, int64(m.TurnDuration[e]), 10)
		if m.TurnClosed != nil && m.TurnClosed.Get(uint32(e)) {
			b = append(b, " closed"...)
		}
		lines = append(lines, b)
	}
	slices.SortFunc(lines, bytes.Compare)
	return lines
}

// guidance lists what is told at turns, what is known of search nodes, and what
// the map wants to be told.
func (d *dumper) guidance() (lines [][]byte) {
	n, g := d.n, &d.n.Guidance
	if !g.Present() {
		return nil
	}
	for node := range graph.NodeID(n.NumNodes()) {
		lines = append(lines, d.turnsFrom(node, func(b []byte, e graph.EdgeID) []byte {
			b = strconv.AppendInt(b, int64(g.Instructions[e]), 10)
			if use := g.LaneUse(e); use.Count > 0 {
				b = fmt.Appendf(b, " lanes %d %d of %d", use.Count, use.First, g.LaneDescription(use.Description))
			}
			return b
		})...)
	}
	for node := range n.Originals {
		b := append([]byte(nil), d.nodes[node]...)
		b = strconv.AppendUint(append(b, " before "...), uint64(g.Before[node]), 10)
		b = strconv.AppendUint(append(b, " entries "...), uint64(g.EntrySets[g.Entries[node]]), 2)
		b = strconv.AppendBool(append(b, " segregated "...), g.Segregated.Get(node))
		lines = append(lines, b)
	}
	for _, o := range g.Overrides {
		b := fmt.Appendf(nil, "override at %d type %d modifier %d", d.osm(o.Place), o.Type, o.Modifier)
		for _, arm := range g.OverrideArms[o.First : o.First+o.Count] {
			b = append(b, ' ')
			b = append(b, d.arms[arm]...)
		}
		lines = append(lines, b)
	}
	return lines
}

// conditions lists the turns that are forbidden at times.
func (d *dumper) conditions() (lines [][]byte) {
	if len(d.n.Conditions) == 0 {
		return nil
	}
	tails := make([]graph.NodeID, d.n.NumEdges())
	for node := range graph.NodeID(d.n.NumNodes()) {
		for e := d.n.EdgeFirst[node]; e < d.n.EdgeFirst[node+1]; e++ {
			tails[e] = node
		}
	}
	for _, c := range d.n.Conditions {
		lines = append(lines, fmt.Appendf(nil, "%s %s at %d %q",
			d.nodes[tails[c.Edge]], d.nodes[d.n.EdgeHead[c.Edge]], d.osm(c.Place), d.n.Strings.Get(c.Text)))
	}
	return lines
}
