// Where the boxes of parallel stacks stand: callers on the left, what they call on the right.
import type {FrameRow} from '../stack/frames.ts';
import {atEnd, inMiddle} from '../text/names.ts';
import {type Branch, callName} from './parallel.ts';

/** A line of a box: a call, or a run of the system's. */
export interface Line {
  readonly text: string;
  readonly kind: 'call' | 'system';
}

export interface TreeBox {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** The calls that are written out, the outermost first. */
  readonly lines: readonly Line[];
  /** How many calls are not. */
  readonly more: number;
  readonly threads: readonly number[];
  /** The innermost call, which the box leads to. */
  readonly leaf: FrameRow | null;
  readonly from: TreeBox | null;
  /** Its calls are guesses. */
  readonly guess: boolean;
  /** What is found in it, in small letters. */
  readonly names: string;
}

export interface Tree {
  readonly boxes: readonly TreeBox[];
  readonly width: number;
  readonly height: number;
}

export const boxWidth = 318;
export const lineHeight = 18;
const between = 40;
const margin = 12;
const mostLines = 8;
const mostLetters = 42;
// A picture of more boxes is not looked at, and takes the browser's time.
const mostBoxes = 400;

/** Lays out branches; boxes beyond the most that are drawn are left out. */
export function tree(branches: readonly Branch[], system: boolean): Tree {
  const boxes: TreeBox[] = [];
  const height = column(branches, null, 0, margin, boxes, system);
  const right = Math.max(0, ...boxes.map(box => box.x + boxWidth));
  return {boxes, width: right + margin, height};
}

// Adds a box and all that it calls for each branch, and returns where the next one may stand.
function column(
  branches: readonly Branch[],
  from: TreeBox | null,
  depth: number,
  top: number,
  boxes: TreeBox[],
  system: boolean,
): number {
  let y = top;
  for (const branch of branches) {
    if (boxes.length >= mostBoxes) break;
    const box = boxOf(branch, from, margin + depth * (boxWidth + between), y, system);
    boxes.push(box);
    y = Math.max(y + box.height + margin, column(branch.branches, box, depth + 1, y, boxes, system));
  }
  return y;
}

function boxOf({calls, threads}: Branch, from: TreeBox | null, x: number, y: number, system: boolean): TreeBox {
  const all = system ? calls.map(lineOf) : withoutSystem(calls);
  const lines = all.length > mostLines ? all.slice(-(mostLines - 1)) : all;
  const more = all.length - lines.length;
  const count = lines.length + 1 + (more > 0 ? 1 : 0);
  return {
    x,
    y,
    height: count * lineHeight + 12,
    lines,
    more,
    threads,
    leaf: calls.at(-1) ?? null,
    from,
    guess: calls[0]?.guess ?? false,
    names: calls
      .map(call => `${callName(call)}\n${call.frame.module ?? ''}`)
      .join('\n')
      .toLowerCase(),
  };
}

const lineOf = (call: FrameRow): Line => ({text: inMiddle(callName(call), mostLetters), kind: 'call'});

// Runs of the system's calls are one line, which says the first of them.
function withoutSystem(calls: readonly FrameRow[]): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < calls.length; ) {
    let next = at;
    while (calls[next]?.frame.is_system) next++;
    const run = calls.slice(at, next);
    if (run.length > 1) {
      const names = run.slice(0, 2).map(callName).join(', ');
      lines.push({text: atEnd(`${run.length} system frames: ${names}`, mostLetters + 6), kind: 'system'});
      at = next;
    } else {
      const call = calls[at];
      if (call) lines.push(lineOf(call));
      at++;
    }
  }
  return lines;
}
