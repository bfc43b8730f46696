// All stacks of a dump as one tree: threads that were called by the same functions share them, from the outermost call in.
import type {Thread} from '../report.ts';
import {type FrameRow, frameRows, functionName} from '../stack/frames.ts';
import {brief} from '../text/hex.ts';
import {bare} from '../text/names.ts';

export interface Branch {
  /** Calls that all of its threads have in common, the outermost first. */
  readonly calls: readonly FrameRow[];
  /** Indexes of the threads that come through here. */
  readonly threads: readonly number[];
  readonly branches: readonly Branch[];
}

// A stack overflow has thousands of frames, and a picture of them says nothing that its first ones do not.
const deepest = 200;

/** The tree of stacks; the branches with most threads come first. */
export function parallel(threads: readonly Thread[]): Branch[] {
  const stacks = threads.map((thread, index) => ({index, rows: frameRows(thread, false).slice(-deepest).reverse()}));
  return grow(
    stacks.filter(stack => stack.rows.length > 0),
    0,
  );
}

interface Stack {
  readonly index: number;
  readonly rows: readonly FrameRow[];
}

function grow(stacks: readonly Stack[], depth: number): Branch[] {
  const by = new Map<string, Stack[]>();
  for (const stack of stacks) {
    const row = stack.rows[depth];
    if (!row) continue; // it ends where the branch before this one ends
    const key = callName(row);
    by.set(key, [...(by.get(key) ?? []), stack]);
  }
  return [...by.values()].map(group => branch(group, depth)).sort((a, b) => b.threads.length - a.threads.length);
}

function branch(stacks: readonly Stack[], from: number): Branch {
  const [first] = stacks;
  const rows = first?.rows ?? [];
  let to = from + 1;
  while (to < rows.length && stacks.every(stack => same(stack.rows[to], rows[to]))) to++;
  return {calls: rows.slice(from, to), threads: stacks.map(stack => stack.index), branches: grow(stacks, to)};
}

const same = (a: FrameRow | undefined, b: FrameRow | undefined): boolean =>
  a !== undefined && b !== undefined && callName(a) === callName(b);

/** A call by its function's name, or by where it is. */
export function callName(row: FrameRow): string {
  const name = functionName(row);
  if (name !== null) return bare(name);
  const {module, module_offset: offset} = row.frame;
  return module !== null && offset !== null ? `${module} + ${brief(offset)}` : brief(row.frame.offset);
}
