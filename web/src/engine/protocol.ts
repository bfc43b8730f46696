// Every message between the page, its worker and the Go program. wasm/viewer/protocol.go has the other half of what is
// marked "Go"; a test there reads this file and holds the two together.
import type {Part, Remote} from './given.ts';
import type {Scratch} from './scratch.ts';
import type {FileResult, Format, KeptNames, Opened, Progress} from './types.ts';

/** Parts of a file that a question needs, each as from and to. */
export interface Missing {
  readonly path: string;
  readonly ranges: readonly (readonly [number, number])[];
}

/** How a piece of a Blob becomes bytes: FileReaderSync, or something else in tests. */
export type ReadSync = (piece: Blob) => ArrayBuffer;

/** The same on its way by message: with its bytes where the worker can read no files. */
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
  /** The number of the first dump that is not known yet. */
  readonly next: number;
  readonly known: readonly KnownDump[];
}

/** Analyse a dump; ReportResult answers. Go. */
export interface ReportRequest {
  readonly op: 'report';
  readonly dump: number;
  /** Walk no other thread. */
  readonly crashing: boolean;
  /** How many will scan files side by side; 0 means that nobody else does. */
  readonly workers: number;
  /** Milliseconds that reading much of one file may take for the crashing thread, where there are workers. */
  readonly patience: number;
}

/** All of a remote file is here, or it must not be used. Go. */
export interface WholeRequest {
  readonly op: 'whole';
  readonly path: string;
  /** Why it must not be used; '' where all is there. */
  readonly why: string;
}

/** Hand out the index of a large file that this worker scanned itself; ScannedResult answers, with the index as a blob. Go. */
export interface ScannedRequest {
  readonly op: 'scanned';
}

/** Make the index of a part of the file that comes with the request; the answer is bytes, which the worker passes on as a blob. Go. */
export interface ScanRequest {
  readonly op: 'scan';
  readonly from: number;
  readonly to: number;
}

/** Here is the index that a Scan asked for, as a file; without one the worker has to scan the file itself. Go. */
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
  /** 0, or how many of the variable that scope and number name. */
  readonly elements: number;
  readonly scope: number;
  readonly number: number;
}

/** Variables of a module that are outside of functions, by name or by a pattern with "*"; ModuleGlobals answers. Go. */
export interface GlobalsRequest {
  readonly op: 'globals';
  readonly dump: number;
  /** Its index in the report. */
  readonly module: number;
  readonly name: string;
  /** How many of an array are read; 0 for the first ones. */
  readonly elements: number;
}

/** The report as text; the answer is bytes. Go. */
export interface RenderRequest {
  readonly op: 'render';
  readonly dump: number;
  readonly format: Format;
  /** Without names of people, secrets and what is sensitive. */
  readonly masked: boolean;
  /** HTML: with the crashing thread's stack. */
  readonly memory: boolean;
  /** With the variables of the crashing thread. */
  readonly values: boolean;
}

/** What a dump would tell whoever gets it; Checklist answers. Go. */
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

/** The symbols that the stacks of a dump need, as an archive; MadeResult answers. Go. */
export interface SliceRequest {
  readonly op: 'slice';
  readonly dump: number;
  /** Keep names of people. */
  readonly names: boolean;
  /** Whose function names to keep. */
  readonly symbols: KeptNames;
}

/** A page with a sanitized dump inside. viewer.html comes with it, and source files under the paths that frames name; MadeResult answers. Go. */
export interface CapsuleRequest {
  readonly op: 'capsule';
  readonly dump: number;
  /** Keep all memory of the stacks. */
  readonly memory: boolean;
  /** Keep names of people. */
  readonly names: boolean;
  /** Whose function names to keep. */
  readonly symbols: KeptNames;
}

/** The dump, archive or page that was made last; the answer is bytes. Go. */
export interface SanitizedRequest {
  readonly op: 'sanitized';
  readonly dump: number;
}

/** What is known of a module as a Breakpad symbol file; the answer is bytes. Go. */
export interface SymsRequest {
  readonly op: 'syms';
  /** -1 for a module of those that the files are for. */
  readonly dump: number;
  readonly module: number;
}

/** What the symbol files are that were given; a list of Given answers. Go. */
export interface GivenRequest {
  readonly op: 'given';
}

/** What symbols know of addresses, as words of memory hold them; a list of Pointer answers. Go. */
export interface PointersRequest {
  readonly op: 'pointers';
  readonly dump: number;
  /** In hex. */
  readonly addresses: readonly string[];
}

