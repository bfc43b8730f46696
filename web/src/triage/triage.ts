// Several crashes as a table: crashes of one kind are one row.
import type {Module, Report, Thread} from '../report.ts';
import {doubt, type FrameRow, frameRows, placeText} from '../stack/frames.ts';
import {firstRow} from '../stack/stack.ts';
import {brief} from '../text/hex.ts';
import {baseName, counted} from '../text/text.ts';
import {callName, unmarkedName} from '../threads/parallel.ts';

/** The values of one dump for the table of crashes. */
export interface Crash {
  /** Its place among the open dumps. */
  readonly ordinal: number;
  readonly name: string;
  readonly crashed: boolean;
  /** "" without a crash. */
  readonly signature: string;
  readonly what: string;
  readonly reason: string;
  readonly address: string;
  readonly system: string;
  /** The module of the frame that the verdict names. */
  readonly module: string;
  /** The innermost calls outside the system's libraries, from that frame on. */
  readonly frames: readonly string[];
  /** Whether symbols of the crashing stack are wanted. */
  readonly wanted: boolean;
  /** The calls of the threads that wait for each other; "" if none do. */
  readonly hang: string;
  /** The first own frame, by its source line where that is known; without its mark. */
  readonly own: string;
  /** That frame, or its name, may be wrong. */
  readonly guess: boolean;
  readonly program: string;
  readonly version: string;
  /** When the dump was written, seconds since 1970 UTC. */
  readonly written: number | null;
  /** Seconds. */
  readonly uptime: number | null;
}

/** The property by which crashes are grouped. */
export type Grouping = 'signature' | 'frames' | 'reason' | 'none';

export const groupings: readonly (readonly [Grouping, string])[] = [
  ['signature', 'By signature'],
  ['frames', 'By top frames'],
  ['reason', 'By reason and module'],
  ['none', 'Not grouped'],
];

/** Crashes of one kind. */
export interface Bucket {
  /** Identifies the bucket within one grouping. */
  readonly key: string;
  /** What they have in common; "" for dumps without a crash. */
  readonly title: string;
  readonly detail: string;
  readonly crashes: readonly Crash[];
}

export type Column =
  | 'since'
  | 'count'
  | 'signature'
  | 'what'
  | 'address'
  | 'system'
  | 'symbols'
  | 'own'
  | 'program'
  | 'written'
  | 'uptime';

export interface Order {
  readonly column: Column;
  readonly down: boolean;
}

// Enough frames to distinguish crash sites; with more, a different caller far out would split a group.
const mostFrames = 3;

/** The values of one dump; main is the index of its main thread. */
export function crashOf(ordinal: number, name: string, report: Report, main: number | null): Crash {
  const {crash_info: crash, system_info: system, verdict} = report;
  const thread = main === null ? undefined : report.threads?.[main];
  const adjusted = crash.adjusted_address;
  const address = adjusted?.offset ?? adjusted?.address ?? crash.address;
  const rows = verdict.crashed && thread ? blamed(thread, verdict.row) : [];
  const main_module = mainModule(report);
  const [first] = rows;
  return {
    ordinal,
    name,
    crashed: verdict.crashed,
    signature: verdict.crashed ? (report.signature ?? '') : '',
    what: verdict.what,
    reason: crash.reason ?? crash.type ?? '',
    address: verdict.crashed && address ? brief(address) : '',
    system: [system.os, system.cpu_arch].filter(word => word !== null).join(' '),
    module: rows[0]?.frame.module ?? '',
    frames: rows.slice(0, mostFrames).map(callName),
    wanted: (report.wanted_symbols ?? []).some(wanted => wanted.crashing),
    hang: verdict.crashed ? '' : hangOf(report),
    own: first ? (placeText(first) ?? unmarkedName(first)) : '',
    guess: first !== undefined && doubt(first) !== null,
    program: baseName(report.dump.process ?? main_module?.filename ?? ''),
    version: main_module?.version ?? '',
    written: report.dump.time,
    uptime: report.process_uptime,
  };
}

function mainModule(report: Report): Module | null {
  const modules = report.modules ?? [];
  return modules.find(m => m.path === report.dump.process) ?? modules[report.main_module] ?? null;
}

