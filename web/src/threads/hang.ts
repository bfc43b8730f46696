// A hang: the threads of each cycle, the threads behind them, and the evidence.
import type {Report, Thread, Wait, WaitEvidence} from '../report.ts';
import {brief} from '../text/hex.ts';
import {counted, visibleRow} from '../text/text.ts';

/** A thread that waits, and its wait. */
export interface Waiter {
  readonly index: number;
  readonly thread: Thread;
  readonly wait: Wait;
  /** The thread belongs to a cycle. */
  readonly stuck: boolean;
}

/** The cycles: each thread waits for the next one, and the last for the first. */
export function rings(report: Report): Waiter[][] {
  return (report.hang?.cycles ?? []).map(ring => waiters(report, ring, true)).filter(ring => ring.length > 0);
}

/** Threads that wait for a thread of a cycle, directly or not. */
export function behind(report: Report): Waiter[] {
  return waiters(report, report.hang?.behind ?? [], false);
}

/** Threads that wait for a lock or a thread, where the dump does not show which thread can end the wait. */
export function unowned(report: Report): Waiter[] {
  const listed = new Set([...(report.hang?.cycles ?? []).flat(), ...(report.hang?.behind ?? [])]);
  return waiters(report, [...(report.threads ?? []).keys()], false).filter(
    ({index, wait}) => !listed.has(index) && wait.thread === null && unknownHolder(wait) !== null,
  );
}

/**
 * What the page shows of a hang: its cycles, the threads behind them, and those that wait for a lock of an unknown owner; null if there is none. Without a
 * cycle, a crash is no hang: its other threads wait for locks all the time.
 */
export function hangOf(report: Report) {
  const [cycles, waiting, unknown] = [rings(report), behind(report), unowned(report)];
  if (cycles.length === 0 && (report.verdict.crashed || unknown.length === 0)) return null;
  if (cycles.length === 0) {
    const words = `${counted(unknown.length, 'thread')}; the dump does not show which thread can end the wait`;
    return {cycles, waiting, unknown, title: 'Threads that wait for a lock', words};
  }
  const them = cycles.length === 1 ? 'it' : 'them';
  const words = waiting.length === 0 ? '' : `${counted(waiting.length, 'more thread')} behind ${them}`;
  return {cycles, waiting, unknown, title: 'Threads that wait for each other', words};
}

// The names are those of core/report/wait.go. A released lock and a wait without a holder are not unknown.
const unknownHolders: Readonly<Record<string, string>> = {
  gone: 'not in the dump',
  readers: 'threads that read',
  not_recorded: 'the lock does not say',
  not_captured: 'not captured',
  not_found: 'not found',
};

/** Why the thread that can end a wait is unknown; null if it is known, or if there is none. */
export const unknownHolder = ({holder}: Wait): string | null =>
  Object.hasOwn(unknownHolders, holder) ? (unknownHolders[holder] ?? null) : null;

function waiters(report: Report, indexes: readonly number[], stuck: boolean): Waiter[] {
  return indexes.flatMap(index => {
    const thread = report.threads?.[index];
    return thread?.waits ? [{index, thread, wait: thread.waits, stuck}] : [];
  });
}

/** The lock of a wait in the fewest words: its name in the program, or "mutex 0x5000". */
export function lockName({kind, object, name: called}: Wait): string {
  if (called) return visibleRow(called);
  const name = kind.replaceAll('_', ' ');
  return object === null ? name : `${name} ${brief(object)}`;
}

const meanings: Readonly<Record<string, string>> = {
  system_call: 'number of the system call',
  interrupted: 'mark of an interrupted system call',
  futex: 'address of the word that the thread waits at',
  operation: 'futex operation',
  expected: 'value that the thread expects there',
  lock: 'state of the lock',
  owner: 'ID of the thread that holds it',
  users: 'threads that use it',
  lock_kind: 'type of the lock',
  thread_id: 'ID of the thread until it ends',
  self: 'the thread’s block points to itself',
  descriptor: 'file descriptor',
  section: 'address of the critical section',
  recursion: 'number of times that the owner holds it',
  debug_record: 'its debug record points back',
};

/** One line of evidence: the observation and its meaning. */
export function observed(e: WaitEvidence): {read: string; means: string} {
  const means = meanings[e.meaning] ?? '';
  const value = e.value ? brief(e.value) : '';
  if (e.kind === 'function') return {read: e.name ?? '', means: `frame ${e.frame ?? 0} is in this function`};
  if (e.kind === 'word' && e.address) return {read: `[${brief(e.address)}] = ${value}`, means};
  if (e.kind === 'code' && e.address)
    return {read: value, means: `${means}, loaded by the code at ${brief(e.address)}`};
  if (e.kind === 'kernel') return {read: value, means: `${means}, according to the kernel`};
  return {read: `${e.name ?? ''} = ${value}`, means};
}

/** The observation that names the other thread, or the last one. */
export function proof(wait: Wait): WaitEvidence | null {
  const list = wait.evidence ?? [];
  return list.find(e => e.meaning === 'owner' || e.meaning === 'thread_id') ?? list.at(-1) ?? null;
}

/** The words and registers of a wait that name the lock, and the one that names the other thread. */
export function steps(wait: Wait): {waits: readonly WaitEvidence[]; owner: WaitEvidence | null} {
  const [list, owner] = [wait.evidence ?? [], wait.thread === null ? null : proof(wait)];
  const waits = list.filter(
    e => e !== owner && (e.meaning === 'lock' || e.meaning === 'futex' || e.meaning === 'section'),
  );
  return {waits: waits.slice(0, 2), owner};
}
