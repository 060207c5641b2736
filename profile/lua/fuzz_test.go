package lua

import (
	"testing"

	"github.com/paulmach/osm"

	"github.com/fourway-routing/fourway/profile"
)

// No text panics, hangs or leads out of the sandbox.
func FuzzOpen(f *testing.F) {
	for _, s := range []string{
		"",
		"api_version = 1 properties.weight_name = 'x' function way_function(way, result) result.name = way:get_value_by_key('a') end",
		version4("function process_way(p, way, result) for _, n in ipairs(way:get_nodes()) do result.weight = n:id() end result.forward_classes.x = true end"),
		version4("function process_node(p, node, result) obstacle_map:add(node, Obstacle.new(1, 2, 3, 4)) result.traffic_lights = true end"),
		version4("function process_turn(p, turn) turn.duration = #turn.roads_on_the_left + turn.source_road.speed end"),
		version4("function process_segment(p, s) s.weight = raster:query(raster:load('x', 1, 2, 3, 4, 5, 6), s.source.lon, 1).datum end"),
		"local s = ('ab'):rep(10, ','):gsub('(%w)%1?', {a = 1}) .. ('%5.2f'):format(1) for k in s:gmatch('%b()') do end",
		"return setmetatable({}, {__index = function(t, k) return pcall(load, k .. 'x') end}).x",
		"#!lua\ngoto done ::done:: return table.unpack(table.pack(1, nil))",
		"error(setmetatable({}, {__tostring = function() error('x') end}))",
		"return - - - not not #{{{{}}}} .. 1 .. 2 ^ -3",
		"require('profile')",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, err := Open(write(t, source), Options{MaxInstructions: 20_000})
		if err != nil {
			return
		}
		w, err := p.NewWorker()
		if err != nil {
			return
		}
		var (
			r profile.WayResult
			n profile.NodeResult
		)
		tags := osm.Tags{{Key: "highway", Value: "primary"}, {Key: "a", Value: "b"}}
		_ = w.Way(&osm.Way{Tags: tags, Nodes: osm.WayNodes{{ID: 1}}}, &r)
		_ = w.Node(&osm.Node{Tags: tags}, &n)
		_ = w.Turn(&profile.Turn{RoadsLeft: make([]profile.TurnLeg, 1), Obstacles: n.Obstacles})
		_ = w.Segment(&profile.Segment{})
		if r, ok := w.(profile.RelationWorker); ok {
			_ = r.Relation(&osm.Relation{Tags: tags})
		}
	})
}
