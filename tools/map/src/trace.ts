// Reading traces of GPS: GPX and GeoJSON.

import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import type { Place } from './format';

export interface Trace {
  name: string;
  points: Place[];
  times: number[]; // Unix seconds by point, or empty
}

export function readTrace(name: string, text: string): Trace {
  const trace = text.trimStart().startsWith('{') ? readGeoJSON(name, text) : readGPX(name, text);
  if (trace.points.length < 2) throw new Error(`${name} holds no trace: a line of two points or more is needed.`);
  return trace;
}

function readGPX(name: string, text: string): Trace {
  const xml = new DOMParser().parseFromString(text, 'application/xml');
  if (xml.querySelector('parsererror')) throw new Error(`${name} is neither GPX nor GeoJSON.`);
  const find = (tag: string) => [...xml.getElementsByTagNameNS('*', tag)];
  const list = [find('trkpt'), find('rtept'), find('wpt')].find((l) => l.length > 0) ?? [];
  const points: Place[] = [], times: number[] = [];
  for (const point of list) {
    const at: Place = [Number(point.getAttribute('lon')), Number(point.getAttribute('lat'))];
    if (!valid(at)) continue;
    points.push(at);
    const time = point.getElementsByTagNameNS('*', 'time')[0]?.textContent;
    times.push(time ? Date.parse(time) / 1000 : NaN);
  }
  return { name, points, times: ascending(times) };
}

function readGeoJSON(name: string, text: string): Trace {
  let data: FeatureCollection | Feature | Geometry;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error(`${name} is neither GPX nor GeoJSON.`);
  }
  const features: Feature[] = data.type === 'FeatureCollection' ? data.features
    : data.type === 'Feature' ? [data] : [{ type: 'Feature', properties: {}, geometry: data }];
  const positions: Position[] = [];
  let times: unknown[] = [];
  for (const f of features) {
    if (!f.geometry) continue;
    positions.push(...positionsOf(f.geometry));
    const own = f.properties?.['coordTimes'] ?? f.properties?.['times'] ?? f.properties?.['coordinateProperties']?.['times'];
    if (Array.isArray(own)) times = times.concat(own.flat());
  }
  const points = positions.map((p): Place => [Number(p[0]), Number(p[1])]);
  const seconds = times.map((t) => (typeof t === 'number' ? (t > 1e11 ? t / 1000 : t) : Date.parse(String(t)) / 1000));
  if (!points.every(valid)) throw new Error(`${name} has coordinates that are not longitude and latitude.`);
  return { name, points, times: seconds.length === points.length ? ascending(seconds) : [] };
}

function positionsOf(g: Geometry): Position[] {
  switch (g.type) {
    case 'Point': return [g.coordinates];
    case 'MultiPoint': case 'LineString': return g.coordinates;
    case 'MultiLineString': return g.coordinates.flat();
    case 'GeometryCollection': return g.geometries.flatMap(positionsOf);
  }
  return [];
}

function valid(p: Place): boolean { return Math.abs(p[0]) <= 180 && Math.abs(p[1]) <= 90; }

// ascending returns times if matching takes them: whole seconds that rise.
function ascending(times: number[]): number[] {
  const whole = times.map(Math.floor);
  return whole.every((t, i) => Number.isFinite(t) && (i === 0 || t > whole[i - 1]!)) ? whole : [];
}
