// Brings the indexes of symbol files: those that are kept, and otherwise those that several workers make at once.
import type {Keeper} from './kept.ts';
import type {Pool} from './pool.ts';
import type {Scan} from './protocol.ts';
import type {Kept, Progress} from './types.ts';

export class Indexes {
  onprogress: ((progress: Progress) => void) | null = null;

  readonly #pool: Pool;
  readonly #keeper: Promise<Keeper>;
  readonly #running = new Set<Running>();
  #stops = 0;
  #told: ((kept: Kept) => void) | null = null;

  constructor(pool: Pool, keeper: Promise<Keeper>) {
    this.#pool = pool;
    this.#keeper = keeper;
  }

  /** Called with what is kept, now and whenever that changes. */
  set onkept(told: ((kept: Kept) => void) | null) {
    this.#told = told;
    void this.#tell();
  }

  /** How many work side by side. */
  get workers(): number {
    return this.#pool.most;
  }

  warm(isBusy: () => boolean): Promise<void> {
    return this.#pool.warm(isBusy);
  }

  /** The index of a file; null when no worker could make it. Rejects when stop was called meanwhile. */
  async bring(scan: Scan, file: Blob): Promise<Blob | null> {
    const stops = this.#stops;
    const keeper = await this.#keeper;
    const kept = await keeper.get(scan.key);
    if (kept) return kept;
    if (stops !== this.#stops) throw new Error('The work was stopped.');
    const running = new Running(scan);
    this.#running.add(running);
    try {
      const parts = scan.cuts.slice(1).map((to, i) => {
        const told = (progress: Progress): void => this.#progress(running, i, progress);
        return this.#pool.scan({file: {path: scan.name, file}, from: scan.cuts[i] ?? 0, to, told});
      });
      const index = new Blob(await Promise.all(parts));
      void keeper.put(scan.key, index).then(() => this.#tell()); // nobody waits for it
      return index;
    } catch (error) {
      if (stops !== this.#stops) throw error;
      return null;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Keeps an index that the worker with the dumps had to make itself, and reports whether it is there for the next one. */
  async keep(key: string, index: Blob): Promise<boolean> {
    const keeper = await this.#keeper;
    await keeper.put(key, index);
    await this.#tell();
    return (await keeper.get(key)) !== null;
  }

  /** An index that was kept is not what the file is. */
  async drop(key: string): Promise<void> {
    await (await this.#keeper).drop(key);
    await this.#tell();
  }

  async clear(): Promise<void> {
    await (await this.#keeper).clear();
    await this.#tell();
  }

  stop(): void {
    this.#stops++;
    this.#pool.stop();
  }

  async #tell(): Promise<void> {
    const told = this.#told;
    told?.(await (await this.#keeper).kept());
  }

  /** Tells of all files at once, under the name of the one that was just heard of. */
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

/** A file that is being scanned, and how far its parts are. */
class Running {
  readonly done: number[];
  constructor(readonly scan: Scan) {
    this.done = scan.cuts.slice(1).map(() => 0);
  }
}
