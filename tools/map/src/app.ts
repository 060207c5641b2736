// The page: its state, what happens when that changes, and what is asked for.

import { ask, query, Refusal, where, type DataSet, type Info } from './api';
import { avoidedAreas, avoidQuery, withArea } from './avoid';
import type { Child } from './dom';
import { takeDrops } from './drop';
import { letter, type Place } from './format';
import { MapView, type Pin } from './map';
import { Menu } from './menu';
import { modeOf, type ModeDefinition } from './modes/mode';
import { Panel } from './panel';
import { modes, readLink, writeLink, type Mode, type Settings, type State } from './state';
import { chosenTheme, keepTheme } from './theme';
import type { Trace } from './trace';

export class App {
  readonly state: State;
  readonly map: MapView;
  readonly panel: Panel;
  trace: Trace | undefined; // a dropped file, which takes the place of the list of places
  pinTexts: string[] | undefined; // by place, where an answer gives them
  framed = false; // the map shows what the user wants to see
  private linked = false; // a link brought the places, but not where to look
  private readonly menu: Menu;
  private running: AbortController | undefined;
  private again = false;
  private written = '';

  constructor(root: HTMLElement, readonly info: Info) {
    this.state = readLink(location.hash);
    this.settle();
    this.panel = new Panel(root, this);
    this.map = new MapView(this.panel.mapContainer, this.set, chosenTheme(), this.state.view, {
      click: (at) => this.clicked(at),
      menu: (at, x, y) => this.openMenu(at, x, y),
      pinMoved: (i, to, done) => this.movePlace(i, to, done),
      pinRemoved: (i) => this.removePlace(i),
      lineGrabbed: (leg, at) => this.grabLine(leg, at),
      routePicked: (i) => this.setting('alternative', String(i)),
      moved: (v) => { this.state.view = v; this.save(); this.mode.moved?.(this); },
      inspected: (properties) => this.mode.inspected?.(this, properties),
    });
    this.menu = new Menu(this.panel.mapContainer);
    this.framed = this.state.view !== undefined;
    this.linked = !this.framed && this.state.places.length > 0;
    window.addEventListener('hashchange', () => this.follow());
    document.addEventListener('themechange', () => this.map.setTheme(chosenTheme()));
    takeDrops(this);
    this.refresh();
    this.run(false);
  }

  get mode(): ModeDefinition { return modeOf(this.state.mode); }

  // set is the data set that is asked.
  get set(): DataSet {
    const of = (name: string) => this.info.datasets.find((d) => d.profiles.includes(name));
    return of(this.state.profile) ?? of('driving') ?? of('car') ?? this.info.datasets[0]!;
  }

  // available are the modes that the server has services for.
  get available(): readonly Mode[] {
    return modes.filter((m) => this.info.services.includes(modeOf(m).service));
  }

  // places are those of the list that the mode uses.
  get places(): Place[] { return this.state.places.slice(0, this.mode.most(this.info)); }

  ask<T>(service: string, places: Place[], options: Record<string, string | number | undefined>, signal: AbortSignal): Promise<T> {
    return ask<T>(`${service}/v1/${this.profile}/${where(places)}${query({ ...this.common(), ...options })}`, { signal });
  }

  // file returns where the server has the answer to a question in another format.
  file(service: string, places: Place[], ending: string, options: Record<string, string | undefined>): string {
    return `${service}/v1/${this.profile}/${where(places)}.${ending}${query({ ...this.common(), ...options })}`;
  }

  get profile(): string { return this.set.profiles[0]!; }

  // common are the options that all services know.
  common(): Record<string, string | undefined> {
    const s = this.state.settings;
    return { exclude: s.exclude || undefined, avoid: avoidQuery(s) || undefined, metric: s.metric || undefined };
  }

  setMode(mode: Mode): void {
    if (mode === this.state.mode) return;
    this.mode.leave?.(this);
    this.state.mode = mode;
    this.changed();
  }

  setProfile(name: string): void {
    this.state.profile = name;
    this.state.settings.exclude = '';
    this.state.settings.metric = '';
    this.map.setDataSet(this.set);
    const [west, south, east, north] = this.set.bounds, v = this.map.view();
    if (v.lon < west || v.lon > east || v.lat < south || v.lat > north) this.showAll();
    this.changed();
  }

  setting<K extends keyof Settings>(name: K, value: Settings[K]): void {
    if (this.state.settings[name] === value) return;
    this.state.settings[name] = value;
    if (name === 'alternative' && this.mode.picked) {
      this.mode.picked(this);
      this.save();
      return;
    }
    this.changed(false);
  }

  setPlaces(places: Place[]): void {
    this.state.places = places;
    this.state.settings.alternative = '0';
    this.changed();
  }

  insertPlace(i: number, at: Place): void { this.setPlaces(this.state.places.toSpliced(i, 0, at)); }

  removePlace(i: number): void {
    this.setPlaces(this.state.places.toSpliced(i, 1));
    this.panel.places.focus(Math.min(i, this.state.places.length - 1));
  }

  movePlace(i: number, to: Place, done: boolean): void {
    this.state.places = this.state.places.with(i, to);
    this.state.settings.alternative = '0';
    this.refreshPlaces();
    if (done) this.save();
    this.run(!done);
  }

  setTrace(trace: Trace | undefined): void {
    this.trace = trace;
    if (trace) this.state.mode = 'match';
    this.changed();
    if (trace) this.map.fit(trace.points, true);
  }

  // showAll moves the map to where the data are.
  showAll(): void {
    const [west, south, east, north] = this.set.bounds;
    this.map.fit(this.places.length > 1 && !this.trace ? this.places : this.trace?.points ?? [[west, south], [east, north]], true);
  }

