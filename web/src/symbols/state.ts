// The state of symbol files.
import type {Loadable} from '../app/loadable.ts';
import type {FileInfo, StoredIndexes} from '../engine/types.ts';
import type {Shell} from './get.ts';

export interface SymbolsState {
  /** Symbol files that were added before any dump. */
  readonly files: readonly string[];
  /** The kinds of these files; null until requested. */
  readonly described: Loadable<readonly FileInfo[]> | null;
  /** Modules whose .sym file is being written, or failed. */
  readonly syms: ReadonlyMap<string, Loadable<null>>;
  /** The shell for which commands are written. */
  readonly shell: Shell;
  /** The cached indexes of symbol files; null until known. */
  readonly stored: StoredIndexes | null;
}

export const firstSymbols: SymbolsState = {files: [], described: null, syms: new Map(), shell: 'linux', stored: null};
