// Every message between the page, its worker and the Go program. wasm/viewer/protocol.go has the same messages for those
// marked "Go"; a test there reads this file and compares the two.
import type {Part, Remote} from './given.ts';
import type {Scratch} from './scratch.ts';
import type {FileResult, Format, KeptNames, Opened, Progress} from './types.ts';

/** Ranges of a file that a request needs. */
export interface Missing {
  readonly path: string;
  readonly ranges: readonly (readonly [number, number])[];
}

/** How a piece of a Blob becomes bytes: FileReaderSync, or something else in tests. */
export type ReadSync = (piece: Blob) => ArrayBuffer;

/** A file in a message: with its bytes if the worker cannot read files. */
export interface SentFile {
  readonly path: string;
  readonly file: Blob | ArrayBuffer;
  readonly remote?: Remote;
}

/** A dump that had a number before the worker was replaced. Go. */
export interface KnownDump {
  readonly name: string;
  readonly dump: number;
}

/** Open the files that come with the request; TakeResult answers. A worker's files are numbered as it gets them, from 0. Go. */
export interface TakeRequest {
  readonly op: 'take';
  /** The number of the first new dump. */
  readonly next: number;
  readonly known: readonly KnownDump[];
}

/** Analyse a dump; ReportResult answers. Go. */
export interface ReportRequest {
  readonly op: 'report';
  readonly dump: number;
  /** Walk only the crashing thread. */
  readonly crashing: boolean;
  /** How many other workers can scan; 0 means that this one scans. */
  readonly workers: number;
  /** Milliseconds that reading a file may take for the crashing thread, if there are other workers. */
  readonly patience: number;
}

/** A remote file has arrived completely, or must not be used. Go. */
export interface WholeRequest {
  readonly op: 'whole';
  readonly path: string;
  /** Why it must not be used; '' if it is complete. */
  readonly why: string;
}

/**
 * Return the index of a large file that this worker scanned itself; ScannedResult answers, with the index as a blob. Go.
 */
export interface ScannedRequest {
  readonly op: 'scanned';
}

/** Make the index of a part of the attached file; the answer is bytes, which the worker forwards as a blob. Go. */
export interface ScanRequest {
  readonly op: 'scan';
  readonly from: number;
  readonly to: number;
}

/** Brings the index that a Scan asked for, as a file; without one the worker has to scan the file itself. Go. */
export interface IndexRequest {
  readonly op: 'index';
  readonly key: string;
}

/** One thread with the evidence of its frames. Go. */
export interface ExplainRequest {
  readonly op: 'explain';
  readonly dump: number;
  readonly thread: number;
}

/** The arguments and locals of one frame of a thread, or the arguments of all its frames; a list of FrameVariables answers. Go. */
export interface VariablesRequest {
  readonly op: 'variables';
  readonly dump: number;
  readonly thread: number;
  /** -1 for the arguments of all. */
  readonly frame: number;
  /** 0, or how many elements of the variable that scope and number name. */
  readonly elements: number;
  readonly scope: number;
  readonly number: number;
}

/** Variables of a module that are outside of functions, by name or by a pattern with "*"; ModuleGlobals answers. Go. */
export interface GlobalsRequest {
  readonly op: 'globals';
  readonly dump: number;
  /** The module's index in the report. */
  readonly module: number;
  readonly name: string;
  /** How many elements of an array are read; 0 for the first ones. */
  readonly elements: number;
}

/** The report as text; the answer is bytes. Go. */
export interface RenderRequest {
  readonly op: 'render';
  readonly dump: number;
  readonly format: Format;
  /** Without names of people, secrets and other sensitive text. */
  readonly masked: boolean;
  /** HTML: with the crashing thread's stack. */
  readonly memory: boolean;
  /** With the variables of the crashing thread. */
  readonly values: boolean;
}

