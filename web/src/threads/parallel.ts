// All stacks of a dump as one tree. Threads with the same outermost calls share a branch.
import type {Thread} from '../report.ts';
import {type FrameRow, frameRows} from '../stack/frames.ts';
import {callName} from '../stack/names.ts';
import {grouped} from '../text/maps.ts';
import {counted} from '../text/text.ts';

export interface Branch {
  /** Calls that all of its threads have in common, the outermost first. */
  readonly calls: readonly FrameRow[];
  /** Indexes of the threads that come through here. */
  readonly threads: readonly number[];
  readonly branches: readonly Branch[];
  /** The crashed thread, or one of a cycle, comes through here. */
  readonly crashed: boolean;
}

// A stack overflow has thousands of frames; more of them than this add nothing to the drawing.
const deepest = 200;

/** The tree of stacks: the branches of the crash and of a cycle's threads come first, then those with most threads. */
export function parallel(threads: readonly Thread[], cycle: ReadonlySet<number> = new Set()): Branch[] {
  const stacks = threads.map((thread, index) => ({
    index,
    crashed: thread.crashed || cycle.has(index),
    rows: frameRows(thread, false).slice(-deepest).reverse(),
  }));
  return grow(
    stacks.filter(stack => stack.rows.length > 0),
    0,
  );
}

interface Stack {
  readonly crashed: boolean;
  readonly index: number;
  readonly rows: readonly FrameRow[];
}

function grow(stacks: readonly Stack[], depth: number): Branch[] {
  // The others end where the branch before this one ends.
  const longer = stacks.filter(({rows}) => rows.length > depth);
  const by = grouped(longer, ({rows}) => keyOf(rows[depth]));
  return [...by.values()].map(group => branch(group, depth)).sort(crashFirst);
}

// The crash, then by number of threads, guesses last.
const crashFirst = (a: Branch, b: Branch): number =>
  Number(b.crashed) - Number(a.crashed) ||
  Number(isGuess(a)) - Number(isGuess(b)) ||
  b.threads.length - a.threads.length;

const isGuess = ({calls}: Branch): boolean => calls[0]?.guess ?? false;

function branch(stacks: readonly Stack[], from: number): Branch {
  const [first] = stacks;
  const rows = first?.rows ?? [];
  let to = from + 1;
  while (
    to < rows.length &&
    rows[to]?.guess === rows[from]?.guess &&
    stacks.every(stack => same(stack.rows[to], rows[to]))
  )
    to++;
  return {
    calls: rows.slice(from, to),
    threads: stacks.map(stack => stack.index),
    branches: grow(stacks, to),
    crashed: stacks.some(stack => stack.crashed),
  };
}

const same = (a: FrameRow | undefined, b: FrameRow | undefined): boolean => a !== undefined && keyOf(a) === keyOf(b);

const keyOf = (row: FrameRow | undefined): string => (row ? `${row.frame.module ?? ''}\n${callName(row)}` : '');

/** "3 threads, 1 of them crashed". Only a box in which all threads crashed is marked. */
export function boxWords(
  threads: readonly Thread[],
  crash: boolean,
): {readonly words: string; readonly crashed: boolean} {
  const count = crash ? threads.filter(thread => thread.crashed).length : 0;
  const crashed = count > 0 && count === threads.length;
  const words = count === 0 ? '' : crashed ? ', crashed' : `, ${count} of them crashed`;
  return {words: counted(threads.length, 'thread') + words, crashed};
}
