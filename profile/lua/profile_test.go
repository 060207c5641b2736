package lua

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/osm"
	"github.com/stretchr/testify/require"

	"github.com/fourway-routing/fourway/graph"
	"github.com/fourway-routing/fourway/profile"
)

func TestProperties(t *testing.T) {
	p := open(t, Options{}, `
api_version = 4
local function words(list)
	local set = {}
	for _, v in ipairs(list) do set[v] = true end
	return set
end
return {setup = function()
	return {
		properties = {
			weight_name = 'comfort', weight_precision = 2, left_hand_driving = true, use_turn_restrictions = true,
			continue_straight_at_waypoint = false, max_speed_for_map_matching = 10, max_collapse_distance = 5,
			traffic_signal_penalty = 2.4, u_turn_penalty = 3, force_split_edges = true, call_tagless_node_function = false,
			area_walking_speed = 1, area_emit_visibility_graph = true,
		},
		classes = {'toll', 'ferry'}, excludable = {{toll = true}, {'toll', 'ferry'}},
		restrictions = {'taxi', 'motorcar'}, suffix_list = words{'N', 'S', 'East', 'West', 'Nor', 'Sou'}, relation_types = {'route'},
	}
end}`)
	require.Equal(t, "profile", p.Name())
	require.Equal(t, &profile.Properties{
		WeightName: "comfort", WeightPrecision: 2, LeftHandDriving: true, UseTurnRestrictions: true,
		MaxSpeedForMapMatching: 10, MaxCollapseDistance: 5,
		TrafficSignalPenalty: 2, UTurnPenalty: 3, ForceSplitEdges: true,
		AreaWalkingSpeed: 1, AreaVisibilityGraph: true,
		Classes: []string{"toll", "ferry"}, Excludable: [][]string{{"toll"}, {"toll", "ferry"}},
		Restrictions: []string{"taxi", "motorcar"}, SuffixList: []string{"N", "S", "East", "West", "Nor", "Sou"}, RelationTypes: []string{"route"},
	}, p.Properties())

	defaults := open(t, Options{}, "api_version = 4\nreturn {setup = function() return {properties = {}} end}")
	want := defaultProperties()
	require.Equal(t, &want, defaults.Properties())
	require.Equal(t, "duration", want.WeightName)
	require.True(t, want.TaglessNodes && want.ContinueStraightAtWaypoint)
}

func TestWayResult(t *testing.T) {
	p := open(t, Options{}, `
api_version = 4
return {
	setup = function() return {classes = {'toll', 'ferry', 'tunnel'}, speed = 30} end,
	process_way = function(profile, way, result)
		assert(result.forward_speed == -1 and result.forward_mode == mode.inaccessible and result.is_startpoint and result.name == '')
		if way:has_key('quiet') then return end
		result.forward_mode, result.backward_mode = mode.driving, mode.route
		result.forward_speed, result.backward_speed = profile.speed, 20
		result.forward_rate, result.backward_rate = 4, 5
		result.duration, result.weight = 60, 70
		result.name, result.ref, result.pronunciation = 'Main', 'A', 'mein'
		result.backward_ref = 'B'
		result.destinations, result.exits = 'X', '5'
		result.turn_lanes_forward, result.turn_lanes_backward = 'left|', nil
		result.roundabout, result.circular, result.is_startpoint = true, true, false
		result.forward_restricted, result.backward_restricted = true, 1
		result.is_left_hand_driving = true
		result.highway_turn_classification, result.access_turn_classification = 17, 3
		result.forward_classes['toll'] = true
		result.forward_classes.ferry = false
		result.backward_classes = {tunnel = true, toll = true}
		local c = result.road_classification
		c.motorway_class, c.link_class, c.may_be_ignored = true, true, true
		c.road_priority_class, c.num_lanes = road_priority_class.bike_path, 258
		assert(c.num_lanes == 2 and c.link_class and not c.motorway_class and c.road_priority_class == 16 and c.may_be_ignored)
		assert(result.ref == 'A' and result.backward_ref == 'B' and result.nonsense == nil and result.weight == 70)
		assert(result.highway_turn_classification == 1 and result.backward_restricted and result.forward_classes.toll)
	end,
}`)
	require.Equal(t, &profile.WayResult{
		ForwardMode: graph.ModeDriving, BackwardMode: graph.ModeRoute,
		ForwardSpeed: 30, BackwardSpeed: 20, ForwardRate: 4, BackwardRate: 5, Duration: 60, Weight: 70,
		Name: "Main", ForwardRef: "A", BackwardRef: "B", Pronunciation: "mein", Destinations: "X", Exits: "5",
		TurnLanesForward: "left|", Roundabout: true, Circular: true, ForwardRestricted: true, BackwardRestricted: true,
		IsLeftHandDriving: true, HighwayTurnClass: 1, AccessTurnClass: 3,
		ForwardClasses: 1, BackwardClasses: 5,
		Class: profile.RoadClass{Motorway: true, Link: true, MayBeIgnored: true, Priority: profile.PriorityBikePath, NumLanes: 2},
	}, way(t, p, "highway=x"))
	var empty profile.WayResult
	empty.Reset()
	w := newWorker(t, p)
	var r profile.WayResult
	require.NoError(t, w.Way(&osm.Way{}, &r))
	require.NoError(t, w.Way(&osm.Way{Tags: tags("quiet=yes")}, &r))
	require.Equal(t, empty, r, "nothing of the way before")
}