/** What a dump would reveal to its reader; Checklist answers. Go. */
export interface ChecklistRequest {
  readonly op: 'checklist';
  readonly dump: number;
}

/** A smaller dump that is fit to share; SanitizeResult answers. Go. */
export interface SanitizeRequest {
  readonly op: 'sanitize';
  readonly dump: number;
  /** Keep all memory of the stacks. */
  readonly memory: boolean;
  /** Keep names of people. */
  readonly names: boolean;
}

/** The symbol records that the stacks of a dump need, as an archive; MadeResult answers. Go. */
export interface SliceRequest {
  readonly op: 'slice';
  readonly dump: number;
  /** Keep names of people. */
  readonly names: boolean;
  /** Which function names to keep. */
  readonly symbols: KeptNames;
}

/**
 * A page with a sanitized dump inside. viewer.html is attached, and source files under the paths in the frames;
 * MadeResult answers. Go.
 */
export interface CapsuleRequest {
  readonly op: 'capsule';
  readonly dump: number;
  /** Keep all memory of the stacks. */
  readonly memory: boolean;
  /** Keep names of people. */
  readonly names: boolean;
  /** Which function names to keep. */
  readonly symbols: KeptNames;
}

/** The dump, archive or page that was made last; the answer is bytes. Go. */
export interface SanitizedRequest {
  readonly op: 'sanitized';
  readonly dump: number;
}

/** The symbols of a module as a Breakpad symbol file; the answer is bytes. Go. */
export interface SymsRequest {
  readonly op: 'syms';
  /** -1 for a module that only the symbol files name. */
  readonly dump: number;
  readonly module: number;
}

/** The kind and use of each given symbol file; a list of Given answers. Go. */
export interface GivenRequest {
  readonly op: 'given';
}

/** The symbols at addresses that were found in memory; a list of Pointer answers. Go. */
export interface PointersRequest {
  readonly op: 'pointers';
  readonly dump: number;
  /** In hex. */
  readonly addresses: readonly string[];
}

/** Use, or no longer use, mismatched symbols for the names of a module; ForceResult answers. Go. */
export interface ForceRequest {
  readonly op: 'force';
  readonly dump: number;
  readonly module: number;
  readonly use: boolean;
}

/** The fields of a stream; FieldsResult answers. Go. */
export interface FieldsRequest {
  readonly op: 'fields';
  readonly dump: number;
  readonly type: number;
  /** In the file, as the directory has it. */
  readonly offset: number;
}

/** Bytes of a dump's file, or fewer where it ends. Go. */
export interface FileRequest {
  readonly op: 'file';
  readonly dump: number;
  readonly offset: number;
  readonly size: number;
}

/** Captured memory; the answer is all of the bytes, or none. Go. */
export interface MemoryRequest {
  readonly op: 'memory';
  readonly dump: number;
  readonly address: string;
  readonly size: number;
}

/** Captured code around an address, as instructions. Go. */
export interface DisassembleRequest {
  readonly op: 'disassemble';
  readonly dump: number;
  readonly address: string;
  readonly before: number;
  readonly after: number;
}

/** The ranges of captured memory. Go. */
export interface CapturedRequest {
  readonly op: 'captured';
  readonly dump: number;
}

/** Where bytes, given in hex, occur in captured memory. Go. */
export interface FindRequest {
  readonly op: 'find';
  readonly dump: number;
  readonly pattern: string;
  readonly from: string;
}

/** A warm-up: analyse the attached files and discard the result, since browsers optimise only code that has run. Go. */
export interface WarmRequest {
  readonly op: 'warm';
}

export type Request =
  | TakeRequest
  | ReportRequest
  | ScanRequest
  | ScannedRequest
  | WholeRequest
  | IndexRequest
  | ExplainRequest
  | VariablesRequest
  | GlobalsRequest
  | RenderRequest
  | MemoryRequest
  | DisassembleRequest
  | CapturedRequest
  | FindRequest
  | WarmRequest
  | ChecklistRequest
  | SanitizeRequest
  | SanitizedRequest
  | SliceRequest
  | CapsuleRequest
  | SymsRequest
  | GivenRequest
  | PointersRequest
  | ForceRequest
  | FieldsRequest
  | FileRequest;

