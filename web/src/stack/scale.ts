// The frames of a stack to scale: how many bytes lie between the stack pointers of one frame and the next.
import {regionOf, spName} from '../frame/registers.ts';
import type {Frame, Report, Thread} from '../report.ts';
import {parse} from '../text/hex.ts';
import {type FrameRow, frameRows} from './frames.ts';

/** A frame, or a recursion of frames of one size. */
export interface Block {
  /** Numbers of rows; calls that are inlined into a frame have its bytes. */
  readonly from: number;
  readonly to: number;
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
const largestFrame = 64n << 20n;

/** The blocks, innermost first; none with fewer than two proved frames. */
export function blocks(thread: Thread): readonly Block[] {
  const all = sized(frameRows(thread, false).filter(({inline}) => inline === null));
  if (all.length < 2) return [];
  const shown = all.length > mostBlocks ? [...all.slice(0, mostBlocks - 1), joined(all.slice(mostBlocks - 1))] : all;
  const total = shown.reduce((sum, {bytes}) => sum + bytes, 0);
  let y = 0;
  return shown.map(({from, to, bytes}) => {
    const height = Math.max(leastHeight, Math.round((across * bytes) / total));
    y += height;
    return {from, to, bytes, y: y - height, height};
  });
}

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
  readonly bytes: number;
  readonly name: string | null;
  /** Of each frame of a recursion. */
  readonly each: number;
}

const joined = (all: readonly Sized[]): Sized => ({
  from: all[0]?.from ?? 0,
  to: all.at(-1)?.to ?? 0,
  bytes: all.reduce((sum, {bytes}) => sum + bytes, 0),
  name: null,
  each: 0,
});

function sized(rows: readonly FrameRow[]): Sized[] {
  const out: Sized[] = [];
  for (const [i, {frame, number}] of rows.entries()) {
    const [at, next] = [stackPointer(frame), stackPointer(rows[i + 1]?.frame)];
    if (at === null || next === null || next < at || next - at > largestFrame) break;
    const each = Number(next - at);
    if (each === 0) continue; // a function that keeps nothing on the stack
    const last = out.at(-1);
    const repeats = last && last.name !== null && last.name === frame.function && last.each === each;
    if (repeats) out[out.length - 1] = {...last, to: number, bytes: last.bytes + each};
    else out.push({from: number, to: number, bytes: each, name: frame.function, each});
  }
  return out;
}

function stackPointer(frame: Frame | undefined): bigint | null {
  if (!frame?.registers || frame.guess) return null;
  const name = spName(frame.registers);
  return name === null ? null : parse(frame.registers[name] ?? '');
}
