// Moves the selection: by click, by key, by the URL.

import type {Tab} from '../frame/state.ts';
import {kept, type Link, meantBy, type Named, type Place, read, readPair, write, writePair} from '../link/fragment.ts';
import type {FrameRow} from '../stack/frames.ts';
import {firstRow, selectable} from '../stack/stack.ts';
import {shownRows, threadOrder} from './rows.ts';
import {currentDump, mainThread, type OpenDump, openKey, type State, sheetKey, stacksKey} from './state.ts';
import type {Store} from './store.ts';

/** Whether the browser's Back should return to the old place. */
export type Mode = 'push' | 'replace';

/** The fragment of the table of all dumps. */
const allDumps = '#all';

export function createSelect(store: Store, history: Pick<History, 'pushState' | 'replaceState' | 'state'>) {
  const go = (place: Place, mode: Mode, more: Pick<Partial<State>, 'opened'> = {}): void => {
    store.update(state => ({place, view: 'one', opened: unfolded(state, place, more.opened ?? state.opened)}));
    putPlace(place, mode);
  };
  const put = (url: string, mode: Mode, name: string | null = null): void =>
    mode === 'push' ? history.pushState(kept(name), '', url) : history.replaceState(kept(name), '', url);
  const putPlace = (place: Place, mode: Mode): void =>
    put(urlOf(store.state, place), mode, store.state.dumps[place.dump]?.name);
  const follow = (link: Link): Place | null => {
    const place = placeOf(store.state, link);
    store.update(place ? arrived(store.state, place, link) : {link: leadsAway(store.state, link) ? link : null});
    return place;
  };
  return {
    row: (thread: number, row: FrameRow, mode: Mode) => {
      const {place, opened, layout} = store.state;
      // A phone has no room beside the stack, so a tap opens the frame, and Back closes it.
      const more = mode === 'push' && layout.width === 'narrow' ? {opened: new Set([...opened, sheetKey])} : {};
      if (place) go({...place, thread, frame: row.frame.frame, inline: row.inline}, mode, more);
    },
    /** Moves the selection by so many rows. */
    move: (by: 1 | -1) => {
      const {state} = store;
      const next = neighbour(state, by);
      if (next && state.place) go({...state.place, frame: next.frame.frame, inline: next.inline}, 'replace');
    },
    /** Moves the selection by so many threads, to the first row. */
    moveThread: (by: 1 | -1) => {
      const {state} = store;
      const dump = currentDump(state);
      if (!dump || !state.place) return;
      const order = threadOrder(dump);
      const thread = order[order.indexOf(state.place.thread) + by];
      const place = thread === undefined ? null : placeIn(dump, state.place, thread);
      if (place) go(place, 'replace', {opened: new Set([...state.opened, openKey(dump, place.thread, 'group')])});
    },
    tab: (tab: Tab) => {
      if (store.state.place) go({...store.state.place, tab}, 'replace');
    },
    /** Shows a dump from its crash. */
    dump: (ordinal: number, mode: Mode) => {
      const place = firstPlace(store.state.dumps, ordinal);
      if (place) go(place, mode);
    },
    /** Shows the table of all dumps. */
    all: () => {
      store.update({view: 'all'});
      put(allDumps, 'push');
    },
    /** Shows or hides the stacks of all threads as one tree. */
    stacks: (shown: boolean) => {
      const {place} = store.state;
      if (!place) return;
      store.update(state => ({opened: withStacks(state, place, state.opened, shown)}));
      putPlace(place, 'push');
    },
    /** Shows two dumps side by side. */
    pair: (a: number, b: number, mode: Mode) => {
      store.update(pairOf(store.state, a, b));
      const named = (dump: number): Named => ({dump, hash: hashes(store.state)[dump] ?? null});
      put(writePair(named(a), named(b)), mode);
    },
    /** Follows a link that waited for its dump; false if its place does not exist. In a complete dump it does not wait further. */
    arrive: (whole: boolean): boolean => {
      const {link} = store.state;
      const place = link && placeOf(store.state, link);
      if (place && link) store.update(arrived(store.state, place, link));
      else if (whole && link && !leadsAway(store.state, link)) store.update({link: null});
      if (place) putPlace(place, 'replace');
      return place !== null;
    },
    /** Writes the current place to the URL, if the user did not choose it. */
    stay: () => {
      const {place, view, link} = store.state;
      if (place && view === 'one' && !link) putPlace(place, 'replace');
    },
    /** Writes the current place to the URL after dumps were closed or opened again. */
    moved: () => {
      const {place, view} = store.state;
      if (view === 'all') put(allDumps, 'replace');
      else if (place) putPlace(place, 'replace');
      else put(location.pathname, 'replace');
    },
    /** Removes a link that leads nowhere. */
    forget: () => store.update({link: null}),
    /** Follows the URL's fragment, if its place exists. */
    follow: (fragment: string): boolean => {
      if (fragment === allDumps && store.state.dumps.length > 1) {
        store.update({view: 'all'});
        return true;
      }
      const pair = readPair(fragment)?.map(named => meantBy(named, hashes(store.state))) ?? [];
      if (typeof pair[0] === 'number' && typeof pair[1] === 'number') {
        store.update(pairOf(store.state, pair[0], pair[1]));
        return true;
      }
      const link = read(fragment, history.state);
      return link !== null && follow(link) !== null;
    },
  };
}

