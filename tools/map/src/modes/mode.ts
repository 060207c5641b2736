// What the page can ask for.

import type { Info } from '../api';
import type { App } from '../app';
import type { Mode } from '../state';
import { debug } from './debug';
import { isochrone } from './isochrone';
import { match } from './match';
import { nearest } from './nearest';
import { route } from './route';
import { table } from './table';
import { trip } from './trip';

export interface ModeDefinition {
  label: string;
  service: string;
  ends: boolean; // the first place is the start, and the last the end
  // most is how many places there may be.
  most(info: Info): number;
  // options are the controls of the mode's settings.
  options(app: App): Node[];
  // run asks and shows the answer. Live questions are asked while something is
  // dragged, and need not tell all.
  run(app: App, signal: AbortSignal, live: boolean): Promise<void>;
  // clear takes the answer off the map.
  clear(app: App): void;
  leave?(app: App): void;
  moved?(app: App): void;
  picked?(app: App): void;
  inspected?(app: App, properties: Record<string, unknown> | undefined): void;
}

const definitions: Record<Mode, ModeDefinition> = { route, table, trip, match, nearest, isochrone, debug };

export function modeOf(m: Mode): ModeDefinition { return definitions[m]; }

