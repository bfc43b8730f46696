// A Blob, read in the pieces that the Go program asks for.
//
// A call of FileReaderSync takes 0.6 to 0.9 ms, however little it reads. So a small file that is read again and again is
// held whole, and of one that is read from front to back the next windows are fetched while Go works on the last one. What
// Go reads here and there is read as it is asked for, in pages, which Go keeps.
import type {ReadableFile} from './protocol.ts';

/** How a piece of a Blob becomes bytes at once: FileReaderSync, or something else in tests. */
export type ReadSync = (piece: Blob) => ArrayBuffer;

/** Files up to here may be held whole, as long as the budget lasts. */
export const WHOLE = 64 << 20;
/** A file that more was asked of than this is worth holding: a look at the header is not. */
export const SEVERAL = 1 << 20;
/** What is fetched at once from a file that is read from front to back. */
export const WINDOW = 8 << 20;
/** A reader from front to back may go back so far, to the start of a line that was cut. */
export const BACK = 1 << 20;

/** What may be held of all files together, in bytes. */
export interface Budget {
  left: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** What TypeScript's ES2022 does not have yet, nor every browser. */
type Freeable = ArrayBuffer & {transfer?: (length: number) => ArrayBuffer};

/** Makes file readable for Go. Reading one that was moved or changed since it was given fails. */
export function readable(path: string, file: Blob, budget: Budget, readSync: ReadSync): ReadableFile {
  let whole: Promise<Bytes> | undefined;
  let held: Bytes | undefined;
  let asked = 0;
  let next = -1; // where a reader from front to back will go on
  const ahead = new Ahead(file);

  const fetchWhole = async (): Promise<Bytes> => {
    budget.left -= file.size;
    held = new Uint8Array(await file.arrayBuffer());
    return held;
  };

  const read = (offset: number, count: number): Bytes | Promise<Bytes> => {
    const end = offset + count;
    if (held) return held.subarray(offset, end);
    asked += count;
    if (asked > SEVERAL && file.size <= Math.min(WHOLE, budget.left)) whole ??= fetchWhole();
    if (whole) return whole.then(bytes => bytes.subarray(offset, end));
    const goesOn = offset <= next && offset >= next - BACK;
    next = Math.max(end, goesOn ? next : 0);
    if (goesOn) return ahead.read(offset, end);
    next = end;
    return new Uint8Array(readSync(file.slice(offset, end)));
  };
  return {path, size: file.size, read};
}

/** Windows on a file, one after the other, of which the next is always on its way. */
class Ahead {
  readonly #file: Blob;
  #windows: {readonly start: number; readonly end: number; readonly bytes: Promise<Bytes>}[] = [];

  constructor(file: Blob) {
    this.#file = file;
  }

  async read(offset: number, end: number): Promise<Bytes> {
    await this.#drop(offset);
    this.#fetch(offset, end);
    const parts = await Promise.all(
      this.#windows
        .filter(window => window.start < end)
        .map(async ({start, bytes}) => (await bytes).subarray(Math.max(0, offset - start), Math.max(0, end - start))),
    );
    const [only] = parts;
    if (parts.length === 1 && only) return only;
    const joined = new Uint8Array(end - offset);
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }

  /** Forgets what lies before offset, or everything when offset does. The memory is given back now, not at some time. */
  async #drop(offset: number): Promise<void> {
    const first = this.#windows[0];
    const keep = first && offset >= first.start ? this.#windows.filter(({end}) => end > offset) : [];
    const dropped = this.#windows.filter(window => !keep.includes(window));
    this.#windows = keep;
    for (const {bytes} of dropped) {
      const buffer: Freeable = (await bytes).buffer;
      buffer.transfer?.(0);
    }
  }

  /** Starts to fetch what is needed up to end, and one window more. */
  #fetch(offset: number, end: number): void {
    for (;;) {
      const start = this.#windows.at(-1)?.end ?? offset;
      const needed = this.#windows.length === 0 || (this.#windows.at(-1)?.start ?? 0) < end;
      if (!needed || start >= this.#file.size) return;
      const until = Math.min(this.#file.size, start + WINDOW);
      const bytes = this.#file
        .slice(start, until)
        .arrayBuffer()
        .then(buffer => new Uint8Array(buffer));
      bytes.catch(() => {}); // whoever reads it is told
      this.#windows.push({start, end: until, bytes});
    }
  }
}
