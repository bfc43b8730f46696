// Made from wasm/viewer by "go test ./wasm/viewer -run TestGenerated -update".

import type {Address, Certainty, Note, Report, Thread, Variable} from './report.ts';

/** A request about an open dump, with its number. */
export interface OfDump {
  readonly dump: number;
}

/** SliceNames says which function names the symbols of a capsule keep. The words are the keys of capsule.Names. */
export type SliceNames = 'all' | 'own' | 'none';

/**
 * CapsuleRequest requests a page with a sanitized dump inside. viewer.html is attached, and source files under the paths in the frames. MadeResult answers it,
 * with the page as bytes.
 */
export interface CapsuleRequest extends OfDump {
  readonly op: 'capsule';
  /** Keep all memory of the stacks. */
  readonly memory: boolean;
  /** Keep names of people. */
  readonly names: boolean;
  readonly symbols: SliceNames;
}

/** A Role is the use of a file. */
export type Role = 'dump' | 'symbols' | 'source';

/** MadeFile is one file inside. */
export interface MadeFile {
  readonly role: Role;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** MadeResult lists the contents of an archive or a page. */
export interface MadeResult {
  /** Bytes. */
  readonly size: number;
  readonly files: readonly MadeFile[];
  /** How the dump's report differs; empty if all stacks are the same. */
  readonly changed: readonly string[];
}

/** CapturedRequest requests the ranges of captured memory. */
export interface CapturedRequest extends OfDump {
  readonly op: 'captured';
}

/** A CapturedRange is a run of captured bytes. */
export interface CapturedRange {
  readonly base: Address;
  readonly size: Address;
}

/** ChecklistRequest requests the list of what a dump would reveal; sanitize.Checklist answers it. */
export interface ChecklistRequest extends OfDump {
  readonly op: 'checklist';
}

/** A Secret is something that looks like a key, a token or a password. */
export interface Secret {
  /** "an AWS access key". */
  readonly kind: string;
  /** "stream LinuxEnviron", "memory at 0x7ffe0010". */
  readonly where: string;
  /** It could not be removed. */
  readonly stays: boolean;
}

/** An Item is one kind of private data in a dump. */
export interface Item {
  /** "the environment". */
  readonly what: string;
  /** Of variables, arguments, annotations, bytes. */
  readonly count: number;
  /** The unit of the count: "variables". */
  readonly unit: string;
  /** An unmasked report has it, too. */
  readonly in_report: boolean;
}

/** A Checklist lists the private data in a dump, or in a report of it. */
export interface Checklist {
  /** It is a report that is text, which stays text. */
  readonly text: boolean;
  /** Names of users, in paths and in the environment. */
  readonly people: readonly string[];
  /** Probable keys, tokens and passwords, by kind and location, without their text. */
  readonly secrets: readonly Secret[];
  readonly items: readonly Item[];
}

/** CloseRequest closes dumps, and releases what only they use. A number that is not open counts as closed. The answer is empty. */
export interface CloseRequest {
  readonly op: 'close';
  readonly dumps: readonly number[];
}

/** DisassembleRequest requests captured code around an address, as instructions; analyze.Code answers it. */
export interface DisassembleRequest extends OfDump {
  readonly op: 'disassemble';
  readonly address: string;
  readonly before: number;
  readonly after: number;
}

/** CodeLine is one instruction. */
export interface CodeLine {
  readonly address: Address;
  /** In hex. */
  readonly bytes: string;
  /** "" where the bytes are no known instruction. */
  readonly text: string;
  /** Function, File and Line belong to the innermost inlined call, if there is one. */
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  /** FromFile says that the bytes come from the module's file, because the dump lacks them. */
  readonly from_file: boolean;
  /** Target is where a direct branch or call goes. */
  readonly target: Address | null;
}

/** Code is a listing of captured code. It has a line at the requested address, or no lines at all. */
export interface Code {
  readonly lines: readonly CodeLine[];
  /**
   * Sure says that the lines before the address are certain: the function was decoded from its start, or all instructions of the CPU have one size. Otherwise
   * they are the likeliest ones.
   */
  readonly sure: boolean;
}

/** ExplainRequest requests one thread with the evidence of its frames. */
export interface ExplainRequest extends OfDump {
  readonly op: 'explain';
  readonly thread: number;
}

/** FieldsRequest requests the fields of a stream; FieldsResult answers it. */
export interface FieldsRequest extends OfDump {
  readonly op: 'fields';
  readonly type: number;
  /** In the file, as the directory has it. */
  readonly offset: number;
}

/** Field is a range of bytes of a file with one meaning. */
export interface Field {
  /** In the file. */
  readonly offset: number;
  readonly size: number;
  readonly name: string;
  readonly value: string;
  /** The record that contains it; "" for none. */
  readonly record: string;
}

/** FieldsResult has the fields of a stream and of the data that it points to. */
export interface FieldsResult {
  readonly fields: readonly Field[];
  /** There are more. */
  readonly cut: boolean;
}

/** FileRequest requests bytes of a dump's file; the answer is bytes, or fewer where the file ends. */
export interface FileRequest extends OfDump {
  readonly op: 'file';
  readonly offset: number;
  readonly size: number;
}

/** FindRequest searches captured memory for bytes in hex; analyze.Found answers it. */
export interface FindRequest extends OfDump {
  readonly op: 'find';
  readonly pattern: string;
  readonly from: string;
}

/** Found lists the places of a pattern in captured memory. */
export interface Found {
  readonly addresses: readonly Address[];
  /** Next is the address to continue from, nil at the end of memory. */
  readonly next: Address | null;
}

/** ForceRequest forces mismatched symbols for the names of a module, or no longer does; ForceResult answers it. */
export interface ForceRequest extends OfDump {
  readonly op: 'force';
  readonly module: number;
  readonly use: boolean;
}

/** ForceResult answers a ForceRequest. */
export interface ForceResult {
  /** Dumps whose report has changed. */
  readonly again: readonly number[];
}

/** GlobalsRequest requests variables of a module that are outside of functions, by name or by a pattern with "*"; analyze.ModuleGlobals answers it. */
export interface GlobalsRequest extends OfDump {
  readonly op: 'globals';
  /** Index of the module in the report. */
  readonly module: number;
  readonly name: string;
  /** How many of an array are read; 0 for the first ones. */
  readonly elements: number;
}

/** ModuleGlobals are the requested variables of a module that are outside of functions. */
export interface ModuleGlobals {
  /** The symbols describe variables. */
  readonly known: boolean;
  readonly variables: readonly Variable[];
  /** What was wrong with the symbols. */
  readonly notes: readonly Note[];
}

/** IndexRequest brings the index that a Scan requested, as the attached file. Without a file the worker has to scan by itself. */
export interface IndexRequest {
  readonly op: 'index';
  readonly key: string;
}

/** MemoryRequest requests captured memory; the answer is all of the bytes, or none. */
export interface MemoryRequest extends OfDump {
  readonly op: 'memory';
  readonly address: string;
  readonly size: number;
}

/** KnownDump is an open dump. */
export interface KnownDump {
  readonly dump: number;
  /** The dump's name and the hash of its content, the same in each worker. */
  readonly identity: string;
}

/** OpenRequest opens the files that come with it; OpenResult answers it. Files are numbered from 0 in the order in which a worker got them. */
export interface OpenRequest {
  readonly op: 'open';
  /** The number of the first new dump. */
  readonly next: number;
  /** The dumps to open, under their old numbers, if a worker had the files before. */
  readonly known: readonly KnownDump[];
  /** A worker had the files before: no other dumps are opened. */
  readonly restores: boolean;
}

/** FileKind is the kind of a given file. */
export type FileKind = 'dump' | 'symbols' | 'views' | 'other';

/** FileResult says what kind of file one of the given files is. */
export interface FileResult {
  /** Its path; for a member of an archive the archive's path, a slash and the member's. */
  readonly name: string;
  readonly kind: FileKind;
  /** One sentence: what is wrong with it, or what it is instead; null if it is fine. */
  readonly message: string | null;
  /** Files that may be dumps and were not read: this one, or some of an archive. */
  readonly left: number;
}

/** OpenResult answers an OpenRequest. */
export interface OpenResult {
  readonly files: readonly FileResult[];
  readonly opened: readonly KnownDump[];
  /** Open dumps whose report has changed. */
  readonly again: readonly number[];
}

/** PointersRequest requests the symbols at addresses that were found in memory; a list of analyze.Pointer answers it. */
export interface PointersRequest extends OfDump {
  readonly op: 'pointers';
  /** In hex. */
  readonly addresses: readonly string[];
}

/** A Pointer names an address that a word of memory holds, as WinDbg's dps does. Function, File and Line are nil if symbols do not have them. */
export interface Pointer {
  readonly address: Address;
  readonly function: string | null;
  readonly name_certainty: Certainty;
  /** Into the function. */
  readonly offset: Address | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** Format is a format of a report. */
export type Format = 'text' | 'machine' | 'json' | 'markdown' | 'html';

/** RenderRequest requests the report as text; the answer is bytes. */
export interface RenderRequest extends OfDump {
  readonly op: 'render';
  readonly format: Format;
  /** Without names of people, secrets and other sensitive text. */
  readonly masked: boolean;
  /** Html: with the crashing thread's stack. */
  readonly memory: boolean;
  /** With the variables of the crashing thread. */
  readonly values: boolean;
}

/** ReportRequest requests the analysis of a dump; ReportResult answers it. */
export interface ReportRequest extends OfDump {
  readonly op: 'report';
  /** Walk only the crashing thread. */
  readonly crashing: boolean;
  /** How many other workers can scan; 0 means that this one scans. */
  readonly workers: number;
  /** Milliseconds that reading a file may take for the crashing thread, if there are other workers. */
  readonly patience: number;
  /** How many regions of memory the page has of the dump; a report with as many has none of them. */
  readonly regions: number;
}

/** Opened is a dump that is open, and its report. */
export interface Opened {
  readonly dump: number;
  /** As in its FileResult: the report does not have it. */
  readonly name: string;
  readonly report: Report;
}

/** Scan is a symbol file whose index is needed. */
export interface Scan {
  /** Cache key of the index. */
  readonly key: string;
  /** Of the file. */
  readonly name: string;
  /** Its number. */
  readonly file: number;
  readonly size: number;
  /** The offsets at which parts begin, and the end of the last one. */
  readonly cuts: readonly number[];
}

/**
 * ReportResult answers a ReportRequest with a report. If files have to be scanned first, it has the list of scans instead, and a report of the crashing thread
 * only, as far as it is certain.
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

/** SanitizeRequest requests a smaller dump that is fit to share; SanitizeResult answers it, with the dump as bytes. */
export interface SanitizeRequest extends OfDump {
  readonly op: 'sanitize';
  /** Keep all memory of the stacks. */
  readonly memory: boolean;
  /** Keep names of people. */
  readonly names: boolean;
}

/** A Removal is one kind of data that was removed. */
export interface Removal {
  /** "the environment", "memory that no stack needs". */
  readonly what: string;
  /** Of streams, regions, words or names; 0 when it is one thing. */
  readonly count: number;
  /** 0 if it has no meaning. */
  readonly bytes: number;
}

/** SanitizeResult describes the sanitized dump. */
export interface SanitizeResult {
  /** Bytes. */
  readonly before: number;
  readonly after: number;
  readonly removed: readonly Removal[];
  readonly secrets: readonly Secret[];
  readonly people: readonly string[];
  /** How its report differs; empty if all stacks are the same. */
  readonly changed: readonly string[];
}

/** ScanRequest requests the index of a part of the attached file; the answer is bytes. */
export interface ScanRequest {
  readonly op: 'scan';
  readonly from: number;
  readonly to: number;
}

/** ScannedRequest requests the index of a large file that this worker scanned itself. The answer is a ScannedResult and the index as bytes. */
export interface ScannedRequest {
  readonly op: 'scanned';
}

/** ScannedResult answers a ScannedRequest. */
export interface ScannedResult {
  /** Cache key of the index, "" if there is no more index. */
  readonly key: string;
}

/** SymbolFilesRequest requests the kind and use of each symbol file; a list of symbols.FileInfo answers it. */
export interface SymbolFilesRequest {
  readonly op: 'symbolFiles';
}

/** A FileInfo describes a symbol file of the Store, with its module. */
export interface FileInfo {
  readonly name: string;
  /** "a Breakpad symbol file", in words; "" where it is none. */
  readonly kind: string;
  /** Index into Modules, -1 where it is for none. */
  readonly module: number;
  readonly debug_file: string;
  readonly debug_id: string;
  readonly cpu: string;
  /** In words. */
  readonly holds: readonly string[];
  /** What is wrong with it, to follow its name. */
  readonly flaw: string | null;
  /** It is of a format that Export writes as a Breakpad symbol file. */
  readonly convertible: boolean;
}

/** SymsRequest requests the symbols of a module as a Breakpad symbol file; the answer is bytes. */
export interface SymsRequest {
  readonly op: 'syms';
  /** -1 for a module that only the symbol files name. */
  readonly dump: number;
  readonly module: number;
}

/**
 * VariablesRequest requests the arguments and locals of one frame, for the arguments of all frames of a thread, or for more elements of one variable. A list of
 * analyze.FrameVariables answers it.
 */
export interface VariablesRequest extends OfDump {
  readonly op: 'variables';
  readonly thread: number;
  /** -1 for the arguments of all. */
  readonly frame: number;
  /** 0, or how many elements of the variable that scope and number name. */
  readonly elements: number;
  readonly scope: number;
  readonly number: number;
}

/** ScopeVariables are the variables of a function, or of an inlined call. */
export interface ScopeVariables {
  readonly variables: readonly Variable[];
}

/** FrameVariables are the variables of one physical frame. */
export interface FrameVariables {
  readonly frame: number;
  /** The symbols list the variables, possibly none. */
  readonly known: boolean;
  /** First the function itself, then the calls inlined into it, outermost first. */
  readonly scopes: readonly ScopeVariables[];
  /** What was wrong with the symbols. */
  readonly notes: readonly Note[];
}

/** WarmRequest requests a warm-up: the worker analyses the attached files and discards the result. */
export interface WarmRequest {
  readonly op: 'warm';
}

/** WarmResult answers a WarmRequest with the reports of the attached files. */
export interface WarmResult {
  readonly opened: readonly Opened[];
}

/** WholeRequest says that a remote file has arrived completely, or why it must not be used. The answer is empty. */
export interface WholeRequest {
  readonly op: 'whole';
  readonly path: string;
  /** "" if the file is complete. */
  readonly why: string;
}

/** Phase is a kind of work. */
export type Phase = 'opening' | 'reading' | 'indexing' | 'walking';

/** Progress says how far the work on one file is. */
export interface Progress {
  readonly phase: Phase;
  /** Its name; "" if the work is about no file. */
  readonly file: string;
  readonly done: number;
  /** 0 if unknown. */
  readonly total: number;
}

/** Every request. */
export type Request =
  | CapsuleRequest
  | CapturedRequest
  | ChecklistRequest
  | CloseRequest
  | DisassembleRequest
  | ExplainRequest
  | FieldsRequest
  | FileRequest
  | FindRequest
  | ForceRequest
  | GlobalsRequest
  | IndexRequest
  | MemoryRequest
  | OpenRequest
  | PointersRequest
  | RenderRequest
  | ReportRequest
  | SanitizeRequest
  | ScanRequest
  | ScannedRequest
  | SymbolFilesRequest
  | SymsRequest
  | VariablesRequest
  | WarmRequest
  | WholeRequest;

/** The result of each operation; null if it is bytes, or empty. */
export interface Results {
  readonly capsule: MadeResult;
  readonly captured: readonly CapturedRange[];
  readonly checklist: Checklist;
  readonly close: null;
  readonly disassemble: Code;
  readonly explain: Thread;
  readonly fields: FieldsResult;
  readonly file: null;
  readonly find: Found;
  readonly force: ForceResult;
  readonly globals: ModuleGlobals;
  readonly index: null;
  readonly memory: null;
  readonly open: OpenResult;
  readonly pointers: readonly Pointer[];
  readonly render: null;
  readonly report: ReportResult;
  readonly sanitize: SanitizeResult;
  readonly scan: null;
  readonly scanned: ScannedResult;
  readonly symbolFiles: readonly FileInfo[];
  readonly syms: null;
  readonly variables: readonly FrameVariables[];
  readonly warm: WarmResult;
  readonly whole: null;
}

/** The operations that need a dump's symbols, which a replaced worker has not read yet. */
export const NEED_SYMBOLS: ReadonlySet<Request['op']> = new Set([
  'capsule',
  'checklist',
  'disassemble',
  'explain',
  'globals',
  'pointers',
  'render',
  'sanitize',
  'syms',
  'variables',
]);
