import type { TripAnswer } from '../api';
import { h } from '../dom';
import { distance, duration, letter } from '../format';
import { check, choice, common, more } from './controls';
import type { ModeDefinition } from './mode';
import { byLeg, files, spokes, steps } from './steps';

export const trip: ModeDefinition = {
  label: 'Trip', service: 'trip', ends: false,
  most: (info) => info.limits.trip || 500,
  options: (app) => [
    check(app, 'roundtrip', 'Come back to the first place'),
    more(
      choice(app, 'source', 'First', [['any', 'any place'], ['first', 'the first of the list']]),
      choice(app, 'destination', 'Last', [['any', 'any place'], ['last', 'the last of the list']]),
      ...common(app),
    ),
  ],
  clear: (app) => app.map.clear('routes', 'step', 'spokes'),
  leave: (app) => trip.clear(app),
  async run(app, signal, live) {
    const { places } = app, s = app.state.settings;
    if (places.length < 2) {
      trip.clear(app);
      app.say('Click the places to visit: the trip takes them in the best order.');
      return;
    }
    const answer = await app.ask<TripAnswer>('trip', places, {
      overview: 'full', geometries: 'geojson', steps: 'true', instructions: s.language, roundtrip: s.roundtrip, source: s.source,
      destination: s.destination, generate_hints: 'false',
    }, signal);
    app.map.draw('routes', answer.trips.flatMap((t) => byLeg(t, { chosen: true }).map((f) => ({ ...f, properties: { chosen: true } }))));
    app.map.draw('spokes', spokes(places, answer.waypoints));
    const texts = answer.waypoints.map((w) => (answer.trips.length > 1 ? letter(w.trips_index) : '') + String(w.waypoint_index + 1));
    app.numberPins(texts);
    const time = answer.trips.reduce((sum, t) => sum + t.duration, 0), length = answer.trips.reduce((sum, t) => sum + t.distance, 0);
    const found = `${duration(time)}, ${distance(length)}`;
    if (live) {
      app.show(found);
      return;
    }
    app.show(found, answer.trips.map((t, k) => {
      const order = answer.waypoints.map((w, i) => ({ ...w, i })).filter((w) => w.trips_index === k).sort((a, b) => a.waypoint_index - b.waypoint_index);
      const name = (i: number) => { const w = order[i % order.length]!; return `${w.waypoint_index + 1}${w.name ? ` ${w.name}` : ''}`; };
      return h('div', {}, answer.trips.length > 1 && h('h2', {}, `Trip ${letter(k)}`), steps(app, t.legs, (i) => `${name(i)} → ${name(i + 1)}`));
    }), files(app, 'trip', { instructions: s.language, roundtrip: s.roundtrip, source: s.source, destination: s.destination }));
    if (!app.framed) app.frame(answer.trips.flatMap((t) => t.geometry.coordinates));
  },
};
