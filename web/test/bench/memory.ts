// The most memory that a browser's processes have had, of those that show pages.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {peak} from './programs.ts';

/** Processes by their command lines. */
function processes(called: RegExp): number[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return called.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
      } catch {
        return false;
      }
    });
}

/** Of the processes that will be there: the highest peak of one, in bytes, each time that it is asked. */
export function highestOf(called: RegExp): () => number {
  const before = new Set(processes(called));
  return () =>
    Math.max(
      ...processes(called)
        .filter(pid => !before.has(pid))
        .map(peak),
    );
}
