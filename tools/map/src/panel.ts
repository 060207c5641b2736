// The panel beside the map; on phones, the sheet below it.

import type { App } from './app';
import { button, h, icon, type Child, type IconName } from './dom';
import { modeOf } from './modes/mode';
import { PlaceList } from './placelist';
import type { Mode } from './state';
import { chosenTheme } from './theme';

const sheets = ['low', 'half', 'high'] as const;
type Sheet = (typeof sheets)[number];

export class Panel {
  readonly mapContainer = h('div', { class: 'map' });
  readonly places: PlaceList;
  private readonly element: HTMLElement;
  private readonly tabs = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'What to ask for' });
  private readonly options = h('div', { class: 'options' });
  private readonly status = h('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
  private readonly content = h('div', { class: 'content' });
  private readonly bar = h('div', { class: 'busy', 'aria-hidden': 'true' });
  private readonly body: HTMLElement;
  private readonly handle: HTMLButtonElement;
  private profile: HTMLSelectElement | undefined;

  constructor(root: HTMLElement, private readonly app: App) {
    this.places = new PlaceList(app);
    this.handle = h('button', { type: 'button', class: 'handle', 'aria-label': 'Make the panel higher or lower' });
    this.body = h('div', { class: 'body', role: 'tabpanel', id: 'body', tabindex: -1 }, this.places.element, this.options, this.status, this.content);
    this.element = h('section', { class: 'panel', 'aria-label': 'Questions and answers' },
      this.handle, this.header(), this.tabs, this.bar, this.body,
      h('footer', {}, h('a', { href: 'https://www.openstreetmap.org/copyright', target: '_blank', rel: 'noopener' }, '© OpenStreetMap contributors'),
        h('a', { href: 'map/licenses.txt', target: '_blank' }, 'Licenses')));
    root.replaceChildren(this.mapContainer, this.element, this.controls(), h('div', { class: 'drop', 'aria-hidden': 'true' }, 'Drop a GPX or GeoJSON file to match it'));
    this.sheet('half');
    this.pull();
    this.tabs.addEventListener('keydown', (e) => this.moveTab(e));
  }

  // render shows what the mode has to be told.
  render(places: boolean): void {
    const { app } = this;
    if (this.profile) this.profile.value = app.profile;
    this.tabs.replaceChildren(...app.available.map((m) => this.tab(m)));
    this.body.setAttribute('aria-label', app.mode.label);
    if (places) this.places.render();
    const before = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['name'] : undefined;
    this.options.replaceChildren(...app.mode.options(app));
    if (before && !document.activeElement?.hasAttribute('data-name')) {
      this.options.querySelector<HTMLElement>(`[data-name="${before}"]`)?.focus();
    }
  }

  busy(on: boolean): void { this.bar.classList.toggle('on', on); }

  message(text: string): void {
    this.status.textContent = text;
    this.status.classList.remove('found');
    this.content.replaceChildren();
  }

  answer(summary: string, content: (Child | Child[])[]): void {
    this.status.textContent = summary;
    this.status.classList.add('found');
    this.content.replaceChildren(...content.flat().filter((c): c is Node | string => typeof c === 'string' || c instanceof Node));
  }

  private header(): HTMLElement {
    const { app } = this;
    this.profile = h('select', {
      'aria-label': 'Profile', class: 'profile', onchange: (e: Event) => app.setProfile((e.target as HTMLSelectElement).value),
    }, app.info.datasets.map((d) => h('option', { value: d.profiles[0]!, selected: d === app.set }, d.profiles[0]!)));
    return h('header', {},
      h('img', { src: 'map/icon.svg', alt: '', width: 26, height: 26 }),
      h('h1', {}, 'Fourway'),
      this.profile,
      button('link', 'Copy a link to what is shown', () => this.copyLink()),
      this.themeButton());
  }

  private themeButton(): HTMLButtonElement {
    const own = button('moon', 'Dark mode', () => this.app.setTheme(chosenTheme() === 'dark' ? 'light' : 'dark'));
    const show = () => {
      const dark = chosenTheme() === 'dark';
      own.replaceChildren(icon(dark ? 'sun' : 'moon'));
      own.title = dark ? 'Light mode' : 'Dark mode';
      own.setAttribute('aria-label', own.title);
    };
    document.addEventListener('themechange', show);
    show();
    return own;
  }

  private tab(m: Mode): HTMLElement {
    const mode = modeOf(m), chosen = m === this.app.state.mode;
    return h('button', {
      type: 'button', role: 'tab', 'aria-selected': String(chosen), 'aria-controls': 'body', tabindex: chosen ? 0 : -1, 'data-mode': m,
      onclick: () => this.app.setMode(m),
    }, icon(m as IconName), mode.label);
  }

  private moveTab(e: KeyboardEvent): void {
    const { available, state } = this.app;
    const i = available.indexOf(state.mode), last = available.length - 1;
    const to = { ArrowRight: i === last ? 0 : i + 1, ArrowLeft: i === 0 ? last : i - 1, Home: 0, End: last }[e.key];
    if (to === undefined) return;
    this.app.setMode(available[to]!);
    this.tabs.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
    e.preventDefault();
  }

  private controls(): HTMLElement {
    const map = () => this.app.map.map;
    const group = h('div', { class: 'controls' },
      button('plus', 'Zoom in', () => map().zoomIn()),
      button('minus', 'Zoom out', () => map().zoomOut()),
      button('north', 'North up', () => map().resetNorthPitch()),
      button('fit', 'Show all', () => this.app.showAll()));
    if ('geolocation' in navigator && window.isSecureContext) group.append(button('locate', 'Where am I', () => this.locate()));
    return group;
  }

  private locate(): void {
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => this.app.map.fit([[coords.longitude, coords.latitude]], true),
      () => this.message('The browser does not tell where you are.'));
  }

  private async copyLink(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      this.toast('The link is copied.');
    } catch {
      this.toast('The link is in the address bar.');
    }
  }

  private toast(text: string): void {
    const shown = h('div', { class: 'toast', role: 'status' }, text);
    document.body.append(shown);
    setTimeout(() => shown.remove(), 2500);
  }

  private sheet(to: Sheet): void { this.element.dataset['sheet'] = to; }

  // pull lets the handle be dragged or clicked.
  private pull(): void {
    let from: number | undefined, moved = 0;
    const { handle } = this;
    handle.addEventListener('pointerdown', (e) => { from = e.clientY; moved = 0; handle.setPointerCapture(e.pointerId); });
    handle.addEventListener('pointermove', (e) => { if (from !== undefined) moved = e.clientY - from; });
    handle.addEventListener('pointerup', () => {
      from = undefined;
      if (Math.abs(moved) > 24) this.step(moved < 0 ? 1 : -1);
    });
    handle.addEventListener('click', () => {
      if (Math.abs(moved) > 24) return;
      const i = sheets.indexOf(this.element.dataset['sheet'] as Sheet);
      this.sheet(sheets[(i + 1) % sheets.length]!);
    });
  }

  private step(by: number): void {
    const i = sheets.indexOf(this.element.dataset['sheet'] as Sheet);
    this.sheet(sheets[Math.max(0, Math.min(sheets.length - 1, i + by))]!);
  }
}
