import type { RouteAnswer, TableAnswer } from '../api';
import type { App } from '../app';
import { h } from '../dom';
import { distance, duration, letter } from '../format';
import { choice, common, more } from './controls';
import type { ModeDefinition } from './mode';

export const table: ModeDefinition = {
  label: 'Table', service: 'table', ends: false,
  most: (info) => Math.floor(Math.sqrt(info.limits.table_cells || 250_000)),
  options: (app) => [choice(app, 'cell', 'Show', [['duration', 'travel times'], ['distance', 'distances']]), ...foldedCommon(app)],
  clear: (app) => app.map.clear('routes', 'spokes'),
  leave: (app) => table.clear(app),
  async run(app, signal, live) {
    const { places } = app, { cell } = app.state.settings;
    app.map.clear('routes');
    if (places.length < 2) {
      app.say('Click two places or more: the table tells how far each is from each.');
      return;
    }
    const answer = await app.ask<TableAnswer>('table', places, { annotations: cell, generate_hints: 'false' }, signal);
    const cells = (cell === 'distance' ? answer.distances : answer.durations) ?? [];
    const most = Math.max(...cells.flat().map((v) => v ?? 0), 1), write = cell === 'distance' ? distance : duration;
    const head = (i: number, kind: 'row' | 'col') => h('th', { scope: kind, title: answer.sources[i]?.name || undefined }, letter(i));
    app.show(`${places.length} × ${places.length} ${cell === 'distance' ? 'distances' : 'travel times'}`,
      h('div', { class: 'matrix', tabindex: 0, role: 'region', 'aria-label': 'Table' }, h('table', {},
        h('caption', {}, 'From each row to each column'),
        h('thead', {}, h('tr', {}, h('td', {}), places.map((_, i) => head(i, 'col')))),
        h('tbody', {}, cells.map((row, i) => h('tr', {}, head(i, 'row'), row.map((v, j) => {
          if (i === j) return h('td', { class: 'self' }, '–');
          const td = h('td', {}, v === null ? h('span', { title: 'No way' }, '✕') : h('button', {
            type: 'button', title: `Show the way from ${letter(i)} to ${letter(j)}`, onclick: () => void showWay(app, i, j),
          }, write(v)));
          td.style.setProperty('--part', String(Math.round(((v ?? 0) / most) * 100)));
          return td;
        })))))));
    if (!live && !app.framed) app.frame(places);
  },
};

function foldedCommon(app: App): Node[] {
  const list = common(app);
  return list.length > 0 ? [more(...list)] : [];
}

// showWay draws the route of a cell.
async function showWay(app: App, i: number, j: number): Promise<void> {
  const from = app.places[i], to = app.places[j];
  if (!from || !to) return;
  try {
    const answer = await app.ask<RouteAnswer>('route', [from, to], { overview: 'full', geometries: 'geojson', generate_hints: 'false' }, AbortSignal.timeout(30_000));
    if (app.state.mode === 'table') app.map.draw('routes', answer.routes.map((r) => ({ type: 'Feature', properties: { chosen: true }, geometry: r.geometry })));
  } catch {
    app.map.clear('routes');
  }
}