export type Select = ReturnType<typeof createSelect>;

const pairOf = ({triage}: State, a: number, b: number): Partial<State> => ({
  view: 'pair',
  triage: {...triage, pair: [a, b]},
});

const arrived = (state: State, place: Place, {stacks}: Link): Partial<State> => ({
  place,
  view: 'one',
  link: null,
  opened: withStacks(state, place, unfolded(state, place, state.opened), stacks),
});

function urlOf(state: State, place: Place): string {
  const dump = state.dumps[place.dump];
  return write(place, dump?.report.dump.hash ?? null, dump !== undefined && state.opened.has(stacksKey(dump)));
}

function withStacks(state: State, place: Place, opened: ReadonlySet<string>, shown: boolean): ReadonlySet<string> {
  const dump = state.dumps[place.dump];
  if (!dump || opened.has(stacksKey(dump)) === shown) return opened;
  const others = [...opened].filter(key => key !== stacksKey(dump));
  return new Set(shown ? [...others, stacksKey(dump)] : others);
}

// A selected row is visible: its fold opens.
function unfolded(state: State, place: Place, opened: ReadonlySet<string>): ReadonlySet<string> {
  const dump = state.dumps[place.dump];
  if (!dump) return opened;
  const fold = shownRows({...state, opened}, dump, place.thread).find(
    row => row.kind === 'fold' && row.rows.some(r => isSelected(place, r)),
  );
  return fold?.kind === 'fold' ? new Set([...opened, openKey(dump, place.thread, fold.key)]) : opened;
}

const hashes = ({dumps}: State): (string | null)[] => dumps.map(dump => dump.report.dump.hash);

// Only different hashes mean different dumps.
const leadsAway = (state: State, link: Link): boolean => link.hash !== null && meantBy(link, hashes(state)) === null;

function placeOf(state: State, link: Link): Place | null {
  const dump = meantBy(link, hashes(state));
  const place = dump === null ? null : {...link.place, dump};
  return place && exists(state, place) ? place : null;
}

/** The place where a dump opens: the frame that its verdict names. */
export function firstPlace(dumps: readonly OpenDump[], ordinal: number): Place | null {
  const dump = dumps[ordinal];
  if (!dump) return null;
  const start: Place = {dump: ordinal, thread: 0, frame: 0, inline: null, tab: 'auto'};
  return placeIn(dump, start, mainThread(dump.report) ?? 0) ?? start;
}

function placeIn(dump: OpenDump, from: Place, thread: number): Place | null {
  const found = dump.report.threads?.[thread];
  const row = found ? firstRow(found, found.crashed ? dump.report.verdict.row : null) : null;
  return row ? {...from, thread, frame: row.frame.frame, inline: row.inline} : null;
}

function neighbour(state: State, by: 1 | -1): FrameRow | null {
  const dump = currentDump(state);
  if (!dump || !state.place) return null;
  const rows = selectable(shownRows(state, dump, state.place.thread));
  const at = rows.findIndex(row => isSelected(state.place, row));
  return at < 0 ? (rows[0] ?? null) : (rows[at + by] ?? null);
}

/** Whether the place is this row of its thread. */
export function isSelected(place: Place | null, row: FrameRow): boolean {
  return place !== null && place.frame === row.frame.frame && place.inline === row.inline;
}

function exists(state: State, place: Place): boolean {
  const frames = state.dumps[place.dump]?.report.threads?.[place.thread]?.frames;
  const frame = frames?.find(f => f.frame === place.frame);
  return frame !== undefined && (place.inline === null || (frame.inlines?.length ?? 0) > place.inline);
}

/** The same place in a report that symbols changed: the physical frame counts, the inlined call stays while there is one. */
export function placeAfter(state: State, dumps: readonly OpenDump[]): Place | null {
  const {place} = state;
  if (!place) return null;
  const next = {...state, dumps};
  if (exists(next, place)) return place;
  const physical = {...place, inline: null};
  return exists(next, physical) ? physical : firstPlace(dumps, place.dump);
}
