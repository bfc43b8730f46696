// The page's state, as one value that is replaced and never changed.
//
// A view is a function of this state alone. The state of the browser is not repeated: open popovers, the focus, the scroll position.
import type {About, FileResult} from '../engine/types.ts';
import type {Find} from '../find/find.ts';
import {type FrameState, firstFrame} from '../frame/state.ts';
import type {Link, Place} from '../link/fragment.ts';
import {firstMemory, type MemoryState} from '../memory/state.ts';
import {
  firstLayout,
  firstLists,
  firstPage,
  firstSettings,
  type LayoutState,
  type ListsState,
  type PageState,
  type Settings,
  type Work,
} from '../page/state.ts';
import {type Privacy, unknown} from '../privacy/state.ts';
import type {Frame, Report} from '../report.ts';
import type {Share} from '../share/state.ts';
import type {Pointed} from '../stack/scale.ts';
import {firstStack, type StackState} from '../stack/state.ts';
import {type Again, nothingAgain} from '../start/again.ts';
import {firstStreams, type StreamsState} from '../streams/state.ts';
import {firstSymbols, type SymbolsState} from '../symbols/state.ts';
import {firstThreads, type ThreadsState} from '../threads/state.ts';
import {firstTriage, type TriageState} from '../triage/state.ts';
import {firstVariables, type VariablesState} from '../variables/state.ts';
import type {Loadable} from './loadable.ts';

/** A dump that is open. */
export interface OpenDump {
  /** The engine's number. */
  readonly id: number;
  readonly name: string;
  readonly report: Report;
  /** Grows when symbols change the report, so that answers about the old report are not shown with the new one. */
  readonly revision: number;
  /** A report whose stacks differ, held back until the user requests it: shown frames do not change by themselves. */
  readonly waiting: Report | null;
  /** The dump was shown before its symbols were read. Sections that they add above the stack stay closed, so that nothing moves. */
  readonly early: boolean;
}

/** The view of the open dumps: one of them, the table of all, or two side by side. */
export type View = 'one' | 'all' | 'pair';

/** The engine, and what it is doing. */
export interface Reading {
  readonly engine: Loadable<null>;
  /** How many bytes of the program have arrived, if known. */
  readonly coming: number;
  readonly work: Work | null;
  /** The work as text for screen readers: changes every other second at most. */
  readonly spoken: string;
}

/** Why a file was not used, or only in part. */
export type Problem = Omit<FileResult, 'left'>;

/** The messages of the page. */
export interface Messages {
  /** Files that were not used, or only in part. */
  readonly problems: readonly Problem[];
  /** The result of the user's last action, in a few words. */
  readonly toast: string | null;
  /** Changes without an action of the user, for the verdict's live region. */
  readonly outcome: string | null;
}

/** The states of the folders. */
export interface Parts {
  readonly reading: Reading;
  readonly messages: Messages;
  readonly page: PageState;
  readonly settings: Settings;
  readonly layout: LayoutState;
  readonly lists: ListsState;
  readonly stack: StackState;
  readonly frame: FrameState;
  readonly variables: VariablesState;
  readonly threads: ThreadsState;
  readonly memory: MemoryState;
  readonly streams: StreamsState;
  readonly symbols: SymbolsState;
  readonly triage: TriageState;
  readonly privacy: Privacy;
  /** The offer to open earlier files and folders of symbols. */
  readonly again: Again;
}

/** What is open and shown, and the states of the folders. */
export interface State extends Parts {
  readonly dumps: readonly OpenDump[];
  readonly place: Place | null;
  readonly view: View;
  /** The frames that the pointer is on; null if it is on none. */
  readonly pointed: Pointed | null;
  /** A link into a dump that is not open. */
  readonly link: Link | null;
  /** The last closed dumps, which Undo opens again, in the order of the dumps; null if there are none. */
  readonly closed: Closed | null;
  /** Keys of folds and groups that are open, each with its thread's. */
  readonly opened: ReadonlySet<string>;
  /** The search over everything; null while it is closed. */
  readonly find: Find | null;
  /** The share dialog; null while it is closed. */
  readonly share: Share | null;
  /** The description of the capsule, if this page is one. */
  readonly capsule: About | null;
}

/** Dumps that were closed, each with its place among the open ones. */
export interface Closed {
  readonly dumps: readonly {readonly dump: OpenDump; readonly at: number}[];
  readonly place: Place | null;
}

export const initial: State = {
  dumps: [],
  place: null,
  pointed: null,
  view: 'one',
  link: null,
  closed: null,
  opened: new Set(),
  reading: {engine: {state: 'waiting'}, coming: 0, work: null, spoken: ''},
  messages: {problems: [], toast: null, outcome: null},
  page: firstPage,
  settings: firstSettings,
  layout: firstLayout,
  lists: firstLists,
  stack: firstStack,
  frame: firstFrame,
  variables: firstVariables,
  threads: firstThreads,
  memory: firstMemory,
  streams: firstStreams,
  symbols: firstSymbols,
  triage: firstTriage,
  privacy: unknown,
  find: null,
  share: null,
  again: nothingAgain,
  capsule: null,
};

/** The dump that is shown; null on the empty page. */
export function currentDump(state: Pick<State, 'dumps' | 'place'>): OpenDump | null {
  return state.place === null ? null : (state.dumps[state.place.dump] ?? null);
}

/** The main thread of the page: the crashing one, or the first. */
export function mainThread(report: Report): number | null {
  const threads = report.threads ?? [];
  if (threads.length === 0) return null;
  const crashed = report.crash_info.crashing_thread;
  return crashed !== null && crashed < threads.length ? crashed : 0;
}

/** The key of a request about one thread of one dump. */
export const threadKey = (dump: OpenDump, thread: number): string => `${dump.id}.${dump.revision}.${thread}`;

/** The key of a request about one frame. */
export const frameKey = (at: {readonly dump: OpenDump; readonly index: number; readonly frame: Frame}): string =>
  `${threadKey(at.dump, at.index)}.${at.frame.frame}`;

/** The key in State.opened of the tree of all stacks. */
export const stacksKey = (dump: OpenDump): string => openKey(dump, 0, 'parallel');

/** The key in State.opened of the sheet that shows the selected frame on a phone. */
export const sheetKey = 'sheet';

/** The key of a fold or a group in State.opened. */
export const openKey = (dump: OpenDump, thread: number, part: string): string => `${dump.id}.${thread}.${part}`;
