// The variables of frames in the page's state.
import type {Asked} from '../app/asked.ts';
import type {FrameVariables, ModuleGlobals} from '../engine/types.ts';

/** The variables of a frame. Values from older symbols stay until those from the newer ones arrive. */
export interface FrameValues {
  readonly revision: number;
  readonly asked: Asked<FrameVariables>;
}

/** The arguments of a thread's frames, by the frames' numbers. */
export interface Arguments {
  readonly revision: number;
  readonly frames: ReadonlyMap<number, FrameVariables>;
}

/** A search among the global variables of a module. */
export interface GlobalValues {
  readonly revision: number;
  readonly name: string;
  readonly asked: Asked<ModuleGlobals>;
}