func TestElements(t *testing.T) {
	p := open(t, Options{}, version4(`
function process_way(profile, way, result)
	assert(way:id() == 7 and way:version() == 3 and way:type() == item_type.way)
	assert(way:has_key('a') and not way:has_key('empty') and not way:has_key('b'))
	assert(way:has_tag('a', 'yes') and not way:has_tag('a', 'no') and way:has_tag('empty', ''))
	assert(way:has_true_tag('a') and way:has_false_tag('n') and not way:has_true_tag('n') and not way:has_false_tag('b'))
	assert(way:get_value_by_key('a') == 'yes' and way:get_value_by_key('b') == nil and way:get_value_by_key('empty') == nil)
	assert(way:get_value_by_key('b', 'other') == 'other' and way:get_value_by_key('a', 'other') == 'yes')
	assert(way:get_value_by_key('empty', 'other') == nil and way:get_location_tag('driving_side') == nil)
	assert(way:size() == 3 and way:is_closed())
	local nodes = way:get_nodes()
	assert(#nodes == 3 and nodes[2]:id() == 2 and nodes[2]:location():lat() == 2.5)
	assert(not nodes[1]:location():valid() and not pcall(function() nodes[1]:location():lon() end))
	assert(not pcall(way.size) and not pcall(function() way.x = 1 end) and not pcall(nodes[1].id) )
end
function process_node(profile, node, result, relations)
	assert(node:id() == 4 and node:type() == item_type.node and node:location():lon() == 8.5 and node:location():valid())
	assert(#relations:get_relations(node) == 0)
end`))
	way(t, p, "a=yes, n=0, empty=, a=no")
	var r profile.NodeResult
	require.NoError(t, newWorker(t, p).Node(&osm.Node{ID: 4, Lon: 8.5, Lat: 47}, &r))
}

func TestRelations(t *testing.T) {
	p := open(t, Options{}, `
api_version = 3
seen = 0
return {
	setup = function() return {relation_types = {'route'}} end,
	process_way = function(profile, way, result, relations)
		local ids = relations:get_relations(way)
		assert(#ids == 1 and not pcall(function() relations:relation(99) end))
		local r = relations:relation(ids[1])
		assert(r:id() == 5 and r:type() == item_type.relation and r:get_value_by_key('empty') == '' and r:get_role(way) == 'forward')
		local members = r:get_members()
		assert(#members == 2 and members[1]:ref() == 9 and members[1]:type() == item_type.node and members[2]:role() == 'forward')
		assert(#relations:get_relations(r) == 0)
		result.name = r:get_value_by_key('ref')
	end,
}`)
	w, ok := newWorker(t, p).(profile.RelationWorker)
	require.True(t, ok)
	w.SetRelations(profile.NewRelations([]*osm.Relation{{
		ID: 5, Tags: tags("type=route, ref=E 5, empty="),
		Members: osm.Members{{Type: osm.TypeNode, Ref: 9}, {Type: osm.TypeWay, Ref: 7, Role: "forward"}},
	}}))
	var r profile.WayResult
	require.NoError(t, w.Way(&osm.Way{ID: 7}, &r))
	require.Equal(t, "E 5", r.Name)

	p = open(t, Options{}, version4(`
function process_relation(profile, relation, relations)
	assert(relation:get_value_by_key('empty') == nil)
	count = (count or 0) + 1
end
function process_node(profile, node, result) if count == 2 then result.barrier = true end end`))
	w = newWorker(t, p).(profile.RelationWorker)
	var found profile.RelationResult
	require.NoError(t, w.Relation(&osm.Relation{Tags: tags("empty=")}, &found))
	require.NoError(t, w.Relation(&osm.Relation{ID: 1}, &found))
	require.False(t, found.Area)
	var n profile.NodeResult
	require.NoError(t, w.Node(&osm.Node{}, &n))
	require.Len(t, n.Obstacles, 1)

	_, ok = newWorker(t, open(t, Options{}, version4(""))).(profile.RelationWorker)
	require.False(t, ok, "others are spared a pass over the file")
}

