import {describe, expect, test} from 'vitest';
import type {ReadableFile} from './protocol.ts';
import {BACK, type Budget, type ReadSync, readable, SEVERAL, WHOLE, WINDOW} from './reader.ts';

// A file whose bytes say where they are, and which counts what is read of it. It holds no memory, whatever its size.
class Fake {
  readonly sync: {start: number; size: number}[] = [];
  readonly async: {start: number; size: number}[] = [];
  constructor(readonly size: number) {}

  blob(start = 0, end = this.size): Blob {
    const piece = {start, size: end - start};
    const slice = (a: number, b: number): Blob => this.blob(a, b);
    const arrayBuffer = async (): Promise<ArrayBuffer> => {
      this.async.push(piece);
      return this.#bytes(piece);
    };
    return {...piece, slice, arrayBuffer} as unknown as Blob;
  }

  readonly readSync: ReadSync = blob => {
    const {start, size} = blob as unknown as {start: number; size: number};
    this.sync.push({start, size});
    return this.#bytes({start, size});
  };

  #bytes({start, size}: {start: number; size: number}): ArrayBuffer {
    const bytes = new Uint8Array(size);
    for (let i = 0; i < size; i += 4096) bytes[i] = (start + i) % 251;
    for (let i = size - 1; i >= 0; i -= 4096) bytes[i] = (start + i) % 251;
    for (let i = 4095 - (start % 4096); i < size; i += 4096) bytes[i] = (start + i) % 251;
    for (let i = (4096 - (start % 4096)) % 4096; i < size; i += 4096) bytes[i] = (start + i) % 251;
    return bytes.buffer;
  }
}

const make = (size: number, budget: Budget = {left: WHOLE}) => {
  const fake = new Fake(size);
  return {fake, file: readable('a.dmp', fake.blob(), budget, fake.readSync)};
};

/** Reads whole blocks of 4096 bytes, whose first and last bytes every piece of a Fake knows. */
async function check(file: ReadableFile, offset: number, count: number): Promise<void> {
  const bytes = await file.read(offset, count);
  expect(bytes.length).toBe(count);
  for (let i = 0; i < count; i += 4096) {
    const last = Math.min(i + 4095, count - 1);
    if (bytes[i] !== (offset + i) % 251 || bytes[last] !== (offset + last) % 251) {
      expect([offset + i, bytes[i], bytes[last]]).toEqual([offset + i, (offset + i) % 251, (offset + last) % 251]);
    }
  }
}

describe('reading a Blob', () => {
  test('a look at the header reads the header, at once', async () => {
    const {fake, file} = make(5 << 20);
    expect(file.read(0, 4096)).toBeInstanceOf(Uint8Array);
    expect(fake).toMatchObject({sync: [{start: 0, size: 4096}], async: []});
  });

  test('a small file that is read again is held whole', async () => {
    const budget = {left: WHOLE};
    const {fake, file} = make(5 << 20, budget);
    await check(file, 0, 1 << 20);
    await check(file, 4 << 20, 4096);
    for (const offset of [4096, 2 << 20, 8192]) {
      expect(file.read(offset, 4096)).toBeInstanceOf(Uint8Array);
      await check(file, offset, 4096);
    }
    expect(fake).toMatchObject({sync: [{start: 0, size: 1 << 20}], async: [{start: 0, size: 5 << 20}]});
    expect(budget.left).toBe(WHOLE - (5 << 20));
  });

  test('without budget a file is not held, and still read right', async () => {
    const {fake, file} = make(3 << 20, {left: SEVERAL});
    for (const offset of [2 << 20, 0, 1 << 20, 4096]) await check(file, offset, 1 << 20);
    expect([...fake.sync, ...fake.async].every(({size}) => size < 3 << 20)).toBe(true);
  });

  test.each([
    ['without gaps', 0],
    ['with the start of a cut line read again', 4096],
    ['with long lines', BACK],
  ])('a large file from front to back comes in windows, %s', async (_, back) => {
    const {fake, file} = make(WHOLE + WINDOW + 12345);
    const step = 4 << 20;
    for (let offset = 0; offset < file.size; offset += step - back) {
      await check(file, offset, Math.min(step, file.size - offset));
    }
    expect(fake.sync).toEqual([{start: 0, size: step}]);
    expect(fake.async.length).toBe(Math.ceil((file.size - step + back) / WINDOW));
    expect(Math.max(...fake.async.map(({size}) => size))).toBe(WINDOW);
  });

  test('the next window is on its way before it is asked for', async () => {
    const {fake, file} = make(WHOLE * 2);
    await check(file, 0, 4096);
    await check(file, 4096, 4096);
    expect(fake.async).toEqual([
      {start: 4096, size: WINDOW},
      {start: 4096 + WINDOW, size: WINDOW},
    ]);
  });

  test('a large file that is read here and there is read in what was asked for', async () => {
    const {fake, file} = make(WHOLE * 2);
    for (const offset of [WHOLE, 4096, WHOLE + (3 << 20), 1 << 20]) await check(file, offset, 4096);
    expect(fake.sync.map(({size}) => size)).toEqual([4096, 4096, 4096, 4096]);
    expect(fake.async).toEqual([]);
  });

  test('a second reader from the front starts anew', async () => {
    const {file} = make(WHOLE * 2);
    for (let pass = 0; pass < 2; pass++) {
      for (let offset = 0; offset < 3 * WINDOW; offset += 4 << 20) await check(file, offset, 4 << 20);
    }
  });

  test('what cannot be read fails', async () => {
    const gone = (): never => {
      throw new Error('gone');
    };
    const blob = {size: WHOLE * 2, slice: () => ({arrayBuffer: async () => gone()})} as unknown as Blob;
    const file = readable('a', blob, {left: 0}, () => new ArrayBuffer(5));
    file.read(0, 5);
    await expect(file.read(5, 5)).rejects.toThrow('gone');
    expect(() => readable('a', blob, {left: 0}, gone).read(0, 5)).toThrow('gone');
  });
});
