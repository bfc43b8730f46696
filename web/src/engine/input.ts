// The input files, and the parts of files at a host that have arrived.

/** A file in a message to the worker: the browser passes a reference, not the bytes. */
export interface InputFile {
  readonly path: string;
  readonly file: Blob;
  /** For a file at a host: the parts that have arrived; file is its beginning. */
  readonly remote?: Remote;
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
