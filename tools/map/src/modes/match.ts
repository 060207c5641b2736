import type { Feature } from 'geojson';
import { ask, type MatchAnswer } from '../api';
import type { App } from '../app';
import { avoidBody } from '../avoid';
import { h, icon } from '../dom';
import { distance, duration, plural, type Place } from '../format';
import { readTrace } from '../trace';
import { check, choice, common, entry, more } from './controls';
import type { ModeDefinition } from './mode';

export const match: ModeDefinition = {
  label: 'Match', service: 'match', ends: false,
  most: (info) => info.limits.match || 500,
  options: (app) => [picker(app), more(
    entry(app, 'radius', 'Accuracy of GPS in meters', { inputmode: 'decimal' }),
    choice(app, 'gaps', 'Pauses and gaps', [['split', 'split the trace'], ['ignore', 'are ignored']]),
    check(app, 'tidy', 'Thin out crowded points'),
    ...common(app))],
  clear: (app) => app.map.clear('routes', 'trace', 'spokes'),
  leave: (app) => { app.trace = undefined; match.clear(app); },
  async run(app, signal, live) {
    const points = app.trace?.points ?? app.places;
    if (points.length < 2) {
      match.clear(app);
      app.say('Drop a GPX or GeoJSON file on the map, choose one, or click the points of a trace.');
      return;
    }
    const found = await matchAll(app, points, signal);
    const { matchings } = found, missed = found.tracepoints.map((t) => t === null);
    app.map.draw('trace', [
      { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: points } },
      ...points.map((p, i): Feature => ({ type: 'Feature', properties: { missed: missed[i] ?? true }, geometry: { type: 'Point', coordinates: p } })),
    ]);
    app.map.draw('spokes', points.flatMap((p, i): Feature[] => {
      const t = found.tracepoints[i];
      return t && t.distance > 3 ? [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: [p, t.location] } }] : [];
    }));
    app.map.draw('routes', matchings.map((m) => ({ type: 'Feature', properties: { chosen: true }, geometry: m.geometry })));
    const length = matchings.reduce((sum, m) => sum + m.distance, 0), out = missed.filter(Boolean).length;
    app.show(matchings.length === 0 ? 'No roads fit the trace' : `${distance(length)} matched, ${out === 0 ? 'all points' : `${plural(out, 'point')} of ${points.length} left out`}`,
      h('ol', { class: 'list' }, matchings.map((m) => h('li', {}, h('button', {
        type: 'button', onclick: () => app.map.fit(m.geometry.coordinates.map((c): Place => [c[0]!, c[1]!]), true),
      }, h('span', { class: 'sentence' }, roads(m.legs.map((l) => l.summary)), h('small', {}, `confidence ${Math.round(m.confidence * 100)} %`)),
        h('span', { class: 'figures' }, `${distance(m.distance)}, ${duration(m.duration)}`))))),
      out > 0 && h('p', { class: 'hint' }, h('span', { class: 'missed', 'aria-hidden': 'true' }), 'Points in red were left out: no road fits them.'));
    if (!live && !app.framed) app.frame(points);
  },
};

function roads(summaries: string[]): string {
  return [...new Set(summaries.flatMap((s) => s.split(', ')).filter((s) => s !== ''))].slice(0, 3).join(', ') || 'Unnamed roads';
}

// matchAll asks for as many points at once as the server takes, and puts the
// answers together.
async function matchAll(app: App, points: Place[], signal: AbortSignal): Promise<MatchAnswer> {
  const s = app.state.settings, most = app.info.limits.match || points.length;
  const avoid = avoidBody(s), times = app.trace?.times ?? [], radius = Number(s.radius) || 5;
  const all: MatchAnswer = { matchings: [], tracepoints: [] };
  for (let from = 0; from < points.length; from += most) {
    const part = points.slice(from, from + most);
    if (part.length < 2) { // the last point of all, which has no other beside it
      all.tracepoints.push(null);
      break;
    }
    try {
      const answer = await ask<MatchAnswer>(`match/v1/${app.profile}`, {
        method: 'POST', signal, headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          coordinates: part, radiuses: part.map(() => radius), gaps: s.gaps, tidy: s.tidy === 'true', overview: 'full', geometries: 'geojson',
          steps: false, generate_hints: false,
          ...(times.length === points.length ? { timestamps: times.slice(from, from + most) } : {}),
          ...(avoid.length > 0 ? { avoid } : {}), ...(s.exclude ? { exclude: s.exclude.split(',') } : {}), ...(s.metric ? { metric: s.metric } : {}),
        }),
      });
      all.matchings.push(...answer.matchings);
      all.tracepoints.push(...answer.tracepoints);
    } catch (err) {
      // A stretch without roads is no fault of the others.
      if (!(err instanceof Error && 'code' in err && (err.code === 'NoMatch' || err.code === 'NoSegment'))) throw err;
      all.tracepoints.push(...part.map(() => null));
    }
  }
  return all;
}

function picker(app: App): HTMLElement {
  const input = h('input', {
    type: 'file', accept: '.gpx,.geojson,.json,application/gpx+xml,application/geo+json', class: 'hidden', tabindex: -1, 'aria-hidden': 'true',
    onchange: () => { const file = input.files?.[0]; if (file) void openTrace(app, file); },
  });
  return h('div', { class: 'picker' }, h('button', { type: 'button', class: 'wide-button', onclick: () => input.click() }, icon('file'), 'Choose a GPX or GeoJSON file'), input);
}

// openTrace reads a file that was dropped or chosen.
export async function openTrace(app: App, file: File): Promise<void> {
  try {
    app.setTrace(readTrace(file.name, await file.text()));
  } catch (err) {
    app.setMode('match');
    app.say(err instanceof Error ? err.message : String(err));
  }
}
