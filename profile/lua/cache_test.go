package lua

import (
	"bytes"
	"strings"
	"testing"

	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"
	"github.com/yuin/gopher-lua/parse"

	"github.com/fourway-routing/fourway/profile"
)

// Functions that carry something from call to call are found out; the many that
// forget to declare their local variables are not suspected.
func TestStateful(t *testing.T) {
	for source, want := range map[string]bool{
		"function f(x) return x end":                                                           false,
		"local n = 0 function f() n = n + 1 end":                                               true,
		"n = 0 function f() n = n + 1 end":                                                     true,
		"local n function f() n = 5 end function g() return n end":                             true,
		"local n function f() n = 5 return n end":                                              false,
		"function f(v) list = {} for i = 1, 3 do list[i] = v end return list end":              false,
		"function f(v) if v then n = 5 end return n end":                                       true,
		"function f(v) if v then n = 5 return n end end":                                       false,
		"function f() local n = 0 local g = function() n = n + 1 end g() return n end":         false,
		"do local n = 0 function f() n = n + 1 return n end end":                               true,
		"local seen = {} function f(k) seen[k] = true end":                                     true,
		"local seen = {} function f(k) seen.a.b = k end":                                       true,
		"local seen = {} function f(k) table.insert(seen, k) end":                              true,
		"local seen = {} function f(k) rawset(seen, k, 1) end":                                 true,
		"local seen = {} function f(k) return table.concat(seen, k) end":                       false,
		"function f(k) local seen = {} table.insert(seen, k) end":                              false,
		"function f(result) result.name = 'x' end":                                             false,
		"local M = {} function M.f(x) return M.g(x) end function M.g(x) return x end return M": false,
		"local M = {} function M.f() function M.g() end end":                                   true,
		"function f(refs) function score(r) return #r end return score(refs) end":              false,
		"function f() while n do n = nil end end":                                              true,
		"function f() repeat n = 1 until n end":                                                false,
		"function f() for n = 1, 2 do n = n + 1 end for k, v in pairs({}) do k = v end end":    false,
		"local f = function(self) self.x = 1 end":                                              false,
		"local o = {} function o:f() self.x = 1 end":                                           false,
		"local a, b = 1 function f() a, b = b, a end":                                          true,
		"function f() return function() return x end end x = 5":                                false,
		"function f() return -x .. not x and #{x} end function g() x = 1 end":                  true,
	} {
		chunk, err := parse.Parse(strings.NewReader(source), "x.lua")
		require.NoError(t, err, source)
		v := newVariables()
		v.add("x.lua", chunk)
		require.Equal(t, want, v.stateful(), source)
	}
	// Files share global variables, but not their own.
	for second, want := range map[string]bool{"function g() return n end": true, "local n function g() return n end": false} {
		v := newVariables()
		for path, source := range map[string]string{"a.lua": "function f() n = 1 end", "b.lua": second} {
			chunk, err := parse.Parse(strings.NewReader(source), path)
			require.NoError(t, err)
			v.add(path, chunk)
		}
		require.Equal(t, want, v.stateful(), second)
	}
}

// calls counts how often a script is asked about ways: the limit of instructions
// is spent by real calls alone.
func calls(t *testing.T, w profile.Worker, ways ...*osm.Way) (n int) {
	t.Helper()
	inner := w
	if r, ok := w.(relationWorker); ok {
		inner = r.worker
	}
	b := inner.(*worker).budget
	var r profile.WayResult
	for _, way := range ways {
		b.left = -7
		require.NoError(t, w.Way(way, &r))
		if b.left != -7 {
			n++
		}
	}
	return n
}

func TestCachedWays(t *testing.T) {
	a := &osm.Way{ID: 1, Tags: tags("highway=primary, name=A, source=survey")}
	b := &osm.Way{ID: 2, Tags: tags("highway=primary, name=A, source=bing")}
	c := &osm.Way{ID: 3, Tags: tags("highway=primary, name=C")}
	for body, want := range map[string]int{
		"result.name = way:get_value_by_key('name')":                                                     2,
		"if way:has_tag('highway', 'primary') then result.forward_speed = 5 end":                         1,
		"result.name = way:get_value_by_key('name') if way:has_key('source') then result.weight = 1 end": 3,
		"if way:id() == 2 then result.weight = 1 end":                                                    3,
		"result.weight = way:version()":                                                                  3,
		"result.weight = way:size()":                                                                     3,
		"print(way:get_value_by_key('highway'))":                                                         3,
		"result.weight = math.random()":                                                                  3,
		"load('x = 1')()":                                                                                3,
		"area_manager:way(way)":                                                                          3,
		"count = (count or 0) + 1 result.weight = count":                                                 3,
		"result.weight = #relations:get_relations(way)":                                                  1,
		"result.name = way:get_location_tag('x')":                                                        1,
	} {
		p := open(t, Options{}, version4("function process_way(profile, way, result, relations) "+body+" end"))
		require.Equal(t, want, calls(t, newWorker(t, p), a, b, c), body)
	}
}

