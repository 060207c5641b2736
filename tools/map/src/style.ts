// How the map looks: by day and by night.

import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { base, type DataSet } from './api';

export type Theme = 'light' | 'dark';

interface Palette {
  ground: string;
  text: string;
  halo: string;
  road: Record<string, string>; // by class
  edge: Record<string, string>;
  arrow: string;
  ferry: string;
  shield: string;
  shieldEdge: string;
  route: string;
  routeEdge: string;
  other: string;
  otherEdge: string;
  trace: string;
  missed: string;
  contours: string[]; // from the nearest
}

export const palettes: Record<Theme, Palette> = {
  light: {
    ground: '#f2f0eb', text: '#3f4552', halo: '#ffffff',
    road: {
      motorway: '#f6a65a', trunk: '#f9c07f', primary: '#fbdc93', secondary: '#fdf0bd', tertiary: '#ffffff', minor: '#ffffff', living: '#fbfbff',
      service: '#fdfdfb', path: '#b59b76',
    },
    edge: {
      motorway: '#c9762b', trunk: '#d39046', primary: '#cfaa55', secondary: '#cfbd7d', tertiary: '#c4c0b7', minor: '#d2cec5', living: '#d2cec5',
      service: '#dcd9d1', path: '#f2f0eb',
    },
    arrow: '#7b8190', ferry: '#4f86c6', shield: '#ffffff', shieldEdge: '#7b8190',
    route: '#2456e6', routeEdge: '#163a9f', other: '#9aa8c7', otherEdge: '#73819f', trace: '#d6336c', missed: '#e03131',
    contours: ['#0b7a75', '#3f9e5f', '#9bb53c', '#e3b23c', '#e07a2f', '#c9402e', '#8f2d56', '#5a2a6b'],
  },
  dark: {
    ground: '#15181e', text: '#c6cbd6', halo: '#0e1014',
    road: {
      motorway: '#a5652c', trunk: '#8d5f33', primary: '#776137', secondary: '#5d543a', tertiary: '#474c57', minor: '#363b45', living: '#363b45',
      service: '#2b2f38', path: '#6d5f4b',
    },
    edge: {
      motorway: '#0e1014', trunk: '#0e1014', primary: '#0e1014', secondary: '#4d4738', tertiary: '#343943', minor: '#0e1014', living: '#0e1014',
      service: '#0e1014', path: '#15181e',
    },
    arrow: '#8d94a3', ferry: '#4f7fb5', shield: '#262b34', shieldEdge: '#7b8190',
    route: '#6c9bff', routeEdge: '#0b1b45', other: '#5b6783', otherEdge: '#1a2030', trace: '#ff7aa8', missed: '#ff6b6b',
    contours: ['#2bb3ab', '#5cc27f', '#b9d056', '#f0c656', '#ef9150', '#e5604d', '#c0527f', '#9360ad'],
  },
};

// width returns widths in pixels that grow from zoom to zoom.
function width(...stops: [zoom: number, pixels: number][]): ExpressionSpecification {
  return ['interpolate', ['exponential', 1.5], ['zoom'], ...stops.flat()] as ExpressionSpecification;
}

// widths of roads, by class from the least to the most important.
const widths: [name: string, least: number, stops: [number, number][]][] = [
  ['path', 13, [[13, 0.6], [16, 1.4], [20, 4]]],
  ['service', 13, [[13, 0.5], [15, 1.6], [18, 9], [20, 22]]],
  ['living', 12, [[12, 0.5], [14, 2.2], [18, 14], [20, 34]]],
  ['minor', 12, [[12, 0.7], [14, 2.8], [18, 16], [20, 40]]],
  ['tertiary', 9, [[9, 0.5], [10, 0.8], [12, 1.6], [14, 4.2], [18, 20], [20, 48]]],
  ['secondary', 7, [[7, 0.6], [9, 1], [12, 2.2], [14, 5], [18, 24], [20, 54]]],
  ['primary', 5, [[5, 0.6], [8, 1.2], [10, 1.8], [12, 2.8], [14, 6], [18, 26], [20, 58]]],
  ['trunk', 0, [[4, 0.8], [8, 1.8], [12, 3.4], [14, 6.5], [18, 28], [20, 60]]],
  ['motorway', 0, [[4, 1], [8, 2.2], [12, 4], [14, 7], [18, 30], [20, 64]]],
];

const pale = ['secondary', 'tertiary'];

// fonts are the browser's own: there is none to load.
const font = ['Noto Sans', 'Segoe UI', 'Helvetica Neue', 'Arial', 'sans-serif'];

