// What the page knows of the view of a file's bytes.
import type {Asked} from '../app/asked.ts';
import type {FieldsResult} from '../engine/types.ts';

/** A stream of the directory; type null stands for bytes of the file that are no stream's. */
export interface StreamPlace {
  readonly type: number | null;
  readonly offset: number;
  readonly size: number;
}

/** What the view of a file's bytes shows. */
export interface FileBytes {
  /** The engine's number of the dump. */
  readonly dump: number;
  readonly stream: StreamPlace;
  readonly fields: Asked<FieldsResult>;
  /** The byte that is looked at, as an offset in the file. */
  readonly at: number;
  /** The field that it is in, or the one that was chosen; -1 for none. */
  readonly field: number;
  /** The first byte of the first row. */
  readonly top: number;
}