/** The results for files. Go. */
export interface TakeResult {
  readonly files: readonly FileResult[];
  readonly opened: readonly KnownDump[];
  /** Open dumps whose report has changed. */
  readonly again: readonly number[];
}

/**
 * One report. If files have to be scanned first, the list of scans instead, and a report of the crashing thread only, as
 * far as it is certain. Go.
 */
export interface ReportResult {
  readonly opened: readonly Opened[];
  readonly scans: readonly Scan[];
  /** Keys of indexes that proved wrong. */
  readonly stale: readonly string[];
  /** Remote files that are needed as a whole. */
  readonly wholes: readonly string[];
  /** The time limit was reached, and the report has only certain parts. */
  readonly waits: boolean;
}

/** The cache key of an index; "" if there is no more index. Go. */
export interface ScannedResult {
  readonly key: string;
}

/** Dumps whose report has changed. Go. */
export interface ForceResult {
  readonly again: readonly number[];
}

/** The reports of the attached files; none without files. Go. */
export interface WarmResult {
  readonly opened: readonly Opened[];
}

/** A symbol file whose index is needed. Go. */
export interface Scan {
  /** The cache key of the index. */
  readonly key: string;
  readonly name: string;
  /** The number of the file. */
  readonly file: number;
  readonly size: number;
  /** The offsets at which parts begin, and the end of the last one. */
  readonly cuts: readonly number[];
}

/** The Go program's function and its result: nothing if the program ended meanwhile. */
export type Serve = (
  json: string,
  files: readonly ReadableFile[],
  progress: (json: string) => void,
  scratch?: Scratch | null,
) => Returned | undefined;

/** A file as Go sees it. read returns exactly count bytes, or throws; for a remote file null if some have not arrived. */
export interface ReadableFile {
  readonly path: string;
  readonly size: number;
  readonly remote?: boolean;
  readonly read: (offset: number, count: number) => Uint8Array | null;
}

/** A stack means that the program panicked and must not be called again. */
export type Returned =
  | {readonly json: string; readonly bytes: Uint8Array | null}
  | {readonly error: string; readonly stack: string};

/** From the page to the worker. */
export type ToWorker =
  /** The worker holds the lock of that name as long as it lives. */
  | {readonly kind: 'start'; readonly module: WebAssembly.Module; readonly lock: string}
  | {readonly kind: 'request'; readonly id: number; readonly request: Request; readonly files: readonly SentFile[]}
  /** More parts of a file at a host. */
  | {readonly kind: 'part'; readonly path: string; readonly part: Part}
  | {readonly kind: 'ping'};

/** From the worker to the page. Any message, even a pong, shows that the worker lives. */
export type FromWorker =
  /** reads: whether this worker can read files. */
  | {readonly kind: 'ready'; readonly reads: boolean}
  | {readonly kind: 'progress'; readonly progress: Progress}
  | {readonly kind: 'answer'; readonly id: number; readonly answer: Answer}
  | {readonly kind: 'failed'; readonly id: number; readonly error: string}
  | {readonly kind: 'dead'; readonly reason: string}
  | {readonly kind: 'locked'}
  /** How much memory the Go program has; it never shrinks. */
  | {readonly kind: 'pong'; readonly memory: number};

export interface Answer {
  readonly json: string;
  readonly bytes: Uint8Array | null;
  /**
   * For a TakeRequest, the files as Go sees them: decompressed by the browser if possible. For a ScanRequest, the index.
   */
  readonly blobs: readonly Blob[];
  /** The missing ranges of files at hosts: the answer was made without them. */
  readonly missing?: readonly Missing[];
}
