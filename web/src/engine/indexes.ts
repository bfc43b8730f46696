// Gets the indexes of symbol files: cached ones, or new ones that several workers make in parallel.
import type {IndexCache} from './index-cache.ts';
import type {Pool} from './pool.ts';
import type {Scan} from './protocol.ts';
import type {Progress, StoredIndexes} from './types.ts';

export class Indexes {
  onprogress: ((progress: Progress) => void) | null = null;

  readonly #pool: Pool;
  readonly #cache: Promise<IndexCache>;
  readonly #running = new Set<Running>();
  #stops = 0;
  #onstored: ((stored: StoredIndexes) => void) | null = null;

  constructor(pool: Pool, cache: Promise<IndexCache>) {
    this.#pool = pool;
    this.#cache = cache;
  }

  /** Called with the size of the cached indexes, now and after each change. */
  set onstored(listener: ((stored: StoredIndexes) => void) | null) {
    this.#onstored = listener;
    void this.#notify();
  }

  /** How many workers scan in parallel. */
  get workers(): number {
    return this.#pool.most;
  }

  warm(isBusy: () => boolean): Promise<void> {
    return this.#pool.warm(isBusy);
  }

  /** The index of a file; null if no worker could make it. Rejects if stop was called meanwhile. */
  async obtain(scan: Scan, file: Blob): Promise<Blob | null> {
    const stops = this.#stops;
    const cache = await this.#cache;
    const stored = await cache.get(scan.key);
    if (stored) return stored;
    if (stops !== this.#stops) throw new Error('The work was stopped.');
    const running = new Running(scan);
    this.#running.add(running);
    try {
      const parts = scan.cuts.slice(1).map((to, i) => {
        const onprogress = (progress: Progress): void => this.#progress(running, i, progress);
        return this.#pool.scan({file: {path: scan.name, file}, from: scan.cuts[i] ?? 0, to, onprogress});
      });
      const index = new Blob(await Promise.all(parts));
      void cache.put(scan.key, index).then(() => this.#notify()); // the request was stopped
      return index;
    } catch (error) {
      if (stops !== this.#stops) throw error;
      return null;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Keeps an index that the worker with the dumps had to make itself, and returns whether it is stored for the next worker. */
  async keep(key: string, index: Blob): Promise<boolean> {
    const cache = await this.#cache;
    await cache.put(key, index);
    await this.#notify();
    return (await cache.get(key)) !== null;
  }

  /** A cached index does not match the file. */
  async drop(key: string): Promise<void> {
    await (await this.#cache).drop(key);
    await this.#notify();
  }

  async clear(): Promise<void> {
    await (await this.#cache).clear();
    await this.#notify();
  }

  stop(): void {
    this.#stops++;
    this.#pool.stop();
  }

  async #notify(): Promise<void> {
    const listener = this.#onstored;
    listener?.(await (await this.#cache).stored());
  }

  /** Reports the progress of all files together, under the name of the one that reported last. */
  #progress(running: Running, part: number, {phase, done}: Progress): void {
    running.done[part] = done;
    let sum = 0;
    let total = 0;
    for (const {done, scan} of this.#running) {
      sum += done.reduce((a, b) => a + b, 0);
      total += scan.size;
    }
    this.onprogress?.({phase, file: running.scan.name, done: Math.min(sum, total), total});
  }
}

/** A file that is being scanned, with the progress of its parts. */
class Running {
  readonly done: number[];
  constructor(readonly scan: Scan) {
    this.done = scan.cuts.slice(1).map(() => 0);
  }
}