func TestObstacles(t *testing.T) {
	p := open(t, Options{}, `
api_version = 4
return {
	setup = function() return {properties = {traffic_signal_penalty = 3}} end,
	process_node = function(profile, node, result)
		local v = node:get_value_by_key('signal')
		if v then result.traffic_lights = traffic_lights[v] end
		if node:has_key('lights') then result.traffic_lights = node:has_true_tag('lights') end
		if node:has_key('barrier') then result.barrier = node:has_true_tag('barrier') end
		if node:has_key('stop') then
			obstacle_map:add(node, Obstacle.new(obstacle_type.stop))
			obstacle_map:add(node, Obstacle.new(obstacle_type.gate, obstacle_direction.backward))
			local o = Obstacle.new(obstacle_type.crossing, obstacle_direction.both, 1.5, 2.5)
			assert(o.type == 16 and o.direction == 3 and o.duration == 1.5 and o.weight == 2.5 and o.x == nil)
			assert(not pcall(function() o.type = 1 end))
			obstacle_map:add(node, o)
			assert(#obstacle_map:get(1) == 0 and not obstacle_map:any(1, 2))
		end
	end,
	process_turn = function(profile, turn)
		for _, o in ipairs(obstacle_map:get(turn.from, turn.via)) do turn.duration = turn.duration + o.duration end
		if obstacle_map:any(turn.from, turn.via, obstacle_type.stop) then turn.duration = turn.duration + 100 end
		if obstacle_map:any(turn.from, turn.via, obstacle_type.gate) then turn.duration = turn.duration + 1000 end
		if obstacle_map:any(turn.to) then turn.duration = turn.duration + 10000 end
	end,
}`)
	w := newWorker(t, p)
	signals := func(d profile.ObstacleDirection) []profile.Obstacle {
		return []profile.Obstacle{{Type: profile.ObstacleTrafficSignals, Direction: d, Duration: 3}}
	}
	for s, want := range map[string][]profile.Obstacle{
		"signal=direction_forward": signals(profile.DirectionForward),
		"signal=direction_reverse": signals(profile.DirectionBackward),
		"signal=direction_all":     signals(profile.DirectionBoth),
		"signal=none":              signals(profile.DirectionNone),
		"signal=nonsense":          {},
		"lights=yes":               signals(profile.DirectionBoth),
		"lights=no":                {},
		"barrier=yes":              {{Type: profile.ObstacleBarrier, Direction: profile.DirectionBoth}},
		"barrier=no":               {},
		"stop=yes": {
			{Type: profile.ObstacleStop},
			{Type: profile.ObstacleGate, Direction: profile.DirectionBackward},
			{Type: profile.ObstacleCrossing, Direction: profile.DirectionBoth, Duration: 1.5, Weight: 2.5},
		},
	} {
		r := profile.NodeResult{Obstacles: []profile.Obstacle{{}}}
		require.NoError(t, w.Node(&osm.Node{Tags: tags(s)}, &r))
		require.Equal(t, want, r.Obstacles, s)
	}
	turn := profile.Turn{From: 1, Via: 2, To: 3, Obstacles: []profile.Obstacle{
		{Type: profile.ObstacleStop, Duration: 4}, {Type: profile.ObstacleCrossing, Duration: 5},
	}}
	require.NoError(t, w.Turn(&turn))
	require.Equal(t, 109.0, turn.Duration)
	turn = profile.Turn{From: 1, Via: 2, To: 3, Finder: finder{}}
	require.NoError(t, w.Turn(&turn))
	require.Equal(t, 11102.0, turn.Duration, "all that asks the finder")
}

