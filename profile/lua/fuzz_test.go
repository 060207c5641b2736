package lua

import (
	"math"
	"slices"
	"strconv"
	"strings"
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
		"api_version = 4 setmetatable(_G, {__index = error, __newindex = error}) return setmetatable({}, {__index = error})",
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
			_ = r.Relation(&osm.Relation{Tags: tags}, &profile.RelationResult{})
		}
	})
}

// No grid panics, and every place in it has a value of the grid's range.
func FuzzReadRaster(f *testing.F) {
	f.Add(grid, 5, 4, 0.05, 0.05)
	f.Add("1 2\n3 4\n", 2, 2, 0.1, 0.0)
	f.Add("-7\r\n", 1, 1, 0.0, 0.1)
	f.Fuzz(func(t *testing.T, text string, rows, columns int, lon, lat float64) {
		if rows > 100 || columns > 100 {
			return
		}
		r, err := readRaster(strings.NewReader(text), [4]float64{0, 0.1, 0, 0.1}, rows, columns)
		if err != nil {
			return
		}
		low, high := float64(slices.Min(r.cells)), float64(slices.Max(r.cells))
		near, between := r.nearest(lon, lat), float64(r.interpolated(lon, lat))
		if near == invalidDatum {
			return
		}
		if float64(near) < low || float64(near) > high {
			t.Fatalf("nearest %v is not in %v to %v", near, low, high)
		}
		// Floats of 32 bits keep seven digits.
		if slack := 1 + 1e-6*(math.Abs(low)+math.Abs(high)); between < low-slack || between > high+slack {
			t.Fatalf("interpolated %v is not in %v to %v", between, low, high)
		}
	})
}

// Numbers that Go prints are read as they are.
func FuzzParseNumeral(f *testing.F) {
	for _, s := range []string{"0x1p4", "1e400", "010", "-0x", "inf", ".", "+.5e-3", "0X.8P1", "\v7 "} {
		f.Add(s, 1.5)
	}
	f.Fuzz(func(t *testing.T, s string, n float64) {
		parseNumeral(s)
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return
		}
		if got, ok := parseNumeral(strconv.FormatFloat(n, 'g', -1, 64)); !ok || got != n {
			t.Fatalf("%v was read as %v, %v", n, got, ok)
		}
	})
}

// What matches a pattern is a part of the source.
func FuzzPattern(f *testing.F) {
	for _, s := range [][2]string{{"hello world", "(%w+) (%w+)"}, {"a(b)c", "%b()"}, {"THE (quick)", "%f[%a]%a+%f[%A]"}, {"x", "[^]-]*$"}, {"aa", "(a)%1"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, source, pattern string) {
		defer func() {
			if r := recover(); r != nil && r != "refused" {
				panic(r)
			}
		}()
		steps := 0
		m := &matcher{source: source, pattern: pattern, fail: func(string) { panic("refused") }}
		m.step = func() {
			if steps++; steps > 100_000 {
				panic("refused")
			}
		}
		for s := 0; s <= len(source); s++ {
			m.captures = m.captures[:0]
			if end := m.match(s, 0); end >= 0 {
				if end < s || end > len(source) {
					t.Fatalf("match of %d to %d", s, end)
				}
				for i := range max(len(m.captures), 1) {
					m.value(i, s, end)
				}
			}
		}
	})
}
