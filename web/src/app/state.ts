// The page's state, as one value that is replaced and never changed.
//
// A view is a function of this state alone. It does not repeat what the browser keeps: open popovers, the focus, the scroll
// position.
import type {About} from '../engine/capsule.ts';
import type {CapturedRange, Code, FileResult, Given, Kept, Pointer, Progress} from '../engine/types.ts';
import type {Find} from '../find/state.ts';
import {noSources, type Sources, type SourceText} from '../frame/source.ts';
import type {Link, Place} from '../link/fragment.ts';
import type {Page} from '../memory/bytes.ts';
import type {Hex} from '../memory/state.ts';
import type {Theme} from '../page/theme.ts';
import {type Privacy, unknown} from '../privacy/state.ts';
import type {Frame, Report, Thread} from '../report.ts';
import type {Share} from '../share/state.ts';
import {type Again, nothingAgain} from '../start/again.ts';
import type {FileBytes} from '../streams/state.ts';
import type {Shell} from '../symbols/get.ts';
import {firstParallel, type Parallel} from '../threads/state.ts';
import type {Baseline} from '../triage/baseline.ts';
import type {Grouping, Order} from '../triage/triage.ts';
import type {Arguments, FrameValues, GlobalValues} from '../variables/state.ts';
import type {Asked} from './asked.ts';

/** A dump that is open. */
export interface OpenDump {
  /** The engine's number. */
  readonly id: number;
  readonly name: string;
  readonly report: Report;
  /** Grows when symbols change the report, so that answers about the old report are not shown with the new one. */
  readonly revision: number;
  /** A report whose stacks differ, held back until the user asks for it: shown frames do not change by themselves. */
  readonly waiting: Report | null;
  /**
   * The dump was shown before its symbols were read. Sections that they add above the stack stay closed, so that nothing
   * moves.
   */
  readonly early: boolean;
}

/** Work that takes noticeable time. */
export interface Work {
  readonly progress: Progress | null;
  /** Milliseconds of performance.now(), for the speed in the text. */
  readonly since: number;
  /** Seconds without progress, once the user should know. */
  readonly silent?: number;
}

/** The three layouts: split, one column, phone. */
export type Width = 'wide' | 'medium' | 'narrow';

/** The view of the open dumps: one of them, the table of all, or two side by side. */
export type View = 'one' | 'all' | 'pair';

