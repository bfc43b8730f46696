// Which files of a tab are worth opening again, and which were forgotten long enough.
import type {FileResult} from '../engine/types.ts';
import type {Handle} from './handles.ts';
import type {Shelf, Shelved} from './shelf.ts';
import type {State} from './state.ts';

// A page with more files than this is not brought back.
const mostFiles = 200;
const mostSessions = 8;

/** Where the folders are that symbols came from; other ids are those of tabs. */
export const folders = 'folders';

/** A handle, and whether a dump came out of it. */
export interface Held {
  readonly handle: Handle;
  readonly dump: boolean;
}

/** Whether a file or a dump has the name that this handle gives it: its own, below its folder, or as one of several in a log. */
export const isOf = ({name}: Handle, path: string): boolean =>
  path.startsWith(name) &&
  (path.length === name.length || path[name.length] === '/' || path.startsWith(' (', name.length));

/** What became of a handle's files; null when nothing of it is of use. */
export function heldOf(handle: Handle, results: readonly FileResult[]): Held | null {
  const own = results.filter(({name}) => isOf(handle, name));
  if (own.length > 0 && own.every(({kind}) => kind === 'other')) return null;
  return {handle, dump: own.some(({kind}) => kind === 'dump')};
}

/** Whether symbols came out of a folder. */
export const gaveSymbols = (handle: Handle, results: readonly FileResult[]): boolean =>
  handle.kind === 'directory' && results.some(({name, kind}) => kind === 'symbols' && isOf(handle, name));

/** Those that a reload should open: of dumps the open ones, and symbols while there is something that they are for. */
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

/** The one of the handles that is the same file or folder. */
export async function sameAs(handle: Handle, others: readonly Handle[]): Promise<Handle | null> {
  // The browser's answer takes long, and another name is another file.
  for (const other of others) if (other.name === handle.name && (await handle.isSameEntry(other))) return other;
  return null;
}

/** Removes what was not used for longest, where there is too much. */
export async function thin(shelf: Shelf): Promise<void> {
  const sessions = (await shelf.all()).filter(({id}) => id !== folders).sort(latestFirst);
  for (const {id} of sessions.slice(mostSessions)) await shelf.remove(id);
}

export const latestFirst = (a: Shelved, b: Shelved): number => b.used - a.used;