function roadLayers(p: Palette): LayerSpecification[] {
  const edges: LayerSpecification[] = [], roads: LayerSpecification[] = [];
  for (const [name, least, stops] of widths) {
    const common = {
      source: 'streets', 'source-layer': 'streets', minzoom: least, type: 'line' as const,
      layout: { 'line-cap': 'round' as const, 'line-join': 'round' as const },
    };
    const scaled = (factor: number, more: number) => width(...stops.map(([z, px]): [number, number] => [z, px * factor + (z < 12 ? more / 2 : more)]));
    for (const link of [true, false]) {
      const id = link ? `${name}-link` : name;
      const filter: ExpressionSpecification = ['all', ['==', ['get', 'class'], name], [link ? 'has' : '!', link ? 'link' : ['has', 'link']] as ExpressionSpecification];
      const factor = link ? 0.6 : 1;
      if (name === 'path') {
        if (!link) {
          roads.push({
            ...common, id, filter: ['==', ['get', 'class'], name], layout: { 'line-join': 'round' },
            paint: { 'line-color': p.road[name]!, 'line-width': scaled(1, 0), 'line-dasharray': [3, 1.5] },
          });
        }
        continue;
      }
      edges.push({
        ...common, id: `${id}-edge`, minzoom: Math.max(least, 9), filter,
        layout: { 'line-cap': 'butt', 'line-join': 'round' },
        paint: { 'line-color': p.edge[name]!, 'line-width': scaled(factor, 1.6), 'line-opacity': ['case', ['has', 'tunnel'], 0.45, 1] },
      });
      roads.push({
        ...common, id, filter,
        // Pale roads have no edges yet where they are thin.
        paint: { 'line-color': ['step', ['zoom'], pale.includes(name) ? p.edge[name]! : p.road[name]!, 11, p.road[name]!], 'line-width': scaled(factor, 0), 'line-opacity': ['case', ['has', 'tunnel'], 0.6, 1] },
      });
    }
  }
  return [...edges, ...roads];
}

const named = ['any', ['has', 'name'], ['has', 'ref']] as unknown as ExpressionSpecification;

function labelLayers(p: Palette): LayerSpecification[] {
  return [
    {
      id: 'oneway', type: 'symbol', source: 'streets', 'source-layer': 'streets', minzoom: 15,
      filter: ['all', ['has', 'oneway'], ['!=', ['get', 'class'], 'ferry']],
      layout: {
        'symbol-placement': 'line', 'symbol-spacing': 120, 'icon-image': 'arrow', 'icon-rotation-alignment': 'map',
        'icon-size': width([15, 0.7], [18, 1.1]), 'icon-padding': 4,
      },
      paint: { 'icon-opacity': 0.8 },
    },
    {
      id: 'ferry-name', type: 'symbol', source: 'streets', 'source-layer': 'streets', minzoom: 11,
      filter: ['all', ['in', ['get', 'class'], ['literal', ['ferry', 'train']]], ['has', 'name']],
      layout: { 'symbol-placement': 'line', 'text-field': ['get', 'name'], 'text-font': font, 'text-size': 11, 'text-offset': [0, 0.9] },
      paint: { 'text-color': p.ferry, 'text-halo-color': p.ground, 'text-halo-width': 1.2 },
    },
    {
      id: 'name', type: 'symbol', source: 'streets', 'source-layer': 'streets', minzoom: 12,
      filter: ['all', ['has', 'name'], ['!', ['has', 'link']], ['!', ['in', ['get', 'class'], ['literal', ['ferry', 'train']]]]],
      layout: {
        'symbol-placement': 'line', 'text-field': ['get', 'name'], 'text-font': font, 'symbol-spacing': 320,
        'text-size': width([12, 10], [16, 12.5], [19, 15]), 'text-padding': 4, 'text-max-angle': 32,
        'symbol-sort-key': ['match', ['get', 'class'], 'motorway', 0, 'trunk', 1, 'primary', 2, 'secondary', 3, 'tertiary', 4, 'minor', 5, 6],
      },
      paint: { 'text-color': p.text, 'text-halo-color': p.halo, 'text-halo-width': 1.4 },
    },
    {
      id: 'ref', type: 'symbol', source: 'streets', 'source-layer': 'streets', minzoom: 6,
      filter: ['all', ['has', 'ref'], named, ['<=', ['length', ['get', 'ref']], 14],
        ['step', ['zoom'], ['in', ['get', 'class'], ['literal', ['motorway', 'trunk']]],
          9, ['in', ['get', 'class'], ['literal', ['motorway', 'trunk', 'primary']]],
          11, ['in', ['get', 'class'], ['literal', ['motorway', 'trunk', 'primary', 'secondary']]],
          13, ['!', ['in', ['get', 'class'], ['literal', ['path', 'ferry', 'train']]]]]],
      layout: {
        'symbol-placement': 'line', 'symbol-spacing': 420, 'text-field': ['get', 'ref'], 'text-font': font, 'text-size': 10.5,
        'text-rotation-alignment': 'viewport', 'icon-rotation-alignment': 'viewport', 'icon-image': 'shield', 'icon-text-fit': 'both',
        'icon-text-fit-padding': [2, 4, 2, 4], 'text-padding': 12,
        'symbol-sort-key': ['match', ['get', 'class'], 'motorway', 0, 'trunk', 1, 'primary', 2, 'secondary', 3, 4],
      },
      paint: { 'text-color': p.text },
    },
  ];
}

