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
    // Contours would hide the roads, which tell what it costs to get to each of their
    // points, in seconds or meters.
    const features = answer.features.filter((f) => ('costs' in (f.properties ?? {})) === (s.shape === 'segments'))
      .map((f): Feature => ({ ...f, properties: { rank: rank(limitOf(f, s.contour), limits) } }));
    app.map.draw('contours', features);
    app.show(s.reverse === 'true' ? 'From where one gets here' : 'What can be reached',
      h('ul', { class: 'legend' }, limits.map((l, i) => h('li', {}, swatch(contours[i % contours.length]!), s.contour === 'minutes' ? duration(l * 60) : distance(l)))));
    if (!live && !app.framed) app.frame(features.flatMap((f) => positions(f)));
  },
};

// limitOf returns the contour that a feature is, or that a road lies within.
function limitOf(f: Feature, unit: string): number {
  const costs = f.properties?.['costs'] as number[] | undefined;
  if (!costs) return Number(f.properties?.['contour']);
  return costs.reduce((a, b) => Math.max(a, b), 0) / (unit === 'minutes' ? 60 : 1);
}

// rank returns the position of the least limit that is not below a value.
function rank(value: number, limits: number[]): number {
  const i = limits.findIndex((l) => value <= l * 1.0001);
  return i < 0 ? limits.length - 1 : i;
}

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
