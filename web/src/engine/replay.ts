// The requests that a new worker gets again: files with their open dumps, and requests that changed how dumps are read, in their order.
import type {InputFile, KnownDump, OpenResult, Request} from './protocol.ts';

/** Files that were added together, and those of their dumps that are open. */
export class Batch {
  dumps: readonly KnownDump[] = [];
  readonly files: readonly InputFile[];
  /** All dumps that the files have. */
  readonly opened: readonly KnownDump[];
  /** The files have symbols or views, which serve dumps of other files, too. */
  readonly serves: boolean;

  constructor(files: readonly InputFile[], {files: results, opened}: OpenResult) {
    this.files = files;
    this.opened = opened;
    this.serves = results.some(({kind}) => kind === 'symbols' || kind === 'views');
  }

  /** The dumps that are not open, or no longer. */
  get others(): readonly number[] {
    const open = new Set(this.dumps.map(({dump}) => dump));
    return this.opened.flatMap(({dump}) => (open.has(dump) ? [] : [dump]));
  }
}

/** Files, or a request that is repeated. */
export type ReplayItem = Batch | Request;

export class Replay {
  #items: ReplayItem[] = [];

  add(item: ReplayItem): void {
    if (!this.#items.includes(item)) this.#items.push(item);
  }

  drop(item: ReplayItem): void {
    this.#items = this.#items.filter(other => other !== item);
  }

  /** The first item that is not among those. */
  after(done: ReadonlySet<ReplayItem>): ReplayItem | undefined {
    return this.#items.find(item => !done.has(item));
  }

  /** Forgets closed dumps, and files that have no other use. A dump that a repeated request names is opened again for it. */
  close(dumps: readonly number[]): void {
    const named = new Set(this.#items.flatMap(item => ('dump' in item ? [item.dump] : [])));
    const gone = new Set(dumps.filter(dump => !named.has(dump)));
    for (const item of this.#items)
      if (item instanceof Batch) item.dumps = item.dumps.filter(({dump}) => !gone.has(dump));
    this.#items = this.#items.filter(item => !(item instanceof Batch) || item.serves || item.dumps.length > 0);
    const still = dumps.filter(dump => named.has(dump));
    if (still.length > 0) this.add({op: 'close', dumps: still});
  }
}
