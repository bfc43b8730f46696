// Which files of a tab a reload should open again, and which handles are old enough to remove.
import type {FileResult} from '../engine/types.ts';
import {counts, grouped} from '../text/maps.ts';
import type {Handle} from './handles.ts';
import type {Shelf, Shelved} from './shelf.ts';
import type {State} from './state.ts';

// A page with more files than this is not restored.
const mostFiles = 200;
const mostSessions = 8;

/** The id of the entry for symbol folders; other ids are those of tabs. */
export const folders = 'folders';

/** A handle, and whether it had a dump. */
export interface Remembered {
  readonly handle: Handle;
  readonly dump: boolean;
}

/**
 * The name of the handle of this file or dump: its own, that of its topmost folder, or that of its log. A second download, "a
 * (1).dmp", is another file than "a".
 */
export function rootOf(path: string): string {
  const [root = ''] = path.split('/', 1);
  return root === path ? path.replace(/ \(\d+ of \d+\)$/, '') : root; // the engine numbers the dumps of a log so
}

/** The results for files, by the names of their handles. */
export const byRoot = (results: readonly FileResult[]): ReadonlyMap<string, readonly FileResult[]> =>
  grouped(results, ({name}) => rootOf(name));

/** A handle with its results; null if none of its files is useful. */
export function rememberedOf(handle: Handle, own: readonly FileResult[]): Remembered | null {
  if (own.length > 0 && own.every(({kind}) => kind === 'other')) return null;
  return {handle, dump: own.some(({kind}) => kind === 'dump')};
}

/** Whether a folder had symbols. */
export const hasSymbols = (handle: Handle, own: readonly FileResult[]): boolean =>
  handle.kind === 'directory' && own.some(({kind}) => kind === 'symbols');

/** The handles that a reload should open: those of open dumps, and those of symbols while a dump is open. */
export function worthReopening(
  remembered: readonly Remembered[],
  {dumps, symbols}: Pick<State, 'dumps' | 'symbols'>,
): readonly Handle[] {
  const rest = dumps.length + symbols.files.length > 0;
  const open = new Set(dumps.map(({name}) => rootOf(name)));
  const handles: Handle[] = [];
  for (const {handle, dump} of remembered) {
    if (dump ? open.has(handle.name) : rest) handles.push(handle);
    if (handles.length > mostFiles) return [];
  }
  return handles;
}

/** Whether each open dump comes from one of these handles. Files of one name need one handle each. */
export function allOf(handles: readonly Handle[], {dumps}: Pick<State, 'dumps'>): boolean {
  return [...counts(dumps.map(({name}) => name))].every(([name, count]) => {
    const own = handles.filter(handle => handle.name === rootOf(name));
    return own.length >= count || own.some(({kind}) => kind === 'directory');
  });
}

/** The handle for the same file or folder. */
export async function sameAs(handle: Handle, others: readonly Handle[]): Promise<Handle | null> {
  // The browser's comparison is slow, and files with different names differ.
  for (const other of others) if (other.name === handle.name && (await handle.isSameEntry(other))) return other;
  return null;
}

/** Removes the entries that were used longest ago, if there are too many. */
export async function removeOldest(shelf: Shelf): Promise<void> {
  const sessions = (await shelf.all()).filter(({id}) => id !== folders).sort(latestFirst);
  for (const {id} of sessions.slice(mostSessions)) await shelf.remove(id);
}

export const latestFirst = (a: Shelved, b: Shelved): number => b.used - a.used;
