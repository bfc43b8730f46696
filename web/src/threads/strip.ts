// All threads as bars: how deep each stack is, and what the thread does.
import type {Report, Thread} from '../report.ts';
import {frameRows} from '../stack/frames.ts';

/** What a thread does. */
export type Doing = 'crash' | 'lock' | 'io' | 'runs' | 'idle';

export interface Bar {
  /** Index into the report's threads. */
  readonly thread: number;
  readonly doing: Doing;
  readonly x: number;
  readonly width: number;
  /** The heights of the frames that are proved, and of the guesses above them. */
  readonly proved: number;
  readonly guessed: number;
}

/** The pixels of a frame, of the highest bar, and of the widest and the narrowest one, with the gap behind it. */
const perFrame = 3;
const highest = 56;
const [widest, narrowest] = [16, 3];
const gap = 2;

const locks: ReadonlySet<string> = new Set(
  'mutex read_lock write_lock critical_section srw_lock file_lock once'.split(' '),
);
const transfers: ReadonlySet<string> = new Set(['poll', 'read', 'write', 'accept', 'connect', 'completion_port']);

// What a thread of that state does, if no wait is proved.
const states: ReadonlyMap<string | null, Doing> = new Map([
  ['Running', 'runs'],
  ['Polling', 'io'],
]);

function doing(report: Report, {crashed, waits: wait, state}: Thread, index: number): Doing {
  if (crashed || report.hang?.cycles?.some(cycle => cycle.includes(index))) return 'crash';
  if (wait) return locks.has(wait.kind) ? 'lock' : transfers.has(wait.kind) ? 'io' : 'idle';
  return states.get(state) ?? 'idle';
}

/** The bars of all threads that have frames, in the dump's order, in so many pixels. */
export function bars(report: Report, across: number): readonly Bar[] {
  const threads = (report.threads ?? []).flatMap((thread, index) =>
    (thread.frames ?? []).length > 0 ? [{thread, index}] : [],
  );
  const width = Math.max(narrowest, Math.min(widest, Math.floor(across / Math.max(1, threads.length)) - gap));
  return threads.map(({thread, index}, i) => {
    const rows = frameRows(thread, false);
    const guesses = rows.filter(row => row.guess).length;
    const scale = Math.min(perFrame, highest / rows.length);
    const proved = Math.max(1, Math.round((rows.length - guesses) * scale));
    const guessed = Math.round(guesses * scale);
    return {thread: index, doing: doing(report, thread, index), x: i * (width + gap), width, proved, guessed};
  });
}