// finder has an obstacle of all types everywhere.
type finder struct{}

func (finder) AppendObstacles(dst []profile.Obstacle, from, to uint32, types profile.ObstacleType) []profile.Obstacle {
	return append(dst, profile.Obstacle{Type: types, Duration: 2})
}

func TestTurn(t *testing.T) {
	p := open(t, Options{}, `
api_version = 4
return {
	setup = function() return {properties = {weight_name = 'comfort'}, per_road = 2} end,
	process_turn = function(profile, turn)
		assert(turn.angle == 90 and turn.number_of_roads == 4 and turn.is_u_turn and turn.has_traffic_light and turn.is_left_hand_driving)
		assert(turn.from == 1 and turn.via == 2 and turn.to == 3 and turn.weight == 0)
		assert(turn.source_restricted and turn.source_mode == mode.ferry and turn.source_is_motorway and turn.source_is_link)
		assert(turn.source_number_of_lanes == 2 and turn.source_highway_turn_classification == 3)
		assert(turn.source_access_turn_classification == 4 and turn.source_speed == 50 and turn.source_priority_class == 6)
		assert(not turn.target_restricted and turn.target_speed == 30 and turn.target_x == nil and turn.x == nil)
		assert(turn.source_road.distance == 12.5 and turn.target_road.speed == 30 and turn.source_road.is_incoming)
		assert(turn.target_road.is_outgoing and turn.target_road.x == nil and not pcall(function() turn.source_road.speed = 1 end))
		for _, road in ipairs(turn.roads_on_the_left) do
			assert(road.is_restricted and road.is_motorway and road.is_link and road.number_of_lanes == 1)
			assert(road.highway_turn_classification == 2 and road.access_turn_classification == 3 and road.priority_class == 8)
		end
		turn.duration = turn.duration + profile.per_road * #turn.roads_on_the_right + #turn.roads_on_the_left
		turn.weight = constants.max_turn_weight
		assert(not pcall(function() turn.angle = 1 end) and direction_modifier == nil)
	end,
}`)
	turn := profile.Turn{
		Angle: 90, NumRoads: 4, IsUTurn: true, HasTrafficLight: true, IsLeftHandDriving: true, From: 1, Via: 2, To: 3,
		Source: profile.TurnRoad{
			Restricted: true, Mode: graph.ModeFerry, Motorway: true, Link: true, NumLanes: 2,
			HighwayTurnClass: 3, AccessTurnClass: 4, Speed: 50, Priority: profile.PrioritySecondary,
		},
		Target:     profile.TurnRoad{Speed: 30},
		SourceRoad: profile.TurnLeg{Distance: 12.5, Incoming: true},
		TargetRoad: profile.TurnLeg{Speed: 30, Outgoing: true},
		RoadsRight: make([]profile.TurnLeg, 3),
		RoadsLeft: []profile.TurnLeg{{
			Restricted: true, Motorway: true, Link: true, NumLanes: 1, HighwayTurnClass: 2, AccessTurnClass: 3, Priority: profile.PriorityTertiary,
		}},
	}
	require.NoError(t, newWorker(t, p).Turn(&turn))
	require.Equal(t, 7.0, turn.Duration)
	require.Equal(t, 3276.7, turn.Weight, "the largest of a precision of one digit")

	none := profile.Turn{Duration: 5}
	require.NoError(t, newWorker(t, open(t, Options{}, version4(""))).Turn(&none))
	require.Equal(t, [2]float64{5, 0}, [2]float64{none.Duration, none.Weight})
}