/** Name frames of a module by symbols of another build, or no longer; ForceResult answers. Go. */
export interface ForceRequest {
  readonly op: 'force';
  readonly dump: number;
  readonly module: number;
  readonly use: boolean;
}

/** What the bytes of a stream are; FieldsResult answers. Go. */
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

/** Captured memory; the answer is bytes, or none of them. Go. */
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

/** Where bytes, in hex, stand in captured memory. Go. */
export interface FindRequest {
  readonly op: 'find';
  readonly dump: number;
  readonly pattern: string;
  readonly from: string;
}

/** Do with the files, and for nobody, what the first dump will need: the browser compiles well only what has run. Go. */
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

/** What became of files. Go. */
export interface TakeResult {
  readonly files: readonly FileResult[];
  readonly opened: readonly KnownDump[];
  /** Dumps from before whose report is another one now. */
  readonly again: readonly number[];
}

/**
 * One report and, when files have to be scanned before it is whole, what there is to scan. Then there is a report only of
 * the crashing thread, as far as it is certain. Go.
 */
export interface ReportResult {
  readonly opened: readonly Opened[];
  readonly scans: readonly Scan[];
  /** Keys of indexes that turned out to be wrong. */
  readonly stale: readonly string[];
  /** Remote files that a question needs all of. */
  readonly wholes: readonly string[];
  /** Patience was over, and the report is of what is certain. */
  readonly waits: boolean;
}

/** The key that an index may be kept under; "" where there is none left. Go. */
export interface ScannedResult {
  readonly key: string;
}

/** Dumps whose report is another one now. Go. */
export interface ForceResult {
  readonly again: readonly number[];
}

/** What came with the request, read for nobody; nothing without it. Go. */
export interface WarmResult {
  readonly opened: readonly Opened[];
}

/** A symbol file whose index is wanted. Go. */
export interface Scan {
  /** That the index may be kept under. */
  readonly key: string;
  readonly name: string;
  /** The number of the file. */
  readonly file: number;
  readonly size: number;
  /** Where the parts begin, and where the last one ends. */
  readonly cuts: readonly number[];
}

/** What the Go program is called with, and what it returns: nothing when it ended meanwhile. */
export type Serve = (
  json: string,
  files: readonly ReadableFile[],
  progress: (json: string) => void,
  scratch?: Scratch | null,
) => Returned | undefined;

/** A file as Go sees it. read returns exactly count bytes, or throws; of a remote file null where some are not here yet. */
export interface ReadableFile {
  readonly path: string;
  readonly size: number;
  readonly remote?: boolean;
  readonly read: (offset: number, count: number) => Uint8Array | null;
}

/** A stack means that the program panicked and must not be asked again. */
export type Returned =
  | {readonly json: string; readonly bytes: Uint8Array | null}
  | {readonly error: string; readonly stack: string};

/** From the page to the worker. */
export type ToWorker =
  /** The worker holds the lock of that name as long as it lives. */
  | {readonly kind: 'start'; readonly module: WebAssembly.Module; readonly lock: string}
  | {readonly kind: 'request'; readonly id: number; readonly request: Request; readonly files: readonly SentFile[]}
  /** More of a file that is at a host. */
  | {readonly kind: 'part'; readonly path: string; readonly part: Part}
  | {readonly kind: 'ping'};

/** From the worker to the page. Whatever comes, and be it a pong, shows that the worker lives. */
export type FromWorker =
  /** reads: whether this worker can read files. */
  | {readonly kind: 'ready'; readonly reads: boolean}
  | {readonly kind: 'progress'; readonly progress: Progress}
  | {readonly kind: 'answer'; readonly id: number; readonly answer: Answer}
  | {readonly kind: 'failed'; readonly id: number; readonly error: string}
  | {readonly kind: 'dead'; readonly reason: string}
  | {readonly kind: 'locked'}
  /** How much memory the Go program has, which never becomes less. */
  | {readonly kind: 'pong'; readonly memory: number};

export interface Answer {
  readonly json: string;
  readonly bytes: Uint8Array | null;
  /** To a TakeRequest, the files as Go sees them: unpacked by the browser where it could. To a ScanRequest, the index. */
  readonly blobs: readonly Blob[];
  /** What of files at hosts was wanted and is not here: the answer is one without it. */
  readonly missing?: readonly Missing[];
}
