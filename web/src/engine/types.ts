// What the page may ask of the engine, and what it gets back.
//
// The engine is the supervisor in engine.ts with the Go program in its worker. The page knows nothing else of either:
// views are written against this file, and tests of views put a plain object in the engine's place.

import type {Note, Report, Thread, Variable} from '../report.ts';
import type {GivenFile, Part, Remote} from './given.ts';

/** How far the work on one file is. Sent at least every 100 ms while there is work. */
export interface Progress {
  readonly phase: 'reading' | 'indexing' | 'walking' | 'writing';
  /** The file's name; empty while no file is in hand. */
  readonly file: string;
  readonly done: number;
  /** 0 when nobody knows. */
  readonly total: number;
}

/** A dump that is open in the worker, by a number that stays the same when the worker is replaced. */
export interface Opened {
  readonly dump: number;
  /** The file's path, as in FileResult: the report itself does not know what it was called. */
  readonly name: string;
  readonly report: Report;
}

/** What one of the given files turned out to be. */
export interface FileResult {
  /** The file's path; for a member of an archive the archive's path, a slash and the member's. */
  readonly name: string;
  /** Views are a NatVis file's. */
  readonly kind: 'dump' | 'symbols' | 'views' | 'other';
  /** One sentence: what is wrong with it or what it is instead; null when there is nothing to say. */
  readonly message: string | null;
}

export interface AddResult {
  readonly files: readonly FileResult[];
  /** Dumps that were among the files. */
  readonly opened: readonly Opened[];
  /** Dumps from before whose report is new, because symbols came. */
  readonly updated: readonly Opened[];
}

/** A listing of captured code: with a line at the address that was asked for, or without any. */
export interface Code {
  readonly lines: readonly CodeLine[];
  /** Whether the lines before the address are known to be the program's, or only the likeliest. */
  readonly sure: boolean;
}

/** One instruction. */
export interface CodeLine {
  readonly address: string;
  /** In hex. */
  readonly bytes: string;
  /** Empty where the bytes are no instruction that is known. */
  readonly text: string;
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  /** The dump lacks these bytes: they are those of the module's own file. */
  readonly from_file: boolean;
  /** Where a direct branch or call goes. */
  readonly target: string | null;
}

