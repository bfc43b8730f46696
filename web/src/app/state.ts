// All that the page knows, as one value that is replaced and never changed.
//
// What a view shows is a function of this and nothing else. What the browser already keeps (which popover is open, where the
// focus is, how far one has scrolled) is not here.
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
  /** Grows when symbols change the report, so that what was asked of the old one is not shown with the new. */
  readonly revision: number;
  /** A report whose stacks differ, held back until the person asks: frames do not change under their eyes. */
  readonly waiting: Report | null;
  /** It was shown before its symbols were read. What these bring above the stack stays closed: nothing moves. */
  readonly early: boolean;
}

/** Work that takes longer than one notices. */
export interface Work {
  readonly progress: Progress | null;
  /** Milliseconds, as performance.now() counts: for the speed in the words. */
  readonly since: number;
  /** For how many seconds there was no progress, when they are so many that a person may want to know. */
  readonly silent?: number;
}

/** The three layouts: split, one column, phone. */
export type Width = 'wide' | 'medium' | 'narrow';

/** What is shown of the open dumps: one of them, the table of all, or two side by side. */
export type View = 'one' | 'all' | 'pair';

export interface State {
  readonly engine: Asked<null>;
  /** How much of the program has come, in bytes, as far as that is known. */
  readonly coming: number;
  readonly dumps: readonly OpenDump[];
  readonly place: Place | null;
  readonly view: View;
  /** A link into a dump that is not open. */
  readonly link: Link | null;
  /** The two dumps that are compared, by their places among the open ones. */
  readonly pair: readonly [number, number];
  /** Dumps that were chosen in the table, two at most. */
  readonly chosen: readonly number[];
  readonly grouping: Grouping;
  readonly order: Order;
  /** What the open dumps are compared with. */
  readonly baseline: Baseline | null;
  /** Keys of folds and groups that are open, each with its thread's. */
  readonly opened: ReadonlySet<string>;
  readonly inlined: boolean;
  readonly guesses: boolean;
  /** The system's frames are shown in stacks; else runs of them are folded. */
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
  /** What other lists are filtered by, by their names. */
  readonly filters: ReadonlyMap<string, string>;
  /** How many rows of long lists are shown, where it is not the first chunk. */
  readonly shown: ReadonlyMap<string, number>;
  /** Names of files whose sensitive text the person asked to see. */
  readonly unmasked: ReadonlySet<string>;
  readonly work: Work | null;
  /** Files that were not used, or not whole. */
  readonly problems: readonly FileResult[];
  /** Symbol files that came before any dump. */
  readonly symbolFiles: readonly string[];
  /** What they are; null until somebody asks. */
  readonly given: Asked<readonly Given[]> | null;
  readonly explained: ReadonlyMap<string, Asked<Thread>>;
  readonly memory: ReadonlyMap<string, Asked<Uint8Array | null>>;
  /** What symbols know of the words of a frame's stack. */
  readonly pointers: ReadonlyMap<string, Asked<readonly Pointer[]>>;
  readonly code: ReadonlyMap<string, Asked<Code>>;
  /** Variables of frames. */
  readonly values: ReadonlyMap<string, FrameValues>;
  /** Arguments of the frames of threads. */
  readonly rowArguments: ReadonlyMap<string, Arguments>;
  /** Rows of the trees of variables that are open. */
  readonly openValues: ReadonlySet<string>;
  /** The last search among the global variables of each module. */
  readonly globals: ReadonlyMap<string, GlobalValues>;
  /** The row of such a tree that had the focus last. */
  readonly valueRow: string | null;
  /** The row whose evidence was asked for last. */
  readonly whyValue: string | null;
  /** Source files that were given, by name. */
  readonly sources: Sources;
  /** Their text, by path, of those that were needed. */
  readonly texts: ReadonlyMap<string, Asked<SourceText>>;
  /** Where several files may be meant by a frame's: which one the person said. */
  readonly picked: ReadonlyMap<string, string>;
  /** The view of bytes; null until somebody asks for an address. */
  readonly hex: Hex | null;
  readonly captured: ReadonlyMap<number, Asked<readonly CapturedRange[]>>;
  readonly pages: ReadonlyMap<string, Asked<Page>>;
  /** The view of a file's bytes; null until somebody asks for a stream. */
  readonly file: FileBytes | null;
  readonly filePages: ReadonlyMap<string, Asked<Uint8Array>>;
  /** What is about to be shared; null while nothing is. */
  readonly share: Share | null;
  /** Modules whose symbols are written as a .sym file, or could not be. */
  readonly syms: ReadonlyMap<string, Asked<null>>;
  /** The work in words for those who listen: changes every other second at most. */
  readonly spoken: string;
  /** What the person just did, in a few words. */
  readonly toast: string | null;
  /** What was closed last and can be opened again, in the order of the dumps; null when nothing was. */
  readonly closed: Closed | null;
  /** What can be opened again: files of before, folders of symbols. */
  readonly again: Again;
  /** What changed by itself: for the verdict's live region. */
  readonly news: string | null;
  readonly dragging: boolean;
  readonly width: Width;
  /** The width of the window in pixels, in steps of 40. */
  readonly across: number;
  /** The stack's share of the width beside the inspector. */
  readonly split: number;
  readonly theme: Theme;
  readonly singleKeys: boolean;
  /** The shell that commands are written for. */
  readonly shell: Shell;
  /** What is kept of symbol files for the next time; null until that is known. */
  readonly kept: Kept | null;
  /** Requests that the browser made since the engine was ready. */
  readonly requests: number;
  readonly privacy: Privacy;
  /** What this page says of itself when it is a capsule. */
  readonly capsule: About | null;
  /** The section that is scrolled to. */
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

/** The thread that the page is about: the one that crashed, or the first. */
export function mainThread(report: Report): number | null {
  const threads = report.threads ?? [];
  if (threads.length === 0) return null;
  const crashed = report.crash_info.crashing_thread;
  return crashed !== null && crashed < threads.length ? crashed : 0;
}

/** The key of something asked about one thread of one dump. */
export const threadKey = (dump: OpenDump, thread: number): string => `${dump.id}.${dump.revision}.${thread}`;

/** The key of something asked about one frame. */
export const frameKey = (at: {readonly dump: OpenDump; readonly index: number; readonly frame: Frame}): string =>
  `${threadKey(at.dump, at.index)}.${at.frame.frame}`;

/** The key in State.opened of the stacks of all threads as one tree. */
export const stacksKey = (dump: OpenDump): string => openKey(dump, 0, 'parallel');

/** The key of a fold or a group in State.opened. */
export const openKey = (dump: OpenDump, thread: number, part: string): string => `${dump.id}.${thread}.${part}`;
