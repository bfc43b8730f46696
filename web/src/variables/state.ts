// What the page knows of the variables of frames.
import type {Asked} from '../app/asked.ts';
import type {FrameVariables, ModuleGlobals} from '../engine/types.ts';

/** What was asked of a frame. What was known by older symbols is shown until the newer ones have answered. */
export interface FrameValues {
  readonly revision: number;
  readonly asked: Asked<FrameVariables>;
}

/** The arguments of a thread's frames, by the frames' numbers. */
export interface Arguments {
  readonly revision: number;
  readonly frames: ReadonlyMap<number, FrameVariables>;
}

/** What was looked for among the variables of a module that are outside of functions. */
export interface GlobalValues {
  readonly revision: number;
  readonly name: string;
  readonly asked: Asked<ModuleGlobals>;
}
