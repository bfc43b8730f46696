// The engine's interface: the page's requests and their answers.
//
// The engine is the supervisor in engine.ts with the Go program in its worker. The page uses only this interface, and
// tests of views replace the engine by a plain object.

import type {Note, Report, Thread, Variable} from '../report.ts';
import type {GivenFile, Part, Remote} from './given.ts';

/** The progress on one file. Sent at least every 100 ms during work. */
export interface Progress {
  readonly phase: 'reading' | 'indexing' | 'walking' | 'writing';
  /** The file's name; empty if the work concerns no file. */
  readonly file: string;
  readonly done: number;
  /** 0 if unknown. */
  readonly total: number;
}

/** A dump that is open in the worker, by a number that stays the same when the worker is replaced. */
export interface Opened {
  readonly dump: number;
  /** The file's path, as in FileResult: the report itself does not know what it was called. */
  readonly name: string;
  readonly report: Report;
}

/** The result for one of the given files. */
export interface FileResult {
  /** The file's path; for a member of an archive the archive's path, a slash and the member's. */
  readonly name: string;
  /** Views are a NatVis file's. */
  readonly kind: 'dump' | 'symbols' | 'views' | 'other';
  /** One sentence that says what is wrong with it, or what it is instead; null if it is fine. */
  readonly message: string | null;
}

export interface AddResult {
  readonly files: readonly FileResult[];
  /** Dumps that were among the files. */
  readonly opened: readonly Opened[];
  /** Open dumps whose report changed, because symbols came. */
  readonly updated: readonly Opened[];
}

/** A listing of captured code: with a line at the address that was asked for, or without any. */
export interface Code {
  readonly lines: readonly CodeLine[];
  /** Whether the instructions before the address are certain, or only the likeliest decoding. */
  readonly sure: boolean;
}

/** One instruction. */
export interface CodeLine {
  readonly address: string;
  /** In hex. */
  readonly bytes: string;
  /** Empty if the bytes are no known instruction. */
  readonly text: string;
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  /** The dump lacks these bytes: they are those of the module's own file. */
  readonly from_file: boolean;
  /** Where a direct branch or call goes. */
  readonly target: string | null;
}

