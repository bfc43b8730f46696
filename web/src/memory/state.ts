// The state of the view of bytes.
import type {Asked} from '../app/asked.ts';
import type {Found} from '../engine/types.ts';

/** The contents of the view of bytes. */
export interface Hex {
  /** The engine's number of the dump. */
  readonly dump: number;
  /** The byte at the caret. */
  readonly caret: bigint;
  /** The first byte of the first row. */
  readonly top: bigint;
  readonly query: string;
  /** Text is searched for as UTF-16, as Windows and Java store it. */
  readonly wide: boolean;
  readonly found: Asked<Found> | null;
}
