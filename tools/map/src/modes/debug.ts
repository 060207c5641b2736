import { debugZoom, hues, speedSteps, turnSteps } from '../debugstyle';
import type { App } from '../app';
import { h, swatch } from '../dom';
import { layers, type Layer } from '../state';
import { choice } from './controls';
import type { ModeDefinition } from './mode';

const labels: Record<Layer, string> = { speeds: 'speeds', turns: 'costs of turns', components: 'components', cells: 'cells of the partition' };

const explanations: Record<Layer, string> = {
  speeds: 'How fast each road is taken, in km/h: each direction by itself.',
  turns: 'What each turn costs in seconds, beside the road that is left.',
  components: 'Small parts of the network that cannot be left, or not be reached, in colors.',
  cells: 'The cells that the search crosses from border to border, smaller ones within larger.',
};

let inspected: HTMLElement | undefined;

export const debug: ModeDefinition = {
  label: 'Debug', service: 'tile', ends: false,
  most: () => 0,
  options: (app) => {
    const levels = app.set.levels;
    const shown = layers.filter((l) => l !== 'cells' || levels > 0);
    return [
      choice(app, 'layer', 'Show', shown.map((l): [string, string] => [l, labels[l]])),
      ...(layerOf(app) === 'cells' ? [choice(app, 'level', 'Level', Array.from({ length: levels }, (_, i): [string, string] => [String(i + 1), String(i + 1)]))] : []),
    ];
  },
  clear: (app) => app.map.setDebug(undefined),
  leave: (app) => debug.clear(app),
  async run(app) {
    app.map.setDebug({ layer: layerOf(app), level: Number(app.state.settings.level) || 1 });
    show(app);
  },
  moved: (app) => show(app),
  inspected: (_, properties) => {
    if (!inspected) return;
    const names = Object.entries(properties ?? {}).filter(([name, v]) => v !== '' && name !== 'is_startpoint');
    inspected.replaceChildren(...names.flatMap(([name, value]) => [h('dt', {}, name.replaceAll('_', ' ')), h('dd', {}, text(value))]));
  },
};

function text(value: unknown): string { return typeof value === 'number' ? String(Math.round(value * 100) / 100) : String(value); }

function layerOf(app: App): Layer { return layers.find((l) => l === app.state.settings.layer) ?? 'speeds'; }

function show(app: App): void {
  const layer = layerOf(app), least = layer === 'turns' ? 15 : debugZoom;
  const far = app.map.map.getZoom() < least;
  inspected = h('dl', { class: 'properties' });
  app.show('', h('p', { class: 'explanation' }, far ? 'Zoom in to see it.' : explanations[layer]), legend(layer), inspected);
}

function legend(layer: Layer): HTMLElement {
  const steps = layer === 'speeds' ? speedSteps : layer === 'turns' ? turnSteps : undefined;
  if (!steps) return h('div', { class: 'hues', 'aria-hidden': 'true' }, hues.map((c) => swatch(c)));
  return h('ul', { class: 'legend' }, steps.map(([from, color], i) => {
    const next = steps[i + 1]?.[0];
    return h('li', {}, swatch(color), from < 0 ? 'less than 0' : next === undefined ? `${from} and more` : `${from === 0.05 ? 0 : from} – ${next}`);
  }));
}
