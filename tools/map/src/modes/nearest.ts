import type { NearestAnswer } from '../api';
import { h } from '../dom';
import { coordinate, distance } from '../format';
import { choice, common, more } from './controls';
import type { ModeDefinition } from './mode';

export const nearest: ModeDefinition = {
  label: 'Nearest', service: 'nearest', ends: false,
  most: () => 1,
  options: (app) => {
    const list = common(app);
    return [choice(app, 'number', 'Roads', ['1', '3', '5', '10', '20'].map((n): [string, string] => [n, n])), ...(list.length > 0 ? [more(...list)] : [])];
  },
  clear: (app) => app.map.clear('spokes', 'dots'),
  leave: (app) => nearest.clear(app),
  async run(app, signal) {
    const place = app.places[0];
    if (!place) {
      nearest.clear(app);
      app.say('Click the map: the nearest roads are shown.');
      return;
    }
    const answer = await app.ask<NearestAnswer>('nearest', [place], { number: app.state.settings.number, generate_hints: 'false' }, signal);
    app.map.draw('spokes', answer.waypoints.map((w) => ({ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: [place, w.location] } })));
    app.map.draw('dots', answer.waypoints.map((w) => ({ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: w.location } })));
    app.show(answer.waypoints.length === 1 ? 'The nearest road' : `The ${answer.waypoints.length} nearest roads`,
      h('ol', { class: 'list' }, answer.waypoints.map((w) => h('li', {}, h('button', { type: 'button', onclick: () => app.map.fit([place, w.location], true) },
        h('span', { class: 'sentence' }, w.name || 'unnamed road', h('small', {}, coordinate(w.location))), h('span', { class: 'figures' }, distance(w.distance)))))));
    app.framed = true;
  },
};
