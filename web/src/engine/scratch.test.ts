import {afterEach, expect, test, vi} from 'vitest';
import {mayGrow, openScratch, sweep} from './scratch.ts';

// A private file system of one folder: names, and the bytes of the file that is open.
function fileSystem(names: string[]) {
  const bytes = new Uint8Array(1 << 10);
  const files = {
    keys: async function* () {
      yield* [...names];
    },
    removeEntry: async (name: string) => {
      if (name === 'in use') throw new DOMException('', 'NoModificationAllowedError');
      names.splice(names.indexOf(name), 1);
    },
    getFileHandle: async (name: string) => {
      names.push(name);
      return {
        createSyncAccessHandle: async () => ({
          write: (from: Uint8Array, {at}: {at: number}) => {
            bytes.set(from, at);
            return from.length;
          },
          read: (to: Uint8Array, {at}: {at: number}) => {
            to.set(bytes.subarray(at, at + to.length));
            return to.length;
          },
        }),
      };
    },
  };
  vi.stubGlobal('navigator', {storage: {getDirectory: async () => ({getDirectoryHandle: async () => files})}});
  return names;
}

afterEach(() => void vi.unstubAllGlobals());

test('what is written is read again, and zeros behind it', async () => {
  fileSystem([]);
  const scratch = await openScratch();
  expect(scratch?.write(5, new Uint8Array([1, 2]))).toBe(2);
  expect(scratch?.read(4, 4)).toEqual(new Uint8Array([0, 1, 2, 0]));
});

test('files of ended workers are removed', async () => {
  const names = fileSystem(['old', 'in use', 'older']);
  await sweep();
  expect(names).toEqual(['in use']);
});

test('a browser without such a file system has no scratch', async () => {
  vi.stubGlobal('navigator', {});
  expect(await openScratch()).toBeNull();
  await sweep();
});

test('only compressed files of some size may grow', () => {
  const zstd = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0]);
  expect(mayGrow(100_000, zstd)).toBe(true);
  expect(mayGrow(1000, zstd)).toBe(false);
  expect(mayGrow(100_000, new Uint8Array([0x4d, 0x44, 0x4d, 0x50]))).toBe(false);
});
