import type { Feature, Position } from 'geojson';
import type { ContourAnswer } from '../api';
import { chosenTheme } from '../theme';
import { h, swatch } from '../dom';
import { distance, duration } from '../format';
import { palettes } from '../style';
import { check, choice, common, entry, more } from './controls';
import type { ModeDefinition } from './mode';

export const isochrone: ModeDefinition = {
  label: 'Reach', service: 'isochrone', ends: false,
  most: () => 1,
  options: (app) => [
    h('div', { class: 'pair' },
      entry(app, 'contours', 'Contours', { placeholder: '5,10,15', inputmode: 'decimal' }),
      choice(app, 'contour', 'in', [['minutes', 'minutes'], ['meters', 'meters']])),
    h('div', { class: 'pair' },
      choice(app, 'shape', 'As', [['polygons', 'areas'], ['lines', 'lines'], ['segments', 'roads']]),
      check(app, 'reverse', 'On the way here')),
    ...(common(app).length > 0 ? [more(...common(app))] : []),
  ],
  clear: (app) => app.map.clear('contours'),
  leave: (app) => isochrone.clear(app),
  async run(app, signal, live) {
    const place = app.places[0], s = app.state.settings;
    if (!place) {
      isochrone.clear(app);
      app.say('Click the map: what can be reached from there is shown.');
      return;
    }
    const limits = s.contours.split(/[\s,;]+/).map(Number).filter((n) => n > 0).sort((a, b) => a - b);
    if (limits.length === 0) {
      isochrone.clear(app);
      app.say('Write the contours as numbers with commas between: 5, 10, 15.');
      return;
    }
    const answer = await app.ask<ContourAnswer>('isochrone', [place], {
      [`contours_${s.contour}`]: limits.join(','), polygons: String(s.shape === 'polygons'), segments: s.shape === 'segments' ? 'true' : undefined,
      reverse: s.reverse === 'true' ? 'true' : undefined,
    }, signal);
    const { contours } = palettes[chosenTheme()];
    const rank = (f: Feature) => Math.max(0, limits.findIndex((l) => Number(f.properties?.['contour']) <= l * 1.0001));
    // With segments there are lines of roads; contours would hide them.
    const features = answer.features.filter((f) => s.shape !== 'segments' || f.geometry.type.endsWith('LineString'))
      .map((f): Feature => ({ ...f, properties: { ...f.properties, rank: rank(f) } }));
    app.map.draw('contours', features);
    app.show(s.reverse === 'true' ? 'From where one gets here' : 'What can be reached',
      h('ul', { class: 'legend' }, limits.map((l, i) => h('li', {}, swatch(contours[i % contours.length]!), s.contour === 'minutes' ? duration(l * 60) : distance(l)))));
    if (!live && !app.framed) app.frame(features.flatMap((f) => positions(f)));
  },
};

function positions(f: Feature): Position[] {
  if (f.geometry.type === 'GeometryCollection') return [];
  const list: Position[] = [], walk = (c: unknown): void => {
    if (!Array.isArray(c)) return;
    if (typeof c[0] === 'number') list.push(c as Position);
    else c.forEach(walk);
  };
  walk(f.geometry.coordinates);
  return list;
}
