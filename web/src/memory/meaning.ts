// What the words of a row of bytes mean: pointers, code, text.
import {moduleOf, pointsTo} from '../frame/registers.ts';
import type {Frame, Report, Thread} from '../report.ts';
import {hex, words} from '../text/hex.ts';
import {absent, type ByteRow} from './bytes.ts';

export type WordKind = 'pointer' | 'code' | 'string' | 'touched';

/** A word of a row that means something. */
export interface Word {
  readonly kind: WordKind;
  /** The index of its first byte in the row. */
  readonly at: number;
  readonly value: bigint;
  /** "heap", "libc.so.6 + 0x12". */
  readonly words: string;
}

/** The frame in whose view bytes are read. */
interface Reader {
  readonly thread: Thread;
  readonly frame: Frame;
}

const isLetter = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

/** Whether a word leads to other bytes. */
export const follows = ({kind}: Word): boolean => kind === 'pointer' || kind === 'code';

/** The words of a row, from the address on that pointers have; touched are the addresses that the crash is about. */
export function meanings(row: ByteRow, report: Report, reader: Reader, touched: readonly bigint[]): Word[] {
  const {pointer_width: width, big_endian: big} = report.system_info;
  if (width === 0) return [];
  const first = Number((BigInt(width) - (row.address % BigInt(width))) % BigInt(width));
  const out: Word[] = [];
  for (let at = first; at + width <= row.bytes.length; at += width) {
    const bytes = row.bytes.slice(at, at + width);
    if (bytes.includes(absent)) continue;
    const value = words(Uint8Array.from(bytes), width, big)[0] ?? 0n;
    const from = row.address + BigInt(at);
    const isTouched = touched.some(address => address >= from && address < from + BigInt(width));
    // Eight letters are no address, whatever lies there.
    const isText = bytes.every(isLetter);
    const {words: means, points} = pointsTo(report, reader.thread, reader.frame, value);
    if (isTouched) out.push({kind: 'touched', at, value, words: hex(value)});
    else if (isText) out.push({kind: 'string', at, value, words: ''});
    else if (points && value !== 0n)
      out.push({kind: moduleOf(report)(value) ? 'code' : 'pointer', at, value, words: means});
  }
  return out;
}
