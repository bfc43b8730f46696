// Which files of a tab a reload should open again, and which handles are old enough to remove.
import type {FileResult} from '../engine/types.ts';
import type {Handle} from './handles.ts';
import type {Shelf, Shelved} from './shelf.ts';
import type {State} from './state.ts';

// A page with more files than this is not restored.
const mostFiles = 200;
const mostSessions = 8;

/** The id of the entry for symbol folders; other ids are those of tabs. */
export const folders = 'folders';

/** A handle, and whether it held a dump. */
export interface Held {
  readonly handle: Handle;
  readonly dump: boolean;
}

/**
 * Whether the name of a file or a dump comes from this handle: the same name, a path below its
 * folder, or one of several dumps in a log.
 */
export const isOf = ({name}: Handle, path: string): boolean =>
  path.startsWith(name) &&
  (path.length === name.length || path[name.length] === '/' || path.startsWith(' (', name.length));

/** The results for a handle's files; null if none is useful. */
export function heldOf(handle: Handle, results: readonly FileResult[]): Held | null {
  const own = results.filter(({name}) => isOf(handle, name));
  if (own.length > 0 && own.every(({kind}) => kind === 'other')) return null;
  return {handle, dump: own.some(({kind}) => kind === 'dump')};
}

/** Whether a folder held symbols. */
export const gaveSymbols = (handle: Handle, results: readonly FileResult[]): boolean =>
  handle.kind === 'directory' && results.some(({name, kind}) => kind === 'symbols' && isOf(handle, name));

/**
 * The handles that a reload should open: those of open dumps, and those of symbols while a dump is
 * open.
 */
export function worthKeeping(
  held: readonly Held[],
  {dumps, symbolFiles}: Pick<State, 'dumps' | 'symbolFiles'>,
): readonly Handle[] {
  const rest = dumps.length + symbolFiles.length > 0;
  const kept: Handle[] = [];
  for (const {handle, dump} of held) {
    if (dump ? dumps.some(({name}) => isOf(handle, name)) : rest) kept.push(handle);
    if (kept.length > mostFiles) return [];
  }
  return kept;
}

/** The handle for the same file or folder. */
export async function sameAs(handle: Handle, others: readonly Handle[]): Promise<Handle | null> {
  // The browser's comparison is slow, and files with different names differ.
  for (const other of others) if (other.name === handle.name && (await handle.isSameEntry(other))) return other;
  return null;
}

/** Removes the entries that were used longest ago, if there are too many. */
export async function thin(shelf: Shelf): Promise<void> {
  const sessions = (await shelf.all()).filter(({id}) => id !== folders).sort(latestFirst);
  for (const {id} of sessions.slice(mostSessions)) await shelf.remove(id);
}

export const latestFirst = (a: Shelved, b: Shelved): number => b.used - a.used;
