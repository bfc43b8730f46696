// Reads ranges of a Blob synchronously, as the Go program's readers need it.
//
// A call of FileReaderSync takes 0.6 to 0.9 ms, however little it reads. So a small file that is read often is loaded as a
// whole. A large file that is read from front to back is read in windows. Random reads of Go are pages, which Go caches.
import type {ReadableFile, ReadSync} from './protocol.ts';

/** Files up to this size may be loaded as a whole, within the budget. */
export const WHOLE = 128 << 20;
/**
 * How many bytes could be read in the time of one call. Once the calls for a file took as long as reading it as a whole, it
 * is loaded: that costs at most twice the optimum.
 */
export const CALL = 640 << 10;
/** After so many bytes in a row the reader counts as sequential. */
export const SEVERAL = 1 << 20;
/**
 * The largest window of a sequential reader. 109 MB took 194 ms in windows of 8 MiB, 153 in windows of 16 and 133 in windows of 32. The first windows are not
 * larger than what was read before, since a few pages in a row are no sequential reader.
 */
export const WINDOW = 32 << 20;
/** The first bytes of a Breakpad symbol file. A file of at least this size is searched by pages and not loaded: LeastSearched of Go. */
const MODULE = 'MODULE ';
export const SEARCHED = 32 << 20;

/** A sequential reader may go back so far, to the start of a line that the window split. */
export const BACK = 1 << 20;

/** The budget for loaded files together, in bytes. */
export interface Budget {
  left: number;
}

interface Piece {
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const nothing: Piece = {start: 0, bytes: new Uint8Array(0)};

/** Missing in TypeScript's ES2022, and in some browsers. */
type Freeable = ArrayBuffer & {transfer?: (length: number) => ArrayBuffer};

/**
 * A file for Go, which copies each result before the next read. A file that was moved or changed throws. onprogress
 * is called with the number of loaded bytes while a file is loaded as a whole.
 */
export class Reader implements ReadableFile {
  readonly path: string;
  readonly size: number;
  readonly archive: string | undefined;
  readonly #file: Blob;
  readonly #budget: Budget;
  readonly #readSync: ReadSync;
  readonly #onprogress: (loaded: number) => void;
  #window = nothing;
  #whole: readonly Piece[] = []; // in windows, one after another
  #calls = 0;
  #next = -1; // where a sequential reader will continue
  #run = 0; // its end
  #isSearched = false;

  constructor(
    path: string,
    file: Blob,
    budget: Budget,
    readSync: ReadSync,
    onprogress: (loaded: number) => void = () => {},
    archive?: string,
  ) {
    this.path = path;
    this.archive = archive;
    this.size = file.size;
    this.#file = file;
    this.#budget = budget;
    this.#readSync = readSync;
    this.#onprogress = onprogress;
  }

  /** Reads exactly these bytes. A property and not a method, because Go calls it without the object. */
  readonly read = (offset: number, count: number): Uint8Array => {
    const end = offset + count;
    const goesOn = offset <= this.#next && offset >= this.#next - BACK;
    this.#run = goesOn ? this.#run + Math.max(0, end - this.#next) : count;
    this.#next = goesOn ? Math.max(this.#next, end) : end;
    if (!covers(this.#window, offset, end) && this.#whole.length === 0) {
      this.#calls++;
      if (goesOn && this.#run > SEVERAL) {
        this.#slide(offset, Math.min(this.size, offset + Math.max(Math.min(WINDOW, this.#run), count)));
      } else if (
        this.#calls * CALL > this.size &&
        !this.#isSearched &&
        this.size <= Math.min(WHOLE, this.#budget.left)
      ) {
        this.#load();
      } else {
        const bytes = this.#bytes(offset, end);
        if (offset === 0) this.#isSearched = this.size >= SEARCHED && startsWith(bytes, MODULE);
        return bytes;
      }
    }
    return covers(this.#window, offset, end) ? within(this.#window, offset, end) : this.#gather(offset, end);
  };

  /** Frees the loaded bytes now. A property, as read is. */
  readonly close = (): void => {
    this.#free();
    if (this.#whole.length > 0) this.#budget.left += this.size;
    this.#whole = [];
  };

  /** Moves to another window. The last one's memory is released at once, without a garbage collection. */
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

  /** Loads the whole file. */
  #load(): void {
    this.#free();
    this.#budget.left -= this.size;
    const pieces: Piece[] = [];
    for (let start = 0; start < this.size; start += WINDOW) {
      pieces.push({start, bytes: this.#bytes(start, Math.min(this.size, start + WINDOW))});
      this.#onprogress(Math.min(this.size, start + WINDOW));
    }
    this.#whole = pieces;
  }

  /** The loaded bytes, from one window or two. */
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

/** A file as bytes, for workers that cannot read files. It has the parts of Blob that the engine uses. */
export class InMemory extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super();
    this.#bytes = bytes;
  }

  override get size(): number {
    return this.#bytes.length;
  }

  override slice(start = 0, end = this.size): InMemory {
    return new InMemory(this.#bytes.subarray(start, end));
  }

  /** Returns a copy, synchronously. */
  copy(): ArrayBuffer {
    return this.#bytes.slice().buffer;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.copy();
  }
}
