// Moving the selection: by click, by key, by the URL.
import {type Place, read, write} from '../logic/fragment.ts';
import type {FrameRow} from '../logic/frames.ts';
import {firstRow, selectable} from '../logic/stack.ts';
import type {Tab} from '../logic/tabs.ts';
import {shownRows, threadOrder} from './rows.ts';
import {currentDump, mainThread, type OpenDump, openKey, type State} from './state.ts';
import type {Store} from './store.ts';

/** Whether the browser's Back should come back to where one was. */
export type Mode = 'push' | 'replace';

/** The fragment of the table of all dumps. */
const allDumps = '#all';

export interface Select {
  row(thread: number, row: FrameRow, mode: Mode): void;
  /** The row by so many after the selected one. */
  move(by: 1 | -1): void;
  /** The first row of the thread by so many after the selected one. */
  moveThread(by: 1 | -1): void;
  tab(tab: Tab): void;
  /** Shows a dump from its crash. */
  dump(ordinal: number, mode: Mode): void;
  /** Shows the table of all dumps. */
  all(): void;
  /** Follows the URL's fragment, where it names something that is there. */
  follow(fragment: string): boolean;
}

export function createSelect(store: Store, history: Pick<History, 'pushState' | 'replaceState'>): Select {
  const go = (place: Place, mode: Mode, more: Partial<State> = {}): void => {
    store.update({place, triage: false, ...more});
    if (mode === 'push') history.pushState(null, '', write(place));
    else history.replaceState(null, '', write(place));
  };
  return {
    row: (thread, row, mode) => {
      const {place} = store.state;
      if (place) go({...place, thread, frame: row.frame.frame, inline: row.inline}, mode);
    },
    move: by => {
      const {state} = store;
      const next = neighbour(state, by);
      if (next && state.place) go({...state.place, frame: next.frame.frame, inline: next.inline}, 'replace');
    },
    moveThread: by => {
      const {state} = store;
      const dump = currentDump(state);
      if (!dump || !state.place) return;
      const order = threadOrder(dump);
      const thread = order[order.indexOf(state.place.thread) + by];
      const place = thread === undefined ? null : placeIn(dump, state.place, thread);
      if (place) go(place, 'replace', {opened: new Set([...state.opened, openKey(dump, place.thread, 'group')])});
    },
    tab: tab => {
      if (store.state.place) go({...store.state.place, tab}, 'replace');
    },
    dump: (ordinal, mode) => {
      const place = firstPlace(store.state.dumps, ordinal);
      if (place) go(place, mode);
    },
    all: () => {
      store.update({triage: true});
      history.pushState(null, '', allDumps);
    },
    follow: fragment => {
      if (fragment === allDumps && store.state.dumps.length > 1) {
        store.update({triage: true});
        return true;
      }
      const place = read(fragment);
      if (!place || !exists(store.state, place)) return false;
      store.update({place, triage: false});
      return true;
    },
  };
}

/** Where a dump is first looked at: the frame that its verdict names. */
export function firstPlace(dumps: readonly OpenDump[], ordinal: number): Place | null {
  const dump = dumps[ordinal];
  if (!dump) return null;
  const start: Place = {dump: ordinal, thread: 0, frame: 0, inline: null, tab: 'all'};
  return placeIn(dump, start, mainThread(dump.report) ?? 0) ?? start;
}

function placeIn(dump: OpenDump, from: Place, thread: number): Place | null {
  const found = dump.report.threads?.[thread];
  const row = found ? firstRow(found, found.crashed ? dump.report.verdict.where : null) : null;
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
