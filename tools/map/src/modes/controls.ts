// Controls of settings.

import type { App } from '../app';
import { countAreas } from '../avoid';
import { h } from '../dom';
import { plural } from '../format';
import type { Settings } from '../state';

// choice is a list to choose a setting from.
export function choice(app: App, name: keyof Settings, label: string, values: [value: string, label: string][]): HTMLElement {
  const select = h('select', { 'data-name': name, onchange: () => app.setting(name, select.value) },
    values.map(([value, text]) => h('option', { value, selected: app.state.settings[name] === value }, text)));
  return h('label', { class: 'field' }, h('span', {}, label), select);
}

// check is a setting that is true or false.
export function check(app: App, name: keyof Settings, label: string): HTMLElement {
  const box = h('input', {
    type: 'checkbox', 'data-name': name, checked: app.state.settings[name] === 'true', onchange: () => app.setting(name, String(box.checked)),
  });
  return h('label', { class: 'check' }, box, label);
}

export function entry(app: App, name: keyof Settings, label: string, extra: Record<string, string | number> = {}): HTMLElement {
  const input = h('input', {
    type: 'text', 'data-name': name, value: app.state.settings[name], autocomplete: 'off', ...extra, onchange: () => app.setting(name, input.value.trim()),
  });
  return h('label', { class: 'field' }, h('span', {}, label), input);
}

// more folds options away that few need.
let unfolded = false;

export function more(...children: Node[]): HTMLElement {
  const details = h('details', { class: 'more', open: unfolded, ontoggle: () => { unfolded = details.open; } }, h('summary', {}, 'Options'), ...children);
  return details;
}

// exclusions are the sets of classes of roads that the profile lets be excluded.
export function exclusions(app: App): HTMLElement[] {
  const sets = app.set.excludable;
  if (sets.length === 0) return [];
  const now = app.state.settings.exclude;
  // Any classes together need a search that can be prepared at once.
  if (app.set.algorithm === 'ch') {
    return [choice(app, 'exclude', 'Avoid', [['', 'nothing'], ...sets.filter((s) => s.length > 0).map((s): [string, string] => [s.join(','), s.join(' and ')])])];
  }
  const chosen = new Set(now === '' ? [] : now.split(','));
  return [h('fieldset', { class: 'checks' }, h('legend', {}, 'Avoid'),
    [...new Set(sets.flat())].map((name) => {
      const box = h('input', {
        type: 'checkbox', 'data-name': `exclude-${name}`, checked: chosen.has(name),
        onchange: () => {
          if (box.checked) chosen.add(name);
          else chosen.delete(name);
          app.setting('exclude', [...chosen].sort().join(','));
        },
      });
      return h('label', { class: 'check' }, box, name);
    }))];
}

// metric chooses among the metrics of the data set, if it has more than one.
export function metric(app: App): HTMLElement[] {
  const all = app.set.metrics;
  return all.length === 0 ? [] : [choice(app, 'metric', 'Metric', [['', 'default'], ...all.map((m): [string, string] => [m, m])])];
}

// closures are what to keep away from.
export function closures(app: App): HTMLElement[] {
  if (app.set.algorithm === 'ch') return [];
  const n = countAreas(app.state.settings);
  return [
    entry(app, 'ways', 'Closed ways, by OSM id', { placeholder: '17,18', inputmode: 'numeric' }),
    ...(n > 0 ? [h('div', { class: 'field' }, h('span', {}, `Keeps away from ${plural(n, 'area')}`),
      h('button', { type: 'button', class: 'text-button', onclick: () => app.setting('areas', '') }, 'Forget'))] : []),
  ];
}

// common are the options of every mode that searches.
export function common(app: App): HTMLElement[] { return [...exclusions(app), ...closures(app), ...metric(app)]; }