func TestOldTurn(t *testing.T) {
	p := open(t, Options{}, `
api_version = 2
return {
	setup = function() return {} end,
	process_node = function(profile, node, result, more) assert(more == nil) end,
	process_way = function(profile, way, result, more) assert(more == nil) end,
	process_turn = function(profile, turn)
		if turn.direction_modifier == direction_modifier.u_turn then turn.duration = 1 else assert(turn.direction_modifier == direction_modifier.straight) end
		if turn.turn_type == turn_type.turn then turn.duration = turn.duration + 2 else assert(turn.turn_type == turn_type.no_turn) end
		assert(turn.number_of_roads == nil and turn.source_restricted == false and turn.angle == 0)
	end,
}`)
	w := newWorker(t, p)
	for want, turn := range []profile.Turn{{}, 2: {NumRoads: 3}, 3: {IsUTurn: true}} {
		require.NoError(t, w.Turn(&turn))
		if want != 1 {
			require.Equal(t, float64(want), turn.Duration)
			require.Equal(t, turn.Duration, turn.Weight)
		}
	}
	turn := profile.Turn{Source: profile.TurnRoad{Mode: graph.ModeFerry}}
	require.NoError(t, w.Turn(&turn))
	require.Equal(t, 2.0, turn.Duration)
	var n profile.NodeResult
	require.NoError(t, w.Node(&osm.Node{}, &n))
	var r profile.WayResult
	require.NoError(t, w.Way(&osm.Way{}, &r))
}

func TestSegment(t *testing.T) {
	p := open(t, Options{}, version4(`
function process_segment(profile, segment)
	assert(segment.source.lon == 1 and segment.source.lat == 2 and segment.target.lon == 3 and segment.target.lat == 4)
	local f = segment.flags
	assert(f.forward and not f.backward and f.is_split and f.roundabout and f.circular and f.startpoint and f.restricted)
	assert(f.highway_turn_classification == 5 and f.access_turn_classification == 6 and f.road_classification.num_lanes == 2)
	segment.weight = segment.weight + segment.distance
	segment.duration = segment.duration * 2
	assert(not pcall(function() segment.distance = 1 end) and not pcall(function() segment.source.lon = 1 end))
end`))
	require.True(t, p.Properties().HasSegment)
	s := profile.Segment{
		Source: orb.Point{1, 2}, Target: orb.Point{3, 4}, Distance: 10, Weight: 1, Duration: 2,
		Forward: true, IsSplit: true, Roundabout: true, Circular: true, StartPoint: true, Restricted: true,
		HighwayTurnClass: 5, AccessTurnClass: 6, Class: profile.RoadClass{NumLanes: 2},
	}
	require.NoError(t, newWorker(t, p).Segment(&s))
	require.Equal(t, [2]float64{11, 4}, [2]float64{s.Weight, s.Duration})
	require.False(t, open(t, Options{}, version4("")).Properties().HasSegment)
}

func TestVersion1(t *testing.T) {
	p := open(t, Options{}, `
api_version = 1
properties.weight_name = 'comfort'
properties.u_turn_penalty = 2.57
properties.traffic_signal_penalty = properties.u_turn_penalty
properties.max_speed_for_map_matching, properties.max_collapse_distance = 9, 8
properties.continue_straight_at_waypoint, properties.use_turn_restrictions, properties.left_hand_driving = false, true, true
properties.weight_precision, properties.area_walking_speed, properties.area_emit_visibility_graph = 3, 2, true
properties.force_split_edges, properties.call_tagless_node_function = true, false
assert(properties.max_turn_weight == 32.767 and properties.x == nil and properties.weight_name == 'comfort')
assert(not pcall(function() properties.x = 1 end))
function source_function() assert(sources and constants.precision == 1000000 and constants.max_turn_weight == nil) end
function get_restrictions(vector) vector:Add('motorcar') vector:Add('vehicle') end
function get_name_suffix_list(vector) vector:Add('N') end
function node_function(node, result) result.barrier = true end
function way_function(way, result) result.name = way:get_value_by_key('name') end
function segment_function(segment) segment.weight = 3 end
function turn_function(turn) turn.duration = 4 turn.weight = 5 end`)
	require.Equal(t, &profile.Properties{
		WeightName: "comfort", WeightPrecision: 3, LeftHandDriving: true, UseTurnRestrictions: true,
		MaxSpeedForMapMatching: 9, MaxCollapseDistance: 8, TrafficSignalPenalty: 2.5, UTurnPenalty: 2.5,
		AreaWalkingSpeed: 2, AreaVisibilityGraph: true, ForceSplitEdges: true, HasSegment: true,
		Restrictions: []string{"motorcar", "vehicle"}, SuffixList: []string{"N"},
	}, p.Properties())
	w := newWorker(t, p)
	require.Equal(t, "x", way(t, p, "name=x").Name)
	var n profile.NodeResult
	require.NoError(t, w.Node(&osm.Node{Tags: tags("a=b")}, &n))
	require.Len(t, n.Obstacles, 1)
	s := profile.Segment{Duration: 2}
	require.NoError(t, w.Segment(&s))
	require.Equal(t, [2]float64{3, 2}, [2]float64{s.Weight, s.Duration})
	var turn profile.Turn
	require.NoError(t, w.Turn(&turn))
	require.Equal(t, [2]float64{5, 4}, [2]float64{turn.Weight, turn.Duration})
}

