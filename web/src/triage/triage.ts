// Several crashes as a table: those that are of one kind are one row.
import type {Report, Thread} from '../report.ts';
import {type FrameRow, frameRows} from '../stack/frames.ts';
import {firstRow} from '../stack/stack.ts';
import {brief} from '../text/hex.ts';
import {baseName} from '../text/text.ts';
import {callName} from '../threads/parallel.ts';

/** What a table of crashes knows of each dump. */
export interface Crash {
  /** Its place among the open dumps. */
  readonly ordinal: number;
  readonly name: string;
  readonly crashed: boolean;
  /** "" where nothing crashed. */
  readonly signature: string;
  readonly what: string;
  readonly reason: string;
  readonly address: string;
  readonly system: string;
  /** The module of the frame that the verdict names. */
  readonly module: string;
  /** The calls from there on that are not the system's. */
  readonly frames: readonly string[];
  /** Whether symbols of the crashing stack are wanted. */
  readonly wanted: boolean;
}

/** By what crashes are put together. */
export type Grouping = 'signature' | 'frames' | 'reason' | 'none';

export const groupings: readonly (readonly [Grouping, string])[] = [
  ['signature', 'By signature'],
  ['frames', 'By top frames'],
  ['reason', 'By reason and module'],
  ['none', 'Not grouped'],
];

/** Crashes of one kind. */
export interface Bucket {
  /** Names the bucket while the grouping stays. */
  readonly key: string;
  /** What they have in common; "" for dumps without a crash. */
  readonly title: string;
  readonly detail: string;
  readonly crashes: readonly Crash[];
}

export type Column = 'count' | 'signature' | 'what' | 'address' | 'system' | 'symbols';

export interface Order {
  readonly column: Column;
  readonly down: boolean;
}

// Enough to tell places apart, and few enough that another caller far below does not.
const mostFrames = 3;

/** What a table says of one dump; main is the index of the thread that it is about. */
export function crashOf(ordinal: number, name: string, report: Report, main: number | null): Crash {
  const {crash_info: crash, system_info: system, verdict} = report;
  const thread = main === null ? undefined : report.threads?.[main];
  const adjusted = crash.adjusted_address;
  const address = adjusted?.offset ?? adjusted?.address ?? crash.address;
  const rows = verdict.crashed && thread ? blamed(thread, verdict.where) : [];
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
  };
}

// The innermost rows outside the system's libraries, from the one that the verdict names on; any rows where all are the system's.
function blamed(thread: Thread, where: string | null): FrameRow[] {
  const rows = frameRows(thread, false);
  const first = firstRow(thread, where);
  const from = rows.findIndex(row => row.frame === first?.frame && row.inline === first.inline);
  const below = rows.slice(Math.max(from, 0));
  const own = below.filter(row => !row.frame.is_system && row.frame.module !== null);
  return own.length > 0 ? own : below;
}

/** Whether a crash has the text in anything that the table shows of it, whatever the case. */
export function shows(crash: Crash, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  const {name, signature, what, reason, address, system, module, frames} = crash;
  return [name, signature, what, reason, address, system, module, ...frames].some(s =>
    s.toLowerCase().includes(wanted),
  );
}

/** The crashes in groups, in order; dumps without a crash are the last. */
export function buckets(crashes: readonly Crash[], grouping: Grouping, order: Order): Bucket[] {
  const by = new Map<string, Crash[]>();
  for (const crash of crashes) {
    const key = crash.crashed ? JSON.stringify(keys[grouping](crash)) : '';
    const group = by.get(key);
    if (group) group.push(crash);
    else by.set(key, [crash]);
  }
  const all = [...by].map(([key, list]) => ({key, ...words(list, grouping), crashes: list}));
  const sign = order.down ? -1 : 1;
  return all.sort((a, b) => last(a) - last(b) || sign * compare(a, b, order.column) || first(a) - first(b));
}

const keys: Readonly<Record<Grouping, (crash: Crash) => unknown>> = {
  signature: crash => crash.signature,
  frames: crash => crash.frames,
  reason: crash => [crash.reason, crash.module.toLowerCase()],
  none: crash => crash.ordinal,
};

function words([crash]: readonly Crash[], grouping: Grouping): {title: string; detail: string} {
  if (!crash?.crashed) return {title: '', detail: ''};
  const [top = '', ...callers] = crash.frames;
  if (grouping === 'frames') return {title: top || 'no frames', detail: callers.join(', ')};
  if (grouping === 'reason')
    return {title: crash.reason || 'unknown reason', detail: crash.module && `in ${baseName(crash.module)}`};
  const rest = crash.frames.filter(name => !says(crash.signature, name));
  return {title: crash.signature || 'no signature', detail: rest.join(', ')};
}

// The frame that the signature ends with is not said again, however that spells it: "app@0x10", "find<T>".
const says = (signature: string, name: string): boolean =>
  [name, name.replace(' + ', '@'), name.replace(/<.*>/, '<T>')].some(spelled => signature.endsWith(spelled));

const first = (bucket: Bucket): number => bucket.crashes[0]?.ordinal ?? 0;

const last = ({key}: Bucket): number => (key === '' ? 1 : 0);

function compare(a: Bucket, b: Bucket, column: Column): number {
  if (column === 'count') return a.crashes.length - b.crashes.length;
  if (column === 'symbols') return wanting(a) - wanting(b);
  if (column === 'signature') return collate(a.title, b.title);
  return collate(distinct(a, column), distinct(b, column));
}

/** How many of a bucket's crashes would say more with symbols. */
export const wanting = ({crashes}: Bucket): number => crashes.filter(crash => crash.wanted).length;

const {compare: collate} = new Intl.Collator('en', {numeric: true});

/** The values of a bucket's crashes, each once. */
export const distinct = ({crashes}: Bucket, column: 'what' | 'address' | 'system'): string =>
  [...new Set(crashes.map(crash => crash[column]))].filter(text => text !== '').join(', ');