export interface State {
  readonly engine: Asked<null>;
  /** How many bytes of the program have arrived, if known. */
  readonly coming: number;
  readonly dumps: readonly OpenDump[];
  readonly place: Place | null;
  readonly view: View;
  /** A link into a dump that is not open. */
  readonly link: Link | null;
  /** The two dumps that are compared, by their places among the open ones. */
  readonly pair: readonly [number, number];
  /** Dumps that are chosen in the table, two at most. */
  readonly chosen: readonly number[];
  readonly grouping: Grouping;
  readonly order: Order;
  /** The baseline with which the open dumps are compared. */
  readonly baseline: Baseline | null;
  /** Keys of folds and groups that are open, each with its thread's. */
  readonly opened: ReadonlySet<string>;
  readonly inlined: boolean;
  readonly guesses: boolean;
  /** Stacks show the system's frames; otherwise runs of them are folded. */
  readonly system: boolean;
  /** Rows of stacks have the arguments of their calls. */
  readonly arguments: boolean;
  /** Functions are named as linkers name them. */
  readonly rawNames: boolean;
  readonly filter: string;
  /** The search over everything; null while it is closed. */
  readonly find: Find | null;
  /** The view of all stacks as one tree. */
  readonly parallel: Parallel;
  /** The filters of other lists, by the lists' names. */
  readonly filters: ReadonlyMap<string, string>;
  /** How many rows of long lists are shown, if more than the first chunk. */
  readonly shown: ReadonlyMap<string, number>;
  /** Names of files whose sensitive text the user wants to see. */
  readonly unmasked: ReadonlySet<string>;
  readonly work: Work | null;
  /** Files that were not used, or only in part. */
  readonly problems: readonly FileResult[];
  /** Symbol files that came before any dump. */
  readonly symbolFiles: readonly string[];
  /** The kinds of these files; null until requested. */
  readonly given: Asked<readonly Given[]> | null;
  readonly explained: ReadonlyMap<string, Asked<Thread>>;
  readonly memory: ReadonlyMap<string, Asked<Uint8Array | null>>;
  /** The symbols at the words of a frame's stack. */
  readonly pointers: ReadonlyMap<string, Asked<readonly Pointer[]>>;
  readonly code: ReadonlyMap<string, Asked<Code>>;
  /** Variables of frames. */
  readonly values: ReadonlyMap<string, FrameValues>;
  /** Arguments of the frames of threads. */
  readonly rowArguments: ReadonlyMap<string, Arguments>;
  /** Open rows of the trees of variables. */
  readonly openValues: ReadonlySet<string>;
  /** The last search among the global variables of each module. */
  readonly globals: ReadonlyMap<string, GlobalValues>;
  /** The row of such a tree that had the focus last. */
  readonly valueRow: string | null;
  /** The row whose evidence was requested last. */
  readonly whyValue: string | null;
  /** Source files that were given, by name. */
  readonly sources: Sources;
  /** The text of the needed ones, by path. */
  readonly texts: ReadonlyMap<string, Asked<SourceText>>;
  /** The user's choice among several files that match a frame's path. */
  readonly picked: ReadonlyMap<string, string>;
  /** The view of bytes; null until an address is shown. */
  readonly hex: Hex | null;
  readonly captured: ReadonlyMap<number, Asked<readonly CapturedRange[]>>;
  readonly pages: ReadonlyMap<string, Asked<Page>>;
  /** The view of a file's bytes; null until a stream is shown. */
  readonly file: FileBytes | null;
  readonly filePages: ReadonlyMap<string, Asked<Uint8Array>>;
  /** The state of the share dialog; null while it is closed. */
  readonly share: Share | null;
  /** Modules whose .sym file is being written, or failed. */
  readonly syms: ReadonlyMap<string, Asked<null>>;
  /** The work as text for screen readers: changes every other second at most. */
  readonly spoken: string;
  /** The result of the user's last action, in a few words. */
  readonly toast: string | null;
  /** The last closed dumps, which Undo opens again, in the order of the dumps; null if there are none. */
  readonly closed: Closed | null;
  /** The offer to open earlier files and folders of symbols. */
  readonly again: Again;
  /** Changes without an action of the user, for the verdict's live region. */
  readonly news: string | null;
  readonly dragging: boolean;
  readonly width: Width;
  /** The width of the window in pixels, in steps of 40. */
  readonly across: number;
  /** The stack's share of the width beside the inspector. */
  readonly split: number;
  readonly theme: Theme;
  readonly singleKeys: boolean;
  /** The shell for which commands are written. */
  readonly shell: Shell;
  /** The kept indexes of symbol files; null until known. */
  readonly kept: Kept | null;
  /** Requests that the browser made since the engine was ready. */
  readonly requests: number;
  readonly privacy: Privacy;
  /** The description of the capsule, if this page is one. */
  readonly capsule: About | null;
  /** The section in view. */
  readonly section: string;
}

/** Dumps that were closed, each with its place among the open ones. */
export interface Closed {
  readonly dumps: readonly {readonly dump: OpenDump; readonly at: number}[];
  readonly place: Place | null;
}

export const initial: State = {
  engine: {state: 'waiting'},
  coming: 0,
  dumps: [],
  place: null,
  view: 'one',
  link: null,
  pair: [0, 1],
  chosen: [],
  grouping: 'signature',
  order: {column: 'count', down: true},
  baseline: null,
  opened: new Set(),
  inlined: true,
  guesses: true,
  system: false,
  arguments: true,
  rawNames: false,
  filter: '',
  find: null,
  parallel: firstParallel,
  filters: new Map(),
  shown: new Map(),
  unmasked: new Set(),
  work: null,
  problems: [],
  symbolFiles: [],
  given: null,
  explained: new Map(),
  memory: new Map(),
  pointers: new Map(),
  code: new Map(),
  values: new Map(),
  rowArguments: new Map(),
  openValues: new Set(),
  globals: new Map(),
  valueRow: null,
  whyValue: null,
  sources: noSources,
  texts: new Map(),
  picked: new Map(),
  hex: null,
  captured: new Map(),
  pages: new Map(),
  file: null,
  filePages: new Map(),
  share: null,
  syms: new Map(),
  spoken: '',
  toast: null,
  closed: null,
  again: nothingAgain,
  news: null,
  dragging: false,
  width: 'wide',
  across: 1440,
  split: 0.5,
  theme: 'system',
  singleKeys: true,
  shell: 'linux',
  kept: null,
  requests: 0,
  privacy: unknown,
  capsule: null,
  section: 'crash',
};

/** The dump that is shown; null on the empty page. */
export function currentDump(state: State): OpenDump | null {
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

/** The key of a fold or a group in State.opened. */
export const openKey = (dump: OpenDump, thread: number, part: string): string => `${dump.id}.${thread}.${part}`;
