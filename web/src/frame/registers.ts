// Describes a register's value in words: where it points, or what kind of number it is.
import type {Frame, Region, Report, Thread} from '../report.ts';
import {hex, parse, plus, within} from '../text/hex.ts';
import {memo} from '../text/maps.ts';
import {bare, nameMark} from '../text/names.ts';
import {baseName} from '../text/text.ts';
import {finder, type Range} from './ranges.ts';

/** How much a value says; rows are sorted by it. */
export type Weight = 'culprit' | 'pc' | 'sp' | 'points' | 'number' | 'zero';

export interface Meaning {
  readonly weight: Weight;
  readonly words: string;
}

export interface RegisterRow extends Meaning {
  readonly name: string;
  readonly value: string;
}

// The names of the instruction pointer and the stack pointer, on the CPUs of minidumps.
const pcNames: readonly string[] = ['rip', 'eip', 'pc', 'srr0'];
const spNames: readonly string[] = ['rsp', 'esp', 'sp', 'r1', 'o6'];
const flagNames: readonly string[] = ['rflags', 'eflags', 'efl'];

/** The stack pointer's name among registers that were recovered: r1 is one only where no sp is. */
export function spName(registers: Readonly<Record<string, string>>): string | null {
  return spNames.find(name => name in registers) ?? null;
}

const pcName = (registers: Readonly<Record<string, string>>): string | null =>
  pcNames.find(name => name in registers) ?? null;

// Patterns that allocators and debug runtimes fill memory with; such a pointer was never set, or its object was freed.
const poisons: readonly (readonly [bigint, string])[] = [
  [0xe5e5e5e5n, 'freed memory (jemalloc fills with e5)'],
  [0xddddddddn, 'freed memory (MSVC fills with dd)'],
  [0xfeeefeeen, 'freed memory (Windows heap)'],
  [0xccccccccn, 'never set (MSVC fills stacks with cc)'],
  [0xcdcdcdcdn, 'never set (MSVC fills new memory with cd)'],
  [0xbaadf00dn, 'never set (Windows LocalAlloc)'],
  [0xfdfdfdfdn, 'guard bytes around a heap block (MSVC)'],
  [0xababababn, 'guard bytes after a heap block (Windows)'],
  [0xa5a5a5a5n, 'never set (allocators fill with a5)'],
  [0x5a5a5a5an, 'freed memory (allocators fill with 5a)'],
  [0x6b6b6b6bn, 'freed memory (filled with 6b)'],
  [0xaaaaaaaan, 'never set (filled with aa)'],
  [0xdeadbeefn, 'a marker, dead beef'],
];

/** The registers of a frame, the most helpful first: the culprit, instruction and stack pointer, pointers, numbers, zeros. */
export function registerRows(report: Report, thread: Thread, frame: Frame): RegisterRow[] {
  const registers = frame.registers ?? {};
  const guilty = thread.crashed && frame.frame === 0 ? report.crash_info.pointer_register : null;
  const rows = Object.entries(registers).map(([name, value]) => ({
    name,
    value,
    ...meaning(report, thread, frame, name, value, name === guilty),
  }));
  return rows.sort((a, b) => weights.indexOf(a.weight) - weights.indexOf(b.weight));
}

const weights: readonly Weight[] = ['culprit', 'pc', 'sp', 'points', 'number', 'zero'];

function meaning(report: Report, thread: Thread, frame: Frame, name: string, value: string, guilty: boolean): Meaning {
  const registers = frame.registers ?? {};
  const n = parse(value);
  if (n === null) return {weight: 'number', words: ''};
  const {words, points} = pointsTo(report, thread, frame, n);
  if (guilty) return {weight: 'culprit', words: n === 0n ? 'null, used as an address here' : words};
  if (name === pcName(registers)) return {weight: 'pc', words: pcWords(frame) ?? words};
  if (name === spName(registers)) return {weight: 'sp', words};
  if (flagNames.includes(name)) return {weight: 'number', words: x86Flags(n)};
  if (n === 0n) return {weight: 'zero', words: '0'};
  return {weight: points ? 'points' : 'number', words};
}

function pcWords(frame: Frame): string | null {
  if (frame.function === null || frame.function_offset === null || frame.frame !== 0) return null;
  return plus(`${nameMark(frame.name_certainty)}${bare(frame.function)}`, frame.function_offset);
}

