// A file that is only partly here: the rest is at a host that forwards symbols, and is fetched when a request needs it. A read of
// a missing part returns null and is noted, and Go leaves the question unanswered.
import type {Part, ReadableFile, ReadSync, Remote} from './protocol.ts';

/** The unit of requested parts: a line or two. */
export const GRAIN = 1 << 8;

/** How much Go reads at once, beside the beginning of what follows: remotePage of Go. */
const PAGE = 1 << 10;

/** How many pages, spread over a symbol file, Go reads when it opens it: probeCount of Go. */
const PROBES = 32;

/** A range of bytes, the last one excluded. */
export type Range = readonly [from: number, to: number];

export class RemoteFile implements ReadableFile {
  readonly path: string;
  readonly size: number;
  readonly remote = true;
  readonly #readSync: ReadSync;
  readonly #grains = new Map<number, Uint8Array>();
  #missing = new Set<number>();
  #whole: Blob | null = null;

  constructor(path: string, {size, parts}: Remote, readSync: ReadSync) {
    this.path = path;
    this.size = size;
    this.#readSync = readSync;
    for (const part of parts) this.add(part);
  }

  /** Adds what arrived: a part, or the whole file. */
  add({from, bytes, whole}: Part): void {
    if (whole) this.#whole = whole;
    for (let at = 0; at < bytes.length; at += GRAIN) {
      this.#grains.set((from + at) / GRAIN, bytes.subarray(at, at + GRAIN));
    }
  }

  /** Reads exactly these bytes, or null if some have not arrived. A property, because Go calls it without the object. */
  readonly read = (offset: number, count: number): Uint8Array | null => {
    if (this.#whole) return new Uint8Array(this.#readSync(this.#whole.slice(offset, offset + count)));
    const out = new Uint8Array(count);
    let isHere = true;
    for (let grain = Math.floor(offset / GRAIN); grain * GRAIN < offset + count; grain++) {
      const bytes = this.#grains.get(grain);
      if (!bytes) {
        this.#missing.add(grain);
        isHere = false;
      } else if (isHere) {
        const start = Math.max(offset, grain * GRAIN);
        out.set(bytes.subarray(start - grain * GRAIN, offset + count - grain * GRAIN), start - offset);
      }
    }
    return isHere ? out : null;
  };

  /** Frees the parts. A property, as read is. */
  readonly close = (): void => {
    this.#whole = null;
    this.#grains.clear();
  };

  /** The missing ranges of all reads since the last call, merged. */
  missing(): Range[] {
    const grains = [...this.#missing];
    this.#missing = new Set();
    return ranges(grains, this.size);
  }
}

/** Ranges of a file of so many bytes. */
export function ranges(grains: readonly number[], size: number): Range[] {
  const out: [number, number][] = [];
  for (const grain of [...grains].sort((a, b) => a - b)) {
    const from = grain * GRAIN;
    const to = Math.min(size, from + GRAIN);
    const last = out.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

/** The ranges that Go reads when it opens a file of so many bytes, so that they are fetched together. */
export function probes(size: number): Range[] {
  const count = Math.ceil(size / PAGE);
  const pages = Array.from({length: PROBES}, (_, i) => Math.floor(((count - 1) * i) / (PROBES - 1)));
  const grains = pages.flatMap(n => Array.from({length: (2 * PAGE) / GRAIN}, (_, k) => (n * PAGE) / GRAIN + k));
  return ranges(
    [...new Set(grains)].filter(n => n * GRAIN < size),
    size,
  );
}
