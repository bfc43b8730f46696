// The drawing of a cycle: threads are boxes, locks are pills, and arrows show waits and owners. The threads are in a row with the
// locks between them; the last lock is below, on the way back to the first thread.
import {firstRow} from '../stack/stack.ts';
import {inMiddle} from '../text/names.ts';
import {counted, visibleRow} from '../text/text.ts';
import {lockName, type Waiter} from './hang.ts';
import {nameRuns} from './names.ts';
import {callName} from './parallel.ts';

export interface Shape {
  readonly kind: 'thread' | 'lock' | 'behind' | 'free-lock' | 'unknown';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly title: string;
  readonly detail: string;
  /** The thread that it leads to, as an index of the report; null for a lock. */
  readonly thread: number | null;
}

export interface Arrow {
  readonly kind: 'cycle' | 'behind' | 'unknown';
  readonly points: readonly (readonly [number, number])[];
  readonly words: string;
  /** The position of the words. */
  readonly at: readonly [number, number];
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
  readonly arrows: readonly Arrow[];
  /** The arrows as pairs of indexes into shapes. */
  readonly edges: readonly (readonly [number, number])[];
}

export const shapeHeight = 42;
export const box = 190;
export const pill = 170;
export const gap = 72;
const row = 48;
export const letters = 24;
export const lockLetters = 22;

// Longer cycles, and further ones, are only in the table.
const longest = 8;
const mostRings = 8;

/** The cycles that are drawn. */
export const drawn = (cycles: readonly Waiter[][]): readonly Waiter[][] =>
  cycles.filter(ring => ring.length <= longest).slice(0, mostRings);

/** A cycle of at least two threads, and the threads that wait for it. */
export function drawing(ring: readonly Waiter[], behind: readonly Waiter[]): Drawing {
  const groups = behindOf(ring, behind);
  const top = groups.some(({above}) => above) ? shapeHeight + row : 0;
  const width = ring.length * box + (ring.length - 1) * (pill + 2 * gap);
  const locks = ring.map((waiter, i) => lockAt(waiter, i, ring.length, top, width));
  const threads = ring.map((waiter, i) => threadAt(waiter, i * (box + pill + 2 * gap), top));
  const placed = groups.map(group => placeGroup(group, threads, locks, top));
  return {
    width,
    height: Math.max(...[...threads, ...locks, ...placed.map(({shape}) => shape)].map(({y}) => y)) + shapeHeight,
    shapes: [...threads, ...locks, ...placed.map(({shape}) => shape)],
    arrows: [...ring.flatMap((waiter, i) => around(waiter, i, threads, locks)), ...placed.map(({arrow}) => arrow)],
    edges: edgesOf(ring.length, groups),
  };
}

// The shapes: threads, their locks, and the threads behind them.
const edgesOf = (count: number, groups: readonly Group[]): (readonly [number, number])[] => [
  ...Array.from({length: count}, (_, i) => [i, count + i] as const),
  ...Array.from({length: count}, (_, i) => [count + i, (i + 1) % count] as const),
  ...groups.map(({target, isLock}, i) => [2 * count + i, isLock ? count + target : target] as const),
];

export const nameOf = ({thread: {thread_name: called, thread_id: id}}: Waiter): string =>
  called ? `${inMiddle(visibleRow(called), letters - 6)} ${id}` : `thread ${id}`;

export function callOf({thread}: Waiter): string {
  const first = firstRow(thread, null);
  return first ? inMiddle(visibleRow(callName(first)), letters) : '';
}

const threadAt = (waiter: Waiter, x: number, y: number): Shape => ({
  kind: 'thread',
  x,
  y,
  width: box,
  title: nameOf(waiter),
  detail: callOf(waiter),
  thread: waiter.index,
});

function lockAt({wait}: Waiter, i: number, count: number, top: number, width: number): Shape {
  const last = i === count - 1;
  const x = last ? (width - pill) / 2 : i * (box + pill + 2 * gap) + box + gap;
  const words = {
    title: inMiddle(lockName(wait), lockLetters),
    detail: wait.holder === 'joined' ? 'ends first' : 'held',
    thread: null,
  };
  return {kind: 'lock', x, y: last ? top + shapeHeight + row : top, width: pill, ...words};
}

const middle = ({y}: Shape): number => y + shapeHeight / 2;
const bottom = ({y}: Shape): number => y + shapeHeight;
const right = ({x, width}: Shape): number => x + width;

