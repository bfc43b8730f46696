// Several crashes as a table: those that stop in the same place are one row.
import type {Report, Thread} from '../report.ts';
import {type FrameRow, frameRows, functionName} from './frames.ts';
import {brief} from './hex.ts';
import {bare} from './names.ts';
import {firstRow} from './stack.ts';

/** What a table of crashes knows of each dump. */
export interface Crash {
  /** Its place among the open dumps. */
  readonly ordinal: number;
  readonly name: string;
  readonly what: string;
  readonly address: string;
  readonly system: string;
  readonly signature: readonly string[];
}

/** Crashes with one signature. */
export interface Bucket {
  readonly signature: readonly string[];
  readonly crashes: readonly Crash[];
}

export type Column = 'count' | 'signature' | 'what' | 'address' | 'system';

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
  return {
    ordinal,
    name,
    what: verdict.what,
    address: verdict.crashed && address ? brief(address) : '',
    system: [system.os, system.cpu_arch].filter(word => word !== null).join(' '),
    signature: verdict.crashed && thread ? signature(thread, verdict.where) : [],
  };
}

/** The innermost frames outside the system's libraries, from the one that the verdict names on; any frames where all are the system's. */
export function signature(thread: Thread, where: string | null): string[] {
  const rows = frameRows(thread, false);
  const first = firstRow(thread, where);
  const from = rows.findIndex(row => row.frame === first?.frame && row.inline === first.inline);
  const below = rows.slice(Math.max(from, 0));
  const own = below.filter(row => !row.frame.is_system && row.frame.module !== null);
  return (own.length > 0 ? own : below).slice(0, mostFrames).map(label);
}

// An offset says where, whatever address the module was loaded at.
function label(row: FrameRow): string {
  const name = functionName(row);
  if (name !== null) return bare(name);
  const {module, module_offset: offset} = row.frame;
  return module !== null && offset !== null ? `${module} + ${brief(offset)}` : brief(row.frame.offset);
}

/** The crashes by signature; those without a crash are the last bucket, which has none. */
export function buckets(crashes: readonly Crash[], order: Order): Bucket[] {
  const by = new Map<string, Crash[]>();
  for (const crash of crashes) {
    const key = JSON.stringify(crash.signature);
    by.set(key, [...(by.get(key) ?? []), crash]);
  }
  const all = [...by.values()].map(list => ({signature: list[0]?.signature ?? [], crashes: list}));
  const sign = order.down ? -1 : 1;
  return all.sort((a, b) => last(a) - last(b) || sign * compare(a, b, order.column) || first(a) - first(b));
}

const first = (bucket: Bucket): number => bucket.crashes[0]?.ordinal ?? 0;

const last = ({signature: parts}: Bucket): number => (parts.length === 0 ? 1 : 0);

function compare(a: Bucket, b: Bucket, column: Column): number {
  if (column === 'count') return a.crashes.length - b.crashes.length;
  if (column === 'signature') return collate(a.signature.join(), b.signature.join());
  return collate(distinct(a, column), distinct(b, column));
}

const {compare: collate} = new Intl.Collator('en', {numeric: true});

/** The values of a bucket's crashes, each once. */
export const distinct = ({crashes}: Bucket, column: 'what' | 'address' | 'system'): string =>
  [...new Set(crashes.map(crash => crash[column]))].filter(text => text !== '').join(', ');
