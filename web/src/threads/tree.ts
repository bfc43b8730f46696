// The layout of parallel stacks: an icicle, in which the width of a box is its threads, and calls stand below their caller. On
// narrow pages boxes have the whole width, and calls are indented.
import type {FrameRow} from '../stack/frames.ts';
import {callName} from '../stack/names.ts';
import {atEnd, inMiddle} from '../text/names.ts';
import {counted} from '../text/text.ts';
import type {Branch} from './parallel.ts';

/** A line of a box: a call, or a run of system frames. */
export interface Line {
  readonly text: string;
  readonly kind: 'call' | 'system' | 'state';
}

export interface TreeBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The visible calls, the outermost first. */
  readonly lines: readonly Line[];
  /** The number of hidden calls. */
  readonly more: number;
  readonly threads: readonly number[];
  /** The innermost call, which the box leads to. */
  readonly leaf: FrameRow | null;
  readonly from: TreeBox | null;
  /** All of its calls, the outermost first. */
  readonly calls: readonly FrameRow[];
  /** Its calls are guesses. */
  readonly guess: boolean;
  /** Its names, in lower case, for the search. */
  readonly names: string;
}

export interface Tree {
  readonly boxes: readonly TreeBox[];
  readonly width: number;
  readonly height: number;
  /** Boxes have the whole width. */
  readonly indented: boolean;
  /** Where the innermost calls of each thread stand in an icicle. */
  readonly slots: readonly Slot[];
}

export interface Slot {
  /** An index of the report's threads. */
  readonly thread: number;
  readonly x: number;
  readonly width: number;
}

/** Whether a guess is on one side of the line between a box and its caller's, so that the line is dashed. */
export const joinsGuess = (box: TreeBox): boolean => box.from !== null && box.from.guess !== box.guess;

export const lineHeight = 18;
const margin = 12;
const mostLines = 8;
const letterWidth = 7.2;
// Boxes deeper than this are not indented further, because they would get too narrow.
const indent = 14;
const deepest = 6;
// In less room than this, boxes stick out, and the canvas scrolls: six letters of a name, below the deepest indent.
const leastRoom = 4 + deepest * indent + 56;
// A drawing with more boxes than this is too large to read, and takes long to draw.
const mostBoxes = 400;

/** For an icicle: the height of a cell, the room for the bars above, and the least widths of a label and of the crash's branch. */
export const cellHeight = 26;
export const barRoom = 64;
const leastLabel = 34;
const leastHot = 150;
/** From this width on, a box has the number of its threads at its end. */
export const countFrom = 90;

/** The words of the last cell of threads that end in one box: what they do; null if nothing is known. */
type StateOf = (threads: readonly number[]) => string | null;

/** Lays branches out as an icicle of that width. */
export function icicle(branches: readonly Branch[], system: boolean, width: number, stateOf: StateOf): Tree {
  const boxes: TreeBox[] = [];
  const slots: Slot[] = [];
  const place = (below: readonly Branch[], from: TreeBox | null, x: number, across: number, y: number): number => {
    const all = from ? from.threads : below.flatMap(({threads}) => threads);
    const shares = sharesOf(below, all.length, across);
    let [at, bottom] = [x, y];
    for (const [i, branch] of below.entries()) {
      const share = shares[i] ?? 0;
      if (boxes.length < mostBoxes) {
        const box = cellsOf(branch, from, {x: at, y, width: share}, system, stateOf);
        boxes.push(box);
        bottom = Math.max(bottom, place(branch.branches, box, at, share, y + box.height));
      }
      at += share;
    }
    const further = new Set(below.flatMap(({threads}) => threads));
    const ended = all.filter(thread => !further.has(thread));
    const unit = (x + across - at) / Math.max(1, ended.length);
    slots.push(...ended.map((thread, i) => ({thread, x: at + i * unit, width: unit})));
    return bottom;
  };
  const height = place(branches, null, 0, width, barRoom);
  return {boxes, width, height, indented: false, slots};
}

