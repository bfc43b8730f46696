// The state of the view of a file's bytes.
import type {Loadable} from '../app/loadable.ts';
import type {FieldsResult} from '../engine/types.ts';

/** A stream of the directory; type null means bytes outside of all streams. */
export interface StreamPlace {
  readonly type: number | null;
  readonly offset: number;
  readonly size: number;
}

/** The contents of the view of a file's bytes. */
export interface FileBytes {
  /** The engine's number of the dump. */
  readonly dump: number;
  readonly stream: StreamPlace;
  readonly fields: Loadable<FieldsResult>;
  /** The byte at the caret, as an offset in the file. */
  readonly at: number;
  /** The field of that byte, or the selected one; -1 for none. */
  readonly field: number;
  /** The first byte of the first row. */
  readonly top: number;
}

export interface StreamsState {
  /** null until a stream is shown. */
  readonly file: FileBytes | null;
  readonly pages: ReadonlyMap<string, Loadable<Uint8Array>>;
  /** Names of files whose sensitive text the user wants to see. */
  readonly unmasked: ReadonlySet<string>;
}

export const firstStreams: StreamsState = {file: null, pages: new Map(), unmasked: new Set()};
