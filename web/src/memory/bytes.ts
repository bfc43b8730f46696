// Captured bytes as rows of a hex view, and the user's input: an address to show, and text or bytes to find.
import type {CapturedRange} from '../engine/types.ts';
import type {Frame, Report} from '../report.ts';
import {parse} from '../text/hex.ts';
import {bare} from '../text/names.ts';
import {spellings} from '../text/spelling.ts';
import {baseName, counted, visible} from '../text/text.ts';

/** Bytes are requested in pages of this size, at multiples of it. */
export const pageSize = 4096;

/** A page: each byte, or absent. */
export type Page = Int16Array;
export const absent = -1;

/** The last address there is, for pointers of width bytes. */
export const lastAddress = (width: number): bigint => (1n << BigInt(8 * (width || 8))) - 1n;

export const pageOf = (address: bigint): bigint => address - (address % BigInt(pageSize));

/** The parts of a page that were captured. */
export function captured(ranges: readonly CapturedRange[], page: bigint): {from: bigint; size: number}[] {
  const end = page + BigInt(pageSize);
  return ranges.flatMap(range => {
    const base = parse(range.base);
    const size = parse(range.size);
    if (base === null || size === null || base >= end || base + size <= page) return [];
    const from = base > page ? base : page;
    const to = base + size < end ? base + size : end;
    return [{from, size: Number(to - from)}];
  });
}

/** The last captured address before a range without captured bytes, and the first one after it; null if the range has captured bytes. */
export function around(
  ranges: readonly CapturedRange[],
  from: bigint,
  size: bigint,
): {before: bigint | null; after: bigint | null} | null {
  let [before, after]: (bigint | null)[] = [null, null];
  for (const range of ranges) {
    const base = parse(range.base);
    const end = base === null ? null : base + (parse(range.size) ?? 0n);
    if (base === null || end === null || end <= base) continue;
    if (base < from + size && end > from) return null;
    if (end <= from && (before == null || end - 1n > before)) before = end - 1n;
    if (base >= from + size && (after == null || base < after)) after = base;
  }
  return {before: before ?? null, after: after ?? null};
}

export interface ByteRow {
  readonly address: bigint;
  /** absent if it is not in the dump. */
  readonly bytes: readonly number[];
  readonly text: string;
}

/** So many rows of bytes from an address on, from pages of at; they end where addresses end. */
export function byteRows(
  top: bigint,
  count: number,
  perRow: number,
  width: number,
  at: (page: bigint) => Page | null,
): ByteRow[] {
  const rows: ByteRow[] = [];
  for (let i = 0; i < count; i++) {
    const address = top + BigInt(i * perRow);
    if (address > lastAddress(width)) break;
    const page = at(pageOf(address));
    const from = Number(address % BigInt(pageSize));
    const bytes = page ? [...page.subarray(from, from + perRow)] : new Array<number>(perRow).fill(absent);
    rows.push({address, bytes, text: bytes.map(asText).join('')});
  }
  return rows;
}

// Only ASCII: the meaning of other bytes depends on their neighbours, and some characters hide or reverse text.
export const asText = (byte: number): string =>
  byte === absent ? ' ' : byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';

/** A byte as two digits, or as two dots if the dump lacks it: never as 00. */
export const byteText = (byte: number): string => (byte === absent ? '··' : byte.toString(16).padStart(2, '0'));

/** The address that the user means: a number, a register of the frame, a function or module of the report, each with an offset. */
export const meant = (text: string, report: Report, frame: Frame | null): bigint | null =>
  addressOf(text, report, frame, place);

/** As meant, where a part of a name is enough: it leads to the first function or module whose name contains it. */
export const meantRoughly = (text: string, report: Report, frame: Frame | null): bigint | null =>
  addressOf(text, report, frame, nearly);

type Named = (name: string, report: Report) => bigint | null;

