// The words of a frame's stack, from its stack pointer up, each with its meaning; runs without meaning are one row.
import type {Pointer} from '../engine/types.ts';
import type {Frame, Report, Thread} from '../report.ts';
import {hex, parse, words} from '../text/hex.ts';
import {nameMark} from '../text/names.ts';
import {baseName, fileLine, sourcePath} from '../text/text.ts';
import {moduleOf, pointsTo, spName} from './registers.ts';

export interface WordRow {
  readonly kind: 'word';
  /** Bytes above the stack pointer. */
  readonly offset: number;
  readonly address: bigint;
  readonly value: bigint;
  readonly words: string;
  /** The function that it points into, if symbols know it. */
  readonly symbol: Symbol | null;
  /** The frame that this word returns to. */
  readonly returns: Frame | null;
}

/** A function as WinDbg's dps names it, with the line where symbols know it. */
export interface Symbol {
  /** "~ " if it may be another function. */
  readonly mark: string;
  readonly name: string;
  /** "+ 0x12", or nothing at the function's start. */
  readonly offset: string;
  /** "crash.c:14". */
  readonly at: string;
}

/** Words without meaning: "7 words of 0". */
export interface RunRow {
  readonly kind: 'run';
  readonly offset: number;
  readonly count: number;
  readonly text: string;
}

/** The captured bytes of one frame's part of the stack. */
export interface Extent {
  readonly from: bigint;
  /** How many bytes to request. */
  readonly size: number;
  /** Where the caller's part begins; null for the outermost frame. */
  readonly end: bigint | null;
}

// Enough for a frame and the first words of its caller; a frame with large locals is cut here.
const mostWords = 160;
const beyond = 4;

/** The place of a frame's words; null when its stack pointer was not recovered. */
export function extent(report: Report, thread: Thread, frame: Frame): Extent | null {
  const width = report.system_info.pointer_width;
  const from = stackPointer(frame);
  if (from === null || width === 0) return null;
  const caller = (thread.frames ?? []).find(f => f.frame === frame.frame + 1);
  const end = caller ? stackPointer(caller) : null;
  const own = end !== null && end > from ? (end - from) / BigInt(width) : BigInt(mostWords / 4);
  const count = Math.min(mostWords, Number(own < BigInt(mostWords) ? own : BigInt(mostWords)) + beyond);
  return {from, size: count * width, end: end !== null && end > from ? end : null};
}

function stackPointer(frame: Frame): bigint | null {
  const registers = frame.registers ?? {};
  return parse(registers[spName(registers) ?? '']);
}

/** The rows for bytes that were read at extent's start. */
export function wordRows(
  report: Report,
  thread: Thread,
  frame: Frame,
  at: Extent,
  bytes: Uint8Array,
  pointers: readonly Pointer[] = [],
): (WordRow | RunRow)[] {
  const {pointer_width: width, big_endian: big} = report.system_info;
  const returns = returnAddresses(thread, frame);
  const symbols = new Map(pointers.map(pointer => [parse(pointer.address), symbolOf(pointer)]));
  const rows = words(bytes, width, big).map((value, i): WordRow => {
    const address = at.from + BigInt(i * width);
    const to = returns.get(value) ?? null;
    return {
      kind: 'word',
      offset: i * width,
      address,
      value,
      words: pointsTo(report, thread, frame, value).words,
      symbol: symbols.get(value) ?? null,
      returns: to,
    };
  });
  return folded(rows);
}

function symbolOf({function: name, name_certainty: certainty, offset, file, line}: Pointer): Symbol | null {
  const into = parse(offset ?? '');
  if (name === null) return null;
  const at = file === null ? '' : fileLine(baseName(sourcePath(file)), line);
  return {mark: nameMark(certainty), name, offset: into ? `+ ${hex(into)}` : '', at};
}

/** The words that symbols may name: those that point into modules with symbols, each once. */
export function pointersOf(report: Report, bytes: Uint8Array): readonly string[] {
  const {pointer_width: width, big_endian: big} = report.system_info;
  const values = words(bytes, width, big).filter(value => {
    const state = moduleOf(report)(value)?.symbols?.state;
    return state === 'matched' || state === 'public_only';
  });
  return [...new Set(values)].map(hex);
}

// The return addresses of this and outer frames. The innermost frame claims its word first, since an address may occur twice on a stack.
function returnAddresses(thread: Thread, frame: Frame): Map<bigint, Frame> {
  const out = new Map<bigint, Frame>();
  for (const caller of thread.frames ?? []) {
    const to = parse(caller.return_address);
    if (caller.frame > frame.frame && to !== null && !out.has(to)) out.set(to, caller);
  }
  return out;
}

function folded(rows: readonly WordRow[]): (WordRow | RunRow)[] {
  const out: (WordRow | RunRow)[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at];
    if (!row) break;
    let next = at;
    while (next < rows.length && plain(rows[next]) && rows[next]?.value === row.value) next++;
    if (next - at > 2) {
      out.push({
        kind: 'run',
        offset: row.offset,
        count: next - at,
        text: `${next - at} words of ${row.value.toString(16)}`,
      });
      at = next;
    } else {
      out.push(row);
      at++;
    }
  }
  return out;
}

const plain = (row: WordRow | undefined): boolean => row !== undefined && row.returns === null;
