// Encoded polylines of five decimals.

import type { Place } from './format';

export function encode(line: Place[]): string {
  let text = '', lat = 0, lon = 0;
  const put = (delta: number) => {
    let v = delta < 0 ? ~(delta << 1) : delta << 1;
    for (; v >= 0x20; v >>= 5) text += String.fromCharCode((0x20 | (v & 0x1f)) + 63);
    text += String.fromCharCode(v + 63);
  };
  for (const p of line) {
    const y = Math.round(p[1] * 1e5), x = Math.round(p[0] * 1e5);
    put(y - lat);
    put(x - lon);
    lat = y;
    lon = x;
  }
  return text;
}

export function decode(text: string): Place[] {
  const numbers: number[] = [];
  for (let i = 0, v = 0, shift = 0; i < text.length; i++) {
    const c = text.charCodeAt(i) - 63;
    v |= (c & 0x1f) << shift;
    shift += 5;
    if (c < 0x20) {
      numbers.push(v & 1 ? ~(v >> 1) : v >> 1);
      v = shift = 0;
    }
  }
  const line: Place[] = [];
  for (let i = 0, lat = 0, lon = 0; i + 1 < numbers.length; i += 2) {
    lat += numbers[i]!;
    lon += numbers[i + 1]!;
    line.push([lon / 1e5, lat / 1e5]);
  }
  return line;
}
