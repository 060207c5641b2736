package graph

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/fourway-routing/fourway/internal/file"
	"github.com/fourway-routing/fourway/internal/geo"
	"github.com/fourway-routing/fourway/internal/packed"
)

var networkKind = file.Kind{'g', 'r', 'p', 'h'}

const networkVersion = 4

// networkCounts is the section of numbers that no other section's length tells.
type networkCounts struct {
	Originals, Ways uint64
}

// NetworkFile is an open file with a network.
type NetworkFile struct {
	*Network
	f *file.File
}

// ID returns the id of the network, which names its content.
func (f *NetworkFile) ID() ID { return f.f.ID() }

// Size returns the bytes of the file.
func (f *NetworkFile) Size() int64 { return f.f.Size() }

// Evict gives memory back that holds what has been read of a mapped file. What is
// touched afterwards is read again.
func (f *NetworkFile) Evict() { f.f.Evict() }

// Close gives the file's memory back. The network must not be used afterwards.
func (f *NetworkFile) Close() error { return f.f.Close() }

// EncodeNetwork returns a writer of a complete network's file. A section is named
// for the field of [Network] that it holds, element by element; properties is
// JSON, OSM ids are [packed.Ints] in two sections each, and snap_items and
// snap_boxes are the [SnapIndex]. It fails if the properties have numbers that
// are not finite.
func EncodeNetwork(n *Network) (*file.Writer, error) {
	properties, err := json.Marshal(&n.Properties)
	if err != nil {
		return nil, fmt.Errorf("graph: properties: %w", err)
	}
	w := file.NewWriter(networkKind, networkVersion)
	file.Put(w, "properties", properties)
	file.Put(w, "counts", []networkCounts{{uint64(n.Originals), uint64(n.Ways.Len())}})
	file.Put(w, "coords", n.Coords)
	file.Put(w, "osm_node_blocks", n.OSMNodes.Blocks)
	file.Put(w, "osm_node_data", n.OSMNodes.Data)
	file.Put(w, "chain_first", n.ChainFirst)
	file.Put(w, "chain_places", n.ChainPlaces)
	file.Put(w, "segment_length", n.SegmentLength)
	file.Put(w, "segment_way", n.SegmentWay)
	file.Put(w, "way_blocks", n.Ways.Blocks)
	file.Put(w, "way_data", n.Ways.Data)
	file.Put(w, "arm_node", n.ArmNode)
	file.Put(w, "arm_road", n.ArmRoad)
	file.Put(w, "arm_junction", n.ArmJunction)
	file.Put(w, "chain_start", n.ChainStart)
	file.Put(w, "junction_place", n.JunctionPlace)
	file.Put(w, "junction_first", n.JunctionFirst)
	file.Put(w, "junction_arms", n.JunctionArms)
	file.Put(w, "node_arm", n.NodeArm)
	file.Put(w, "node_component", n.NodeComponent)
	file.Put(w, "edge_first", n.EdgeFirst)
	file.Put(w, "edge_head", n.EdgeHead)
	file.Put(w, "copies", n.Copies)
	file.Put(w, "conditions", n.Conditions)
	file.Put(w, "roads", n.Roads)
	file.Put(w, "string_first", n.Strings.First)
	file.Put(w, "string_data", n.Strings.Data)
	file.Put(w, "snap_items", n.Index.items)
	file.Put(w, "snap_boxes", n.Index.boxes)
	putGuidance(w, &n.Guidance)
	putAreas(w, &n.Areas)
	return w, nil
}

// WriteNetwork writes a complete network to a file and returns its id. The file
// appears as a whole or not at all.
func WriteNetwork(path string, n *Network) (ID, error) {
	w, err := EncodeNetwork(n)
	if err != nil {
		return ID{}, err
	}
	return w.ID(), w.WriteFile(path)
}

// OpenNetwork opens the file of a network. It checks that the parts fit together
// in size; [NetworkFile.Verify] checks the rest.
func OpenNetwork(path string, o FileOptions) (*NetworkFile, error) {
	f, err := file.Open(path, o)
	if err != nil {
		return nil, err
	}
	n, err := DecodeNetwork(f)
	if err != nil {
		_ = f.Close() // the first error says more
		return nil, err
	}
	return n, nil
}

