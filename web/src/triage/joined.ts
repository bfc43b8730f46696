// The stacks of a group's dumps as one: calls that all have stand once, and where stacks part, each call has its count.
import {type FrameRow, isOwn} from '../stack/frames.ts';
import {callName} from '../stack/names.ts';
import {common} from './compare.ts';

export interface Joined {
  readonly row: FrameRow;
  readonly name: string;
  /** In how many stacks it is. */
  readonly count: number;
}

// Each stack is compared with the joined one, so both are limited.
const mostRows = 60;

/** The most stacks that are joined. */
export const mostStacks = 100;

/** The joined stack of the first hundred stacks, innermost first. */
export function joined(stacks: readonly (readonly FrameRow[])[]): readonly Joined[] {
  let all: readonly Joined[] = [];
  for (const stack of stacks.slice(0, mostStacks))
    all = join(
      all,
      stack.slice(0, mostRows).map(row => ({row, name: callName(row), count: 1})),
    );
  return all;
}

function join(all: readonly Joined[], rows: readonly Joined[]): readonly Joined[] {
  const out: Joined[] = [];
  let [i, j] = [0, 0];
  const names = (list: readonly Joined[]): string[] => list.map(({name}) => name);
  for (const [x, y] of [...common(names(all), names(rows)), [all.length, rows.length] as const]) {
    out.push(...all.slice(i, x), ...rows.slice(j, y));
    const at = all[x];
    if (at) out.push({...at, count: at.count + 1});
    [i, j] = [x + 1, y + 1];
  }
  return out.slice(0, 2 * mostRows);
}

/** How many of the outermost rows are not the program's own. */
export function outerSystem(all: readonly Joined[]): number {
  const last = all.findLastIndex(({row}) => isOwn(row));
  return last < 0 ? 0 : all.length - 1 - last;
}