/** The target of a pointer, or the kind of a number. */
export function pointsTo(report: Report, thread: Thread, frame: Frame, n: bigint): {words: string; points: boolean} {
  const own = stackWords(thread, frame, n);
  if (own) return {words: own, points: true};
  const module = moduleOf(report)(n);
  if (module) return {words: plus(baseName(module.filename), n - (parse(module.base_addr) ?? 0n)), points: true};
  const other = stackOf(report)(n);
  if (other) return {words: `stack of thread ${other.thread_id}`, points: true};
  const poison = poisonWords(n, report.system_info.pointer_width);
  if (poison) return {words: poison, points: true};
  const region = regionOf(report)(n);
  if (region) return {words: regionWords(region), points: true};
  return {words: numberWords(n, report.system_info.pointer_width), points: false};
}

function onStack(thread: Thread, n: bigint): boolean {
  const base = parse(thread.stack?.base);
  const size = parse(thread.stack?.size);
  return base !== null && size !== null && within(n, base, size);
}

function stackWords(thread: Thread, frame: Frame, n: bigint): string | null {
  if (!onStack(thread, n)) return null;
  const registers = frame.registers ?? {};
  const sp = parse(registers[spName(registers) ?? '']);
  if (sp === null) return 'this stack';
  if (n === sp) return 'stack';
  return n > sp ? `stack, sp + ${hex(n - sp)}` : `stack, sp − ${hex(sp - n)}`;
}

// Everything with an address in a report, as ranges that are sorted once.
export const moduleOf = memo((report: Report) =>
  finder((report.modules ?? []).flatMap(m => between(parse(m.base_addr), parse(m.end_addr), m))),
);

const stackOf = memo((report: Report) =>
  finder((report.threads ?? []).flatMap(t => sized(parse(t.stack?.base), parse(t.stack?.size), t))),
);

/** Finds the region of memory at an address. */
export const regionOf = (report: Report): ((n: bigint) => Region | null) => inRegions(report.memory_regions ?? none);

const none: readonly Region[] = [];

// The regions of a report are those of the part of it that was shown before.
const inRegions = memo((regions: readonly Region[]) =>
  finder(regions.flatMap(r => (r.state === 'free' ? [] : sized(parse(r.base), parse(r.size), r)))),
);

const between = <T>(from: bigint | null, to: bigint | null, of: T): Range<T>[] =>
  from === null || to === null ? [] : [{from, to, of}];

const sized = <T>(from: bigint | null, size: bigint | null, of: T): Range<T>[] =>
  from === null || size === null ? [] : [{from, to: from + size, of}];

function regionWords(region: Region): string {
  if (region.protection === '---') return '--- memory, no access';
  const what = region.name ? baseName(region.name) : region.kind === 'stack' ? 'stack' : 'memory';
  const captured = region.captured ? '' : ', not captured';
  return `${region.protection ? `${region.protection} ` : ''}${what}${captured}`;
}

function poisonWords(n: bigint, width: number): string | null {
  const low = n & 0xffffffffn;
  const high = n >> 32n;
  if (width === 8 && high !== low) return null;
  return poisons.find(([pattern]) => pattern === low)?.[1] ?? null;
}

function numberWords(n: bigint, width: number): string {
  const negative = BigInt.asIntN(8 * (width || 8), n);
  if (negative < 0n && negative > -0x10000n) return `−${-negative}`;
  if (n < 0x10000n) return String(n);
  return asText(n) ?? '';
}

// Four and more printable bytes are text that was taken for a number: 0x41414141 is "AAAA".
function asText(n: bigint): string | null {
  let text = '';
  for (let rest = n; rest > 0n; rest >>= 8n) {
    const byte = Number(rest & 0xffn);
    if (byte < 0x20 || byte > 0x7e) return null;
    text += String.fromCharCode(byte);
  }
  return text.length >= 4 ? `text “${text}”` : null;
}

const x86FlagBits: readonly (readonly [number, string])[] = [
  [0, 'CF'],
  [2, 'PF'],
  [4, 'AF'],
  [6, 'ZF'],
  [7, 'SF'],
  [8, 'TF'],
  [9, 'IF'],
  [10, 'DF'],
  [11, 'OF'],
  [16, 'RF'],
];

const x86Flags = (n: bigint): string =>
  x86FlagBits
    .filter(([bit]) => (n >> BigInt(bit)) & 1n)
    .map(([, name]) => name)
    .join(' ');