// DecodeNetwork takes the network from an open file, which it then owns unless
// there is an error.
func DecodeNetwork(f *file.File) (*NetworkFile, error) {
	if err := f.Expect(networkKind, networkVersion); err != nil {
		return nil, err
	}
	s := &sections{f: f}
	n := &Network{}
	if raw := get[byte](s, "properties"); s.err == nil {
		if err := json.Unmarshal(raw, &n.Properties); err != nil {
			s.fail("properties", 0, "%v", err)
		}
	}
	var counts networkCounts
	if c := sized[networkCounts](s, "counts", 1); s.err == nil {
		counts = c[0]
	}

	n.Coords = get[geo.Coord](s, "coords")
	n.OSMNodes = getInts(s, "osm_node", uint64(len(n.Coords)))
	n.ChainPlaces = get[PlaceID](s, "chain_places")
	segments := len(n.ChainPlaces)
	n.ArmNode = get[NodeID](s, "arm_node")
	arms := len(n.ArmNode)
	chains := arms / 2
	n.ChainFirst = firsts[uint32](s, "chain_first", chains, segments)
	n.SegmentLength = sized[Distance](s, "segment_length", segments)
	n.SegmentWay = sized[uint32](s, "segment_way", segments)
	n.Ways = getInts(s, "way", counts.Ways)
	if arms%2 != 0 {
		s.fail("arm_node", 0, "odd number of arms")
	}
	n.ArmRoad = sized[RoadID](s, "arm_road", arms)
	n.ArmJunction = sized[JunctionID](s, "arm_junction", arms)
	n.ChainStart = sized[uint64](s, "chain_start", len(MakeBits(chains)))

	n.JunctionPlace = get[PlaceID](s, "junction_place")
	n.JunctionArms = get[Arm](s, "junction_arms")
	n.JunctionFirst = firsts[uint32](s, "junction_first", len(n.JunctionPlace), len(n.JunctionArms))

	n.NodeArm = get[ArmID](s, "node_arm")
	nodes := len(n.NodeArm)
	n.NodeComponent = sized[Component](s, "node_component", nodes)
	n.EdgeHead = get[NodeID](s, "edge_head")
	n.EdgeFirst = firsts[EdgeID](s, "edge_first", nodes, len(n.EdgeHead))
	if counts.Originals > uint64(nodes) {
		s.fail("counts", 0, "%d originals of %d nodes", counts.Originals, nodes)
	}
	n.Originals = uint32(counts.Originals)
	n.Copies = sized[NodeCopy](s, "copies", nodes-int(n.Originals))

	n.Conditions = get[Condition](s, "conditions")

	n.Roads = get[Road](s, "roads")
	n.Strings.Data = get[byte](s, "string_data")
	n.Strings.First = get[uint32](s, "string_first")
	if k := len(n.Strings.First); k < 2 {
		s.fail("string_first", 0, "no strings")
	} else if n.Strings.First[0] != 0 || int64(n.Strings.First[k-1]) != int64(len(n.Strings.Data)) {
		s.fail("string_first", k-1, "strings do not cover their bytes")
	}

	n.Index.items = get[snapItem](s, "snap_items")
	n.Index.boxes = get[snapBox](s, "snap_boxes")
	if len(n.Index.items) > segments {
		s.fail("snap_items", 0, "more items than segments")
	} else {
		levels := makeSnapLevels(len(n.Index.items))
		s.length("snap_boxes", len(n.Index.boxes), levels.boxes())
	}
	getGuidance(s, n)
	getAreas(s, n)
	if s.err != nil {
		return nil, s.err
	}
	return &NetworkFile{n, f}, nil
}

func getInts(s *sections, name string, count uint64) packed.Ints {
	p := packed.Ints{
		Blocks: get[packed.Block](s, name+"_blocks"),
		Data:   get[byte](s, name+"_data"),
	}
	if s.err != nil {
		return packed.Ints{}
	}
	blocks := uint64(len(p.Blocks))
	if count > math.MaxUint32 || (count+packed.BlockLen-1)/packed.BlockLen != blocks {
		s.fail(name+"_blocks", 0, "%d blocks for %d elements", blocks, count)
		return packed.Ints{}
	}
	p.Count = int(count)
	return p
}

