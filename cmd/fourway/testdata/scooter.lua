-- A profile for scooters: every road, at one speed both ways.

api_version = 4

function setup()
  return { properties = { weight_name = 'duration' } }
end

function process_way(profile, way, result)
  if not way:get_value_by_key('highway') then
    return
  end
  result.forward_mode, result.backward_mode = mode.cycling, mode.cycling
  result.forward_speed, result.backward_speed = 20, 20
end

function process_turn(profile, turn)
  if turn.is_u_turn then
    turn.duration = 5
  end
end

return { setup = setup, process_way = process_way, process_turn = process_turn }
