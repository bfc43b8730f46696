// The frames of a stack to scale: how many bytes lie between the stack pointers of one frame and the next.
import {regionOf, spName} from '../frame/registers.ts';
import type {Frame, Report, Thread} from '../report.ts';
import {parse} from '../text/hex.ts';
import {memo} from '../text/maps.ts';
import {type FrameRow, frameRows} from './frames.ts';

/** Physical frames, the first and the last. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** The frames that the pointer is on, in the strip, the stack or its words. */
export interface Pointed extends Span {
  readonly thread: number;
}

/** A frame, or a recursion of frames of one size. */
export interface Block {
  /** Numbers of rows; calls that are inlined into a frame have its bytes. */
  readonly from: number;
  readonly to: number;
  /** The same as physical frames. */
  readonly frames: Span;
  readonly bytes: number;
  /** In pixels. */
  readonly y: number;
  readonly height: number;
}

// The whole, and the least that holds a label.
const across = 220;
const leastHeight = 13;
const mostBlocks = 14;
// Frames on different stacks, as of a signal's handler, have no distance.
const farthest = 64n << 20n;

/** The blocks, innermost first; none with fewer than two proved frames. */
export const blocks = memo(toBlocks);

function toBlocks(thread: Thread): readonly Block[] {
  const all = sized(frameRows(thread, false).filter(({inline}) => inline === null));
  if (all.length < 2) return [];
  const shown = all.length > mostBlocks ? [...all.slice(0, mostBlocks - 1), joined(all.slice(mostBlocks - 1))] : all;
  const total = shown.reduce((sum, {bytes}) => sum + bytes, 0);
  let y = 0;
  return shown.map(({from, to, frames, bytes}) => {
    const height = Math.max(leastHeight, Math.round((across * bytes) / total));
    y += height;
    return {from, to, frames, bytes, y: y - height, height};
  });
}

/** The largest block of one frame, whose variables tell what it is full of; null where a recursion is larger. */
export function largestFrame(all: readonly Block[]): Block | null {
  const [first, ...rest] = all;
  if (!first) return null;
  const largest = rest.reduce((most, block) => (block.bytes > most.bytes ? block : most), first);
  return largest.from === largest.to ? largest : null;
}

/** Whether the pointer is on one of these frames of a thread. */
export const isPointed = (pointed: Pointed | null | undefined, thread: number, {first, last}: Span): boolean =>
  pointed?.thread === thread && pointed.first <= last && first <= pointed.last;

/** The physical frame on whose part of the stack an address is; null for one that is on none. */
export function frameOn(thread: Thread, address: bigint): number | null {
  const parts = partsOf(thread);
  return parts[parts.findIndex(({from}) => from > address) - 1]?.frame ?? null;
}

/** The part of the stack that a physical frame has; null for one that is not between two proved ones. */
export function partOf(thread: Thread, frame: number): {readonly from: bigint; readonly to: bigint} | null {
  const parts = partsOf(thread);
  const i = parts.findIndex(part => part.frame === frame);
  const [at, next] = [parts[i], parts[i + 1]];
  return at && next && at.from < next.from ? {from: at.from, to: next.from} : null;
}

const partsOf = memo(({frames}: Thread): readonly {readonly frame: number; readonly from: bigint}[] =>
  (frames ?? []).flatMap(frame => {
    const from = stackPointer(frame);
    return from === null ? [] : [{frame: frame.frame, from}];
  }),
);

/** Bytes between the stack pointer and the guard page below; null where the dump shows no guard page. */
export function freeBytes(report: Report, thread: Thread): number | null {
  const sp = stackPointer(thread.frames?.[0]);
  const base = sp === null ? null : parse(regionOf(report)(sp)?.base);
  if (sp === null || base === null || base === 0n) return null;
  const below = regionOf(report)(base - 1n);
  return below && /^---$|guard/.test(below.protection) ? Number(sp - base) : null;
}

interface Sized {
  readonly from: number;
  readonly to: number;
  readonly frames: Span;
  readonly bytes: number;
  readonly name: string | null;
  /** Of each frame of a recursion. */
  readonly each: number;
}

const joined = (all: readonly Sized[]): Sized => ({
  from: all[0]?.from ?? 0,
  to: all.at(-1)?.to ?? 0,
  frames: {first: all[0]?.frames.first ?? 0, last: all.at(-1)?.frames.last ?? 0},
  bytes: all.reduce((sum, {bytes}) => sum + bytes, 0),
  name: null,
  each: 0,
});

function sized(rows: readonly FrameRow[]): Sized[] {
  const out: Sized[] = [];
  for (const [i, {frame, number}] of rows.entries()) {
    const [at, next] = [stackPointer(frame), stackPointer(rows[i + 1]?.frame)];
    if (at === null || next === null || next < at || next - at > farthest) break;
    const each = Number(next - at);
    if (each === 0) continue; // a function that keeps nothing on the stack
    const last = out.at(-1);
    const repeats = last && last.name !== null && last.name === frame.function && last.each === each;
    const frames = {first: repeats ? last.frames.first : frame.frame, last: frame.frame};
    if (repeats) out[out.length - 1] = {...last, to: number, frames, bytes: last.bytes + each};
    else out.push({from: number, to: number, frames, bytes: each, name: frame.function, each});
  }
  return out;
}

function stackPointer(frame: Frame | undefined): bigint | null {
  if (!frame?.registers || frame.guess) return null;
  const name = spName(frame.registers);
  return name === null ? null : parse(frame.registers[name] ?? '');
}
