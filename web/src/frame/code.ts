// The code around a frame as rows: the frame's instruction, source lines where they change, and the operands' values.
import type {Code, CodeLine} from '../engine/types.ts';
import type {Address, CrashInfo, Frame, Report, Thread} from '../report.ts';
import {digits, hex, parse, within} from '../text/hex.ts';
import {baseName, counted, sourcePath} from '../text/text.ts';

/** The crashing instruction, a thread's current one, a return address, or any other. */
export type Mark = 'crash' | 'here' | 'return' | null;

export interface CodeRow {
  readonly kind: 'code';
  /** Relative to the module, "+0x23ee", or the address in no module. */
  readonly place: string;
  /** The parts of jumps inside the listing that pass the row, in two lanes: see lanesOf. */
  readonly lanes: Lanes;
  readonly bytes: string;
  /** The bytes come from the module's own file, not from the dump. */
  readonly fromFile: boolean;
  /** null where the bytes are no instruction that is known. */
  readonly mnemonic: string | null;
  readonly operands: string;
  /** The source line, if it differs from the row above. */
  readonly line: number | null;
  readonly mark: Mark;
  readonly note: string;
}

/** The source file of the rows below. */
export interface FileRow {
  readonly kind: 'file';
  readonly file: string;
}

/** The source line of the instructions below. */
export interface SourceRow {
  readonly kind: 'source';
  readonly line: number;
  readonly text: string;
}

/** A line of a source file of the user; null without that file. */
export type LineOf = (file: string, line: number) => string | null;

/** A row's parts of two lanes of arrows, the outer one first: "", "line", "top" or "end", and "to" at the jump's target. */
export type Lanes = readonly [string, string];

/** How many instructions are listed around a frame. */
export const linesBefore = 8;
export const linesAfter = 6;

/** The address of a frame's listing: the current instruction, or the return address. */
export const codeAddress = (frame: Frame): Address =>
  frame.trust === 'context' ? frame.offset : (frame.return_address ?? frame.offset);

/**
 * The rows of a listing that was requested at codeAddress: so many instructions before and after it. A short listing names
 * no files without a text, and numbers the lines of the marked instruction's file only.
 */
export function codeRows(
  report: Report,
  thread: Thread,
  frame: Frame,
  {lines: all}: Code,
  lineOf: LineOf = () => null,
  around = Number.POSITIVE_INFINITY,
): (CodeRow | FileRow | SourceRow)[] {
  const at = parse(codeAddress(frame));
  const middle = all.findIndex(l => parse(l.address) === at);
  const lines = all.slice(Math.max(0, middle - around), middle + around + 1);
  const lanes = lanesOf(lines);
  const short = Number.isFinite(around);
  const rows: (CodeRow | FileRow | SourceRow)[] = [];
  let file: string | null = null;
  let line: number | null = null;
  for (const [i, l] of lines.entries()) {
    const moved = l.file !== null && l.file !== file;
    if (moved) [file, line] = [l.file, null];
    const text = l.file === null || l.line === null || l.line === line ? null : lineOf(l.file, l.line);
    if (moved && file !== null && (!short || text !== null))
      rows.push({kind: 'file', file: baseName(sourcePath(file))});
    if (text !== null && l.line !== null) rows.push({kind: 'source', line: l.line, text});
    const mark = parse(l.address) === at ? markOf(thread, frame) : null;
    const [mnemonic = '', ...rest] = l.text.split(' ');
    const to = lines.find(({address}) => parse(address) === parse(l.target));
    rows.push({
      kind: 'code',
      place: placeOf(frame, l.address),
      lanes: lanes[i] ?? ['', ''],
      bytes: l.bytes.replace(/(..)(?=.)/g, '$1 '),
      fromFile: l.from_file,
      mnemonic: l.text === '' ? null : mnemonic,
      operands: to ? placeOf(frame, to.address) : rest.join(' '),
      line: l.line === line || text !== null || (short && l.file !== all[middle]?.file) ? null : l.line,
      mark,
      note: noteOf(report, frame, l, mark),
    });
    line = l.line;
  }
  return rows;
}