// byContour takes the color of a contour, whose rank from the nearest is a property.
function byContour(p: Palette): ExpressionSpecification {
  return ['match', ['%', ['get', 'rank'], p.contours.length], ...p.contours.slice(0, -1).flatMap((c, i) => [i, c]), p.contours.at(-1)!] as unknown as ExpressionSpecification;
}

const round = { 'line-cap': 'round', 'line-join': 'round' } as const;

// answerLayers draw what the server found. Those of the first list lie below the
// names of streets.
function answerLayers(p: Palette): { below: LayerSpecification[]; above: LayerSpecification[] } {
  const routeWidth = width([6, 3.5], [12, 5], [16, 8], [20, 16]);
  const edgeWidth = width([6, 5.5], [12, 7.5], [16, 11], [20, 20]);
  const polygon: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon'];
  return {
    below: [
      { id: 'avoided-fill', type: 'fill', source: 'avoided', paint: { 'fill-color': p.missed, 'fill-opacity': 0.25 } },
      { id: 'avoided-line', type: 'line', source: 'avoided', paint: { 'line-color': p.missed, 'line-width': 1.5 } },
      { id: 'contour-fill', type: 'fill', source: 'contours', filter: polygon, paint: { 'fill-color': byContour(p), 'fill-opacity': 0.22, 'fill-antialias': false } },
      { id: 'contour-line', type: 'line', source: 'contours', layout: round, paint: { 'line-color': byContour(p), 'line-width': 2.2 } },
      { id: 'other-edge', type: 'line', source: 'routes', filter: ['!', ['get', 'chosen']], layout: round, paint: { 'line-color': p.otherEdge, 'line-width': edgeWidth } },
      { id: 'other', type: 'line', source: 'routes', filter: ['!', ['get', 'chosen']], layout: round, paint: { 'line-color': p.other, 'line-width': routeWidth } },
      { id: 'route-edge', type: 'line', source: 'routes', filter: ['get', 'chosen'], layout: round, paint: { 'line-color': p.routeEdge, 'line-width': edgeWidth } },
      { id: 'route', type: 'line', source: 'routes', filter: ['get', 'chosen'], layout: round, paint: { 'line-color': p.route, 'line-width': routeWidth } },
      { id: 'route-hit', type: 'line', source: 'routes', layout: round, paint: { 'line-color': '#000000', 'line-opacity': 0, 'line-width': 22 } },
      { id: 'step', type: 'line', source: 'step', layout: round, paint: { 'line-color': '#ffb020', 'line-width': routeWidth } },
    ],
    above: [
      { id: 'spokes', type: 'line', source: 'spokes', paint: { 'line-color': p.trace, 'line-width': 2, 'line-dasharray': [2, 1.5] } },
      { id: 'trace', type: 'line', source: 'trace', filter: ['==', ['geometry-type'], 'LineString'], layout: round, paint: { 'line-color': p.trace, 'line-width': 1.5, 'line-opacity': 0.7 } },
      {
        id: 'trace-points', type: 'circle', source: 'trace', filter: ['==', ['geometry-type'], 'Point'],
        paint: {
          'circle-radius': width([10, 2], [16, 4.5]), 'circle-color': ['case', ['get', 'missed'], p.missed, p.halo],
          'circle-stroke-color': ['case', ['get', 'missed'], p.halo, p.trace], 'circle-stroke-width': 1.6,
        },
      },
      { id: 'dots', type: 'circle', source: 'dots', paint: { 'circle-radius': 5.5, 'circle-color': p.halo, 'circle-stroke-color': p.trace, 'circle-stroke-width': 2.5 } },
    ],
  };
}

// overlays are the sources that layers of answers have their data from.
export const overlays = ['avoided', 'contours', 'routes', 'step', 'spokes', 'trace', 'dots'] as const;
export type Overlay = (typeof overlays)[number];

export function streetTiles(set: DataSet): string[] {
  return [`${base}map/v1/${set.profiles[0]}/{z}/{x}/{y}.mvt`];
}

export function style(theme: Theme, set: DataSet): StyleSpecification {
  const p = palettes[theme];
  const answers = answerLayers(p);
  const empty = { type: 'FeatureCollection' as const, features: [] };
  return {
    version: 8,
    sources: {
      streets: {
        type: 'vector', tiles: streetTiles(set), minzoom: 2, maxzoom: 16,
        attribution: '© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a> contributors',
      },
      ...Object.fromEntries(overlays.map((name) => [name, { type: 'geojson' as const, data: empty }])),
    },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': p.ground } },
      {
        id: 'ferry', type: 'line', source: 'streets', 'source-layer': 'streets', filter: ['in', ['get', 'class'], ['literal', ['ferry', 'train']]],
        paint: { 'line-color': p.ferry, 'line-width': width([6, 0.8], [14, 1.8]), 'line-dasharray': [5, 3] },
      },
      ...roadLayers(p),
      ...answers.below,
      ...labelLayers(p),
      ...answers.above,
    ],
  };
}
