// Asking the server.

import type { FeatureCollection, LineString } from 'geojson';
import type { Place } from './format';

export interface DataSet {
  profiles: string[];
  vehicle: string;
  algorithm: string;
  weight_name: string;
  bounds: [number, number, number, number];
  excludable: string[][];
  classes: string[];
  metrics: string[]; // besides the default one
  levels: number;
  data_version?: string;
  data_time?: string;
  graph: string;
  metric: string;
}

export interface Info {
  datasets: DataSet[];
  services: string[];
  languages: string[];
  limits: { route: number; table_cells: number; trip: number; match: number; nearest: number; alternatives: number };
}

export interface Waypoint { name: string; location: Place; distance: number }

export interface Step {
  distance: number;
  duration: number;
  name: string;
  geometry: LineString;
  maneuver: { type: string; modifier?: string; location: Place; instruction?: string };
}

export interface Leg { distance: number; duration: number; summary: string; steps: Step[] }

export interface Route { distance: number; duration: number; geometry: LineString; legs: Leg[] }

export interface RouteAnswer { routes: Route[]; waypoints: Waypoint[] }

export interface TripAnswer { trips: Route[]; waypoints: (Waypoint & { trips_index: number; waypoint_index: number })[] }

export interface MatchAnswer {
  matchings: (Route & { confidence: number })[];
  tracepoints: ((Waypoint & { matchings_index: number; waypoint_index: number }) | null)[];
}

export interface TableAnswer {
  durations?: (number | null)[][];
  distances?: (number | null)[][];
  sources: Waypoint[];
  destinations: Waypoint[];
}

export interface NearestAnswer { waypoints: Waypoint[] }

export type ContourAnswer = FeatureCollection;

// Refusal is what the server says when it has no answer.
export class Refusal extends Error {
  constructor(readonly code: string, message: string) { super(message); }
}

// base is where the server is: the page may lie below a path.
export const base = new URL('.', document.baseURI).href;

export function where(places: Place[]): string {
  return places.map((p) => `${p[0].toFixed(6)},${p[1].toFixed(6)}`).join(';');
}

// query writes options, but those that are empty.
export function query(options: Record<string, string | number | undefined>): string {
  const parts = Object.entries(options).filter(([, v]) => v !== undefined && v !== '').map(([k, v]) => `${k}=${encodeURIComponent(String(v))}`);
  return parts.length > 0 ? '?' + parts.join('&') : '';
}

export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(base + path, init);
  } catch (err) {
    if (err instanceof DOMException && err.name === 'AbortError') throw err;
    throw new Refusal('Unreachable', 'The server does not answer.');
  }
  let answer: { code?: string; message?: string };
  try {
    answer = await response.json();
  } catch (err) {
    if (err instanceof DOMException && err.name === 'AbortError') throw err;
    throw new Refusal('Unreadable', `The server answers ${response.status} ${response.statusText}.`);
  }
  if (!response.ok || (answer.code !== undefined && answer.code !== 'Ok')) {
    throw new Refusal(answer.code ?? String(response.status), answer.message ?? response.statusText);
  }
  return answer as T;
}
