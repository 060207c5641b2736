// The map: what is drawn on it, and what is done to it with a pointer or with keys.

import maplibregl, { type GeoJSONSource, type LngLatLike, type Map, type MapMouseEvent, type MapTouchEvent, type VectorTileSource } from 'maplibre-gl';
import type { Feature } from 'geojson';
import { base, type DataSet } from './api';
import { debugLayers, type DebugChoice } from './debugstyle';
import { h } from './dom';
import { coordinate, type Place } from './format';
import type { View } from './state';
import { palettes, streetTiles, style, type Overlay, type Theme } from './style';

// Pin is a marker that stands for a place of the list.
export interface Pin { place: Place; text: string; label: string; kind: 'start' | 'via' | 'end' | 'plain' }

// Listener is told what is done to the map.
export interface Listener {
  click(at: Place): void;
  menu(at: Place, x: number, y: number): void;
  pinMoved(i: number, to: Place, done: boolean): void;
  pinRemoved(i: number): void;
  // lineGrabbed is told that a leg of the route shown is dragged; it returns the
  // position of the new place, or −1 if legs of this mode cannot be dragged.
  lineGrabbed(leg: number, at: Place): number;
  routePicked(i: number): void;
  moved(v: View): void;
  inspected(properties: Record<string, unknown> | undefined): void;
}

const still = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

export class MapView {
  readonly map: Map;
  private theme: Theme;
  private set: DataSet;
  private markers: { marker: maplibregl.Marker; element: HTMLElement }[] = [];
  private debug: DebugChoice | undefined;
  private data = new globalThis.Map<Overlay, Feature[]>();
  private ready = false;
  private grabbed = false;

  constructor(container: HTMLElement, set: DataSet, theme: Theme, view: View | undefined, private readonly on: Listener) {
    this.theme = theme;
    this.set = set;
    maplibregl.setWorkerUrl(base + 'map/worker.js');
    const [west, south, east, north] = set.bounds;
    this.map = new maplibregl.Map({
      container, style: style(theme, set), attributionControl: false, maxPitch: 0, dragRotate: true, minZoom: 1, maxZoom: 20.9,
      fadeDuration: still() ? 0 : 150, clickTolerance: 4,
      ...(view ? { center: [view.lon, view.lat] as LngLatLike, zoom: view.zoom } : { bounds: [west, south, east, north], fitBoundsOptions: { padding: this.padding() } }),
    });
    this.map.on('style.load', () => this.start());
    this.map.on('moveend', () => this.on.moved(this.view()));
    this.map.on('click', (e) => this.clicked(e));
    this.map.on('contextmenu', (e) => { this.on.menu(at(e), e.point.x, e.point.y); });
    this.map.on('mousedown', (e) => this.grab(e));
    this.map.on('mousemove', (e) => this.hover(e));
    this.map.on('touchstart', (e) => this.hold(e));
    const canvas = this.map.getCanvas();
    canvas.setAttribute('aria-label', 'Map. Arrow keys move it, plus and minus zoom, Enter sets a place in its middle.');
    canvas.addEventListener('keydown', (e) => {
      if (e.key !== 'Enter') return;
      const c = this.map.getCenter();
      this.on.click([c.lng, c.lat]);
      e.preventDefault();
    });
  }

  view(): View {
    const c = this.map.getCenter();
    return { lon: c.lng, lat: c.lat, zoom: this.map.getZoom() };
  }

  // padding is the room that the panel takes from the map.
  padding(): maplibregl.PaddingOptions {
    const room = { top: 48, bottom: 48, left: 48, right: 72 };
    const panel = document.querySelector('.panel');
    if (!panel) return room;
    const r = panel.getBoundingClientRect(), whole = document.documentElement;
    if (r.width > whole.clientWidth * 0.8) {
      const covered = Math.max(0, whole.clientHeight - r.top);
      return { ...room, bottom: Math.min(covered, whole.clientHeight - 160) + 24 };
    }
    return { ...room, left: r.right + 40 };
  }

  // fit moves the map so that places are to be seen; with those that are, unless
  // they are forced, nothing happens.
  fit(places: Place[], force: boolean): void {
    if (places.length === 0) return;
    const bounds = new maplibregl.LngLatBounds();
    for (const p of places) bounds.extend(p);
    const padding = this.padding() as { top: number; bottom: number; left: number; right: number };
    if (!force) {
      const size = this.map.getContainer();
      const inside = [bounds.getSouthWest(), bounds.getNorthEast()].every((c) => {
        const p = this.map.project(c);
        return p.x >= padding.left - 24 && p.y >= padding.top - 24 && p.x <= size.clientWidth - padding.right + 24 && p.y <= size.clientHeight - padding.bottom + 24;
      });
      if (inside) return;
    }
    this.map.fitBounds(bounds, { padding, maxZoom: 16, duration: still() ? 0 : 500 });
  }

