// The state of the view of a file's bytes.
import type {Asked} from '../app/asked.ts';
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
  readonly fields: Asked<FieldsResult>;
  /** The byte at the caret, as an offset in the file. */
  readonly at: number;
  /** The field of that byte, or the selected one; -1 for none. */
  readonly field: number;
  /** The first byte of the first row. */
  readonly top: number;
}
