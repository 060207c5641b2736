// The list of places, which can be edited as text.

import type { App } from './app';
import { button, h } from './dom';
import { coordinate, letter, parseCoordinate, plural } from './format';

export class PlaceList {
  readonly element = h('div', { class: 'places' });
  private hint: HTMLElement | undefined;

  constructor(private readonly app: App) {}

  render(): void {
    const { app } = this;
    const most = app.mode.most(app.info);
    this.element.hidden = most === 0;
    if (most === 0) {
      this.element.replaceChildren();
      return;
    }
    if (app.state.mode === 'match' && app.trace) {
      this.element.replaceChildren(h('div', { class: 'row' },
        h('span', { class: 'file-name' }, `${app.trace.name}: ${plural(app.trace.points.length, 'point')}`),
        button('close', 'Close the file', () => app.setTrace(undefined))));
      return;
    }
    const focused = [...this.element.querySelectorAll('input')].indexOf(document.activeElement as HTMLInputElement);
    const { places } = app;
    const rows = most === 1 ? Math.max(places.length, 1) : places.length < 2 ? 2 : places.length;
    const list = h('ol', { class: 'place-list' });
    for (let i = 0; i < rows; i++) list.append(this.row(i, places.length, most));
    this.hint = h('p', { class: 'hint' });
    this.element.replaceChildren(list, this.tools(most), this.hint);
    if (focused >= 0) this.focus(focused);
  }

  // badges shows the texts of the pins.
  badges(): void {
    this.element.querySelectorAll('.badge').forEach((badge, i) => { badge.textContent = this.app.pinText(i); });
  }

  focus(i: number): void { this.element.querySelectorAll('input')[i]?.focus(); }

  private row(i: number, n: number, most: number): HTMLElement {
    const { app } = this;
    const place = app.places[i];
    const label = i < n ? app.placeLabel(i) : most === 1 ? 'Place' : !app.mode.ends ? `Place ${letter(i)}` : i === 0 ? 'Start' : 'End';
    const input = h('input', {
      type: 'text', 'aria-label': `${label}, latitude and longitude`, placeholder: place ? '' : `${label}: latitude, longitude, or click the map`,
      value: place ? coordinate(place) : '', spellcheck: 'false', autocomplete: 'off', inputmode: 'text',
      onchange: () => this.entered(i, input),
      onkeydown: (e: KeyboardEvent) => { if (e.key === 'Enter') { e.preventDefault(); this.entered(i, input, true); } },
    });
    const kind = app.mode.ends && n > 1 ? (i === 0 ? 'start' : i === n - 1 ? 'end' : 'via') : app.mode.ends && i === 0 ? 'start' : app.mode.ends ? 'end' : 'plain';
    return h('li', { class: 'row' },
      h('span', { class: `badge badge-${kind}`, 'aria-hidden': 'true' }, app.pinText(i)),
      input,
      n > 1 && most > 1 && i > 0 && i < n && button('up', `Move ${label} up`, () => this.move(i, -1)),
      place && button('close', `Remove ${label}`, () => app.removePlace(i)));
  }

  private tools(most: number): HTMLElement {
    const { app } = this;
    const tools = h('div', { class: 'tools' });
    if (most > 1 && app.places.length > 0) {
      tools.append(h('button', { type: 'button', class: 'text-button', onclick: () => this.add() }, '+ Add a place'));
      if (app.places.length > 1) tools.append(h('button', { type: 'button', class: 'text-button', onclick: () => app.setPlaces(app.state.places.toReversed()) }, 'Reverse'));
      tools.append(h('button', { type: 'button', class: 'text-button', onclick: () => app.setPlaces([]) }, 'Clear'));
    }
    return tools;
  }

  // add opens one more row to type in.
  private add(): void {
    const list = this.element.querySelector('ol')!;
    const n = this.app.places.length;
    if (list.children.length <= n) list.append(this.row(n, n, this.app.mode.most(this.app.info)));
    this.focus(n);
  }

  private move(i: number, by: number): void {
    const { app } = this;
    const places = [...app.state.places], [place] = places.splice(i, 1);
    places.splice(i + by, 0, place!);
    app.setPlaces(places);
    this.focus(i + by);
  }

  private entered(i: number, input: HTMLInputElement, next = false): void {
    const { app } = this;
    const text = input.value.trim(), old = app.places[i];
    if (text === (old ? coordinate(old) : '')) {
      if (next) this.focus(i + 1);
      return;
    }
    if (text === '') {
      if (old) app.removePlace(i);
      return;
    }
    const place = parseCoordinate(text);
    if (!place) {
      input.setAttribute('aria-invalid', 'true');
      this.hint!.textContent = 'Write a place as latitude, longitude: 39.7447, -75.5466.';
      return;
    }
    app.setPlaces(old ? app.state.places.with(i, place) : [...app.state.places.slice(0, i), place, ...app.state.places.slice(i)]);
    if (app.places.length > 1) app.map.fit(app.places, false);
    else app.map.fit([place], false);
    if (next) this.focus(i + 1);
  }
}
