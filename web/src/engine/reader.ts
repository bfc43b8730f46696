// A Blob, read synchronously and in pieces, which is what the Go program's readers need.
//
// FileReaderSync takes 0.6 to 0.9 ms a call, however little it reads. So a file that is read again and again is held
// whole while it is small, and one that is read from front to back is read in windows; what Go reads here and there comes
// in pages of 256 KiB, which Go keeps.
import type {ReadableFile} from './protocol.ts';

/** How a piece of a Blob becomes bytes: FileReaderSync, or something else in tests. */
export type ReadSync = (piece: Blob) => ArrayBuffer;

/** Files up to here may be held whole, as long as the budget lasts. */
export const WHOLE = 64 << 20;
/** A file that more was asked of than this is worth holding: a look at the header is not. */
export const SEVERAL = 1 << 20;
/** What is read at once from a file that is read from front to back. */
export const WINDOW = 8 << 20;

/** What may be held of all files together, in bytes. */
export interface Budget {
  left: number;
}

interface Piece {
  readonly start: number;
  readonly bytes: Uint8Array;
}

const NOTHING: Piece = {start: 0, bytes: new Uint8Array(0)};

/** Makes file readable for Go. A file that was moved or changed since it was given throws when it is read. */
export function readable(path: string, file: Blob, budget: Budget, readSync: ReadSync): ReadableFile {
  let held = NOTHING; // the whole file, or the latest window
  let asked = 0;
  let next = -1; // where a reader that goes from front to back will go on

  const load = (start: number, end: number): Piece => ({
    start,
    bytes: new Uint8Array(readSync(start === 0 && end === file.size ? file : file.slice(start, end))),
  });

  const read = (offset: number, count: number): Uint8Array => {
    const at = offset - held.start;
    if (at >= 0 && at + count <= held.bytes.length) {
      next = offset + count;
      return held.bytes.subarray(at, at + count);
    }
    asked += count;
    if (asked > SEVERAL && file.size <= Math.min(WHOLE, budget.left)) {
      budget.left -= file.size;
      held = load(0, file.size);
    } else if (offset === next) {
      held = load(offset, Math.min(file.size, offset + Math.max(WINDOW, count)));
    } else {
      next = offset + count;
      return load(offset, offset + count).bytes;
    }
    next = offset + count;
    return held.bytes.subarray(offset - held.start, offset - held.start + count);
  };
  return {path, size: file.size, read};
}