func putGuidance(w *file.Writer, g *Guidance) {
	file.Put(w, "turn_instruction", g.Instructions)
	file.Put(w, "turn_before", g.Before)
	file.Put(w, "turn_entries", g.Entries)
	file.Put(w, "turn_entry_sets", g.EntrySets)
	file.Put(w, "turn_segregated", g.Segregated)
	file.Put(w, "arm_unseen", g.Unseen)
	file.Put(w, "lane_edges", g.LaneEdges)
	file.Put(w, "lane_uses", g.LaneUses)
	file.Put(w, "lane_table", g.LaneTable)
	file.Put(w, "lane_first", g.LaneFirst)
	file.Put(w, "lanes", g.Lanes)
	file.Put(w, "overrides", g.Overrides)
	file.Put(w, "override_arms", g.OverrideArms)
}

// getGuidance reads guidance, which a network has as a whole or not at all.
func getGuidance(s *sections, n *Network) {
	g := &n.Guidance
	g.Before = get[uint8](s, "turn_before")
	edges, nodes, arms := n.NumEdges(), int(n.Originals), len(n.JunctionArms)
	if !g.Present() {
		edges, nodes, arms = 0, 0, 0
	}
	g.Instructions = sized[Instruction](s, "turn_instruction", edges)
	s.length("turn_before", len(g.Before), nodes)
	g.Entries = sized[uint16](s, "turn_entries", nodes)
	g.EntrySets = get[uint32](s, "turn_entry_sets")
	g.Segregated = sized[uint64](s, "turn_segregated", len(MakeBits(nodes)))
	g.Unseen = sized[uint64](s, "arm_unseen", len(MakeBits(arms)))
	g.LaneEdges = get[EdgeID](s, "lane_edges")
	g.LaneUses = sized[uint16](s, "lane_uses", len(g.LaneEdges))
	g.LaneTable = get[LaneUse](s, "lane_table")
	g.Lanes = get[LaneMask](s, "lanes")
	g.Overrides = get[Override](s, "overrides")
	g.OverrideArms = get[ArmID](s, "override_arms")
	if g.LaneFirst = get[uint32](s, "lane_first"); g.Present() {
		if k := len(g.LaneFirst); k < 1 || g.LaneFirst[0] != 0 || int64(g.LaneFirst[k-1]) != int64(len(g.Lanes)) {
			s.fail("lane_first", 0, "descriptions do not cover the lanes")
		}
	}
}

func putAreas(w *file.Writer, a *Areas) {
	file.Put(w, "area_records", a.records)
	file.Put(w, "area_vertices", a.vertices)
	file.Put(w, "area_places", a.places)
	file.Put(w, "area_rings", a.rings)
	file.Put(w, "area_gates", a.gates)
	file.Put(w, "area_corners", a.corners)
	file.Put(w, "area_sights", a.sights)
	file.Put(w, "area_heads", a.heads)
	file.Put(w, "area_bounds", a.bounds)
	file.Put(w, "area_boxes", a.boxes)
}

func getAreas(s *sections, n *Network) {
	a := &n.Areas
	a.records = get[areaRecord](s, "area_records")
	var end areaRecord
	sights := 0
	if k := len(a.records); k > 0 {
		end = a.records[k-1]
		sights = int(end.Corner) + 1
		if end.Speed != 0 {
			s.fail("area_records", k-1, "the last one is an area")
		}
	}
	a.vertices = sized[geo.Coord](s, "area_vertices", int(end.Vertex))
	a.places = sized[PlaceID](s, "area_places", int(end.Vertex))
	a.rings = sized[uint32](s, "area_rings", int(end.Ring))
	a.gates = sized[uint32](s, "area_gates", int(end.Gate))
	a.corners = sized[uint32](s, "area_corners", int(end.Corner))
	a.sights = sized[uint32](s, "area_sights", sights)
	a.heads = get[uint32](s, "area_heads")
	a.bounds = sized[snapBox](s, "area_bounds", a.Len())
	levels := makeSnapLevels(a.Len())
	a.boxes = get[snapBox](s, "area_boxes")
	if a.Len() > 0 {
		s.length("area_boxes", len(a.boxes), levels.boxes())
	}
}
