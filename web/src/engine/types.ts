// The engine's interface: the page's requests and their answers.
//
// The engine is the supervisor in engine.ts with the Go program in its worker. The page uses only this interface, and
// tests of views replace the engine by a plain object.

import type {
  FileResult,
  Format,
  MadeResult,
  Opened,
  Progress,
  RenderRequest,
  Request,
  Results,
} from './generated/messages.ts';
import type {InputFile, Part, Remote} from './protocol.ts';

export type * from './generated/messages.ts';

export interface AddResult {
  readonly files: readonly FileResult[];
  /** Dumps that were among the files. */
  readonly opened: readonly Opened[];
  /** Open dumps whose report changed because of new symbols. */
  readonly updated: readonly Opened[];
}

/** The result for an example, and its source. */
export interface ExampleResult extends AddResult {
  readonly sources: readonly InputFile[];
}

/** Cached indexes of symbol files: offsets of records, and none of their text. */
export interface StoredIndexes {
  readonly files: number;
  readonly bytes: number;
  /** Whether they are there when the page is opened again. */
  readonly lasting: boolean;
}

/** A request of the page about an open dump, or about the open symbol files. wasm/viewer/protocol.go has them with their results. */
export type Query = Exclude<Request, {readonly op: Internal}>;

/** The operations that only the engine itself requests. */
type Internal = 'open' | 'close' | 'report' | 'force' | 'index' | 'scan' | 'scanned' | 'whole' | 'warm';

/** In place of the number of a dump: the module is one that only the symbol files name. */
export const WITHOUT_DUMP = -1;

/** In place of the number of a frame: the arguments of all frames. */
export const ALL_FRAMES = -1;

/** In place of a variable of a frame, of which more elements are read. */
export const NO_VARIABLE = {scope: 0, number: 0, elements: 0};

/** Optional parts of a report's text. */
export type Rendered = Partial<Omit<RenderRequest, 'op' | 'dump' | 'format'>>;

/** Requests parts of a file from a host, with the user's consent; a sentence says why there are none. */
export type FetchParts = (
  remote: Remote,
  ranges: readonly (readonly [number, number])[],
) => Promise<readonly Part[] | string>;

/** Requests all of such a file. */
export type FetchWhole = (remote: Remote) => Promise<Blob | string>;

/**
 * Every promise settles: with the answer, with an Error whose message is one sentence for the user, or, when the
 * signal was aborted, with its reason. When a worker dies, only its pending request is rejected.
 */
export interface Engine {
  fetchParts: FetchParts | null;
  fetchWhole: FetchWhole | null;
  /** Takes dumps, symbol files, archives of either and anything else, in any mix and order, at any time. */
  add(files: readonly InputFile[], signal?: AbortSignal): Promise<AddResult>;
  /** Closes dumps, whose numbers are never used again, and releases what only they use. */
  close(dumps: readonly number[]): Promise<void>;
  /** The result of a query. */
  result<Q extends Query>(query: Q): Promise<Results[Q['op']]>;
  /** The result of a query that is bytes; null if there are none. */
  bytes(query: Query): Promise<Uint8Array | null>;
  /** Both, for a query that makes something, with the files that belong to it. */
  made<Q extends Query>(query: Q, files?: readonly InputFile[]): Promise<Made<Results[Q['op']]>>;
  /** Masked: without names of people, secrets and other sensitive text. Memory: HTML with the crashing thread's stack. Values: with that thread's variables. */
  render(dump: number, format: Format, what?: Rendered): Promise<string>;
  /** Turns names from mismatched symbols on or off for a module. */
  force(dump: number, module: number, use: boolean): Promise<AddResult>;
  /** Opens one of the examples, which are in memory since the page was loaded. */
  example(number: number): Promise<ExampleResult>;
  /** Called when a dump is open and its main thread was walked; other threads follow with the result of add. */
  onopened: ((opened: Opened) => void) | null;
  /** Called when the example was analysed as a warm-up, so that the page can warm up its views. */
  onwarm: ((opened: Opened) => void) | null;
  /** Called with the size of the cached indexes after each change. */
  onstored: ((stored: StoredIndexes) => void) | null;
  /** Clears the cached indexes. */
  forget(): Promise<void>;
  /** null when the work is over. */
  onprogress: ((progress: Progress | null) => void) | null;
  /** Called when the worker died and another replaced it, which gets the same files. The reason is one sentence. */
  onrestart: ((reason: string) => void) | null;
  /** Called when the worker is busy and has reported no progress for so many seconds. */
  onsilence: ((seconds: number) => void) | null;
  /** Stops the worker, and continues with another that gets the same files. */
  stop(): void;
}

/** A new dump, archive or page, and what it contains or lacks. */
export interface Made<R = MadeResult> {
  readonly result: R;
  readonly data: Uint8Array;
}

/** What a capsule says of itself. Nothing in the file proves it. */
export interface About {
  /** When it was made; null if that is no date. */
  readonly made: Date | null;
  /** The program that made it; "" if it names none. */
  readonly by: string;
  /** Whether personal data was removed from the dump; null if it does not say. */
  readonly cleaned: boolean | null;
  /** The names of the files inside, the dump first. */
  readonly names: readonly string[];
}
