// A Blob, read at once and in pieces, which is what the Go program's readers need.
//
// FileReaderSync takes 0.6 to 0.9 ms a call, however little it reads. So a file that is read again and again is held whole
// while it is not too large, and a larger one that is read from front to back is read in windows; what Go reads here and
// there comes in pages of 256 KiB, which Go keeps.
import type {ReadableFile} from './protocol.ts';

/** How a piece of a Blob becomes bytes: FileReaderSync, or something else in tests. */
export type ReadSync = (piece: Blob) => ArrayBuffer;

/**
 * Files up to here may be held whole, as long as the budget lasts. Of a symbol file some pages are needed for every frame,
 * which took a fifth of the time between the drop and the stack when they were read one by one.
 */
export const WHOLE = 128 << 20;
/** A file that more was asked of than this is worth holding: a look at the header is not. */
export const SEVERAL = 1 << 20;
/**
 * What is read at once, at most, from a file that is read from front to back. 109 MB took 194 ms in windows of 8 MiB, 153
 * in ones of 16 and 133 in ones of 32, and no less by two workers at once. The first windows are no larger than what was
 * read before: a few pages in a row are no reader from front to back.
 */
export const WINDOW = 32 << 20;
/** A reader from front to back may go back so far, to the start of a line that was cut. */
export const BACK = 1 << 20;

/** What may be held of all files together, in bytes. */
export interface Budget {
  left: number;
}

interface Piece {
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What TypeScript's ES2022 does not have yet, nor every browser. */
type Freeable = ArrayBuffer & {transfer?: (length: number) => ArrayBuffer};

/** Makes file readable for Go, which copies what it gets before it reads on. A file that was moved or changed throws. */
export function readable(path: string, file: Blob, budget: Budget, readSync: ReadSync): ReadableFile {
  let held: Piece = {start: 0, bytes: new Uint8Array(0)}; // the whole file, or the latest window
  let asked = 0;
  let next = -1; // where a reader from front to back will go on
  let run = 0; // how far it has come

  /** Holds another piece of the file. The last one's memory is given back now, not at some time. */
  const hold = (start: number, end: number): void => {
    const buffer: Freeable = held.bytes.buffer;
    buffer.transfer?.(0);
    const piece = start === 0 && end === file.size ? file : file.slice(start, end);
    held = {start, bytes: new Uint8Array(readSync(piece))};
  };

  const read = (offset: number, count: number): Uint8Array => {
    const end = offset + count;
    const isHeld = offset >= held.start && end <= held.start + held.bytes.length;
    const goesOn = offset <= next && offset >= next - BACK;
    run = goesOn ? run + Math.max(0, end - next) : count;
    next = goesOn ? Math.max(next, end) : end;
    if (!isHeld) {
      asked += count;
      if (asked > SEVERAL && file.size <= Math.min(WHOLE, budget.left)) {
        budget.left -= file.size;
        hold(0, file.size);
      } else if (goesOn && run > SEVERAL) {
        hold(offset, Math.min(file.size, offset + Math.max(Math.min(WINDOW, run), count)));
      } else {
        return new Uint8Array(readSync(file.slice(offset, end)));
      }
    }
    return held.bytes.subarray(offset - held.start, end - held.start);
  };
  return {path, size: file.size, read};
}
