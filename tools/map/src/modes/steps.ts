// The steps of a route in sentences.

import type { Feature } from 'geojson';
import type { Leg, Route, Step, Waypoint } from '../api';
import type { App } from '../app';
import { h, icon, isIcon, type IconName } from '../dom';
import { distance, duration, type Place } from '../format';

export function steps(app: App, legs: Leg[], headline?: (leg: number) => string): HTMLElement {
  return h('div', { class: 'steps' }, legs.map((leg, i) => h('div', {},
    (headline || legs.length > 1) && h('h3', {}, headline ? headline(i) : `Leg ${i + 1}`, h('span', { class: 'figures' }, `${distance(leg.distance)}, ${duration(leg.duration)}`)),
    h('ol', {}, leg.steps.map((s) => h('li', {}, h('button', {
      type: 'button', onclick: () => app.map.fit(bounds(s), true), onmouseenter: () => highlight(app, s), onfocus: () => highlight(app, s),
      onmouseleave: () => app.map.clear('step'), onblur: () => app.map.clear('step'),
    }, icon(picture(s)), h('span', { class: 'sentence' }, s.maneuver.instruction ?? s.name), h('span', { class: 'figures' }, s.distance > 0 ? distance(s.distance) : ''))))))));
}

function bounds(s: Step): Place[] { return s.geometry.coordinates.map((c): Place => [c[0]!, c[1]!]); }

function highlight(app: App, s: Step): void { app.map.draw('step', [{ type: 'Feature', properties: {}, geometry: s.geometry }]); }

function picture(s: Step): IconName {
  const { type, modifier = 'straight' } = s.maneuver;
  if (type === 'depart' || type === 'arrive') return type;
  if (/roundabout|rotary/.test(type) && !type.startsWith('roundabout turn')) return 'roundabout';
  return isIcon(modifier) ? modifier : 'straight';
}

// byLeg draws a route in one line for each leg, so that it can be dragged.
export function byLeg(r: Route, properties: Record<string, unknown>): Feature[] {
  return r.legs.map((leg, i) => ({
    type: 'Feature', properties: { ...properties, leg: i },
    geometry: { type: 'LineString', coordinates: leg.steps.flatMap((s, k) => s.geometry.coordinates.slice(k === 0 ? 0 : 1)) },
  }));
}

// spokes lead from places to where they are on the road, unless that is near.
export function spokes(places: Place[], waypoints: Waypoint[]): Feature[] {
  return places.flatMap((p, i): Feature[] => {
    const w = waypoints[i];
    return !w || w.distance < 15 ? [] : [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: [p, w.location] } }];
  });
}

// files are links to an answer for other programs.
export function files(app: App, service: string, options: Record<string, string | undefined>): HTMLElement {
  const all = { steps: 'true', overview: 'full', ...options };
  return h('p', { class: 'files' }, 'Save as ', [['gpx', 'GPX'], ['geojson', 'GeoJSON']].map(([ending, name]) => h('a', {
    href: app.file(service, app.places, ending!, all), download: `${service}.${ending}`,
  }, name)));
}

// summary names the roads that a route takes.
export function summary(r: Route): string {
  return [...new Set(r.legs.flatMap((leg) => leg.summary.split(', ')).filter((name) => name !== ''))].slice(0, 3).join(', ');
}