  jump(v: View): void { this.map.jumpTo({ center: [v.lon, v.lat], zoom: v.zoom }); }

  // disk returns the corners of what is around a place: some of its pixels.
  disk(at: Place): Place[] {
    const p = this.map.project(at), corners = 12, radius = 22;
    return Array.from({ length: corners }, (_, i): Place => {
      const angle = (2 * Math.PI * i) / corners;
      const c = this.map.unproject([p.x + radius * Math.cos(angle), p.y + radius * Math.sin(angle)]);
      return [c.lng, c.lat];
    });
  }

  draw(overlay: Overlay, features: Feature[]): void {
    this.data.set(overlay, features);
    if (this.ready) this.map.getSource<GeoJSONSource>(overlay)?.setData({ type: 'FeatureCollection', features });
  }

  clear(...names: Overlay[]): void { for (const name of names) this.draw(name, []); }

  setTheme(theme: Theme): void {
    if (theme === this.theme) return;
    this.theme = theme;
    if (!this.ready) return;
    this.addImages();
    const layers = [...style(theme, this.set).layers, ...(this.debug ? debugLayers(this.debug, theme) : [])];
    for (const layer of layers) {
      for (const [name, value] of Object.entries(layer.paint ?? {})) {
        if (this.map.getLayer(layer.id)) this.map.setPaintProperty(layer.id, name, value);
      }
    }
  }

  setDataSet(set: DataSet): void {
    if (set === this.set) return;
    this.set = set;
    if (!this.ready) return;
    this.map.getSource<VectorTileSource>('streets')?.setTiles(streetTiles(set));
    const debug = this.debug;
    this.setDebug(undefined);
    this.setDebug(debug);
  }

  // setDebug shows what the search sees, or no longer.
  setDebug(choice: DebugChoice | undefined): void {
    this.debug = choice;
    if (!this.ready) return;
    for (const layer of this.map.getStyle().layers) {
      if (layer.id.startsWith('debug-')) this.map.removeLayer(layer.id);
    }
    if (this.map.getSource('debug')) this.map.removeSource('debug');
    if (!choice) return;
    this.map.addSource('debug', {
      type: 'vector', tiles: [`${base}tile/v1/${this.set.profiles[0]}/tile({x},{y},{z}).mvt?network=true`], minzoom: 12, maxzoom: 18,
    });
    for (const layer of debugLayers(choice, this.theme)) this.map.addLayer(layer, 'name');
  }

  // pin shows the places of the list.
  pin(pins: Pin[]): void {
    while (this.markers.length > pins.length) this.markers.pop()!.marker.remove();
    pins.forEach((pin, i) => {
      const shown = this.markers[i] ?? this.newMarker(i);
      shown.element.className = shown.element.className.replace(/\bpin-(?!body)\S+/g, '').trim() + ` pin-${pin.kind}`;
      shown.element.setAttribute('aria-label', `${pin.label} at ${coordinate(pin.place)}. Arrow keys move it, Delete removes it.`);
      (shown.element.firstChild as HTMLElement).textContent = pin.text;
      const now = shown.marker.getLngLat();
      if (now.lng !== pin.place[0] || now.lat !== pin.place[1]) shown.marker.setLngLat(pin.place);
    });
  }

  focusPin(i: number): void { this.markers[i]?.element.focus(); }

  private newMarker(i: number): { marker: maplibregl.Marker; element: HTMLElement } {
    const element = h('div', { class: 'pin', role: 'button', tabindex: 0 }, h('span', { class: 'pin-body' }));
    const marker = new maplibregl.Marker({ element, draggable: true, anchor: 'bottom' }).setLngLat([0, 0]).addTo(this.map);
    const place = (): Place => { const c = marker.getLngLat(); return [c.lng, c.lat]; };
    marker.on('drag', () => this.on.pinMoved(i, place(), false));
    marker.on('dragend', () => this.on.pinMoved(i, place(), true));
    element.addEventListener('click', (e) => e.stopPropagation());
    element.addEventListener('keydown', (e) => {
      const step = e.shiftKey ? 50 : 10;
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[e.key];
      if (by) {
        const p = this.map.project(marker.getLngLat());
        const c = this.map.unproject([p.x + by[0]!, p.y + by[1]!]);
        this.on.pinMoved(i, [c.lng, c.lat], true);
      } else if (e.key === 'Delete' || e.key === 'Backspace') {
        this.on.pinRemoved(i);
      } else {
        return;
      }
      e.preventDefault();
      e.stopPropagation();
    });
    return (this.markers[i] = { marker, element });
  }

  private start(): void {
    this.ready = true;
    this.addImages();
    for (const [overlay, features] of this.data) this.draw(overlay, features);
    if (this.debug) this.setDebug(this.debug);
  }

