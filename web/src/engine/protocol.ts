// The messages between the page and its worker. The requests and results of the Go program are generated.
import type {Progress, Request, Results} from './generated/messages.ts';
import type {Scratch} from './scratch.ts';

export type * from './generated/messages.ts';

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
  readonly archive?: string | undefined;
  readonly read: (offset: number, count: number) => Uint8Array | null;
  /** Releases the file's memory, after the last read. */
  readonly close: () => void;
}

/** A stack means that the program panicked and must not be called again. */
export type Returned =
  | {readonly json: string; readonly bytes: Uint8Array | null; readonly about: string}
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
  /** The result; '' if there is none. */
  readonly json: string;
  readonly bytes: Uint8Array | null;
  /** The identity of the dump that it is about; '' if it is about none. */
  readonly about: string;
  /** For an OpenRequest, the files as Go sees them: decompressed by the browser if possible. For a ScanRequest, the index. */
  readonly blobs: readonly Blob[];
  /** The missing ranges of files at hosts: the answer was made without them. */
  readonly missing?: readonly Missing[];
}

/** The answer to a request of one type, with its result as a value. */
export interface Answered<R extends Request> extends Omit<Answer, 'json'> {
  readonly result: Results[R['op']];
}

/** A file in a message to the worker: the browser passes a reference, not the bytes. */
export interface InputFile {
  readonly path: string;
  readonly file: Blob;
  /** For a file at a host: the parts that have arrived; file is its beginning. */
  readonly remote?: Remote;
  /** The compressed file that it was decompressed from here. */
  readonly archive?: string;
}

/** A file at a host. */
export interface Remote {
  readonly url: string;
  readonly size: number;
  /** The host's ETag of this version of the file. */
  readonly tag: string;
  /** The parts that have arrived; the list grows. */
  readonly parts: Part[];
}

/** Bytes of a file from an offset on, or the whole file. */
export interface Part {
  readonly from: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly whole?: Blob;
}
