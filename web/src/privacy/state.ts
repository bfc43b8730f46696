// What the page knows of its own privacy, for the panel that shows it.
import type {SymbolHost} from './host.ts';

/** A request since the page was loaded, and who made it. */
export interface Asked {
  readonly by: 'page' | 'service worker' | 'symbols';
  readonly url: string;
}

export interface Privacy {
  /** Every request since the page was loaded. */
  readonly asked: readonly Asked[];
  /** How often the browser refused one because of the policy. */
  readonly refused: number;
  /** Why the page is not kept for visits without a network; "" when it is, null while that is not known. */
  readonly notKept: string | null;
  /** A newer version of the page waits. */
  readonly update: boolean;
  readonly host: SymbolHost | null;
  /** How many files are asked for, and how many of them are done; null when none are. */
  readonly asking: {readonly done: number; readonly all: number} | null;
}

export const unknown: Privacy = {asked: [], refused: 0, notKept: null, update: false, host: null, asking: null};
