// The state of the privacy panel.
import type {SymbolHost} from './host.ts';

/** A request since the page was loaded, and its sender. */
export interface Asked {
  readonly by: 'page' | 'service worker' | 'symbols';
  readonly url: string;
}

export interface Privacy {
  /** Every request since the page was loaded. */
  readonly asked: readonly Asked[];
  /** How many requests the browser made since the engine was ready. */
  readonly requests: number;
  /** How often the browser refused one because of the policy. */
  readonly refused: number;
  /**
   * Why the page is not kept for visits without a network; "" if it is kept, null while unknown.
   */
  readonly notKept: string | null;
  /** A newer version of the page is ready. */
  readonly update: boolean;
  readonly host: SymbolHost | null;
  /** How many files are being requested, and how many are done; null if none. */
  readonly asking: {readonly done: number; readonly all: number} | null;
}

export const unknown: Privacy = {
  asked: [],
  requests: 0,
  refused: 0,
  notKept: null,
  update: false,
  host: null,
  asking: null,
};
