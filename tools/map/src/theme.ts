// Light or dark: as the browser prefers, unless it was chosen here.

import type { Theme } from './style';

const key = 'fourway-theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');

function kept(): Theme | undefined {
  try {
    const value = localStorage.getItem(key);
    return value === 'light' || value === 'dark' ? value : undefined;
  } catch {
    return undefined; // storage is forbidden
  }
}

let chosen = kept();

export function chosenTheme(): Theme { return chosen ?? (dark.matches ? 'dark' : 'light'); }

// showTheme makes the page look so, and tells whoever listens.
export function showTheme(): void {
  document.documentElement.dataset['theme'] = chosenTheme();
  document.dispatchEvent(new Event('themechange'));
}

export function keepTheme(theme: Theme): void {
  chosen = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // It lasts as long as the page.
  }
  showTheme();
}

dark.addEventListener('change', showTheme);