// The thread waits for the lock after it in the row, which the next thread holds. The last lock is below.
function around({wait}: Waiter, i: number, threads: readonly Shape[], locks: readonly Shape[]): Arrow[] {
  const [from, lock, to] = [threads[i], locks[i], threads[(i + 1) % threads.length]];
  if (!from || !lock || !to) return [];
  const isLast = i === threads.length - 1;
  const [start, end] = [from.x + from.width / 2, to.x + to.width / 2];
  const y = isLast ? middle(lock) : middle(from);
  const out = isLast ? path(start, bottom(from), start, y, right(lock), y) : path(right(from), y, lock.x, y);
  const back = isLast ? path(lock.x, y, end, y, end, bottom(to)) : path(right(lock), y, to.x, y);
  const owner = wait.holder === 'joined' ? 'which is' : 'held by';
  return [arrow('cycle', out, 'waits for'), arrow('cycle', back, owner)];
}

/** The points of a line: x and y of each in turn. */
export const path = (...at: readonly number[]): Arrow['points'] =>
  at.flatMap((x, i) => (i % 2 === 0 ? [[x, at[i + 1] ?? 0] as const] : []));

// Words are above the longest horizontal part of a line, or beside a vertical line.
export function arrow(kind: Arrow['kind'], points: Arrow['points'], words: string): Arrow {
  const level = points.findIndex((point, i) => points[i + 1]?.[1] === point[1]);
  const [a, b] = [points[Math.max(level, 0)] ?? [0, 0], points[Math.max(level, 0) + 1] ?? [0, 0]];
  const at = level < 0 ? ([a[0] + 6, (a[1] + b[1]) / 2 + 4] as const) : ([(a[0] + b[0]) / 2, a[1] - 6] as const);
  return {kind, points, words, at};
}

/** Threads behind a cycle that wait for the same lock or thread of it. */
interface Group {
  readonly waiters: Waiter[];
  /** The index of a lock or of a thread in the cycle. */
  readonly target: number;
  readonly isLock: boolean;
  /** A lock between two threads has no room below, and a thread between two others may be over the last lock. */
  readonly above: boolean;
}

function behindOf(ring: readonly Waiter[], behind: readonly Waiter[]): Group[] {
  const groups = new Map<string, Group>();
  for (const waiter of behind) {
    const {object, thread} = waiter.wait;
    const lock = object === null ? -1 : ring.findIndex(({wait}) => wait.object === object);
    const target = lock >= 0 ? lock : ring.findIndex(({index}) => index === thread);
    if (target < 0) continue; // it waits for another that is behind: the table has it
    const isLock = lock >= 0;
    const key = `${isLock}${target}`;
    const group = groups.get(key);
    if (group) group.waiters.push(waiter);
    else
      groups.set(key, {waiters: [waiter], target, isLock, above: target < ring.length - 1 && (isLock || target > 0)});
  }
  return [...groups.values()];
}

/** The title and detail of a box of threads behind the cycle. */
export function wordsOf(waiters: readonly Waiter[], first: Waiter): Pick<Shape, 'title' | 'detail' | 'thread'> {
  const one = waiters.length === 1;
  const title = one ? nameOf(first) : counted(waiters.length, 'thread');
  const detail = one ? callOf(first) : inMiddle(nameRuns(waiters.map(({thread}) => thread)), letters);
  return {title, detail, thread: first.index};
}

function words([first, ...rest]: readonly Waiter[]): string {
  const one = rest.length === 0;
  if (first?.wait.holder === 'joined') return one ? 'joins' : 'join';
  return one ? 'waits for' : 'wait for';
}

function placeGroup(
  {waiters, target, isLock, above}: Group,
  threads: readonly Shape[],
  locks: readonly Shape[],
  top: number,
): {shape: Shape; arrow: Arrow} {
  const of = (isLock ? locks : threads)[target] as Shape;
  const [first] = waiters as [Waiter];
  const y = above ? 0 : top + 2 * (shapeHeight + row);
  const x = of.x + (of.width - box) / 2;
  const shape: Shape = {kind: 'behind', x, y, width: box, ...wordsOf(waiters, first)};
  // The cycle's arrows use the middle, so this one is beside them.
  const at = isLock ? of.x + of.width / 2 : of.x + of.width * (target === 0 ? 0.15 : 0.85);
  const points = above ? path(at, shapeHeight, at, of.y) : path(at, y, at, bottom(of));
  return {shape, arrow: arrow('behind', points, words(waiters))};
}
