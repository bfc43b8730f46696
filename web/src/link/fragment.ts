// The URL's fragment: the current place in the report, so that Back works and a link leads to the same place.
//
// It holds ordinals, the names of views and the beginning of the dump's hash, never names or bytes of the dump, since
// histories and logs keep URLs. The hash identifies the dump and says nothing about its contents.
import {isTab, type Tab} from '../frame/state.ts';

/** What is selected: a dump, one of its threads, one of its frames, and the panel that is open. */
export interface Selection {
  /** The dump's place among those that are open. */
  readonly dump: number;
  /** Index into the report's threads. */
  readonly thread: number;
  /** The physical frame. */
  readonly frame: number;
  /** Index into the frame's inlines; null for the physical frame itself. */
  readonly inline: number | null;
}

export interface Place extends Selection {
  readonly tab: Tab;
}

/** A dump as a link names it: its place among the open ones, counted from 0, and the beginning of its hash. */
export interface Named {
  readonly dump: number;
  /** null where the link has none. */
  readonly hash: string | null;
}

export interface Link extends Named {
  /** The dump's name, of a place that this tab showed before; null in a link from elsewhere. */
  readonly name: string | null;
  readonly place: Place;
  /** The stacks of all threads as one tree are shown. */
  readonly stacks: boolean;
}

/** How many digits of a hash distinguish the dumps of one user. */
const digits = 8;

/** A fragment may contain nothing else. */
const isHash = (text: string | null): text is string => text !== null && /^[0-9a-f]{8,32}$/.test(text);

export const short = (hash: string): string => hash.slice(0, digits);

/** "#d=1&h=9f86d081&t=0&f=0&i=0&v=why": the dump counted from 1 in the order of opening, the thread and frame from 0. */
export function write(place: Place, hash: string | null, stacks = false): string {
  const of = isHash(hash) ? `&h=${short(hash)}` : '';
  const inline = place.inline === null ? '' : `&i=${place.inline}`;
  const view = place.tab === 'auto' ? '' : `&v=${place.tab}`;
  return `#d=${place.dump + 1}${of}&t=${place.thread}&f=${place.frame}${inline}${view}${stacks ? '&w=stacks' : ''}`;
}

/** What the browser keeps with a place of this tab, and no link has: the name of the dump. */
export const kept = (name: string | null): {readonly name: string} | null => (name === null ? null : {name});

/** The place in a fragment; null for any text that write did not make. what is what the browser kept with it. */
export function read(fragment: string, what: unknown = null): Link | null {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  const named = dumpIn(params, 'd', 'h');
  const thread = ordinal(params.get('t'));
  const frame = ordinal(params.get('f'));
  if (!named || thread === null || frame === null) return null;
  const view = params.get('v');
  const tab = view !== null && isTab(view) ? view : 'auto';
  const place: Place = {dump: named.dump, thread, frame, inline: ordinal(params.get('i')), tab};
  return {...named, name: nameIn(what), place, stacks: params.get('w') === 'stacks'};
}

// A page of another version may have kept something else.
function nameIn(what: unknown): string | null {
  const name = typeof what === 'object' && what !== null && 'name' in what ? what.name : null;
  return typeof name === 'string' ? name : null;
}

/** "#a=1&ah=9f86d081&b=2&bh=2c26b46b": two dumps side by side. */
export function writePair(a: Named, b: Named): string {
  const one = (name: string, {dump, hash}: Named): string =>
    `${name}=${dump + 1}${isHash(hash) ? `&${name}h=${short(hash)}` : ''}`;
  return `#${one('a', a)}&${one('b', b)}`;
}

export function readPair(fragment: string): readonly [Named, Named] | null {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  const a = dumpIn(params, 'a', 'ah');
  const b = dumpIn(params, 'b', 'bh');
  return a && b ? [a, b] : null;
}

function dumpIn(params: URLSearchParams, number: string, hash: string): Named | null {
  const dump = ordinal(params.get(number));
  const text = params.get(hash);
  if (dump === null || dump < 1) return null;
  return {dump: dump - 1, hash: isHash(text) ? text : null};
}

/** The open dump, by its hash, that a link means; null if it is not open. A dump without a hash is found by its number. */
export function meantBy({dump, hash}: Named, hashes: readonly (string | null)[]): number | null {
  const is = (own: string | null | undefined): boolean =>
    own !== undefined && (hash === null || own === null || own.startsWith(hash));
  if (is(hashes[dump])) return dump;
  const at = hash === null ? -1 : hashes.findIndex(own => own?.startsWith(hash));
  return at < 0 ? null : at;
}

const ordinal = (text: string | null): number | null => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null);
