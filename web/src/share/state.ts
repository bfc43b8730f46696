// What the page knows of what is about to be shared.
import type {Asked} from '../app/asked.ts';
import type {Checklist, KeptNames, Made, SanitizeResult} from '../engine/types.ts';

/** What can be made. */
export type Product = 'report' | 'dump' | 'capsule' | 'symbols' | 'markdown' | 'text';

/** What became of it: a file that is to be saved, what a dump lacks now, or nothing more to say. */
export type Output = Made | SanitizeResult | null;

/** The dialog's state. */
export interface Share {
  /** The engine's number of the dump. */
  readonly dump: number;
  readonly checklist: Asked<Checklist>;
  /** Leave names of people and what is sensitive as they are. */
  readonly names: boolean;
  /** Put in the memory of the crashing thread's stack; in a dump, that of all stacks. */
  readonly memory: boolean;
  /** Put in the values of the crashing thread's variables. */
  readonly values: boolean;
  /** Whose function names the symbols keep that go along with a capsule or alone. */
  readonly symbols: KeptNames;
  /** What is being made, was made, or could not be. */
  readonly made: {readonly product: Product; readonly state: Asked<Output>} | null;
}
