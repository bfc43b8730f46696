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

/**
 * The name that a handle of this file or dump has: its own, that of the folder which it is below, or that of the log which it is one
 * of several in. A second download, "a (1).dmp", is another file than "a".
 */
export function rootOf(path: string): string {
  const [root = ''] = path.split('/', 1);
  return root === path ? path.replace(/ \(\d+ of \d+\)$/, '') : root; // the engine numbers the dumps of a log so
}

/** What became of files, by the names of their handles. */
export function byRoot(results: readonly FileResult[]): ReadonlyMap<string, readonly FileResult[]> {
  const by = new Map<string, FileResult[]>();
  for (const result of results) {
    const root = rootOf(result.name);
    const own = by.get(root);
    if (own) own.push(result);
    else by.set(root, [result]);
  }
  return by;
}

/** A handle, by what became of its files; null when nothing of it is of use. */
export function heldOf(handle: Handle, own: readonly FileResult[]): Held | null {
  if (own.length > 0 && own.every(({kind}) => kind === 'other')) return null;
  return {handle, dump: own.some(({kind}) => kind === 'dump')};
}

/** Whether symbols came out of a folder. */
export const gaveSymbols = (handle: Handle, own: readonly FileResult[]): boolean =>
  handle.kind === 'directory' && own.some(({kind}) => kind === 'symbols');

/** Those that a reload should open: of dumps the open ones, and symbols while there is something that they are for. */
export function worthKeeping(
  held: readonly Held[],
  {dumps, symbolFiles}: Pick<State, 'dumps' | 'symbolFiles'>,
): readonly Handle[] {
  const rest = dumps.length + symbolFiles.length > 0;
  const open = new Set(dumps.map(({name}) => rootOf(name)));
  const kept: Handle[] = [];
  for (const {handle, dump} of held) {
    if (dump ? open.has(handle.name) : rest) kept.push(handle);
    if (kept.length > mostFiles) return [];
  }
  return kept;
}

/** Whether each open dump comes from one of these handles. Files of one name need as many handles as they are. */
export function allOf(kept: readonly Handle[], {dumps}: Pick<State, 'dumps'>): boolean {
  const names = new Map<string, number>();
  for (const {name} of dumps) names.set(name, (names.get(name) ?? 0) + 1);
  return [...names].every(([name, count]) => {
    const own = kept.filter(handle => handle.name === rootOf(name));
    return own.length >= count || own.some(({kind}) => kind === 'directory');
  });
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
