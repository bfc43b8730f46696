// The variables of frames in the page's state.
import type {Loadable} from '../app/loadable.ts';
import type {FrameVariables, ModuleGlobals} from '../engine/types.ts';

/** The variables of a frame. Values from older symbols stay until those from the newer ones arrive. */
export interface FrameValues {
  readonly revision: number;
  readonly answer: Loadable<FrameVariables>;
}

/** A search among the global variables of a module. */
export interface GlobalValues {
  readonly revision: number;
  readonly name: string;
  readonly answer: Loadable<ModuleGlobals>;
}

export interface VariablesState {
  /** Variables of frames. */
  readonly values: ReadonlyMap<string, FrameValues>;
  /** The last search among the global variables of each module. */
  readonly globals: ReadonlyMap<string, GlobalValues>;
  /** Open rows of the trees. */
  readonly open: ReadonlySet<string>;
  /** The row of a tree that had the focus last. */
  readonly row: string | null;
  /** The row whose evidence was requested last. */
  readonly why: string | null;
}

export const firstVariables: VariablesState = {
  values: new Map(),
  globals: new Map(),
  open: new Set(),
  row: null,
  why: null,
};
