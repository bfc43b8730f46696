import {describe, expect, test} from 'vitest';
import {type Folder, FolderCache, type IndexCache, MemoryCache, type MovableFile} from './index-cache.ts';

// A folder in memory that does what the browser's does, as far as the cache asks it. What is written is there on close.
class FakeFolder implements Folder {
  readonly files = new Map<string, Blob>();
  full = false;
  async *values(): AsyncIterable<MovableFile> {
    for (const name of [...this.files.keys()]) yield this.#handle(name);
  }
  async getFileHandle(name: string, options?: {create: boolean}): Promise<MovableFile> {
    if (!this.files.has(name)) {
      if (!options?.create) throw new Error('NotFoundError');
      this.files.set(name, new Blob([]));
    }
    return this.#handle(name);
  }
  async removeEntry(name: string): Promise<void> {
    if (!this.files.delete(name)) throw new Error('NotFoundError');
  }
  #handle(name: string): MovableFile {
    const {files} = this;
    const there = (): Blob => {
      const file = files.get(name);
      if (!file) throw new Error('NotFoundError');
      return file;
    };
    let written: Blob[] = [];
    return {
      kind: 'file',
      name,
      getFile: async () => there() as File,
      createWritable: async () => ({
        write: async data => {
          if (this.full) throw new Error('QuotaExceededError');
          written.push(data);
        },
        close: async () => void files.set(name, new Blob(written)),
        abort: async () => {
          written = [];
        },
      }),
      move: async to => {
        const file = there();
        files.delete(name);
        files.set(to, file);
      },
    };
  }
}

const key = (n: number): string => n.toString(16).padStart(64, '0');
const index = (size: number): Blob => new Blob(['x'.repeat(size)]);
const has = async (cache: IndexCache, ...keys: number[]): Promise<number[]> => {
  const found = await Promise.all(keys.map(async n => ((await cache.get(key(n))) ? n : -1)));
  return found.filter(n => n >= 0);
};

let clock = 0;
const folderCache = (folder = new FakeFolder(), most = 100): FolderCache => new FolderCache(folder, most, () => clock);

describe.each([
  ['in memory', () => new MemoryCache(100)],
  ['in a folder', folderCache],
])('indexes kept %s', (_, make: () => IndexCache) => {
  test('come back as they were put, until they are dropped', async () => {
    const cache = make();
    expect(await cache.get(key(1))).toBe(null);
    await cache.put(key(1), new Blob(['one']));
    await cache.put(key(2), new Blob(['two']));
    await cache.put(key(1), new Blob(['again']));
    expect(await (await cache.get(key(1)))?.text()).toBe('again');
    expect(await cache.stored()).toMatchObject({files: 2, bytes: 8});
    await cache.drop(key(1));
    await cache.drop(key(7));
    expect(await has(cache, 1, 2)).toEqual([2]);
    await cache.clear();
    expect(await cache.stored()).toMatchObject({files: 0, bytes: 0});
    expect(await has(cache, 1, 2)).toEqual([]);
  });

  test('are removed when they take too much room, the least recently used first', async () => {
    const cache = make();
    for (const n of [1, 2, 3]) await cache.put(key(n), index(30));
    await cache.get(key(1));
    await cache.put(key(4), index(30));
    expect(await has(cache, 1, 2, 3, 4)).toEqual([1, 3, 4]);
    expect((await cache.stored()).bytes).toBe(90);
  });

  test('are not kept when one alone is too much', async () => {
    const cache = make();
    await cache.put(key(1), index(101));
    expect(await has(cache, 1)).toEqual([]);
  });
});

describe('a folder', () => {
  test('has no index under its own name before all of it is written', async () => {
    const folder = new FakeFolder();
    folder.full = true;
    await folderCache(folder).put(key(1), index(10));
    expect([...folder.files.keys()]).toEqual([]);
    folder.full = false;
    await folderCache(folder).put(key(1), index(10));
    expect([...folder.files.keys()]).toEqual([expect.stringMatching(/^0{63}1\.[0-9]+$/)]);
  });

  test('is shared by several tabs, and an index that another tab removed is absent', async () => {
    const folder = new FakeFolder();
    const [a, b] = [folderCache(folder), folderCache(folder)];
    await a.put(key(1), index(10));
    expect(await has(b, 1)).toEqual([1]);
    await b.clear();
    expect(await has(a, 1)).toEqual([]);
  });

  test('keeps unfinished files for an hour, since another tab may still write them', async () => {
    const folder = new FakeFolder();
    clock = 5_000_000;
    folder.files.set(`${key(1)}.${clock}.part`, index(3));
    folder.files.set('notes.txt', index(3));
    clock += 3500e3;
    const cache = folderCache(folder);
    await cache.put(key(2), index(1));
    expect(folder.files.size).toBe(3);
    expect(await has(cache, 1)).toEqual([]);
    clock += 200e3;
    await cache.put(key(2), index(1));
    expect([...folder.files.keys()].filter(name => name.includes('part'))).toEqual([]);
  });

  test('a browser that refuses everything causes no error', async () => {
    const refuse = async (): Promise<never> => {
      throw new Error('SecurityError');
    };
    async function* values(): AsyncGenerator<MovableFile> {
      yield await refuse();
    }
    const refusing: Folder = {values, getFileHandle: refuse, removeEntry: refuse};
    const cache = new FolderCache(refusing);
    await cache.put(key(1), index(1));
    await cache.drop(key(1));
    await cache.clear();
    expect(await cache.get(key(1))).toBe(null);
    expect(await cache.stored()).toEqual({files: 0, bytes: 0, lasting: true});
  });
});