// As many pixels as threads, but the branches of the crash are never too narrow to read.
function sharesOf(branches: readonly Branch[], threads: number, width: number): number[] {
  const hot = branches.filter(({crashed}) => crashed);
  const hotThreads = hot.reduce((n, branch) => n + branch.threads.length, 0);
  const even = width / Math.max(1, threads);
  if (hotThreads === 0 || hotThreads === threads) return branches.map(branch => branch.threads.length * even);
  const least = Math.min(leastHot, width / (2 * hot.length));
  const wide = (branch: Branch): number => Math.max(least, branch.threads.length * even);
  const rest = (width - hot.reduce((sum, branch) => sum + wide(branch), 0)) / (threads - hotThreads);
  return branches.map(branch => (branch.crashed ? wide(branch) : branch.threads.length * rest));
}

function cellsOf(branch: Branch, from: TreeBox | null, place: Place, system: boolean, stateOf: StateOf): TreeBox {
  const box = boxOf(branch, from, place, system);
  const state = branch.branches.length === 0 ? stateOf(branch.threads) : null;
  const all: readonly Line[] = [
    ...(box.more > 0 ? [{text: `${counted(box.more, 'line')} more`, kind: 'system'} as const] : []),
    ...box.lines,
    ...(state === null ? [] : [{text: state, kind: 'state'} as const]),
  ];
  const letters = Math.max(3, Math.floor((place.width - (place.width > countFrom ? 48 : 12)) / letterWidth));
  const lines = all.map(({text, kind}) => ({
    kind,
    text: place.width < leastLabel ? '' : kind === 'call' ? inMiddle(text, letters) : atEnd(text, letters),
  }));
  return {...box, lines, height: lines.length * cellHeight};
}

/** Lays branches out indented, in the offered room; boxes beyond mostBoxes are left out. */
export function tree(branches: readonly Branch[], system: boolean, offered: number): Tree {
  const room = Math.max(leastRoom, offered);
  const boxes: TreeBox[] = [];
  const height = column(branches, null, 0, margin, boxes, system, room);
  return {boxes, width: room, height, indented: true, slots: []};
}

// Adds the box of each branch with all boxes that it calls, and returns the y of the next free row.
function column(
  branches: readonly Branch[],
  from: TreeBox | null,
  depth: number,
  top: number,
  boxes: TreeBox[],
  system: boolean,
  room: number,
): number {
  let y = top;
  const x = 2 + Math.min(depth, deepest) * indent;
  for (const branch of branches) {
    if (boxes.length >= mostBoxes) break;
    const box = boxOf(branch, from, {x, y, width: room - 2 - x}, system);
    boxes.push(box);
    y = column(branch.branches, box, depth + 1, y + box.height + margin, boxes, system, room);
  }
  return y;
}

type Place = Pick<TreeBox, 'x' | 'y' | 'width'>;

function boxOf({calls, threads}: Branch, from: TreeBox | null, place: Place, system: boolean): TreeBox {
  const letters = Math.floor((place.width - 12) / letterWidth);
  const all = system ? calls.map(call => lineOf(call, letters)) : withoutSystem(calls, letters);
  const lines = all.length > mostLines ? all.slice(-(mostLines - 1)) : all;
  const more = all.length - lines.length;
  const count = lines.length + 1 + (more > 0 ? 1 : 0);
  return {
    ...place,
    height: count * lineHeight + 12,
    lines,
    more,
    threads,
    leaf: calls.at(-1) ?? null,
    calls,
    from,
    guess: calls[0]?.guess ?? false,
    names: calls
      .map(call => `${callName(call)}\n${call.frame.module ?? ''}`)
      .join('\n')
      .toLowerCase(),
  };
}

const lineOf = (call: FrameRow, letters: number): Line => ({text: inMiddle(callName(call), letters), kind: 'call'});

// A run of system frames is one line, which names the first of them.
function withoutSystem(calls: readonly FrameRow[], letters: number): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < calls.length; ) {
    let next = at;
    while (calls[next]?.frame.is_system) next++;
    const run = calls.slice(at, next);
    if (run.length > 1) {
      const names = run.slice(0, 2).map(callName).join(', ');
      lines.push({text: atEnd(`${run.length} system frames: ${names}`, letters + 6), kind: 'system'});
      at = next;
    } else {
      const call = calls[at];
      if (call) lines.push(lineOf(call, letters));
      at++;
    }
  }
  return lines;
}
