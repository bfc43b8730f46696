// Several crashes as a table: crashes of one kind are one row.
import {cpuOf} from '../crash/facts.ts';
import {versionOf} from '../modules/modules.ts';
import type {Module, Report, Thread} from '../report.ts';
import {type FrameRow, frameRows, isPlaced} from '../stack/frames.ts';
import {callName, doubt, placeText, shortName} from '../stack/names.ts';
import {firstRow} from '../stack/stack.ts';
import {days} from '../text/format.ts';
import {brief} from '../text/hex.ts';
import {grouped} from '../text/maps.ts';
import {tilde} from '../text/names.ts';
import {baseName, counted} from '../text/text.ts';

/** The property by which crashes are grouped. */
export type Grouping = 'signature' | 'reason';

/** Crashes of one kind. */
export interface Bucket {
  /** Identifies the bucket within one grouping. */
  readonly key: string;
  /** What they have in common; "" for dumps without a crash. */
  readonly title: string;
  readonly detail: string;
  readonly crashes: readonly Crash[];
}

/** The order of the groups: new ones first, by number, by the last dump, or by name. */
export type Order = 'new' | 'count' | 'last' | 'signature';

/** What stands between the calls of a row. */
export const callers = ' ← ';

// Enough frames to distinguish crash sites; with more, a different caller far out would split a group.
const mostFrames = 3;

/** The values of one dump; main is the index of its main thread. */
export function crashOf(ordinal: number, name: string, report: Report, main: number | null) {
  const {crash_info: crash, system_info: system, verdict} = report;
  const thread = main === null ? undefined : report.threads?.[main];
  const adjusted = crash.adjusted_address;
  const address = adjusted?.offset ?? adjusted?.address ?? crash.address;
  const rows = verdict.crashed && thread ? blamed(thread, verdict.row) : [];
  const main_module = mainModule(report);
  const [first] = rows;
  return {
    /** Its place among the open dumps. */
    ordinal,
    name,
    /** The name of its main thread. */
    thread: thread?.thread_name ?? '',
    crashed: verdict.crashed,
    /** "" without a crash. */
    signature: verdict.crashed ? (report.signature ?? '') : '',
    what: verdict.what,
    /** The sentence that explains it. */
    detail: verdict.detail,
    reason: crash.reason ?? crash.type ?? '',
    address: verdict.crashed && address ? brief(address) : '',
    system: [system.os, cpuOf(report)].filter(word => word !== null).join(' '),
    /** The module of the frame that the verdict names. */
    module: rows[0]?.frame.module ?? '',
    /** The innermost calls outside the system's libraries, from that frame on. */
    frames: rows.slice(0, mostFrames).map(callName),
    /** Whether symbols of the crashing stack are wanted. */
    wanted: (report.wanted_symbols ?? []).some(wanted => wanted.crashing),
    /** The calls of the threads that wait for each other; "" if none do. */
    hang: verdict.crashed ? '' : hangOf(report),
    /** The first own frame, by its source line where that is known; without its mark. */
    own: first ? (placeText(first) ?? shortName(first)) : '',
    /** That frame, or its name, may be wrong. */
    guess: first !== undefined && doubt(first) !== null,
    program: baseName(report.dump.process ?? main_module?.filename ?? ''),
    version: main_module ? versionOf(main_module) : '',
    /** When the dump was written, seconds since 1970 UTC. */
    written: report.dump.time,
    /** Seconds. */
    uptime: report.process_uptime,
  };
}

/** The values of one dump for the table of crashes. */
export type Crash = Readonly<ReturnType<typeof crashOf>>;

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
  const own = below.filter(isPlaced);
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
  const all = [...grouped(crashes, crash => keyOf(crash, grouping))].map(([key, list]) => ({
    key,
    ...words(list, grouping),
    crashes: list,
  }));
  const ordered: Readonly<Record<Order, (a: Bucket, b: Bucket) => number>> = {
    new: (a, b) => rank(a) - rank(b) || ordered.count(a, b),
    count: (a, b) => b.crashes.length - a.crashes.length,
    last: (a, b) => lastOf(b) - lastOf(a),
    signature: (a, b) => collate(a.title, b.title),
  };
  return all.sort((a, b) => last(a) - last(b) || ordered[order](a, b) || first(a) - first(b));
}