  // frame moves the map to the first answer; later ones are where one looks anyway.
  frame(line: number[][]): void {
    this.framed = true;
    this.map.fit(line.map((c): Place => [c[0]!, c[1]!]), this.linked);
    this.linked = false;
  }

  // numberPins shows texts in place of letters.
  numberPins(texts: string[]): void {
    this.pinTexts = texts;
    this.refreshPins();
    this.panel.places.badges();
  }

  setTheme(theme: 'light' | 'dark'): void { keepTheme(theme); }

  // say shows a message in place of an answer.
  say(text: string): void { this.panel.message(text); }

  show(summary: string, ...content: (Child | Child[])[]): void { this.panel.answer(summary, content); }

  // run asks what the mode wants to know. Live questions, while something is
  // dragged, wait for the one before; others take its place.
  run(live: boolean): void {
    if (live && this.running) {
      this.again = true;
      return;
    }
    this.running?.abort();
    const running = this.running = new AbortController();
    this.again = false;
    const mode = this.mode;
    void (async () => {
      try {
        this.panel.busy(!live);
        await mode.run(this, running.signal, live);
      } catch (err) {
        if (!running.signal.aborted) {
          mode.clear(this);
          this.say(err instanceof Refusal || err instanceof Error ? err.message : String(err));
        }
      } finally {
        if (this.running === running) {
          this.running = undefined;
          this.panel.busy(false);
          if (this.again) this.run(true);
        }
      }
    })();
  }

  // changed shows a state that differs from the one before, and asks anew.
  private changed(places = true): void {
    this.pinTexts = undefined;
    this.refresh(places);
    this.save();
    this.run(false);
  }

  refresh(places = true): void {
    this.panel.render(places);
    this.refreshPins();
    this.map.draw('avoided', avoidedAreas(this.state.settings));
    document.title = `${this.mode.label} · Fourway`;
  }

  private refreshPlaces(): void {
    this.panel.places.render();
    this.refreshPins();
  }

  refreshPins(): void {
    const places = this.trace && this.state.mode === 'match' ? [] : this.places;
    this.map.pin(places.map((place, i): Pin => {
      const kind = this.mode.ends ? (i === 0 ? 'start' : i === places.length - 1 ? 'end' : 'via') : 'plain';
      return { place, kind, text: this.pinText(i), label: this.placeLabel(i) };
    }));
  }

  pinText(i: number): string { return this.mode.most(this.info) === 1 ? '•' : this.pinTexts?.[i] ?? letter(i); }

  // placeLabel says which place of the list it is.
  placeLabel(i: number): string {
    if (this.mode.most(this.info) === 1) return 'Place';
    if (!this.mode.ends) return `Place ${letter(i)}`;
    return i === 0 ? 'Start' : i === this.places.length - 1 ? 'End' : `Via ${i}`;
  }

  private clicked(at: Place): void {
    if (this.menu.close()) return;
    const most = this.mode.most(this.info), n = this.state.places.length;
    if (most === 0 || (this.state.mode === 'match' && this.trace)) return;
    if (most === 1) this.setPlaces([at, ...this.state.places.slice(1)]);
    else if (n < most) this.insertPlace(n, at);
    else this.say(`No more than ${most} places can be asked for.`);
  }

  private openMenu(at: Place, x: number, y: number): void {
    const n = this.state.places.length, many = this.mode.most(this.info) > 1;
    if (this.mode.most(this.info) === 0) return;
    const items: [string, () => void][] = many ? [
      ['Start here', () => this.setPlaces(n === 0 ? [at] : this.state.places.with(0, at))],
      ...(n >= 2 ? [['Via here', () => this.insertPlace(n - 1, at)] as [string, () => void]] : []),
      ...(n >= 1 ? [['End here', () => this.setPlaces(n === 1 ? [...this.state.places, at] : this.state.places.with(n - 1, at))] as [string, () => void]] : []),
      ...(n >= 2 ? [['Go on to here', () => this.insertPlace(n, at)] as [string, () => void]] : []),
    ] : [['Here', () => this.setPlaces([at, ...this.state.places.slice(1)])]];
    // Contraction hierarchies cannot be prepared anew for a request.
    if (this.set.algorithm !== 'ch') items.push(['Keep away from here', () => this.setting('areas', withArea(this.state.settings, this.map.disk(at)))]);
    this.menu.open(at, x, y, items);
  }

  private grabLine(leg: number, at: Place): number {
    if (this.state.mode !== 'route' || this.state.places.length >= this.mode.most(this.info)) return -1;
    this.state.places = this.state.places.toSpliced(leg + 1, 0, at);
    this.refreshPlaces();
    return leg + 1;
  }

  // settle replaces what the server does not have.
  private settle(): void {
    if (!this.info.datasets.some((d) => d.profiles.includes(this.state.profile))) this.state.profile = '';
    if (!this.available.includes(this.state.mode)) this.state.mode = this.available[0] ?? 'route';
  }

  private save(): void {
    this.written = writeLink(this.state);
    history.replaceState(null, '', this.written);
  }

  // follow goes where a link leads that was put into the address bar.
  private follow(): void {
    if (location.hash === this.written) return;
    this.mode.leave?.(this);
    Object.assign(this.state, readLink(location.hash));
    this.settle();
    this.map.setDataSet(this.set);
    this.framed = this.state.view !== undefined;
    this.linked = !this.framed && this.state.places.length > 0;
    if (this.state.view) this.map.jump(this.state.view);
    this.trace = undefined;
    this.changed();
  }
}