// A hang is named by the calls of its threads, sorted: the name does not depend on the first thread of the cycle.
function hangOf(report: Report): string {
  const calls = (report.hang?.cycles?.[0] ?? []).map(index => {
    const thread = report.threads?.[index];
    const [row] = thread ? blamed(thread, null) : [];
    return row ? callName(row) : '?';
  });
  return calls.sort(collate).join(' ⇄ ');
}

// The innermost rows outside the system's libraries, from the row that the verdict names on; if there are none, all rows from there.
function blamed(thread: Thread, named: number | null): FrameRow[] {
  const rows = frameRows(thread, false);
  const first = firstRow(thread, named);
  const from = rows.findIndex(row => row.frame === first?.frame && row.inline === first.inline);
  const below = rows.slice(Math.max(from, 0));
  const own = below.filter(row => !row.frame.is_system && row.frame.module !== null);
  return own.length > 0 ? own : below;
}

/** Whether a value of a crash that the table shows contains the text; case is ignored. */
export function shows(crash: Crash, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const {name, signature, what, reason, address, system, module, frames, hang, own, program, version} = crash;
  return [name, signature, what, reason, address, system, module, hang, own, program, version, ...frames].some(s =>
    s.toLowerCase().includes(wanted),
  );
}

/** The crashes in groups, in order; dumps without a crash come last. rank sorts by the change since a baseline. */
export function buckets(
  crashes: readonly Crash[],
  grouping: Grouping,
  order: Order,
  rank: (row: Bucket) => number = () => 0,
): Bucket[] {
  const by = new Map<string, Crash[]>();
  for (const crash of crashes) {
    const key = keyOf(crash, grouping);
    const group = by.get(key);
    if (group) group.push(crash);
    else by.set(key, [crash]);
  }
  const all = [...by].map(([key, list]) => ({key, ...words(list, grouping), crashes: list}));
  const sign = order.down ? -1 : 1;
  const ordered = (a: Bucket, b: Bucket): number =>
    order.column === 'since' ? rank(a) - rank(b) || compare(b, a, 'count') : compare(a, b, order.column);
  return all.sort((a, b) => last(a) - last(b) || sign * ordered(a, b) || first(a) - first(b));
}

// Crashes of different programs or processors are never one group, however similar they are.
function keyOf(crash: Crash, grouping: Grouping): string {
  if (!crash.crashed && crash.hang === '') return '';
  const of = grouping !== 'none' && crash.hang !== '' ? crash.hang : keys[grouping](crash);
  return JSON.stringify([of, crash.program.toLowerCase(), crash.system]);
}

const keys: Readonly<Record<Grouping, (crash: Crash) => unknown>> = {
  signature: crash => crash.signature,
  frames: crash => crash.frames,
  reason: crash => [crash.reason, crash.module.toLowerCase()],
  none: crash => crash.ordinal,
};

function words([crash]: readonly Crash[], grouping: Grouping): {title: string; detail: string} {
  if (crash && crash.hang !== '') return {title: crash.hang, detail: 'hang: threads wait for each other'};
  if (!crash?.crashed) return {title: '', detail: ''};
  const [top = '', ...callers] = crash.frames;
  if (grouping === 'frames') return {title: top || 'no frames', detail: callers.join(', ')};
  if (grouping === 'reason')
    return {title: crash.reason || 'unknown reason', detail: crash.module && `in ${baseName(crash.module)}`};
  const rest = crash.frames.filter(name => !says(crash.signature, name));
  return {title: readable(crash.signature) || 'no signature', detail: rest.join(', ')};
}

/** A signature as users read it: "app@0x10" is an offset in a module. */
export const readable = (signature: string): string => signature.replace(/@(0x[0-9a-f]+)/gi, ' + $1');

// The frame at the end of the signature is not repeated, also if the signature spells it in another way: "app@0x10", "find<T>".
const says = (signature: string, name: string): boolean =>
  [name, name.replace(' + ', '@'), name.replace(/<.*>/, '<T>')].some(spelled => signature.endsWith(spelled));

const first = (bucket: Bucket): number => bucket.crashes[0]?.ordinal ?? 0;

const last = ({key}: Bucket): number => (key === '' ? 1 : 0);

