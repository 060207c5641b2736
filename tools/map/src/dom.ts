// Making elements.

type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;
export type Child = Node | string | number | undefined | false;

// h returns an element. Attributes that are functions listen to the event that
// their name has behind "on"; those that are false or undefined are left out.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  for (const child of children.flat()) {
    if (child !== undefined && child !== false) {
      element.append(typeof child === 'number' ? String(child) : child);
    }
  }
  return element;
}

const svg = 'http://www.w3.org/2000/svg';

// icons are paths in a square of 24.
const icons = {
  route: 'M6 19a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM18 10a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8.5 16.5H14a3.25 3.25 0 0 0 0-6.5h-4a3 3 0 0 1 0-6h1',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M9.5 5v14M14.75 5v14',
  trip: 'M12 4a8 8 0 1 0 8 8M12 4l3-2.5M12 4l3 2.5M12 12h.01M8 12h.01M16 12h.01',
  match: 'M3 17c3 0 3-9 6-9s3 8 6 8 3-6 6-6M5 13h.01M9 12h.01M13 11h.01M17 17h.01',
  nearest: 'M12 21s-6.5-5.5-6.5-11a6.5 6.5 0 0 1 13 0c0 5.5-6.5 11-6.5 11ZM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  isochrone: 'M12 13.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z',
  debug: 'M12 3 3 8l9 5 9-5-9-5ZM3 12.5l9 5 9-5M3 17l9 5 9-5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  up: 'M6 14.5 12 8.5l6 6',
  down: 'm6 9.5 6 6 6-6',
  swap: 'M8 4v15M8 19l-3.5-3.5M8 19l3.5-3.5M16 20V5M16 5l-3.5 3.5M16 5l3.5 3.5',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7',
  link: 'M10 14a4 4 0 0 0 6 .4l2.5-2.5a4 4 0 0 0-5.7-5.7L11.5 7.5M14 10a4 4 0 0 0-6-.4l-2.5 2.5a4 4 0 0 0 5.7 5.7l1.3-1.3',
  locate: 'M12 18a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM12 2v4M12 18v4M2 12h4M18 12h4',
  north: 'M12 3l4.5 9h-9L12 3ZM12 21l-4.5-9h9L12 21Z',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.8 1.8M17.2 17.2 19 19M5 19l1.8-1.8M17.2 6.8 19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4M12 11v6M12 11l-2.5 2.5M12 11l2.5 2.5',
  // maneuvers
  straight: 'M12 21V4M12 4 7 9M12 4l5 5',
  left: 'M17 21v-8a3 3 0 0 0-3-3H5M5 10l5-5M5 10l5 5',
  right: 'M7 21v-8a3 3 0 0 1 3-3h9M19 10l-5-5M19 10l-5 5',
  'slight left': 'M15 21v-7L6.5 5.5M6.5 5.5V12M6.5 5.5H13',
  'slight right': 'M9 21v-7l8.5-8.5M17.5 5.5V12M17.5 5.5H11',
  'sharp left': 'M16 21V6l-9 9M7 15V8.5M7 15h6.5',
  'sharp right': 'M8 21V6l9 9M17 15V8.5M17 15h-6.5',
  uturn: 'M17 21V9A4.5 4.5 0 0 0 8 9v8M8 17l-4-4M8 17l4-4',
  roundabout: 'M12 21v-5M12 16a4.5 4.5 0 1 1 4.5-4.5M16.5 11.5l-3-2M16.5 11.5l2-3',
  depart: 'M12 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM12 14V4M12 4 8 8M12 4l4 4',
  arrive: 'M6 21V4h12l-3.5 4L18 12H6',
} as const;

export type IconName = keyof typeof icons;

// icon returns a picture that says nothing to readers of the screen.
export function icon(name: IconName): SVGSVGElement {
  const element = document.createElementNS(svg, 'svg');
  element.setAttribute('viewBox', '0 0 24 24');
  element.setAttribute('aria-hidden', 'true');
  element.setAttribute('class', 'icon');
  const path = document.createElementNS(svg, 'path');
  path.setAttribute('d', icons[name]);
  element.append(path);
  return element;
}

export function isIcon(name: string): name is IconName { return name in icons; }

// button returns a button with an icon, whose label is read out and shown as a hint.
export function button(name: IconName, label: string, click: () => void, extra: Attributes = {}): HTMLButtonElement {
  return h('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick: click, ...extra }, icon(name));
}

// swatch returns a patch of a color.
export function swatch(color: string): HTMLElement {
  const patch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
  patch.style.background = color;
  return patch;
}