func TestVersion0(t *testing.T) {
	p := open(t, Options{}, `
properties.u_turn_penalty = 20
properties.traffic_signal_penalty = 2
function turn_function(angle) return math.abs(angle) end
function segment_function(source, target, distance, duration) assert(source.lon == 1 and target.lat == 4 and distance == 10 and duration == 5) end`)
	w := newWorker(t, p)
	for _, tc := range []struct {
		turn profile.Turn
		want float64
	}{
		{profile.Turn{Angle: -90, NumRoads: 3}, 9},
		{profile.Turn{Angle: -90, NumRoads: 2}, 0},
		{profile.Turn{Angle: 180, NumRoads: 3, IsUTurn: true, HasTrafficLight: true}, 40},
	} {
		require.NoError(t, w.Turn(&tc.turn))
		require.Equal(t, [2]float64{tc.want, tc.want}, [2]float64{tc.turn.Duration, tc.turn.Weight})
	}
	s := profile.Segment{Source: orb.Point{1, 2}, Target: orb.Point{3, 4}, Distance: 10, Duration: 5, Weight: 9}
	require.NoError(t, w.Segment(&s))
	require.Equal(t, 5.0, s.Weight)
	p = open(t, Options{}, `function turn_function() end`)
	require.ErrorContains(t, newWorker(t, p).Turn(&profile.Turn{NumRoads: 3}), "must return a number")
}

func TestWorkersAgree(t *testing.T) {
	p := open(t, Options{}, version4(`
local words = require('lib.words')
function process_way(profile, way, result)
	result.name = words.greet(way:get_value_by_key('name') or 'nobody')
	result.forward_speed = #result.name
end`), "lib/words.lua", "local words = {}\nfunction words.greet(s) return 'hello ' .. s end\nreturn words")
	done := make(chan error)
	results := make([]profile.WayResult, 4)
	for i := range results {
		go func() {
			w, err := p.NewWorker()
			for n := 0; n < 200 && err == nil; n++ {
				err = w.Way(&osm.Way{Tags: tags("name=world")}, &results[i])
			}
			done <- err
		}()
	}
	for range results {
		require.NoError(t, <-done)
	}
	for i := range results {
		require.Equal(t, results[0], results[i])
	}
	require.Equal(t, "hello world", results[0].Name)
	require.Equal(t, 11.0, results[0].ForwardSpeed)
}

func TestHelpers(t *testing.T) {
	require.Equal(t, "", printed(t, Options{}, `
assert(durationIsValid('1:30') and not durationIsValid('x') and parseDuration('PT1H') == 3600 and parseDuration('x') == 4294967295)
assert(trimLaneString('||left|', 1, 1) == '|left' and applyAccessTokens('left|right', 'no|yes') == 'right')
assert(canonicalizeStringList('a;b;  c', ';') == 'a; b; c' and canonicalizeStringList('a, b', ', ') == 'a, b')
assert(is_true('1') and not is_true(nil) and is_false('no') and not is_false('yes'))
assert(not pcall(parseDuration))
assert(mode.pushing_bike == 6 and mode.route == 12 and road_priority_class.connectivity == 31 and item_type.relation == 3)
assert(traffic_lights.direction_reverse == 2 and obstacle_type.gate == 1024 and obstacle_direction.both == 3)`))
}

func TestToInt(t *testing.T) {
	for n, want := range map[float64]int32{2.5: 3, -2.5: -3, 1 << 32: 0, 1<<32 + 7: 7, math.Inf(1): 0, 1e300: 0} {
		require.Equal(t, want, toInt32(n))
	}
	require.Equal(t, int32(0), toInt32(math.NaN()))
}
