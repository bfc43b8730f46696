// The variable that takes the most of a frame's part of the stack.
import type {Variable} from '../report.ts';
import {parse} from '../text/hex.ts';

// A smaller one does not say what a frame is full of.
const least = 64;

/** A part of memory: the first address, and the one behind its end. */
export interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

/** The name of the largest variable there; null if none is large. A static variable of a function is elsewhere. */
export function largestOf(variables: readonly Variable[], {from, to}: Range): string | null {
  const isThere = ({name, address, size = 0}: Variable): boolean => {
    const at = parse(address);
    return name !== '' && size >= least && at !== null && from <= at && at + BigInt(size) <= to;
  };
  const [first, ...rest] = variables.filter(isThere);
  if (!first) return null;
  return rest.reduce((most, variable) => ((variable.size ?? 0) > (most.size ?? 0) ? variable : most), first).name;
}
