// What figures look like.

export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')}`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export function distance(meters: number): string {
  if (meters < 995) return `${meters < 100 ? Math.round(meters) : Math.round(meters / 10) * 10} m`;
  return `${(meters / 1000).toFixed(meters < 99_500 ? 1 : 0)} km`;
}

export type Place = [lon: number, lat: number];

// coordinate writes a place as most maps do: the latitude first.
export function coordinate(p: Place): string { return `${p[1].toFixed(5)}, ${p[0].toFixed(5)}`; }

// parseCoordinate reads "latitude, longitude".
export function parseCoordinate(text: string): Place | undefined {
  const match = /^\s*([+-]?\d+(?:\.\d*)?)\s*[,;\s]\s*([+-]?\d+(?:\.\d*)?)\s*$/.exec(text);
  if (!match) return undefined;
  const lat = Number(match[1]), lon = Number(match[2]);
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? [lon, lat] : undefined;
}

// letter names the place at a position of the list: A to Z, then AA.
export function letter(i: number): string {
  const last = String.fromCharCode(65 + (i % 26));
  return i < 26 ? last : letter(Math.floor(i / 26) - 1) + last;
}

export function plural(n: number, one: string, many = one + 's'): string { return `${n} ${n === 1 ? one : many}`; }
