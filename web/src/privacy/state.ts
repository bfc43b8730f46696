// The state of the privacy panel.
import type {SymbolHost} from './host.ts';

/** A request since the page was loaded, and its sender. */
export interface SentRequest {
  readonly by: 'page' | 'service worker' | 'symbols';
  readonly url: string;
}

export interface Privacy {
  /** Every request since the page was loaded. */
  readonly requested: readonly SentRequest[];
  /** How many requests the browser made since the engine was ready. */
  readonly requests: number;
  /** How often the browser refused one because of the policy. */
  readonly refused: number;
  /** Why the page is not cached for visits without a network; "" if it is cached, null while unknown. */
  readonly notCached: string | null;
  /** A newer version of the page is ready. */
  readonly update: boolean;
  readonly host: SymbolHost | null;
  /** How many files are being requested, and how many are done; null if none. */
  readonly requesting: {readonly done: number; readonly all: number} | null;
}

export const unknown: Privacy = {
  requested: [],
  requests: 0,
  refused: 0,
  notCached: null,
  update: false,
  host: null,
  requesting: null,
};
