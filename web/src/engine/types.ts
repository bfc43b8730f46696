// The engine's interface: the page's requests and their answers.
//
// The engine is the supervisor in engine.ts with the Go program in its worker. The page uses only this interface, and
// tests of views replace the engine by a plain object.

import type {
  CapsuleRequest,
  FieldsRequest,
  FileResult,
  Format,
  MadeResult,
  Opened,
  Progress,
  RenderRequest,
  Results,
  SanitizeRequest,
  SanitizeResult,
  SliceRequest,
  VariablesRequest,
} from './generated/messages.ts';
import type {InputFile, Part, Remote} from './input.ts';

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

/** A request for more elements of a frame's variable. Scopes are in the order of FrameVariables. */
export type OneVariable = Pick<VariablesRequest, 'scope' | 'number' | 'elements'>;

/** Optional parts of a report's text. */
export type Rendered = Partial<Parameters<RenderRequest>>;

/** What a request about a dump says beside its number. */
type Parameters<R> = Omit<R, 'op' | 'dump' | 'format'>;

/**
 * Asks a host for parts of a file, with the user's consent; or rejects with a sentence that says why there are none.
 */
export type FetchParts = (
  remote: Remote,
  ranges: readonly (readonly [number, number])[],
) => Promise<readonly Part[] | string>;

/** Asks a host for all of such a file. */
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
  /** The thread at this index of the report, with the evidence of every frame. */
  explain(dump: number, thread: number): Promise<Results['explain']>;
  /**
   * Arguments and locals of one frame, or, for null, the arguments of all frames; with one, only that variable with
   * more elements. Values are read only on request.
   */
  variables(
    dump: number,
    thread: number,
    frame: number | null,
    one?: OneVariable | null,
  ): Promise<Results['variables']>;
  /**
   * The variables of a module outside of functions with a name, or matching a pattern with "*"; with so many elements
   * of each.
   */
  globals(dump: number, module: number, name: string, elements: number): Promise<Results['globals']>;
  /**
   * Masked: without names of people, secrets and other sensitive text. Memory: HTML with the crashing thread's stack.
   * Values: with that thread's variables.
   */
  render(dump: number, format: Format, what?: Rendered): Promise<string>;
  /** What the dump, or a report of it, would reveal to its reader. */
  checklist(dump: number): Promise<Results['checklist']>;
  /** A smaller dump that is fit to share. */
  sanitize(dump: number, keep: Parameters<SanitizeRequest>): Promise<Made<SanitizeResult>>;
  /** The symbol records that the dump's stacks need, as a tar archive of small Breakpad files. */
  slice(dump: number, keep: Parameters<SliceRequest>): Promise<Made>;
  /**
   * A page with the sanitized dump and its symbols inside: the viewer is passed in, and source files under the paths
   * in the frames.
   */
  capsule(dump: number, keep: Parameters<CapsuleRequest>, files: readonly InputFile[]): Promise<Made>;
  /**
   * The symbols of the module at this index of the report, or for null of FileInfo.module, as a Breakpad symbol file.
   */
  syms(dump: number | null, module: number): Promise<Uint8Array>;
  /** Turns names from mismatched symbols on or off for a module. */
  force(dump: number, module: number, use: boolean): Promise<AddResult>;
  /** The fields of a stream, and of the data that it points to. */
  fields(dump: number, stream: Parameters<FieldsRequest>): Promise<Results['fields']>;
  /** Bytes of the dump's file: fewer where it ends. */
  file(dump: number, offset: number, size: number): Promise<Uint8Array>;
  /** Captured memory at a hex address: as many bytes as are captured from there on; null if there are none. */
  memory(dump: number, address: string, size: number): Promise<Uint8Array | null>;
  /** Captured code around a hex address: so many instructions before and after the one there. */
  disassemble(dump: number, address: string, before: number, after: number): Promise<Results['disassemble']>;
  /** The symbols at these hex addresses; addresses without symbols are omitted. */
  pointers(dump: number, addresses: readonly string[]): Promise<Results['pointers']>;
  /** The kind and use of the open symbol files. */
  symbolFiles(): Promise<Results['symbolFiles']>;
  /** The ranges of captured memory, in the order of their addresses. */
  captured(dump: number): Promise<Results['captured']>;
  /**
   * Where bytes, given in hex, occur in captured memory from a hex address on; each call does a bounded part of the
   * work.
   */
  find(dump: number, pattern: string, from: string): Promise<Results['find']>;
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
