import { ask, type Info } from './api';
import { App } from './app';
import { h } from './dom';
import { showTheme } from './theme';

showTheme();
const root = document.getElementById('app')!;
try {
  const info = await ask<Info>('map/v1/info');
  if (info.datasets.length === 0) throw new Error('The server has no data sets.');
  // For the browser's console, and for tests.
  Object.assign(globalThis, { fourway: new App(root, info) });
} catch (err) {
  root.replaceChildren(h('p', { class: 'failed', role: 'alert' }, `The map cannot be shown: ${err instanceof Error ? err.message : String(err)}`));
}
