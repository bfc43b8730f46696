// Indexes of symbol files, cached by the browser for the next visit: in its private file system, or in memory if there is
// none, as on a page that was opened from a file.
//
// An index holds numbers: the offset of each record and its address. It has no names of functions or source files, and
// no data of a dump. Its own name is a hash.
//
// A file is written under another name, and renamed when all of it is on the disk. It is still untrusted: the Go program
// verifies the checksum when it loads an index, and every record that it uses.
import type {StoredIndexes} from './types.ts';

/** The size of the indexes of about 7 GB of symbol files. */
export const MAX_CACHED = 256 << 20;

export interface IndexCache {
  /** The index of a key. A request counts as use. */
  get(key: string): Promise<Blob | null>;
  /** Keeps an index, and removes the ones that were used longest ago if there are too many. */
  put(key: string, index: Blob): Promise<void>;
  drop(key: string): Promise<void>;
  clear(): Promise<void>;
  stored(): Promise<StoredIndexes>;
}

/** The cache for this page. */
export async function openIndexCache(): Promise<IndexCache> {
  try {
    const root = await navigator.storage.getDirectory();
    const folder = (await root.getDirectoryHandle('indexes', {create: true})) as unknown as Folder;
    if (!('createWritable' in FileSystemFileHandle.prototype && 'move' in FileSystemFileHandle.prototype)) {
      throw new TypeError('files here cannot be written from a page, or not be moved');
    }
    return new FolderCache(folder);
  } catch {
    return new MemoryCache(); // a page from a file, a private window, an older browser
  }
}

/** Keeps indexes while the page is open. A Map remembers the order in which its keys were set. */
export class MemoryCache implements IndexCache {
  readonly #most: number;
  readonly #indexes = new Map<string, Blob>();

  constructor(most = MAX_CACHED) {
    this.#most = most;
  }

  async get(key: string): Promise<Blob | null> {
    const index = this.#indexes.get(key);
    if (!index) return null;
    this.#indexes.delete(key);
    this.#indexes.set(key, index);
    return index;
  }

  async put(key: string, index: Blob): Promise<void> {
    this.#indexes.delete(key);
    this.#indexes.set(key, index);
    for (const oldest of this.#indexes.keys()) {
      if (this.#bytes() <= this.#most) break;
      this.#indexes.delete(oldest);
    }
  }

  async drop(key: string): Promise<void> {
    this.#indexes.delete(key);
  }

  async clear(): Promise<void> {
    this.#indexes.clear();
  }

  async stored(): Promise<StoredIndexes> {
    return {files: this.#indexes.size, bytes: this.#bytes(), lasting: false};
  }

  #bytes(): number {
    return [...this.#indexes.values()].reduce((sum, {size}) => sum + size, 0);
  }
}

/** Parts that TypeScript's types lack. */
export interface MovableFile {
  readonly kind: 'file';
  readonly name: string;
  getFile(): Promise<File>;
  createWritable(): Promise<{write(data: Blob): Promise<void>; close(): Promise<void>; abort(): Promise<void>}>;
  move(name: string): Promise<void>;
}

export interface Folder {
  values(): AsyncIterable<MovableFile | {readonly kind: 'directory'; readonly name: string}>;
  getFileHandle(name: string, options?: {create: boolean}): Promise<MovableFile>;
  removeEntry(name: string): Promise<void>;
}

/** The end of the name of a file that is being written. After this many ms it belongs to a closed page. */
const UNFINISHED = '.part';
const STALE = 3600e3;

/**
 * Keeps indexes as files called KEY.TIME, where TIME is the last use: a browser's file times are those of writing.
 * Several tabs may use one folder, so a file that was moved or removed counts as missing.
 */
export class FolderCache implements IndexCache {
  readonly #folder: Folder;
  readonly #most: number;
  readonly #now: () => number;
  #changes: Promise<unknown> = Promise.resolve();
  #last = 0;

  constructor(folder: Folder, most = MAX_CACHED, now: () => number = Date.now) {
    this.#folder = folder;
    this.#most = most;
    this.#now = now;
  }

  async get(key: string): Promise<Blob | null> {
    try {
      for (const file of await this.#finished()) {
        if (keyOf(file) !== key) continue;
        const name = this.#name(key);
        await file.move(name);
        return await (await this.#folder.getFileHandle(name)).getFile();
      }
    } catch {
      // Another tab removed it, or the browser cleared its storage: the index is missing then.
    }
    return null;
  }

  put(key: string, index: Blob): Promise<void> {
    return this.#inTurn(async () => {
      if (index.size > this.#most) return;
      const file = await this.#folder.getFileHandle(`${this.#name(key)}${UNFINISHED}`, {create: true});
      const to = await file.createWritable();
      try {
        await to.write(index);
        await to.close(); // only close writes the content to the disk
      } catch (error) {
        await to.abort().catch(() => undefined);
        await this.#remove(file);
        throw error;
      }
      for (const old of await this.#finished()) if (keyOf(old) === key) await this.#remove(old);
      await file.move(this.#name(key));
      await this.#evict();
    });
  }

  drop(key: string): Promise<void> {
    return this.#inTurn(async () => {
      for (const file of await this.#finished()) if (keyOf(file) === key) await this.#remove(file);
    });
  }

  clear(): Promise<void> {
    return this.#inTurn(async () => {
      for (const file of await this.#all()) await this.#remove(file);
    });
  }

  async stored(): Promise<StoredIndexes> {
    let bytes = 0;
    let files = 0;
    for (const file of await this.#finished().catch(() => [])) {
      bytes += await sizeOf(file);
      files++;
    }
    return {files, bytes, lasting: true};
  }

  /** Changes run one after another. A failure is ignored: an index that cannot be stored is made again. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    const turn = this.#changes.then(change).catch(() => undefined);
    this.#changes = turn;
    return turn;
  }

  async #evict(): Promise<void> {
    const files = (await this.#finished()).sort((a, b) => timeOf(b) - timeOf(a));
    let bytes = 0;
    for (const file of files) {
      bytes += await sizeOf(file);
      if (bytes > this.#most) await this.#remove(file);
    }
    for (const file of await this.#all()) {
      if (file.name.endsWith(UNFINISHED) && this.#now() - timeOf(file) > STALE) await this.#remove(file);
    }
  }

  async #all(): Promise<MovableFile[]> {
    const files: MovableFile[] = [];
    for await (const entry of this.#folder.values()) if (entry.kind === 'file') files.push(entry);
    return files;
  }

  /** The complete ones. */
  async #finished(): Promise<MovableFile[]> {
    return (await this.#all()).filter(({name}) => /^[0-9a-f]{64}\.[0-9]+$/.test(name));
  }

  async #remove(file: MovableFile): Promise<void> {
    await this.#folder.removeEntry(file.name).catch(() => undefined);
  }

  /** The name of an index that is used now. Two uses in the same millisecond get different times. */
  #name(key: string): string {
    this.#last = Math.max(this.#now(), this.#last + 1);
    return `${key}.${this.#last}`;
  }
}

const keyOf = ({name}: MovableFile): string => name.split('.', 1)[0] ?? '';

const timeOf = ({name}: MovableFile): number => Number(name.split('.')[1] ?? 0);

const sizeOf = (file: MovableFile): Promise<number> =>
  file.getFile().then(
    ({size}) => size,
    () => 0,
  );