/** What symbols know of an address that a word of memory holds. */
export interface Pointer {
  readonly address: string;
  readonly function: string | null;
  /** Into the function. */
  readonly offset: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** A symbol file that was given, and what it is for. */
export interface Given {
  readonly name: string;
  /** "a Breakpad symbol file", in words; '' where it is none. */
  readonly kind: string;
  /** Among the modules that the files are for; -1 where it is for none. */
  readonly module: number;
  readonly debug_file: string;
  readonly debug_id: string;
  readonly cpu: string;
  /** What it brings, in words: "functions", "lines". */
  readonly holds: readonly string[];
  /** What is wrong with it, in words; null where nothing is. */
  readonly flaw: string | null;
  /** It is of a format that can be written as a .sym. */
  readonly convertible: boolean;
}

/** A run of captured bytes. */
export interface CapturedRange {
  readonly base: string;
  readonly size: string;
}

/** Where a pattern stands in captured memory. */
export interface Found {
  readonly addresses: readonly string[];
  /** Where to go on; null when the end was reached. */
  readonly next: string | null;
}

/** Indexes of symbol files that are kept for the next time: where records stand, and no word of what they say. */
export interface Kept {
  readonly files: number;
  readonly bytes: number;
  /** Whether they are there when the page is opened again. */
  readonly lasting: boolean;
}

/** The variables of one physical frame. */
export interface FrameVariables {
  readonly frame: number;
  /** The symbols say which variables there are, be it none. */
  readonly known: boolean;
  /** First the function itself, then the calls inlined into it, outermost first. */
  readonly scopes: readonly ScopeVariables[];
  /** What was wrong with the symbols. */
  readonly notes: readonly Note[];
}

/** The variables of a module that are outside of functions, as far as they were asked for. */
export interface ModuleGlobals {
  /** The symbols describe variables. */
  readonly known: boolean;
  readonly variables: readonly Variable[];
  /** What was wrong with the symbols. */
  readonly notes: readonly Note[];
}

/** The variables of a function, or of a call that was inlined. */
export interface ScopeVariables {
  readonly variables: readonly Variable[];
}

/** A variable of a frame, of which so many elements are wanted. */
export interface OneVariable {
  /** 0 is the function itself, 1 the outermost call inlined into it: the order of FrameVariables. */
  readonly scope: number;
  readonly number: number;
  readonly elements: number;
}

/** What goes into a text of a report beyond the report itself; nothing unless it is asked for. */
export interface Rendered {
  readonly masked?: boolean;
  readonly memory?: boolean;
  readonly values?: boolean;
}

/** The texts that a report can be written as. */
export type Format = 'text' | 'machine' | 'json' | 'markdown' | 'html';

/**
 * Every promise settles: with the answer, with an Error whose message is one sentence for the person, or, when the
 * signal given was aborted, with its reason. A worker that dies rejects what it was asked, and nothing else.
 */
/** Asks a host for parts of a file that the person agreed to ask for, or says in a sentence why there are none. */
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
  /** Arguments and locals of one frame, or of null the arguments of all; with one, only that variable with more elements. Values are read when they are asked for, and only then. */
  variables(
    dump: number,
    thread: number,
    frame: number | null,
    one?: OneVariable | null,
  ): Promise<readonly FrameVariables[]>;
  /** The variables of a module outside of functions that have a name, or that a pattern with "*" fits; with so many elements of each. */
  globals(dump: number, module: number, name: string, elements: number): Promise<ModuleGlobals>;
  /** Masked: without names of people, secrets and what is sensitive. Memory: HTML with the crashing thread's stack. Values: with that thread's variables. */
  render(dump: number, format: Format, what?: Rendered): Promise<string>;
  /** What the dump, or a report of it, would tell whoever gets it. */
  checklist(dump: number): Promise<Checklist>;
  /** A smaller dump that is fit to share. */
  sanitize(dump: number, keep: {readonly memory: boolean; readonly names: boolean}): Promise<Sanitized>;
  /** The symbols that the dump's stacks need, as a tar archive of small Breakpad files. */
  slice(dump: number, keep: {readonly names: boolean; readonly symbols: KeptNames}): Promise<Made>;
  /** A page with the sanitized dump and its symbols inside: the viewer comes in, and source files under the paths that frames name. */
  capsule(
    dump: number,
    keep: {readonly memory: boolean; readonly names: boolean; readonly symbols: KeptNames},
    files: readonly {readonly path: string; readonly file: Blob}[],
  ): Promise<Made>;
  /** What is known of the module at this index of the report, or of null of Given.module, as a Breakpad symbol file. */
  syms(dump: number | null, module: number): Promise<Uint8Array>;
  /** Names frames of a module by the symbols of another build that come closest, or no longer. */
  force(dump: number, module: number, use: boolean): Promise<AddResult>;
  /** What the bytes of a stream are, and of what it points to. */
  fields(dump: number, stream: {readonly type: number; readonly offset: number}): Promise<FieldsResult>;
  /** Bytes of the dump's file: fewer where it ends. */
  file(dump: number, offset: number, size: number): Promise<Uint8Array>;
  /** Captured memory at a hex address: as many of the bytes as are there in one run; null when there are none. */
  memory(dump: number, address: string, size: number): Promise<Uint8Array | null>;
  /** Captured code around a hex address: so many instructions before and after the one there. */
  disassemble(dump: number, address: string, before: number, after: number): Promise<Code>;
  /** What symbols know of these hex addresses; those of which they know nothing are left out. */
  pointers(dump: number, addresses: readonly string[]): Promise<readonly Pointer[]>;
  /** What the symbol files are that were given. */
  given(): Promise<readonly Given[]>;
  /** The runs of captured memory, in the order of their addresses. */
  captured(dump: number): Promise<readonly CapturedRange[]>;
  /** Where bytes, in hex, stand in captured memory from a hex address on; a bounded part of the work at once. */
  find(dump: number, pattern: string, from: string): Promise<Found>;
  /** The project's own crash, which is in memory since the page was loaded. */
  example(): Promise<AddResult>;
  /** A dump is open, and the thread that it is about was walked; other threads follow with what add returns. */
  onopened: ((opened: Opened) => void) | null;
  /** The example was read while there was nothing to do. Nobody asked for it: it is there to prepare what draws. */
  onwarm: ((opened: Opened) => void) | null;
  /** What the browser keeps for the next time, whenever that changes. */
  onkept: ((kept: Kept) => void) | null;
  /** Clears what is kept. */
  forget(): Promise<void>;
  /** null when the work is over. */
  onprogress: ((progress: Progress | null) => void) | null;
  /** The worker died and another took its place, which is given the files again. The reason is one sentence. */
  onrestart: ((reason: string) => void) | null;
  /** The worker is at work and has told of no progress for so many seconds. */
  onsilence: ((seconds: number) => void) | null;
  /** Stops whatever the worker does, and goes on with another that is given the same files. */
  stop(): void;
}

/** What a dump, or a report of it, would tell whoever gets it. */
export interface Checklist {
  /** Names of users, in paths and in the environment. */
  readonly people: readonly string[];
  readonly secrets: readonly Secret[];
  readonly items: readonly Item[];
}

/** One thing that a dump tells. */
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
  /** It could not be taken out. */
  readonly stays: boolean;
}

/** One thing that a new dump lacks. */
export interface Removal {
  readonly what: string;
  readonly count: number;
  readonly bytes: number;
}

/** A new dump, and what became of the rest of the old one. */
export interface Sanitized {
  readonly data: Uint8Array;
  readonly result: SanitizeResult;
}

/** What became of a dump. */
export interface SanitizeResult {
  /** In bytes. */
  readonly before: number;
  readonly after: number;
  readonly removed: readonly Removal[];
  readonly secrets: readonly Secret[];
  readonly people: readonly string[];
  /** Ids of threads whose stacks are kept whole. */
  readonly whole: readonly number[];
  /** How its report differs; none when no stack does. */
  readonly changed: readonly string[];
}

/** Whose function names small symbol files keep: everybody's, those of modules that are not the system's, or nobody's. */
export type KeptNames = 'all' | 'own' | 'none';

/** What is in an archive or a page that was made. */
export interface MadeResult {
  /** In bytes. */
  readonly size: number;
  readonly files: readonly MadeFile[];
  /** How the dump's report differs; none when no stack does. */
  readonly changed: readonly string[];
}

/** One file inside. */
export interface MadeFile {
  readonly role: 'dump' | 'symbols' | 'source';
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** An archive or a page, and what is in it. */
export interface Made {
  readonly result: MadeResult;
  readonly data: Uint8Array;
}

/** What the bytes of a stream are. */
export interface FieldsResult {
  /** In the order in which they were read. */
  readonly fields: readonly Field[];
  /** There are more. */
  readonly cut: boolean;
}

/** A run of bytes of a file that means one thing. */
export interface Field {
  /** In the file. */
  readonly offset: number;
  readonly size: number;
  readonly name: string;
  readonly value: string;
  /** What it is a part of, "thread 3"; empty for what belongs to the whole stream. */
  readonly record: string;
}
