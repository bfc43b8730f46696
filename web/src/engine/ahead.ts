// What Go reads first of a large symbol file, read while Go is at the dump. A call of FileReaderSync keeps the worker waiting for
// 0.8 ms, and opening such a file takes 32 of them; side by side they take half, and Go does not wait for them.

/** The pages that Go asks such a file for, with the beginning of the next: PageSize of Go's bridge, and overlap. */
const PAGE = 64 << 10;
const OVERLAP = 4 << 10;

/** How many pages Go looks at when it opens a file, all over it: probeCount of Go. */
const PROBES = 32;

/** Where these pages are in a file of so many bytes. */
export function pages(size: number): {readonly offset: number; readonly count: number}[] {
  const last = Math.ceil(size / PAGE) - 1;
  const numbers = Array.from({length: PROBES}, (_, i) => Math.floor((last * i) / (PROBES - 1)));
  return [...new Set(numbers)].map(n => ({offset: n * PAGE, count: Math.min(PAGE + OVERLAP, size - n * PAGE)}));
}

/** Pages that were asked for already. Each is handed out once. */
export class Ahead {
  /** Settles when all of them are here, or cannot be read. */
  readonly ready: Promise<unknown>;
  readonly #pages = new Map<number, Uint8Array>();

  constructor(file: Blob) {
    const read = async (offset: number, count: number): Promise<void> => {
      const bytes = new Uint8Array(await file.slice(offset, offset + count).arrayBuffer());
      this.#pages.set(offset, bytes);
    };
    this.ready = Promise.allSettled(pages(file.size).map(({offset, count}) => read(offset, count)));
  }

  /** The bytes of a page, or null where exactly these are not here. */
  take(offset: number, count: number): Uint8Array | null {
    const page = this.#pages.get(offset);
    if (page?.length !== count) return null;
    this.#pages.delete(offset);
    return page;
  }

  /** Drops what nothing has asked for. */
  drop(): void {
    this.#pages.clear();
  }
}