  private addImages(): void {
    const p = palettes[this.theme];
    for (const [name, image, options] of [
      ['arrow', arrow(p.arrow), { pixelRatio: 2 }],
      ['shield', shield(p.shield, p.shieldEdge), { pixelRatio: 2, stretchX: [[10, 14]], stretchY: [[10, 14]], content: [4, 4, 20, 20] }],
      ['dot', dot(), { pixelRatio: 2, sdf: true }],
    ] as [string, ImageData, object][]) {
      if (this.map.hasImage(name)) this.map.updateImage(name, image);
      else this.map.addImage(name, image, options);
    }
  }

  private clicked(e: MapMouseEvent): void {
    if (this.grabbed) { this.grabbed = false; return; }
    const route = this.routeAt(e);
    if (route && !route['chosen']) {
      this.on.routePicked(Number(route['route']));
      return;
    }
    if (this.debug) this.inspect(e);
    this.on.click(at(e));
  }

  private routeAt(e: MapMouseEvent): Record<string, unknown> | undefined {
    if (!this.ready) return undefined;
    const found = this.map.queryRenderedFeatures(e.point, { layers: ['route-hit'] }).map((f) => f.properties);
    return found.find((f) => f['chosen']) ?? found[0];
  }

  private hover(e: MapMouseEvent): void {
    if (e.originalEvent.buttons !== 0 || !this.ready) return;
    const route = this.routeAt(e);
    this.map.getCanvas().style.cursor = route ? (route['chosen'] && route['leg'] !== undefined ? 'grab' : 'pointer') : '';
    if (this.debug) this.inspect(e);
  }

  private inspect(e: MapMouseEvent): void {
    const { x, y } = e.point;
    const layers = this.map.getStyle().layers.map((l) => l.id).filter((id) => id.startsWith('debug-'));
    this.on.inspected(this.map.queryRenderedFeatures([[x - 4, y - 4], [x + 4, y + 4]], { layers })[0]?.properties);
  }

  // grab drags a new place out of the route.
  private grab(e: MapMouseEvent): void {
    if (e.originalEvent.button !== 0) return;
    const route = this.routeAt(e);
    if (!route || !route['chosen'] || route['leg'] === undefined) return;
    e.preventDefault(); // the map stays where it is
    let place = -1;
    const move = (m: MapMouseEvent) => {
      if (place < 0) {
        if (Math.hypot(m.point.x - e.point.x, m.point.y - e.point.y) < 5) return;
        place = this.on.lineGrabbed(Number(route['leg']), at(m));
        if (place < 0) return;
        this.grabbed = true;
      }
      this.on.pinMoved(place, at(m), false);
    };
    this.map.on('mousemove', move);
    this.map.once('mouseup', (up) => {
      this.map.off('mousemove', move);
      if (place >= 0) this.on.pinMoved(place, at(up), true);
      setTimeout(() => { this.grabbed = false; });
    });
  }

  // hold opens the menu where a finger rests: not every browser does.
  private hold(e: MapTouchEvent): void {
    if (e.points.length !== 1) return;
    const timer = setTimeout(() => { this.on.menu(at(e), e.point.x, e.point.y); }, 550);
    const end = () => {
      clearTimeout(timer);
      for (const name of ['touchend', 'touchcancel', 'move'] as const) this.map.off(name, end);
    };
    for (const name of ['touchend', 'touchcancel', 'move'] as const) this.map.on(name, end);
  }
}

function at(e: { lngLat: maplibregl.LngLat }): Place {
  const c = e.lngLat.wrap();
  return [c.lng, c.lat];
}

function paint(size: number, draw: (c: CanvasRenderingContext2D) => void): ImageData {
  const canvas = h('canvas', { width: size, height: size });
  const context = canvas.getContext('2d')!;
  draw(context);
  return context.getImageData(0, 0, size, size);
}

function arrow(color: string): ImageData {
  return paint(28, (c) => {
    c.strokeStyle = color;
    c.lineWidth = 2.6;
    c.lineCap = c.lineJoin = 'round';
    c.beginPath();
    c.moveTo(4, 14);
    c.lineTo(23, 14);
    c.moveTo(16.5, 8);
    c.lineTo(23, 14);
    c.lineTo(16.5, 20);
    c.stroke();
  });
}

// dot is a disk as a field of distances, which takes any color.
function dot(): ImageData {
  const size = 32, image = new ImageData(size, size), radius = 8;
  for (let i = 0; i < size * size; i++) {
    const far = Math.hypot((i % size) + 0.5 - size / 2, Math.floor(i / size) + 0.5 - size / 2);
    image.data[4 * i + 3] = Math.max(0, Math.min(255, 192 + (radius - far) * 24));
  }
  return image;
}

function shield(fill: string, edge: string): ImageData {
  return paint(24, (c) => {
    c.fillStyle = fill;
    c.strokeStyle = edge;
    c.lineWidth = 2;
    c.beginPath();
    c.roundRect(2, 2, 20, 20, 6);
    c.fill();
    c.stroke();
  });
}
