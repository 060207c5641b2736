// What to keep away from: areas on the map, and ways of OSM.

import type { Feature } from 'geojson';
import type { Place } from './format';
import { decode, encode } from './polyline';
import type { Settings } from './state';

const areasOf = (s: Settings): string[] => s.areas.split(';').filter((a) => a !== '');
const waysOf = (s: Settings): number[] => s.ways.split(/[\s,;]+/).map(Number).filter((id) => Number.isSafeInteger(id) && id > 0);

// avoidQuery returns the value of the option avoid in URLs.
export function avoidQuery(s: Settings): string {
  const ways = waysOf(s);
  return [...areasOf(s).map((a) => `polygon(${a})`), ...(ways.length > 0 ? [`way(${ways.join(',')})`] : [])].join(';');
}

// avoidBody returns the member avoid of a body.
export function avoidBody(s: Settings): object[] {
  const ways = waysOf(s);
  return [...areasOf(s).map((a) => ({ polygon: [closed(decode(a))] })), ...(ways.length > 0 ? [{ ways }] : [])];
}

export function avoidedAreas(s: Settings): Feature[] {
  return areasOf(s).map((a) => ({ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [closed(decode(a))] } }));
}

export function countAreas(s: Settings): number { return areasOf(s).length; }

// withArea adds an area to those of the settings.
export function withArea(s: Settings, corners: Place[]): string { return [...areasOf(s), encode(corners)].join(';'); }

function closed(ring: Place[]): Place[] { return ring.length > 0 ? [...ring, ring[0]!] : ring; }
