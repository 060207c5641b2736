-- A profile for trams: where there are rails, at a speed by kind.

api_version = 4

local speeds = require('lib/speeds')

function setup()
  return {
    properties = { weight_name = 'duration', u_turn_penalty = 60 },
    classes = { 'bridge' },
    default_speed = 30,
  }
end

function process_node(profile, node, result)
  if node:has_tag('railway', 'level_crossing') then
    obstacle_map:add(node, Obstacle.new(obstacle_type.crossing, obstacle_direction.both, 5, 0))
  end
  result.barrier = node:get_value_by_key('railway') == 'buffer_stop'
end

function process_way(profile, way, result)
  local kind = way:get_value_by_key('railway')
  if not kind or not speeds[kind] then
    return
  end
  local limit = tonumber((way:get_value_by_key('maxspeed', ''):match('^%d+')))
  local speed = math.min(speeds[kind], limit or profile.default_speed)
  result.forward_mode, result.backward_mode = mode.train, mode.train
  result.forward_speed, result.backward_speed = speed, speed
  if way:has_true_tag('oneway') then
    result.backward_mode = mode.inaccessible
  end
  if way:has_key('bridge') then
    result.forward_classes['bridge'], result.backward_classes['bridge'] = true, true
  end
  result.name = way:get_value_by_key('name') or way:get_value_by_key('ref')
  result.road_classification.road_priority_class = road_priority_class.primary
end

function process_turn(profile, turn)
  if turn.is_u_turn then
    turn.duration = profile.properties.u_turn_penalty
  else
    turn.duration = math.abs(turn.angle) / 30
  end
end

return {
  setup = setup,
  process_node = process_node,
  process_way = process_way,
  process_turn = process_turn,
}