function addressOf(text: string, report: Report, frame: Frame | null, byName: Named): bigint | null {
  const [, name = '', sign, offset] = /^\s*(.*?)\s*(?:([+-])\s*(?:0x)?([0-9a-f]{1,16}))?\s*$/i.exec(text) ?? [];
  const base = named(name, report, frame, byName);
  if (base === null) return null;
  const by = offset === undefined ? 0n : BigInt(`0x${offset}`);
  const address = sign === '-' ? base - by : base + by;
  return address >= 0n && address <= lastAddress(report.system_info.pointer_width) ? address : null;
}

function named(name: string, report: Report, frame: Frame | null, byName: Named): bigint | null {
  const registers = frame?.registers ?? {};
  if (Object.hasOwn(registers, name)) return parse(registers[name]);
  const digits = name.replaceAll('`', '').replace(/^0x/i, '');
  if (/^[0-9a-f]{1,16}$/i.test(digits)) return BigInt(`0x${digits}`);
  if (name === '') return null;
  return byName(name, report);
}

const place: Named = (name, report) => placeOf(report, found => found === name);

/** Matches by a part of a name, case ignored, for text that is no whole name. */
const nearly: Named = (name, report) => {
  const wanted = name.toLowerCase();
  return place(name, report) ?? placeOf(report, found => wanted.length > 2 && found.toLowerCase().includes(wanted));
};

type Matches = (name: string) => boolean;

const placeOf = (report: Report, matches: Matches): bigint | null =>
  functionStart(report, matches) ?? parse(report.modules?.find(m => matches(baseName(m.filename)))?.base_addr);

/** The message for a name that leads nowhere: what the user can go to. */
export function whatExists(report: Report, frame: Frame | null): string {
  const registers = Object.keys(frame?.registers ?? {});
  const [first, ...others] = report.modules ?? [];
  return [
    'Neither an address nor a register, function or module of this report.',
    registers.length === 0
      ? ''
      : `Registers: ${registers.slice(0, 3).join(', ')}${registers.length > 3 ? '…' : ''} of the selected frame.`,
    'Functions: those of the stacks.',
    first
      ? `${others.length === 0 ? 'Module' : 'Modules'}: ${visible(baseName(first.filename))}${others.length === 0 ? '' : ` and ${counted(others.length, 'other')}`}.`
      : '',
  ]
    .filter(part => part !== '')
    .join(' ');
}

function functionStart(report: Report, matches: Matches): bigint | null {
  for (const {frames} of report.threads ?? []) {
    for (const f of frames ?? []) {
      if (!spellings(f).some(n => n !== null && (matches(n) || matches(bare(n))))) continue;
      const at = parse(f.offset);
      const into = parse(f.function_offset);
      if (at !== null && into !== null) return at - into;
    }
  }
  return null;
}

/** The bytes to search for, as hex: "48 8b 07" and 0x488b07 are bytes, anything else is text, in UTF-8 or UTF-16. Null for nothing. */
export function pattern(text: string, wide: boolean, big = false): string | null {
  const bytes = /^0x((?:[0-9a-f]{2})+)$/i.exec(text)?.[1] ?? /^[0-9a-f]{2}(?:\s+[0-9a-f]{2})+$/i.exec(text.trim())?.[0];
  if (bytes !== undefined) return bytes.replace(/\s+/g, '').toLowerCase();
  const encoded = wide ? utf16(text, big) : new TextEncoder().encode(text);
  return encoded.length === 0 ? null : [...encoded].map(byteText).join('');
}

function utf16(text: string, big: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), !big);
  return new Uint8Array(view.buffer);
}

/** How many bytes each key moves the caret of a hex view that shows so many rows of step bytes. */
export const caretMoves = (step: number, rows: number): Readonly<Record<string, number>> => ({
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -step,
  ArrowDown: step,
  PageUp: -step * (rows - 1),
  PageDown: step * (rows - 1),
});