function compare(a: Bucket, b: Bucket, column: Exclude<Column, 'since'>): number {
  if (column === 'count') return a.crashes.length - b.crashes.length;
  if (column === 'symbols') return wanting(a) - wanting(b);
  if (column === 'signature') return collate(a.title, b.title);
  if (column === 'written' || column === 'uptime') return latest(a, column) - latest(b, column);
  return collate(distinct(a, column), distinct(b, column));
}

/** The number of a bucket's crashes that lack symbols. */
export const wanting = ({crashes}: Bucket): number => crashes.filter(crash => crash.wanted).length;

const latest = ({crashes}: Bucket, column: 'written' | 'uptime'): number =>
  Math.max(...crashes.map(crash => crash[column] ?? -1));

const {compare: collate} = new Intl.Collator('en', {numeric: true});

/** The values of a bucket's crashes, each once. */
export const distinct = (
  {crashes}: Bucket,
  column: 'what' | 'address' | 'system' | 'own' | 'program' | 'version' | 'name',
): string => [...new Set(crashes.map(crash => crash[column]))].filter(text => text !== '').join(', ');

/** The first own frames of a bucket's crashes, each once, and whether they may be wrong. */
export function owns({crashes}: Bucket): readonly {text: string; guess: boolean}[] {
  const all = crashes
    .filter(({own}) => own !== '')
    .map(({own, guess}) => [`${own}\n${guess}`, {text: own, guess}] as const);
  return [...new Map(all).values()];
}

/** "app.cc:1, ~ app + 0x10": the same as text. */
export const ownText = (bucket: Bucket): string =>
  owns(bucket)
    .map(({text, guess}) => `${guess ? '~ ' : ''}${text}`)
    .join(', ');

/** "harbor 2.14.0, 2.14.1": the program of a bucket with its versions. */
export function programs(bucket: Bucket): {program: string; versions: string} {
  return {program: distinct(bucket, 'program'), versions: distinct(bucket, 'version')};
}

/** "18 to 21 Nov 2026", in UTC; "" if no dump has its date. */
export function writtenText({crashes}: Bucket): string {
  const times = crashes.map(crash => crash.written).filter(t => t !== null);
  if (times.length === 0) return '';
  const [from, to] = [day(Math.min(...times)), day(Math.max(...times))];
  if (from.text === to.text) return to.text;
  if (from.month === to.month) return `${from.day} to ${to.text}`;
  return from.year === to.year ? `${from.day} ${from.name} to ${to.text}` : `${from.text} to ${to.text}`;
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function day(seconds: number): {day: number; name: string; month: string; year: number; text: string} {
  const date = new Date(seconds * 1000);
  const [n, name, year] = [date.getUTCDate(), monthNames[date.getUTCMonth()] ?? '', date.getUTCFullYear()];
  return {day: n, name, month: `${name} ${year}`, year, text: `${n} ${name} ${year}`};
}

/** The logarithmic line for uptimes, from the shortest to the longest. */
export interface Uptimes {
  readonly from: number;
  readonly to: number;
}

/** The uptimes of all crashes; null if no dump has one. */
export function uptimes(crashes: readonly Crash[]): Uptimes | null {
  const all = crashes.map(crash => crash.uptime).filter(t => t !== null);
  return all.length === 0 ? null : {from: Math.min(...all), to: Math.max(...all)};
}

/** The position of an uptime on the line, from 0 to 1; the middle if all are the same. */
export function placeOn({from, to}: Uptimes, seconds: number): number {
  const width = Math.log1p(to) - Math.log1p(from);
  return width === 0 ? 0.5 : (Math.log1p(seconds) - Math.log1p(from)) / width;
}

/** "4 crashes, 2 signatures, 1 hang, and 1 dump without a crash; 3 files were not read". */
export function headline(crashes: readonly Crash[], left: number): string {
  const crashed = crashes.filter(crash => crash.crashed);
  const signatures = new Set(crashed.map(crash => crash.signature)).size;
  const hung = crashes.filter(crash => crash.hang !== '').length;
  const rest = crashes.length - crashed.length - hung;
  const words = [counted(crashed.length, 'crash', 'crashes'), counted(signatures, 'signature')];
  if (hung > 0) words.push(counted(hung, 'hang'));
  if (rest > 0) words.push(`and ${counted(rest, 'dump')} without a crash`);
  const unread = left === 0 ? '' : `; ${counted(left, 'file')} ${left === 1 ? 'was' : 'were'} not read`;
  return words.join(', ') + unread;
}