// What a cache gives back is what the script gave.
func TestCachesAgree(t *testing.T) {
	p := open(t, Options{}, version4(`
function process_way(profile, way, result)
	result.name, result.ref = way:get_value_by_key('name'), way:get_value_by_key('ref', 'none')
	result.forward_speed = way:has_true_tag('fast') and 50 or 20
	if way:has_false_tag('toll') then result.forward_classes.free = true end
	if way:has_key('name') and way:has_tag('name', 'x') then result.turn_lanes_forward = way:get_value_by_key('lanes') end
end
function process_node(profile, node, result)
	if node:has_key('gate') then obstacle_map:add(node, Obstacle.new(obstacle_type.gate, 0, 7, 0)) end
	if node:has_key('where') and node:location():lon() > 5 then result.barrier = true end
end`), "x.lua", "")
	p.(*script).properties.Classes = []string{"free"}
	w := newWorker(t, p)
	values := []string{"", "x", "yes", "no"}
	for range 2 {
		for i := range 256 {
			var list osm.Tags
			for bit, key := range []string{"name", "toll", "fast", "lanes"} {
				if v := values[i>>(2*bit)&3]; v != "" {
					list = append(list, osm.Tag{Key: key, Value: v})
				}
			}
			way := &osm.Way{ID: osm.WayID(i), Tags: list}
			var got, want profile.WayResult
			require.NoError(t, w.Way(way, &got))
			fresh, err := p.(*script).newWorker()
			require.NoError(t, err)
			require.NoError(t, fresh.Way(way, &want))
			require.Equal(t, want, got, "%v", list)
		}
	}
	for _, tc := range []struct {
		tags string
		lon  float64
		want int
	}{{"", 0, 0}, {"gate=a", 0, 1}, {"gate=b, other=c", 0, 1}, {"gate=a", 0, 1}, {"where=x", 0, 0}, {"where=x", 9, 1}, {"where=x, gate=y", 9, 2}, {"", 9, 0}} {
		var r profile.NodeResult
		require.NoError(t, w.Node(&osm.Node{Lon: tc.lon, Tags: tags(tc.tags)}, &r))
		require.Len(t, r.Obstacles, tc.want, tc.tags)
		if strings.HasPrefix(tc.tags, "gate") {
			require.Equal(t, float32(7), r.Obstacles[0].Duration)
			r.Obstacles[0].Duration = 99 // the caller's to change
		}
	}
}

// Members of relations are always looked at, and new relations make results old.
func TestCacheAndRelations(t *testing.T) {
	p := open(t, Options{}, `
api_version = 4
return {
	setup = function() return {relation_types = {'route'}} end,
	process_way = function(profile, way, result, relations)
		result.weight = #relations:get_relations(way)
		if way:has_key('area') then result.weight = #area_manager:get_relations(way) end
	end,
}`)
	w := newWorker(t, p).(profile.RelationWorker)
	weight := func(id osm.WayID, list string) float64 {
		var r profile.WayResult
		require.NoError(t, w.Way(&osm.Way{ID: id, Tags: tags(list)}, &r))
		return r.Weight
	}
	require.Zero(t, weight(1, "a=b"))
	route := profile.NewRelations([]*osm.Relation{{ID: 9, Members: osm.Members{{Type: osm.TypeWay, Ref: 1}}}})
	w.SetRelations(route)
	require.Equal(t, 1.0, weight(1, "a=b"))
	require.Zero(t, weight(2, "a=b"))
	require.Equal(t, 1.0, weight(1, "a=b"))
	require.Zero(t, weight(1, "area=b"))
	w.SetAreas(route)
	require.Equal(t, 1.0, weight(1, "area=b"))
	require.Zero(t, weight(2, "area=b"))
}

// Caches are bounded, and keys that could be mistaken are not cached by.
func TestCacheBounds(t *testing.T) {
	c := newCache[int]()
	require.True(t, c.ask("key"))
	for i := range 3 * maxCached {
		c.keep(osm.Tags{{Key: "key", Value: strings.Repeat("x", i%7) + string(rune(i))}}, i)
		require.LessOrEqual(t, len(c.results), maxCached)
	}
	require.False(t, c.ask("a\x00b"))
	for i := range maxCachedKeys - 1 {
		require.True(t, c.ask("k"+strings.Repeat("x", i)))
	}
	require.False(t, c.ask("one more"))
	require.True(t, c.ask("key"), "known")

	var out bytes.Buffer
	p := open(t, Options{Output: &out, MaxInstructions: 1 << 30}, version4(`
function process_way(profile, way, result)
	for i = 1, 2000 do way:has_key('key' .. i) end
end`))
	w := newWorker(t, p)
	require.Equal(t, 2, calls(t, w, &osm.Way{}, &osm.Way{}))
}

func TestCacheHitsDoNotAllocate(t *testing.T) {
	p := open(t, Options{}, version4("function process_way(profile, way, result) result.name = way:get_value_by_key('name') end function process_node() end"))
	w := newWorker(t, p)
	way, node := &osm.Way{Tags: tags("highway=primary, name=A")}, &osm.Node{}
	var (
		r profile.WayResult
		n profile.NodeResult
	)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if w.Way(way, &r) != nil || w.Node(node, &n) != nil {
			t.Fatal("the script has no faults")
		}
	}))
	require.Equal(t, "A", r.Name)
}
