package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/paulmach/orb"

	"github.com/fourway-routing/fourway/routing"
)

// roads is what a JSON object says of roads to close: GeoJSON, or what is not in
// GeoJSON by itself.
type roads struct {
	Type        string            `json:"type"`
	Features    []json.RawMessage `json:"features"`
	Geometry    json.RawMessage   `json:"geometry"`
	Coordinates json.RawMessage   `json:"coordinates"`
	Properties  *listedRoads      `json:"properties"`
	listedRoads
}

// listedRoads are the members that properties may have, and objects without a type.
type listedRoads struct {
	Polygon  [][][]float64 `json:"polygon"`
	Classes  []string      `json:"classes"`
	Ways     []int64       `json:"ways"`
	Nodes    []int64       `json:"nodes"`
	Segments [][]int64     `json:"segments"`
	closureTerms
}

// avoid reads the member avoid: an object or an array of objects. Each is GeoJSON, of
// which polygons count, or has members of listedRoads.
func (b body) avoid(c *common) error {
	raw, ok := b["avoid"]
	if !ok {
		return nil
	}
	return eachRoads(raw, "avoid", func(_ *listedRoads, list []routing.Avoid) error {
		c.avoid = append(c.avoid, list...)
		return nil
	})
}

// eachRoads calls f with what each object of an array, or a lone one, says.
func eachRoads(raw json.RawMessage, name string, f func(*listedRoads, []routing.Avoid) error) error {
	items := []json.RawMessage{raw}
	if bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("[")) {
		items = nil
		if err := json.Unmarshal(raw, &items); err != nil {
			return badBody("%s must be an object or an array of objects", name)
		}
	}
	for i, item := range items {
		var r roads
		if !bytes.HasPrefix(bytes.TrimLeft(item, " \t\r\n"), []byte("{")) || json.Unmarshal(item, &r) != nil {
			return badBody("%s: entry %d must be GeoJSON, or an object with polygon, classes, ways, nodes or segments", name, i)
		}
		if r.Type == "" { // GeoJSON may have more
			if err := strict(item, &r); err != nil {
				return badBody("%s: entry %d: %v", name, i, err)
			}
		}
		if r.Type == "FeatureCollection" {
			for k, feature := range r.Features {
				var r roads
				if json.Unmarshal(feature, &r) != nil || r.Type != "Feature" {
					return badBody("%s: entry %d: feature %d must be a Feature", name, i, k)
				}
				if err := r.each(f); err != nil {
					return badBody("%s: entry %d: feature %d: %v", name, i, k, err)
				}
			}
			continue
		}
		if err := r.each(f); err != nil {
			return badBody("%s: entry %d: %v", name, i, err)
		}
	}
	return nil
}

// each calls f with what an object other than a collection says.
func (r *roads) each(f func(*listedRoads, []routing.Avoid) error) error {
	listed := &r.listedRoads
	var polygons []orb.Polygon
	var err error
	switch r.Type {
	case "":
	case "Feature":
		if r.Properties != nil {
			listed = r.Properties
			if listed.ID == nil {
				listed.ID = r.ID
			}
		}
		var g struct {
			Type        string
			Coordinates json.RawMessage
		}
		if len(r.Geometry) > 0 && !bytes.Equal(r.Geometry, []byte("null")) {
			if err := json.Unmarshal(r.Geometry, &g); err != nil {
				return fmt.Errorf("its geometry must be an object")
			}
			polygons, err = polygonsOf(g.Type, g.Coordinates)
		}
	default:
		polygons, err = polygonsOf(r.Type, r.Coordinates)
	}
	if err != nil {
		return err
	}
	if listed.Polygon != nil {
		p, err := polygonOf(listed.Polygon)
		if err != nil {
			return err
		}
		polygons = append(polygons, p)
	}
	rest := routing.Avoid{Ways: listed.Ways, Segments: pairs(listed.Nodes)}
	for _, s := range listed.Segments {
		if len(s) != 2 {
			return fmt.Errorf("a segment is a pair of OSM nodes")
		}
		rest.Segments = append(rest.Segments, [2]int64(s))
	}
	var list []routing.Avoid
	for _, p := range polygons {
		list = append(list, routing.Avoid{Polygon: p, Classes: listed.Classes})
	}
	if len(list) == 0 {
		if len(rest.Ways)+len(rest.Segments) == 0 {
			return fmt.Errorf("it names no roads: want a polygon, ways, nodes or segments")
		}
		rest.Classes = listed.Classes
		list = append(list, routing.Avoid{})
	}
	list[0].Ways, list[0].Segments = rest.Ways, rest.Segments
	if rest.Classes != nil {
		list[0].Classes = rest.Classes
	}
	return f(listed, list)
}

// polygonsOf reads the coordinates of a GeoJSON geometry.
func polygonsOf(kind string, raw json.RawMessage) ([]orb.Polygon, error) {
	var lists [][][][]float64
	switch kind {
	case "Polygon":
		lists = make([][][][]float64, 1)
		if json.Unmarshal(raw, &lists[0]) != nil {
			return nil, errRings
		}
	case "MultiPolygon":
		if json.Unmarshal(raw, &lists) != nil {
			return nil, errRings
		}
	default:
		return nil, fmt.Errorf("want a Polygon or MultiPolygon, not a %q", kind)
	}
	var all []orb.Polygon
	for _, rings := range lists {
		p, err := polygonOf(rings)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

var errRings = fmt.Errorf("the coordinates of a polygon are lists of positions, longitude and latitude")

// polygonOf reads rings, and closes those that are open.
func polygonOf(rings [][][]float64) (orb.Polygon, error) {
	if len(rings) == 0 {
		return nil, errRings
	}
	p := make(orb.Polygon, 0, len(rings))
	for _, positions := range rings {
		ring := make(orb.Ring, 0, len(positions)+1)
		for _, at := range positions {
			if len(at) < 2 || !representable(at[0]) || !representable(at[1]) {
				return nil, errRings
			}
			ring = append(ring, orb.Point{at[0], at[1]})
		}
		p = append(p, closedRing(ring))
	}
	return p, nil
}
