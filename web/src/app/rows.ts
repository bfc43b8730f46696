// The visible rows of a thread: the view draws them, and the keys move through them.

import type {Thread} from '../report.ts';
import {frameRows} from '../stack/frames.ts';
import {type Row, stackRows} from '../stack/stack.ts';
import {memo} from '../text/maps.ts';
import {groupThreads, sharedTail} from '../threads/groups.ts';
import {mainThread, type OpenDump, openKey, type State} from './state.ts';

/** The rows of one thread. */
export function shownRows(state: Pick<State, 'opened' | 'stack'>, dump: OpenDump, index: number): Row[] {
  const thread = dump.report.threads?.[index];
  if (!thread) return [];
  return rowsOf(thread, dump, index, state.opened, state.stack.inlined, state.stack.guesses, state.stack.system);
}

const rowsOf = memo(
  (
    thread: Thread,
    dump: OpenDump,
    index: number,
    opened: ReadonlySet<string>,
    inlined: boolean,
    guesses: boolean,
    system: boolean,
  ) => {
    const {report} = dump;
    const main = mainThread(report);
    const crashing = main === null || main === index ? null : (report.threads?.[main] ?? null);
    return stackRows(thread, {
      crashed: thread.crashed && report.verdict.crashed,
      inlined,
      guesses,
      opened: new Set(folds(opened, openKey(dump, index, ''))),
      system,
      row: thread.crashed ? report.verdict.row : null,
      shared: sharedTail(thread, crashing),
    });
  },
);

function* folds(opened: ReadonlySet<string>, prefix: string): Iterable<string> {
  for (const key of opened) if (key.startsWith(prefix)) yield key.slice(prefix.length);
}

/** Groups of the other threads; computed once for a report. */
export const groupsOf = memo(groupThreads);

/** Threads in the order of the page: the main one, then the first of each group. */
export function threadOrder(dump: OpenDump): number[] {
  const main = mainThread(dump.report);
  const others = groupsOf(dump.report, main).map(group => group.threads[0]);
  return [main, ...others].filter(index => typeof index === 'number');
}

/** How many rows, inlined calls and guessed frames a thread has, whatever is hidden. */
export const rowCounts = memo((thread: Thread) => {
  const rows = frameRows(thread, false);
  const guesses = rows.filter(row => row.inline === null && row.guess).length;
  return {rows: rows.length, inlined: rows.filter(row => row.found === 'inlined').length, guesses};
});
