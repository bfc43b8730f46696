// The state of stacks: which of their rows are shown, and the arguments of calls.
import type {FrameVariables} from '../engine/types.ts';

/** The arguments of a thread's frames, by the frames' numbers. */
export interface Arguments {
  readonly revision: number;
  readonly frames: ReadonlyMap<number, FrameVariables>;
}

export interface StackState {
  readonly inlined: boolean;
  readonly guesses: boolean;
  /** Stacks show the system's frames; otherwise runs of them are folded. */
  readonly system: boolean;
  /** Rows of stacks have the arguments of their calls. */
  readonly arguments: boolean;
  /** Functions are named as linkers name them. */
  readonly rawNames: boolean;
  /** Arguments of the frames of threads. */
  readonly rowArguments: ReadonlyMap<string, Arguments>;
}

export const firstStack: StackState = {
  inlined: true,
  guesses: true,
  system: false,
  arguments: true,
  rawNames: false,
  rowArguments: new Map(),
};
