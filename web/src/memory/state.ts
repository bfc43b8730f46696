// The state of the view of bytes.
import type {Loadable} from '../app/loadable.ts';
import type {CapturedRange, Found} from '../engine/types.ts';
import type {Page} from './bytes.ts';

/** The contents of the view of bytes. */
export interface Hex {
  /** The engine's number of the dump. */
  readonly dump: number;
  /** The byte at the caret. */
  readonly caret: bigint;
  /** The first byte of the first row. */
  readonly top: bigint;
  /** Bytes that a pointer was followed from, the last one last. */
  readonly came: readonly bigint[];
  readonly query: string;
  /** Text is searched for as UTF-16, as Windows and Java store it. */
  readonly wide: boolean;
  readonly found: Loadable<Found> | null;
}

export interface MemoryState {
  /** null until an address is shown. */
  readonly hex: Hex | null;
  /** The captured ranges of dumps, by number. */
  readonly captured: ReadonlyMap<number, Loadable<readonly CapturedRange[]>>;
  readonly pages: ReadonlyMap<string, Loadable<Page>>;
}

export const firstMemory: MemoryState = {hex: null, captured: new Map(), pages: new Map()};
