// The cards of a cycle: for each thread the line that waits, and the line that took the lock for which another one waits.
import {type FrameRow, frameRows, isOwn} from '../stack/frames.ts';
import {functionName, place} from '../stack/names.ts';
import {firstRow} from '../stack/stack.ts';
import {grouped} from '../text/maps.ts';
import {bare} from '../text/names.ts';
import {lockName, unknownHolder, type Waiter} from './hang.ts';
import {nameRuns} from './names.ts';

/** The lines of a file that the user added, by its path; null for others. */
export type Lines = (file: string) => readonly string[] | null;

/** A line of a card: the row of the stack, and its text where the file is known. */
export interface CardLine {
  readonly row: FrameRow;
  readonly number: number | null;
  readonly text: string | null;
}

export interface Card {
  readonly waiter: Waiter;
  /** The innermost line of the program: it waits. */
  readonly waits: CardLine | null;
  /** The wait of the thread before it, for what this one holds. */
  readonly held: Waiter;
  /** The line that took what it holds: a guess, by the words of the source. */
  readonly took: CardLine | null;
}

// Longer cycles, and further ones, are only in the table.
const longest = 8;
const mostRings = 8;
const mostGroups = 4;

/** The cycles that have cards. */
export const drawn = (cycles: readonly Waiter[][]): readonly Waiter[][] =>
  cycles.filter(ring => ring.length <= longest).slice(0, mostRings);

/** The cards of a cycle: each thread waits for the next one. */
export const cards = (ring: readonly Waiter[], lines: Lines): Card[] =>
  ring.map((waiter, i) => {
    const held = ring.at(i - 1) ?? waiter;
    const row = firstRow(waiter.thread, null);
    return {waiter, waits: row && lineOf(row, lines), held, took: held.wait.name ? took(waiter, held, lines) : null};
  });

function lineOf(row: FrameRow, lines: Lines): CardLine {
  const {file, line} = place(row);
  const text = file === null || line === null ? null : (lines(file)?.[line - 1] ?? null);
  return {row, number: line, text: text?.trim() ?? null};
}

// So many lines above a call may have taken the lock that its function holds.
const mostLines = 80;

// A dump does not record which line took a lock. It was probably a line of a function on the stack, above the line where the function is, that locks something
// with the lock's name. If two lines are possible, or a line between releases it, no line is named.
function took(holder: Waiter, {wait}: Waiter, lines: Lines): CardLine | null {
  const member = /\w{3,}$/.exec(wait.name ?? '')?.[0];
  if (member === undefined) return null;
  for (const row of frameRows(holder.thread, false)) {
    const {file, line} = place(row);
    const name = functionName(row);
    const text = isOwn(row) && !row.guess && file !== null ? lines(file) : null;
    if (!text || line === null || name === null) continue;
    const found = above(text, line, lastWord(name), member);
    if (found.length > 1) return null;
    const [number] = found;
    if (number !== undefined) return {row, number, text: text[number - 1]?.trim() ?? null};
  }
  return null;
}

const lastWord = (name: string): string => /(\w+)\W*$/.exec(bare(name))?.[1] ?? '';

// The lines of the function before a line that lock a member and do not release it again; none if the function's beginning is not found.
function above(text: readonly string[], line: number, name: string, member: string): number[] {
  const found: number[] = [];
  for (let at = line - 1; at > Math.max(0, line - mostLines); at--) {
    const words = text[at - 1] ?? '';
    if (name !== '' && has(words, name) && /^[\w:].*\(/.test(words.trimStart()) && !words.trimEnd().endsWith(';'))
      return found;
    if (!has(words, member)) continue;
    if (/unlock|release|leave/i.test(words)) return [];
    if (/lock|guard|acquire|entercriticalsection/i.test(words)) found.push(at);
  }
  return [];
}

const has = (text: string, word: string): boolean => text.split(/\W+/).includes(word);

/** Whether each thread of a cycle waits for a lock that the next one holds, so that an order of the locks prevents it. */
export const takesLocks = (ring: readonly Waiter[]): boolean =>
  ring.length > 1 && ring.every(({wait}) => wait.holder === 'held');

/** Threads that wait for one lock or thread. */
export interface Group {
  readonly first: Waiter;
  readonly count: number;
  readonly names: string;
  /** Why the owner is not known; null if it is. */
  readonly unknown: string | null;
}

/** The threads outside of cycles, by what they wait for; the table has the rest. */
export const groups = (waiters: readonly Waiter[]): Group[] =>
  [
    ...grouped(
      waiters,
      ({index, wait: {kind, object, thread, holder}}) => `${kind} ${object ?? thread ?? index} ${holder}`,
    ).values(),
  ]
    .slice(0, mostGroups)
    .flatMap(([first, ...rest]) =>
      first
        ? [
            {
              first,
              count: rest.length + 1,
              names: nameRuns([first, ...rest].map(({thread}) => thread)),
              unknown: unknownHolder(first.wait),
            },
          ]
        : [],
    );

/** What a wait is for, in a pill: "mutex 0x5000", "end of thread 7". */
export const pillName = ({wait}: Waiter): string =>
  wait.holder === 'joined' && wait.thread_id !== null ? `end of thread ${wait.thread_id}` : lockName(wait);
