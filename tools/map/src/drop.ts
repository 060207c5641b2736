// Files that are dropped on the page.

import type { App } from './app';
import { openTrace } from './modes/match';

export function takeDrops(app: App): void {
  let depth = 0;
  const show = (on: boolean) => document.body.classList.toggle('dropping', on);
  const holdsFile = (e: DragEvent) => e.dataTransfer?.types.includes('Files') ?? false;
  document.addEventListener('dragenter', (e) => { if (holdsFile(e)) show(++depth > 0); });
  document.addEventListener('dragleave', (e) => { if (holdsFile(e)) show(--depth > 0); });
  document.addEventListener('dragover', (e) => { if (holdsFile(e)) e.preventDefault(); });
  document.addEventListener('drop', (e) => {
    if (!holdsFile(e)) return;
    e.preventDefault();
    show((depth = 0) > 0);
    const file = e.dataTransfer?.files[0];
    if (file) void openTrace(app, file);
  });
}
