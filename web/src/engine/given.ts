// The files that the page was given, and what of files at a host has come.

/** A file on its way to the worker: the browser hands over a reference, not the bytes. */
export interface GivenFile {
  readonly path: string;
  readonly file: Blob;
  /** Of a file that is at a host: what of it is here, and file is its beginning. */
  readonly remote?: Remote;
}

/** A file at a host. */
export interface Remote {
  readonly url: string;
  readonly size: number;
  /** What the host calls this version of the file. */
  readonly tag: string;
  /** What came of it, which grows. */
  readonly parts: Part[];
}

/** Bytes of a file from an offset on, or all of it. */
export interface Part {
  readonly from: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly whole?: Blob;
}
