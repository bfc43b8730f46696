// The state of the share dialog.
import type {Loadable} from '../app/loadable.ts';
import type {Checklist, Made, SanitizeResult, SliceNames} from '../engine/types.ts';

/** The products. */
export type Product = 'report' | 'dump' | 'capsule' | 'markdown' | 'text';

/** The result: a file to save, the list of what was removed from a dump, or nothing else. */
export type Output = Made | SanitizeResult | null;

/** The dialog's state. */
export interface Share {
  /** The engine's number of the dump. */
  readonly dump: number;
  readonly checklist: Loadable<Checklist>;
  /** Keep names of people and sensitive text. */
  readonly names: boolean;
  /** Include the memory of the crashing thread's stack; in a dump, that of all stacks. */
  readonly memory: boolean;
  /** Include the values of the crashing thread's variables. */
  readonly values: boolean;
  /** Which function names the symbols of a capsule keep. */
  readonly symbols: SliceNames;
  /** The product that is being made, was made, or failed. */
  readonly made: {readonly product: Product; readonly state: Loadable<Output>} | null;
}
