// A file of which parts are here: the rest is at a host that passes on symbols, and comes when a question needs it. A read of what
// is not here yet is answered with null and noted, and Go leaves the question without an answer.
import type {Part, Remote} from './given.ts';
import type {ReadableFile, ReadSync} from './protocol.ts';

/** Parts are asked for in units of this: a line or two. */
export const GRAIN = 1 << 8;

/** How much Go reads at once, beside the beginning of what follows: remotePage of Go. */
const PAGE = 1 << 10;

/** How many pages Go looks at when it opens a symbol file, all over it: probeCount of Go. */
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

  /** Takes what came: a part, or all of the file. */
  add({from, bytes, whole}: Part): void {
    if (whole) this.#whole = whole;
    for (let at = 0; at < bytes.length; at += GRAIN) {
      this.#grains.set((from + at) / GRAIN, bytes.subarray(at, at + GRAIN));
    }
  }

  /** Takes exactly these bytes, or null where some are not here yet. A property, because Go calls it without the object. */
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

  /** What was asked for since the last call and is not here, in ranges that do not touch. */
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

/** What Go reads of a file of so many bytes when it opens it, so that it comes at once. */
export function probes(size: number): Range[] {
  const count = Math.ceil(size / PAGE);
  const pages = Array.from({length: PROBES}, (_, i) => Math.floor(((count - 1) * i) / (PROBES - 1)));
  const grains = pages.flatMap(n => Array.from({length: (2 * PAGE) / GRAIN}, (_, k) => (n * PAGE) / GRAIN + k));
  return ranges(
    [...new Set(grains)].filter(n => n * GRAIN < size),
    size,
  );
}