/** The symbol at an address that was found in memory. */
export interface Pointer {
  readonly address: string;
  readonly function: string | null;
  /** Into the function. */
  readonly offset: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** A given symbol file, and its module. */
export interface Given {
  readonly name: string;
  /** "a Breakpad symbol file", in words; '' where it is none. */
  readonly kind: string;
  /** The index among the modules that the files name; -1 if it names none. */
  readonly module: number;
  readonly debug_file: string;
  readonly debug_id: string;
  readonly cpu: string;
  /** What it has, in words: "functions", "lines". */
  readonly holds: readonly string[];
  /** Its damage, in words; null if there is none. */
  readonly flaw: string | null;
  /** Its format can be written as a .sym. */
  readonly convertible: boolean;
}

/** A range of captured bytes. */
export interface CapturedRange {
  readonly base: string;
  readonly size: string;
}

/** Where a pattern occurs in captured memory. */
export interface Found {
  readonly addresses: readonly string[];
  /** Where to continue; null if the end was reached. */
  readonly next: string | null;
}

/** Indexes of symbol files that are kept for the next time: offsets of records, and none of their text. */
export interface Kept {
  readonly files: number;
  readonly bytes: number;
  /** Whether they are there when the page is opened again. */
  readonly lasting: boolean;
}

/** The variables of one physical frame. */
export interface FrameVariables {
  readonly frame: number;
  /** The symbols describe the frame's variables, possibly none. */
  readonly known: boolean;
  /** First the function itself, then the calls inlined into it, outermost first. */
  readonly scopes: readonly ScopeVariables[];
  /** The damage of the symbols. */
  readonly notes: readonly Note[];
}

/** The requested variables of a module that are outside of functions. */
export interface ModuleGlobals {
  /** The symbols describe variables. */
  readonly known: boolean;
  readonly variables: readonly Variable[];
  /** The damage of the symbols. */
  readonly notes: readonly Note[];
}

/** The variables of a function, or of a call that was inlined. */
export interface ScopeVariables {
  readonly variables: readonly Variable[];
}

/** A request for more elements of a frame's variable. */
export interface OneVariable {
  /** 0 is the function itself, 1 the outermost call inlined into it: the order of FrameVariables. */
  readonly scope: number;
  readonly number: number;
  readonly elements: number;
}

/** Optional parts of a report's text. */
export interface Rendered {
  readonly masked?: boolean;
  readonly memory?: boolean;
  readonly values?: boolean;
}

/** The formats in which a report can be written. */
export type Format = 'text' | 'machine' | 'json' | 'markdown' | 'html';

/**
 * Every promise settles: with the answer, with an Error whose message is one sentence for the user, or, when the
 * signal given was aborted, with its reason. When a worker dies, only its pending request is rejected.
 */
/**
 * Asks a host for parts of a file, with the user's consent; or rejects with a sentence that says why there are none.
 */
export type FetchParts = (
  remote: Remote,
  ranges: readonly (readonly [number, number])[],
) => Promise<readonly Part[] | string>;

/** Asks a host for all of such a file. */
export type FetchWhole = (remote: Remote) => Promise<Blob | string>;

export interface Engine {
  fetchParts: FetchParts | null;
  fetchWhole: FetchWhole | null;
  /** Takes dumps, symbol files, archives of either and anything else, in any mix and order, at any time. */
  add(files: readonly GivenFile[], signal?: AbortSignal): Promise<AddResult>;
  /** The thread at this index of the report, with the evidence of every frame. */
  explain(dump: number, thread: number): Promise<Thread>;
  /**
   * Arguments and locals of one frame, or, for null, the arguments of all frames; with one, only that variable with
   * more elements. Values are read only on request.
   */
  variables(
    dump: number,
    thread: number,
    frame: number | null,
    one?: OneVariable | null,
  ): Promise<readonly FrameVariables[]>;
  /**
   * The variables of a module outside of functions with a name, or matching a pattern with "*"; with so many elements
   * of each.
   */
  globals(dump: number, module: number, name: string, elements: number): Promise<ModuleGlobals>;
  /**
   * Masked: without names of people, secrets and other sensitive text. Memory: HTML with the crashing thread's stack.
   * Values: with that thread's variables.
   */
  render(dump: number, format: Format, what?: Rendered): Promise<string>;
  /** What the dump, or a report of it, would reveal to its reader. */
  checklist(dump: number): Promise<Checklist>;
  /** A smaller dump that is fit to share. */
  sanitize(dump: number, keep: {readonly memory: boolean; readonly names: boolean}): Promise<Sanitized>;
  /** The symbol records that the dump's stacks need, as a tar archive of small Breakpad files. */
  slice(dump: number, keep: {readonly names: boolean; readonly symbols: KeptNames}): Promise<Made>;
  /**
   * A page with the sanitized dump and its symbols inside: the viewer is passed in, and source files under the paths
   * in the frames.
   */
  capsule(
    dump: number,
    keep: {readonly memory: boolean; readonly names: boolean; readonly symbols: KeptNames},
    files: readonly {readonly path: string; readonly file: Blob}[],
  ): Promise<Made>;
  /**
   * The symbols of the module at this index of the report, or for null of Given.module, as a Breakpad symbol file.
   */
  syms(dump: number | null, module: number): Promise<Uint8Array>;
  /** Turns names from mismatched symbols on or off for a module. */
  force(dump: number, module: number, use: boolean): Promise<AddResult>;
  /** The fields of a stream, and of the data that it points to. */
  fields(dump: number, stream: {readonly type: number; readonly offset: number}): Promise<FieldsResult>;
  /** Bytes of the dump's file: fewer where it ends. */
  file(dump: number, offset: number, size: number): Promise<Uint8Array>;
  /** Captured memory at a hex address: as many bytes as are captured from there on; null if there are none. */
  memory(dump: number, address: string, size: number): Promise<Uint8Array | null>;
  /** Captured code around a hex address: so many instructions before and after the one there. */
  disassemble(dump: number, address: string, before: number, after: number): Promise<Code>;
  /** The symbols at these hex addresses; addresses without symbols are omitted. */
  pointers(dump: number, addresses: readonly string[]): Promise<readonly Pointer[]>;
  /** The kind and use of the given symbol files. */
  given(): Promise<readonly Given[]>;
  /** The ranges of captured memory, in the order of their addresses. */
  captured(dump: number): Promise<readonly CapturedRange[]>;
  /**
   * Where bytes, given in hex, occur in captured memory from a hex address on; each call does a bounded part of the
   * work.
   */
  find(dump: number, pattern: string, from: string): Promise<Found>;
  /** Opens the example, which is in memory since the page was loaded. */
  example(): Promise<AddResult>;
  /** Called when a dump is open and its main thread was walked; other threads follow with the result of add. */
  onopened: ((opened: Opened) => void) | null;
  /** Called when the example was analysed as a warm-up, so that the page can warm up its views. */
  onwarm: ((opened: Opened) => void) | null;
  /** Called with the size of the kept indexes after each change. */
  onkept: ((kept: Kept) => void) | null;
  /** Clears the kept indexes. */
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

/** What a dump, or a report of it, would reveal to its reader. */
export interface Checklist {
  /** Names of users, in paths and in the environment. */
  readonly people: readonly string[];
  readonly secrets: readonly Secret[];
  readonly items: readonly Item[];
}

/** One kind of data that a dump reveals. */
export interface Item {
  readonly what: string;
  readonly count: number;
  /** What is counted. */
  readonly unit: string;
  /** A report has it, too, unless it is masked. */
  readonly in_report: boolean;
}

/** Something that looks like a key, a token or a password: where it is, not what it is. */
export interface Secret {
  readonly kind: string;
  readonly where: string;
  /** It could not be removed. */
  readonly stays: boolean;
}

/** One kind of data that was removed from a new dump. */
export interface Removal {
  readonly what: string;
  readonly count: number;
  readonly bytes: number;
}

/** A new dump, and the list of what was removed. */
export interface Sanitized {
  readonly data: Uint8Array;
  readonly result: SanitizeResult;
}

/** The result for a sanitized dump. */
export interface SanitizeResult {
  /** In bytes. */
  readonly before: number;
  readonly after: number;
  readonly removed: readonly Removal[];
  readonly secrets: readonly Secret[];
  readonly people: readonly string[];
  /** Ids of threads whose stacks are kept whole. */
  readonly whole: readonly number[];
  /** How its report differs; empty if all stacks are the same. */
  readonly changed: readonly string[];
}

/** Which function names small symbol files keep: all, those of modules outside of the system, or none. */
export type KeptNames = 'all' | 'own' | 'none';

/** The contents of an archive or a page. */
export interface MadeResult {
  /** In bytes. */
  readonly size: number;
  readonly files: readonly MadeFile[];
  /** How the dump's report differs; empty if all stacks are the same. */
  readonly changed: readonly string[];
}

/** One file inside. */
export interface MadeFile {
  readonly role: 'dump' | 'symbols' | 'source';
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** An archive or a page, and its contents. */
export interface Made {
  readonly result: MadeResult;
  readonly data: Uint8Array;
}

/** The fields of a stream. */
export interface FieldsResult {
  /** In the order in which they were read. */
  readonly fields: readonly Field[];
  /** There are more. */
  readonly cut: boolean;
}

/** A range of bytes of a file with one meaning. */
export interface Field {
  /** In the file. */
  readonly offset: number;
  readonly size: number;
  readonly name: string;
  readonly value: string;
  /** The record that contains it, "thread 3"; empty if it belongs to the whole stream. */
  readonly record: string;
}