function placeOf({offset, module_offset: relative}: Frame, address: string): string {
  const [at, pc, rel] = [parse(address), parse(offset), parse(relative)];
  const from = at === null || pc === null || rel === null ? null : at - pc + rel;
  return from === null || from < 0n ? digits(address) : `+${hex(from)}`;
}

const calls = /^(call|blx?|blr|jalr?|bal)\b/;

/** The lanes of jumps whose target is listed. Short jumps take the inner lane; a jump for which both are taken has no arrow. */
export function lanesOf(lines: readonly CodeLine[]): readonly Lanes[] {
  const rows = lines.map((): [string, string] => ['', '']);
  const jumps = lines
    .map((l, from) => [from, calls.test(l.text) ? -1 : lines.findIndex(({address}) => address === l.target)] as const)
    .filter(([from, to]) => to >= 0 && to !== from)
    .sort((a, b) => Math.abs(a[0] - a[1]) - Math.abs(b[0] - b[1]));
  for (const [from, to] of jumps) {
    const span = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    const lane = ([1, 0] as const).find(n => span.every(row => row[n] === ''));
    if (lane === undefined) continue;
    for (const [i, row] of span.entries()) row[lane] = i === 0 ? 'top' : i === span.length - 1 ? 'end' : 'line';
    const target = rows[to];
    if (target) target[lane] += ' to';
  }
  return rows;
}

// An interrupted frame made no call: it continues at its own instruction.
function markOf(thread: Thread, frame: Frame): Mark {
  const interrupted = frame.return_address !== null && frame.return_address === frame.offset;
  if (frame.trust !== 'context' && !interrupted) return 'return';
  return thread.crashed && frame.frame === 0 ? 'crash' : 'here';
}

// A frame's registers are valid at its marked instruction, so values are shown for that row only.
function noteOf(report: Report, frame: Frame, l: CodeLine, mark: Mark): string {
  if (mark === null) return '';
  if (mark === 'return') return 'the call returns here';
  const access = mark === 'crash' ? accessWords(report.crash_info) : '';
  return [access, ...operandValues(l.text, frame)].filter(words => words !== '').join(', ');
}

// Of a crash of another kind the instruction's accesses say nothing: they did not fail, or did not happen.
export function accessWords({accessed_address: accessed, memory_accesses: all}: CrashInfo): string {
  const address = parse(accessed);
  if (address === null) return '';
  const first = all?.find(access => within(address, parse(access.address) ?? 0n, BigInt(access.size ?? 1)));
  const at = parse(first?.address);
  if (!first || at === null) return '';
  const does = new Map([
    ['read', 'reads'],
    ['write', 'writes'],
  ]).get(first.access_type ?? '');
  const many = first.size === null ? '' : `${counted(first.size, 'byte')} `;
  return `${does ?? 'touches'} ${many}at ${hex(at)}`;
}

// Instructions that only write their first operand, when it is a register: its old value is irrelevant.
const overwrites = /^(?:mov|lea|ld|lw|pop)[a-z]*\s+[a-z0-9]+(?=,|$)/;

/** "rax = 0x0" for each register that the instruction reads and whose value is known, in the order of the text. */
export function operandValues(text: string, frame: Frame): string[] {
  const names = new Set(
    text
      .replace(/<.*>$/, '')
      .replace(overwrites, '')
      .match(/\b[a-z][a-z0-9]{1,4}\b/g) ?? [],
  );
  return [...names].flatMap(name => {
    const value = registerValue(name, frame);
    return value === null ? [] : [`${name} = ${hex(value)}`];
  });
}

/** A register's value, the lower half of one by its own name too: eax, r8d, w0. */
export function registerValue(name: string, {registers}: Frame): bigint | null {
  const own = registers ?? {};
  if (Object.hasOwn(own, name)) return parse(own[name]);
  const whole = [
    name.replace(/^e(?=[a-z]{2}$)/, 'r'),
    name.replace(/^(r\d+)d$/, '$1'),
    name.replace(/^w(?=\d+$)/, 'x'),
  ].find(other => other !== name && Object.hasOwn(own, other));
  const value = whole === undefined ? null : parse(own[whole]);
  return value === null ? null : value & 0xffffffffn;
}
