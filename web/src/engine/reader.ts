// A Blob, read at once and in pieces, which is what the Go program's readers need.
//
// FileReaderSync takes 0.6 to 0.9 ms a call, however little it reads. So a file that is read again and again is held whole
// while it is not too large, and a larger one that is read from front to back is read in windows; what Go reads here and
// there comes in pages, which Go keeps.
import type {ReadableFile, ReadSync} from './protocol.ts';

/** Files up to here may be held whole, as long as the budget lasts. */
export const WHOLE = 128 << 20;
/**
 * What could have been read in the time that a call takes. A file of which so many pieces were read that it could have been
 * read as a whole is held from then on: that costs at most twice of what would have been best.
 */
export const CALL = 640 << 10;
/** Who read so much in a row is a reader from front to back. */
export const SEVERAL = 1 << 20;
/**
 * What is read at once, at most, from a file that is read from front to back. 109 MB took 194 ms in windows of 8 MiB, 153
 * in ones of 16 and 133 in ones of 32. The first windows are no larger than what was read before: a few pages in a row are
 * no reader from front to back.
 */
export const WINDOW = 32 << 20;
/** The beginning of a Breakpad symbol file. One of at least this size is asked for a few pages and not held: LeastAsked of Go. */
const MODULE = 'MODULE ';
export const ASKED = 32 << 20;

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

const nothing: Piece = {start: 0, bytes: new Uint8Array(0)};

/** What TypeScript's ES2022 does not have yet, nor every browser. */
type Freeable = ArrayBuffer & {transfer?: (length: number) => ArrayBuffer};

/**
 * A file for Go, which copies what it gets before it reads on. A file that was moved or changed throws. told is called with
 * how much of a file is held already, while it is read as a whole.
 */
export class Reader implements ReadableFile {
  readonly path: string;
  readonly size: number;
  readonly #file: Blob;
  readonly #budget: Budget;
  readonly #readSync: ReadSync;
  readonly #told: (held: number) => void;
  #window = nothing;
  #whole: readonly Piece[] = []; // in windows, one after another
  #calls = 0;
  #next = -1; // where a reader from front to back will go on
  #run = 0; // how far it has come
  #isAsked = false;

  constructor(path: string, file: Blob, budget: Budget, readSync: ReadSync, told: (held: number) => void = () => {}) {
    this.path = path;
    this.size = file.size;
    this.#file = file;
    this.#budget = budget;
    this.#readSync = readSync;
    this.#told = told;
  }

  /** Takes exactly these bytes. A property and not a method, because Go calls it without the object. */
  readonly read = (offset: number, count: number): Uint8Array => {
    const end = offset + count;
    const goesOn = offset <= this.#next && offset >= this.#next - BACK;
    this.#run = goesOn ? this.#run + Math.max(0, end - this.#next) : count;
    this.#next = goesOn ? Math.max(this.#next, end) : end;
    if (!covers(this.#window, offset, end) && this.#whole.length === 0) {
      this.#calls++;
      if (goesOn && this.#run > SEVERAL) {
        this.#slide(offset, Math.min(this.size, offset + Math.max(Math.min(WINDOW, this.#run), count)));
      } else if (this.#calls * CALL > this.size && !this.#isAsked && this.size <= Math.min(WHOLE, this.#budget.left)) {
        this.#hold();
      } else {
        const bytes = this.#bytes(offset, end);
        if (offset === 0) this.#isAsked = this.size >= ASKED && startsWith(bytes, MODULE);
        return bytes;
      }
    }
    return covers(this.#window, offset, end) ? within(this.#window, offset, end) : this.#gather(offset, end);
  };

  /** Goes on to another window. The last one's memory is given back now, not at some time. */
  #slide(start: number, end: number): void {
    this.#free();
    this.#window = {start, bytes: this.#bytes(start, end)};
  }

  #free(): void {
    if (this.#window === nothing) return;
    const buffer: Freeable = this.#window.bytes.buffer;
    this.#window = nothing;
    buffer.transfer?.(0);
  }

  /** Holds all of the file. */
  #hold(): void {
    this.#free();
    this.#budget.left -= this.size;
    const pieces: Piece[] = [];
    for (let start = 0; start < this.size; start += WINDOW) {
      pieces.push({start, bytes: this.#bytes(start, Math.min(this.size, start + WINDOW))});
      this.#told(Math.min(this.size, start + WINDOW));
    }
    this.#whole = pieces;
  }

  /** What is held, out of one piece or two. */
  #gather(offset: number, end: number): Uint8Array {
    const first = this.#whole[Math.floor(offset / WINDOW)] ?? nothing;
    if (covers(first, offset, end)) return within(first, offset, end);
    const all = new Uint8Array(end - offset);
    for (const {start, bytes} of this.#whole) {
      const from = Math.max(offset, start);
      const to = Math.min(end, start + bytes.length);
      if (from < to) all.set(bytes.subarray(from - start, to - start), from - offset);
    }
    return all;
  }

  #bytes(start: number, end: number): Uint8Array<ArrayBuffer> {
    const whole = start === 0 && end === this.size;
    return new Uint8Array(this.#readSync(whole ? this.#file : this.#file.slice(start, end)));
  }
}

const covers = ({start, bytes}: Piece, offset: number, end: number): boolean =>
  offset >= start && end <= start + bytes.length && bytes.length > 0;

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  String.fromCharCode(...bytes.subarray(0, text.length)) === text;

const within = ({start, bytes}: Piece, offset: number, end: number): Uint8Array =>
  bytes.subarray(offset - start, end - start);
