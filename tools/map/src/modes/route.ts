import type { Route, RouteAnswer } from '../api';
import type { App } from '../app';
import { h } from '../dom';
import { distance, duration } from '../format';
import { choice, common, more } from './controls';
import type { ModeDefinition } from './mode';
import { byLeg, files, spokes, steps, summary } from './steps';

let routes: Route[] = [];

export const route: ModeDefinition = {
  label: 'Route', service: 'route', ends: true,
  most: (info) => info.limits.route || 500,
  options: (app) => {
    const most = Math.min(app.info.limits.alternatives, 3);
    return [more(
      choice(app, 'alternatives', 'Alternatives', Array.from({ length: most + 1 }, (_, i): [string, string] => [String(i), i === 0 ? 'none' : `up to ${i}`])),
      choice(app, 'language', 'Language of the steps', app.info.languages.map((l): [string, string] => [l, languageName(l)])),
      choice(app, 'continue_straight', 'Turning back at vias', [['default', 'as the profile says'], ['true', 'no'], ['false', 'yes']]),
      choice(app, 'approach', 'Reach places', [['unrestricted', 'from either side'], ['curb', 'at the curb']]),
      ...common(app),
    )];
  },
  clear: (app) => { routes = []; app.map.clear('routes', 'step', 'spokes'); },
  leave: (app) => route.clear(app),
  async run(app, signal, live) {
    const { places } = app, s = app.state.settings;
    if (places.length < 2) {
      route.clear(app);
      app.say(places.length === 0 ? 'Click the map where the route starts.' : 'Click where it ends.');
      return;
    }
    const wanted = live || places.length > 2 ? 0 : Math.min(Number(s.alternatives), app.info.limits.alternatives);
    const answer = await app.ask<RouteAnswer>('route', places, {
      overview: 'full', geometries: 'geojson', steps: 'true', instructions: s.language, alternatives: wanted > 0 ? wanted : undefined,
      continue_straight: s.continue_straight, approaches: s.approach === 'curb' ? places.map(() => 'curb').join(';') : undefined,
      generate_hints: 'false',
    }, signal);
    routes = answer.routes;
    app.map.draw('spokes', spokes(places, answer.waypoints));
    show(app, live);
    if (!live && !app.framed) app.frame(routes.flatMap((r) => r.geometry.coordinates));
  },
  picked: (app) => show(app, false),
};

function show(app: App, live: boolean): void {
  const chosen = Math.min(Number(app.state.settings.alternative) || 0, routes.length - 1);
  const shown = routes[chosen];
  if (!shown) return;
  app.map.clear('step');
  app.map.draw('routes', [
    ...routes.flatMap((r, i) => (i === chosen ? [] : [{ type: 'Feature' as const, properties: { chosen: false, route: i }, geometry: r.geometry }])),
    ...byLeg(shown, { chosen: true, route: chosen }),
  ]);
  const found = `${duration(shown.duration)}, ${distance(shown.distance)}`;
  if (live) {
    app.show(found);
    return;
  }
  app.show(routes.length > 1 ? `${routes.length} routes` : found,
    routes.length > 1 && h('div', { class: 'cards', role: 'group', 'aria-label': 'Routes' }, routes.map((r, i) => h('button', {
      type: 'button', class: 'card', 'aria-pressed': String(i === chosen), onclick: () => app.setting('alternative', String(i)),
    }, h('strong', {}, duration(r.duration)), h('span', {}, distance(r.distance)), h('span', { class: 'via' }, summary(r) || 'unnamed roads')))),
    steps(app, shown.legs),
    files(app, 'route', { instructions: app.state.settings.language, alternatives: routes.length > 1 ? String(routes.length - 1) : undefined }));
}

function languageName(tag: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;
}
