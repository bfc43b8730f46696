// What the npm package "crashglass" offers, as types: its declarations are made of this file and of the generated types. browser.ts and node.ts implement it.
import type {
  CapturedRange,
  Code,
  FileResult,
  Format,
  FrameVariables,
  ModuleGlobals,
  Progress,
  SanitizeResult,
} from '../src/engine/generated/messages.ts';
import type {Report, Thread} from '../src/engine/generated/report.ts';

export type * from '../src/engine/generated/messages.ts';
export type * from '../src/engine/generated/report.ts';

/** The content of a file. */
export type Bytes = Uint8Array | ArrayBuffer | Blob;

/** A file with its name. Files in folders keep their path: "app.pdb/1A2B…/app.sym". */
export interface NamedFile {
  readonly path: string;
  readonly bytes: Bytes;
}

/** Each is optional. */
export interface Options {
  /** Symbol files, libraries with unwind data, archives of either, and NatVis files. */
  readonly symbols?: readonly NamedFile[];
  /** The name of the dump in messages; "dump" without one. */
  readonly name?: string;
  /** Ends the work: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** What a report is written with. */
export interface Rendered {
  /** Without names of people, secrets and other sensitive text. */
  readonly masked?: boolean;
  /** HTML with the crashing thread's stack. */
  readonly memory?: boolean;
  /** With the variables of the crashing thread. */
  readonly values?: boolean;
}

/** One dump of a file. Threads and frames are numbered as in the report, and addresses are in hex. */
export interface Dump {
  readonly name: string;
  /** The report with the symbols that are there now. */
  readonly report: Report;
  /** A thread with the evidence of every frame. */
  thread(thread: number): Promise<Thread>;
  /** The arguments and locals of a frame; of each frame of the thread, its arguments, if there is no frame. */
  variables(thread: number, frame?: number): Promise<readonly FrameVariables[]>;
  /** The variables of a module outside of functions with a name, or matching a pattern with "*". */
  globals(module: number, name: string): Promise<ModuleGlobals>;
  /** Captured memory: fewer bytes where it ends, null where none begins. */
  memory(address: string, size: number): Promise<Uint8Array | null>;
  /** The ranges of captured memory. */
  captured(): Promise<readonly CapturedRange[]>;
  /** So many instructions before an address, and from there on. */
  disassemble(address: string, before: number, after: number): Promise<Code>;
  /** The report as text. As JSON it is what `crashglass walk --format json` writes, byte for byte. */
  render(format: Format, what?: Rendered): Promise<string>;
  /** A smaller dump that is fit to share, with all memory of the stacks and with names of people only if they are requested. */
  sanitize(keep?: {memory?: boolean; names?: boolean}): Promise<{result: SanitizeResult; data: Uint8Array}>;
}

/** An open file. Its worker lives until it is closed, and so does a process of Node. */
export interface Session {
  /** Most files have one dump; a log may have several. */
  readonly dumps: readonly Dump[];
  /** What kind each file is, and what is wrong with it. */
  readonly files: readonly FileResult[];
  /** Adds symbol files; each dump has its new report afterwards. */
  add(symbols: readonly NamedFile[], signal?: AbortSignal): Promise<readonly FileResult[]>;
  /** Ends the worker. Pending requests are rejected. */
  close(): void;
}

export interface Library {
  /** The report of a file with one dump. It is rejected with one sentence if there is none, or several. */
  analyze(dump: Bytes, options?: Options): Promise<Report>;
  /** Opens a file for queries. It is rejected with one sentence if there is no dump in it. */
  open(dump: Bytes, options?: Options): Promise<Session>;
}

export declare const analyze: Library['analyze'];
export declare const open: Library['open'];
