// The menu of a place on the map.

import { h } from './dom';
import { coordinate, type Place } from './format';

export class Menu {
  private element: HTMLElement | undefined;

  constructor(private readonly container: HTMLElement) {
    document.addEventListener('keydown', (e) => { if (e.key === 'Escape') this.close(); });
  }

  open(at: Place, x: number, y: number, items: [label: string, action: () => void][]): void {
    this.close();
    const menu = this.element = h('div', { class: 'menu', role: 'menu', 'aria-label': `Place ${coordinate(at)}` },
      h('div', { class: 'menu-place' }, coordinate(at)),
      items.map(([label, action]) => h('button', {
        type: 'button', role: 'menuitem', onclick: () => { this.close(); action(); },
      }, label)));
    this.container.append(menu);
    menu.style.left = `${Math.min(x, this.container.clientWidth - menu.offsetWidth - 8)}px`;
    menu.style.top = `${Math.min(y, this.container.clientHeight - menu.offsetHeight - 8)}px`;
    menu.addEventListener('keydown', (e) => this.move(e));
    menu.querySelector('button')?.focus();
  }

  // close says whether there was a menu.
  close(): boolean {
    const open = this.element !== undefined;
    this.element?.remove();
    this.element = undefined;
    return open;
  }

  private move(e: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!by || !this.element) return;
    const buttons = [...this.element.querySelectorAll('button')];
    const i = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(i + by + buttons.length) % buttons.length]?.focus();
    e.preventDefault();
  }
}
