// The other threads, grouped by identical stack: a pool of forty idle workers is one line.
import type {Report, Thread} from '../report.ts';
import {type FrameRow, frameRows, isOwn} from '../stack/frames.ts';
import {functionName, placeText} from '../stack/names.ts';
import {grouped} from '../text/maps.ts';
import {spellings} from '../text/spelling.ts';

export interface Group {
  /** Indexes into the report's threads, in the dump's order. */
  readonly threads: readonly number[];
  readonly first: Thread;
  /** Distinct names, in the dump's order. */
  readonly names: readonly string[];
  /** "Waiting": the state that its innermost functions show; null if they show none. */
  readonly state: string | null;
  /** The first row outside the system's modules, or the innermost. */
  readonly where: FrameRow | null;
  readonly frames: number;
}

/** Groups all threads except the shown one: the largest group first, then in the dump's order. */
export function groupThreads(report: Report, except: number | null): Group[] {
  const threads = report.threads ?? [];
  const others = threads.flatMap((thread, index) => (index === except ? [] : [{thread, index}]));
  return [...grouped(others, ({thread}) => stackKey(thread)).values()]
    .flatMap(toGroup)
    .sort((a, b) => b.threads.length - a.threads.length || (a.threads[0] ?? 0) - (b.threads[0] ?? 0));
}

function toGroup(members: readonly {readonly thread: Thread; readonly index: number}[]): Group[] {
  const first = members[0]?.thread;
  if (!first) return [];
  const names = members.flatMap(({thread: {thread_name: name}}) => (name ? [name] : []));
  const rows = frameRows(first, false);
  return [
    {
      threads: members.map(({index}) => index),
      first,
      names: [...new Set(names)],
      state: first.state,
      where: rows.find(isOwn) ?? rows[0] ?? null,
      frames: rows.length,
    },
  ];
}

// Two stacks are the same if all their rows are. The thread that wrote the dump was not walked, so it has a group of its own.
function stackKey(thread: Thread): string {
  const rows = frameRows(thread, false).map(rowText);
  return JSON.stringify([thread.dump_writer, thread.end.complete, thread.state, rows]);
}

const rowText = (row: FrameRow): string[] => [
  functionName(row) ?? '',
  row.frame.module ?? '',
  functionName(row) === null ? (row.frame.module_offset ?? row.frame.offset) : '',
  placeText(row) ?? '',
  row.found,
];

/** How many rows at the outer end a stack has in common with the crashing thread's, and which of its rows those are. */
export function sharedTail(thread: Thread, crashing: Thread | null): {count: number; from: number; to: number} {
  if (!crashing || crashing === thread) return {count: 0, from: 0, to: 0};
  const mine = frameRows(thread, false);
  const theirs = frameRows(crashing, false);
  let count = 0;
  while (count < mine.length && count < theirs.length) {
    const a = mine[mine.length - 1 - count];
    const b = theirs[theirs.length - 1 - count];
    if (!a || !b || JSON.stringify(rowText(a)) !== JSON.stringify(rowText(b))) break;
    count++;
  }
  return {count, from: theirs.length - count, to: theirs.length - 1};
}

/**
 * Whether a function, module or thread of the group contains the text, or a thread has it as its id; case is ignored. The text is
 * no pattern: a pattern of the user could stall the page.
 */
export function matches(report: Report, group: Group, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  if (group.names.some(name => name.toLowerCase().includes(wanted))) return true;
  if (group.threads.some(index => String(report.threads?.[index]?.thread_id ?? '') === wanted)) return true;
  return (group.first.frames ?? []).some(frame =>
    [frame.module, ...[frame, ...(frame.inlines ?? [])].flatMap(spellings)].some(name =>
      name?.toLowerCase().includes(wanted),
    ),
  );
}