// Crashes of different programs or processors are never one group, however similar they are.
function keyOf(crash: Crash, grouping: Grouping): string {
  if (!crash.crashed && crash.hang === '') return '';
  const of = crash.hang !== '' ? crash.hang : keys[grouping](crash);
  return JSON.stringify([of, crash.program.toLowerCase(), crash.system]);
}

const keys: Readonly<Record<Grouping, (crash: Crash) => unknown>> = {
  signature: crash => crash.signature,
  reason: crash => [crash.reason, crash.module.toLowerCase()],
};

function words([crash]: readonly Crash[], grouping: Grouping): {title: string; detail: string} {
  if (crash && crash.hang !== '') return {title: crash.hang, detail: ''};
  if (!crash?.crashed) return {title: '', detail: ''};
  if (grouping === 'reason')
    return {title: crash.reason || 'unknown reason', detail: crash.module && `in ${baseName(crash.module)}`};
  const rest = crash.frames.filter(name => !says(crash.signature, name));
  return {title: readable(crash.signature) || 'no signature', detail: rest.join(callers)};
}

/** A signature as users read it: "app@0x10" is an offset in a module. */
export const readable = (signature: string): string => signature.replace(/@(0x[0-9a-f]+)/gi, ' + $1');

// The frame at the end of the signature is not repeated, also if the signature spells it in another way: "app@0x10", "find<T>".
const says = (signature: string, name: string): boolean =>
  [name, name.replace(' + ', '@'), name.replace(/<.*>/, '<T>')].some(spelled => signature.endsWith(spelled));

const first = (bucket: Bucket): number => bucket.crashes[0]?.ordinal ?? 0;

const last = ({key}: Bucket): number => (key === '' ? 1 : 0);

/** The number of a bucket's crashes that lack symbols. */
export const wanting = ({crashes}: Bucket): number => crashes.filter(crash => crash.wanted).length;

/** When the last dump of a bucket was written; -1 if none says so. */
export const lastOf = ({crashes}: Bucket): number => Math.max(...crashes.map(({written}) => written ?? -1));

const {compare: collate} = new Intl.Collator('en', {numeric: true});

/** The values of a bucket's crashes, each once. */
export const distinct = (
  {crashes}: Bucket,
  column: 'what' | 'address' | 'system' | 'program' | 'version' | 'thread',
): string => [...new Set(crashes.map(crash => crash[column]))].filter(text => text !== '').join(', ');

/** The first own frames of a bucket's crashes, each once, with the mark of those that may be wrong: "app.cc:1, ~ app + 0x10". */
export const ownText = ({crashes}: Bucket): string =>
  [...new Set(crashes.filter(({own}) => own !== '').map(({own, guess}) => `${guess ? tilde : ''}${own}`))].join(', ');

/** When a bucket's dumps were written: "18 to 21 Nov 2026"; "" if none has a date. */
export const writtenText = ({crashes}: Pick<Bucket, 'crashes'>): string =>
  days(crashes.map(crash => crash.written).filter(t => t !== null));

/** "4 crashes, 1 hang and 1 dump without a crash in 3 groups; 3 files were not read". */
export function headline(crashes: readonly Crash[], groups: number, left: number): string {
  const crashed = crashes.filter(crash => crash.crashed).length;
  const hung = crashes.filter(crash => crash.hang !== '').length;
  const rest = crashes.length - crashed - hung;
  const all = [
    counted(crashed, 'crash', 'crashes'),
    ...(hung > 0 ? [counted(hung, 'hang')] : []),
    ...(rest > 0 ? [`${counted(rest, 'dump')} without a crash`] : []),
  ];
  const end = all.splice(-1).join('');
  const unread = left === 0 ? '' : `; ${counted(left, 'file')} ${left === 1 ? 'was' : 'were'} not read`;
  return `${all.join(', ')}${all.length > 0 ? ' and ' : ''}${end} in ${counted(groups, 'group')}${unread}`;
}
