// What the search sees: layers of the tiles at /tile/v1.

import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { Layer } from './state';
import type { Theme } from './style';

export interface DebugChoice { layer: Layer; level: number }

// debugZoom is the zoom from which there are tiles.
export const debugZoom = 12;

export const speedSteps: [from: number, color: string][] = [
  [0, '#8e1b3a'], [15, '#c9402e'], [30, '#e8823a'], [45, '#f2bd45'], [60, '#b6c94a'], [80, '#5cb85c'], [100, '#2b9aa8'], [120, '#3b6fd4'],
];

export const turnSteps: [from: number, color: string][] = [[-1000, '#3b6fd4'], [0.05, '#5cb85c'], [2, '#f2bd45'], [5, '#e8823a'], [10, '#c9402e'], [20, '#8e1b3a']];

// turnOffsets are where turns are shown, by the angle from which on.
const turnOffsets = [
  ['literal', [-27, 30]], -135, ['literal', [-18, 30]], -60, ['literal', [-9, 30]], -15, ['literal', [0, 30]], 15, ['literal', [9, 30]],
  60, ['literal', [18, 30]], 135, ['literal', [27, 30]],
];

// hues tell many things apart: what is a number takes the color of its remainder.
export const hues = ['#e6194b', '#3cb44b', '#4363d8', '#f58231', '#911eb4', '#1aa7b8', '#d63bbf', '#7f9a1b', '#9a6324', '#469990', '#5b5fc7', '#c2185b'];

function stepped(value: ExpressionSpecification, steps: [number, string][]): ExpressionSpecification {
  return ['step', value, steps[0]![1], ...steps.slice(1).flat()] as ExpressionSpecification;
}

function byHue(value: ExpressionSpecification): ExpressionSpecification {
  return ['match', ['%', value, hues.length], ...hues.slice(0, -1).flatMap((c, i) => [i, c]), hues.at(-1)!] as ExpressionSpecification;
}

export function debugLayers(choice: DebugChoice, theme: Theme): LayerSpecification[] {
  const line = (id: string, color: ExpressionSpecification, filter?: ExpressionSpecification): LayerSpecification => ({
    id: `debug-${id}`, type: 'line', source: 'debug', 'source-layer': 'speeds', minzoom: debugZoom, ...(filter ? { filter } : {}),
    layout: { 'line-cap': 'round' },
    paint: {
      'line-color': color, 'line-width': ['interpolate', ['linear'], ['zoom'], 12, 1.5, 16, 3.5, 20, 6],
      'line-offset': ['interpolate', ['linear'], ['zoom'], 13, 0, 16, 2.5, 20, 6],
    },
  });
  switch (choice.layer) {
    case 'speeds':
      return [line('speeds', stepped(['get', 'speed'], speedSteps))];
    case 'components':
      return [line('components', ['case', ['get', 'is_small'], byHue(['get', 'component']), theme === 'dark' ? '#5b6783' : '#8fa0c4'])];
    case 'cells': {
      const cell: ExpressionSpecification = ['get', `cell_${choice.level}`];
      return [line('cells', byHue(cell), ['has', `cell_${choice.level}`])];
    }
    case 'turns':
      return [
        line('speeds', ['literal', theme === 'dark' ? '#3a4150' : '#c3c8d4'] as unknown as ExpressionSpecification),
        {
          id: 'debug-turns', type: 'symbol', source: 'debug', 'source-layer': 'turns', minzoom: 15,
          layout: {
            'icon-image': 'dot', 'icon-rotate': ['get', 'bearing_in'], 'icon-rotation-alignment': 'map', 'icon-allow-overlap': true, 'icon-ignore-placement': true,
            'symbol-sort-key': ['get', 'cost'],
            'icon-size': ['interpolate', ['linear'], ['zoom'], 15, 0.55, 19, 1.2],
            // Before the junction on the road that is left, side by side: turns to the
            // left on the left.
            'icon-offset': ['step', ['get', 'turn_angle'], ...turnOffsets] as unknown as ExpressionSpecification,
          },
          paint: { 'icon-color': stepped(['get', 'cost'], turnSteps), 'icon-halo-color': theme === 'dark' ? '#0e1014' : '#ffffff', 'icon-halo-width': 1 },
        },
      ];
  }
}
