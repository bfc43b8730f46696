// The layout of parallel stacks: callers on the left, their calls on the right. On narrow pages, calls are below their caller, indented.
import type {FrameRow} from '../stack/frames.ts';
import {atEnd, inMiddle} from '../text/names.ts';
import {type Branch, callName} from './parallel.ts';

/** A line of a box: a call, or a run of system frames. */
export interface Line {
  readonly text: string;
  readonly kind: 'call' | 'system';
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
  /** Its calls are guesses. */
  readonly guess: boolean;
  /** Its names, in lower case, for the search. */
  readonly names: string;
}

export interface Tree {
  readonly boxes: readonly TreeBox[];
  readonly width: number;
  readonly height: number;
  /** Calls are below their caller, and not beside it. */
  readonly indented: boolean;
}

/** Whether a guess is on one side of the line between a box and its caller's, so that the line is dashed. */
export const joinsGuess = (box: TreeBox): boolean => box.from !== null && box.from.guess !== box.guess;

const boxWidth = 318;
export const lineHeight = 18;
const between = 40;
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

/** For a box at a depth: its x, its width, and where its calls begin. */
interface Layout {
  x(depth: number): number;
  width(depth: number): number;
  below(box: TreeBox): number;
}

const across: Layout = {
  x: depth => margin + depth * (boxWidth + between),
  width: () => boxWidth,
  below: box => box.y,
};

const down = (room: number): Layout => {
  const x = (depth: number): number => 2 + Math.min(depth, deepest) * indent;
  return {x, width: depth => room - 2 - x(depth), below: box => box.y + box.height + margin};
};

/** Lays out branches, indented if the room is given in pixels; boxes beyond mostBoxes are left out. */
export function tree(branches: readonly Branch[], system: boolean, offered: number | null = null): Tree {
  const room = offered === null ? null : Math.max(leastRoom, offered);
  const boxes: TreeBox[] = [];
  const height = column(branches, null, 0, margin, boxes, system, room === null ? across : down(room));
  const right = Math.max(0, ...boxes.map(box => box.x + box.width));
  return {boxes, width: room ?? right + margin, height, indented: room !== null};
}

// Adds the box of each branch with all boxes that it calls, and returns the y of the next free row.
function column(
  branches: readonly Branch[],
  from: TreeBox | null,
  depth: number,
  top: number,
  boxes: TreeBox[],
  system: boolean,
  layout: Layout,
): number {
  let y = top;
  for (const branch of branches) {
    if (boxes.length >= mostBoxes) break;
    const box = boxOf(branch, from, {x: layout.x(depth), y, width: layout.width(depth)}, system);
    boxes.push(box);
    const end = column(branch.branches, box, depth + 1, layout.below(box), boxes, system, layout);
    y = Math.max(y + box.height + margin, end);
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
