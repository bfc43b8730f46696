// Where the boxes of parallel stacks stand: callers on the left, what they call on the right.
import type {FrameRow} from '../stack/frames.ts';
import {type Branch, callName} from './parallel.ts';

export interface TreeBox {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** The calls that are written out, the outermost first. */
  readonly lines: readonly string[];
  /** How many calls are not. */
  readonly more: number;
  readonly threads: readonly number[];
  /** The innermost call, which the box leads to. */
  readonly leaf: FrameRow | null;
  readonly from: TreeBox | null;
}

export interface Tree {
  readonly boxes: readonly TreeBox[];
  readonly width: number;
  readonly height: number;
}

export const boxWidth = 250;
export const lineHeight = 18;
const between = 40;
const margin = 10;
const mostLines = 8;
const mostLetters = 32;
// A picture of more boxes is not looked at, and takes the browser's time.
const mostBoxes = 400;

/** Lays out branches; boxes beyond the most that are drawn are left out. */
export function tree(branches: readonly Branch[]): Tree {
  const boxes: TreeBox[] = [];
  const height = column(branches, null, 0, margin, boxes);
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
): number {
  let y = top;
  for (const branch of branches) {
    if (boxes.length >= mostBoxes) break;
    const box = boxOf(branch, from, margin + depth * (boxWidth + between), y);
    boxes.push(box);
    y = Math.max(y + box.height + margin, column(branch.branches, box, depth + 1, y, boxes));
  }
  return y;
}

function boxOf({calls, threads}: Branch, from: TreeBox | null, x: number, y: number): TreeBox {
  const shown = calls.length > mostLines ? calls.slice(-(mostLines - 1)) : calls;
  const more = calls.length - shown.length;
  const count = shown.length + 1 + (more > 0 ? 1 : 0);
  return {
    x,
    y,
    height: count * lineHeight + 8,
    lines: shown.map(call => short(callName(call))),
    more,
    threads,
    leaf: calls.at(-1) ?? null,
    from,
  };
}

const short = (name: string): string => (name.length > mostLetters ? `${name.slice(0, mostLetters - 1)}…` : name);
