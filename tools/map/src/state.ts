// What the page shows, and the link that says so.

import type { Place } from './format';

export const modes = ['route', 'table', 'trip', 'match', 'nearest', 'isochrone', 'debug'] as const;
export type Mode = (typeof modes)[number];

export const layers = ['speeds', 'turns', 'components', 'cells'] as const;
export type Layer = (typeof layers)[number];

export interface View { lon: number; lat: number; zoom: number }

// Settings are the options of all modes, as texts: what a form holds.
export interface Settings {
  alternatives: string;
  alternative: string; // which one is shown, from 0
  exclude: string; // classes, with commas between
  areas: string; // to keep away from: encoded polylines with ; between
  ways: string; // to keep away from: ids with commas between
  metric: string;
  language: string;
  continue_straight: string;
  approach: string;
  cell: string; // what a table shows: duration or distance
  roundtrip: string;
  source: string;
  destination: string;
  gaps: string;
  tidy: string;
  radius: string;
  number: string;
  contours: string;
  contour: string; // minutes or meters
  shape: string; // polygons, lines or segments
  reverse: string;
  layer: string;
  level: string;
}

export const defaults: Settings = {
  alternatives: '2', alternative: '0', exclude: '', areas: '', ways: '', metric: '', language: 'en', continue_straight: 'default',
  approach: 'unrestricted', cell: 'duration', roundtrip: 'true', source: 'any', destination: 'any', gaps: 'split', tidy: 'false',
  radius: '5', number: '3', contours: '5,10,15', contour: 'minutes', shape: 'polygons', reverse: 'false', layer: 'speeds', level: '1',
};

export interface State {
  mode: Mode;
  profile: string;
  places: Place[];
  settings: Settings;
  view: View | undefined;
}

// mostPlaces bounds what a link is read for.
const mostPlaces = 500;

// writeLink returns the part of the URL after # that stands for a state. Only
// settings that differ from the defaults are in it.
export function writeLink(s: State): string {
  const parts = [`mode=${s.mode}`];
  if (s.profile !== '') parts.push(`profile=${encodeURIComponent(s.profile)}`);
  if (s.places.length > 0) parts.push(`p=${s.places.map((p) => `${round(p[0])},${round(p[1])}`).join(';')}`);
  for (const [name, value] of Object.entries(s.settings)) {
    if (value !== defaults[name as keyof Settings]) parts.push(`${name}=${encodeURIComponent(value)}`);
  }
  if (s.view) parts.push(`map=${s.view.zoom.toFixed(2)}/${s.view.lat.toFixed(5)}/${s.view.lon.toFixed(5)}`);
  return '#' + parts.join('&');
}

function round(degrees: number): string { return String(Math.round(degrees * 1e6) / 1e6); }

// readLink reads what writeLink writes; what makes no sense is left out.
export function readLink(hash: string): State {
  const s: State = { mode: 'route', profile: '', places: [], settings: { ...defaults }, view: undefined };
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  for (const [name, value] of values) {
    switch (name) {
      case 'mode':
        s.mode = modes.find((m) => m === value) ?? 'route';
        break;
      case 'profile':
        s.profile = value;
        break;
      case 'p':
        s.places = value.split(';').slice(0, mostPlaces).map((t) => t.split(',').map(Number)).filter(isPlace);
        break;
      case 'map':
        s.view = readView(value);
        break;
      default:
        if (name in defaults) s.settings[name as keyof Settings] = value;
    }
  }
  return s;
}

function isPlace(p: number[]): p is Place {
  const [lon, lat] = p;
  return p.length === 2 && lon !== undefined && lat !== undefined && Math.abs(lon) <= 180 && Math.abs(lat) <= 90;
}

function readView(text: string): View | undefined {
  const [zoom, lat, lon] = text.split('/').map(Number);
  if (zoom === undefined || lat === undefined || lon === undefined || !(zoom >= 0 && zoom <= 24) || !isPlace([lon, lat])) return undefined;
  return { zoom, lat, lon };
}
