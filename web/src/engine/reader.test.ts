import {describe, expect, test} from 'vitest';
import type {ReadSync} from './protocol.ts';
import {BACK, type Budget, CALL, Reader, WHOLE, WINDOW} from './reader.ts';

// A file whose bytes say where they are, and which counts what is read of it. It holds no memory, whatever its size.
class Fake {
  readonly reads: {start: number; size: number}[] = [];
  constructor(readonly size: number) {}
  blob(start = 0, end = this.size): Blob {
    return {start, size: end - start, slice: (a: number, b: number) => this.blob(a, b)} as unknown as Blob;
  }
  readonly readSync: ReadSync = piece => {
    const {start, size} = piece as unknown as {start: number; size: number};
    this.reads.push({start, size});
    const bytes = new Uint8Array(size);
    for (let i = 0; i < size; i++) bytes[i] = (start + i) % 251;
    return bytes.buffer;
  };
}

const make = (size: number, budget: Budget = {left: WHOLE}, onprogress?: (loaded: number) => void) => {
  const fake = new Fake(size);
  return {fake, file: new Reader('a.dmp', fake.blob(), budget, fake.readSync, onprogress)};
};

/** Reads here and there, from the back to the front, so that it is no reader from front to back. */
const scatter = (file: Reader, times: number): void => {
  const step = Math.floor(file.size / times);
  for (let i = times - 1; i >= 0; i--) check(file.read(i * step, 100), i * step, 100);
};

// Both at once, because what was read before may be gone after the next read.
const check = (bytes: Uint8Array, offset: number, count: number): void => {
  expect(bytes.length).toBe(count);
  expect([bytes[0], bytes[count - 1]]).toEqual([offset % 251, (offset + count - 1) % 251]);
};

describe('reading a Blob', () => {
  test('a look at the header reads the header', () => {
    const {fake, file} = make(5 << 20);
    check(file.read(0, 4096), 0, 4096);
    expect(fake.reads).toEqual([{start: 0, size: 4096}]);
  });

  test('a closed file gives its memory back to the budget, once', () => {
    const budget = {left: WHOLE};
    const size = 5 << 20;
    const {file} = make(size, budget);
    scatter(file, Math.ceil(size / CALL) + 1);
    expect(budget.left).toBe(WHOLE - size);
    file.close();
    file.close();
    expect(budget.left).toBe(WHOLE);
  });

  test('a file is held in memory once as many bytes were read as it has', () => {
    const budget = {left: WHOLE};
    const size = 5 << 20;
    const {fake, file} = make(size, budget);
    const enough = Math.floor(size / CALL);
    scatter(file, enough);
    expect(fake.reads.length).toBe(enough);
    expect(budget.left).toBe(WHOLE);
    for (const offset of [5, 2 << 20, 77, size - 1000]) check(file.read(offset, 1000), offset, 1000);
    expect(fake.reads.slice(enough)).toEqual([{start: 0, size}]);
    expect(budget.left).toBe(WHOLE - size);
  });

  test('a file held in pieces is read across their ends, with progress', () => {
    const progress: number[] = [];
    const size = 2 * WINDOW + 1000;
    const {fake, file} = make(size, {left: WHOLE}, loaded => progress.push(loaded));
    scatter(file, Math.ceil(size / CALL));
    fake.reads.length = 0;
    for (const offset of [0, WINDOW - 500, WINDOW, 2 * WINDOW - 1, size - 1000]) {
      check(file.read(offset, 1000), offset, 1000);
    }
    check(file.read(100, 2 * WINDOW), 100, 2 * WINDOW);
    expect(fake.reads).toEqual([]);
    expect(progress).toEqual([WINDOW, 2 * WINDOW, size]);
  });

  test('a large symbol file that is read at random offsets is never held', () => {
    const size = 2 * WINDOW;
    const fake = new Fake(size);
    const readSync: ReadSync = piece => {
      const bytes = new Uint8Array(fake.readSync(piece));
      if ((piece as unknown as {start: number}).start === 0) bytes.set(new TextEncoder().encode('MODULE Linux'));
      return bytes.buffer;
    };
    const file = new Reader('a.sym', fake.blob(), {left: WHOLE}, readSync);
    file.read(0, 4096);
    for (let at = size - 4096; at > 0; at -= CALL / 2) file.read(at, 4096);
    expect(fake.reads.filter(read => read.size > 4096)).toEqual([]);
  });

  test('without budget a file is not held, and still read right', () => {
    const {fake, file} = make(3 << 20, {left: (3 << 20) - 1});
    scatter(file, 20);
    expect(fake.reads.every(read => read.size === 100)).toBe(true);
  });

  test.each([
    ['without gaps', 0],
    ['with the start of a cut line read again', 300],
    ['with long lines', BACK],
  ])('a large file from front to back is read in windows, %s', (_, back) => {
    const {fake, file} = make(WHOLE + WINDOW + 12345);
    const step = 4 << 20;
    for (let offset = 0; offset < file.size; offset += step - back) {
      const count = Math.min(step, file.size - offset);
      check(file.read(offset, count), offset, count);
    }
    // A window ends in the middle of what is asked for, and the next begins with that. The first ones grow.
    expect(fake.reads.length).toBeLessThan(4 + file.size / (WINDOW - step));
    expect(Math.max(...fake.reads.map(read => read.size))).toBe(WINDOW);
  });

  test('a second reader from the front starts anew', () => {
    const {file} = make(WHOLE * 2);
    for (let pass = 0; pass < 2; pass++) {
      for (let offset = 0; offset < 3 * WINDOW; offset += 1 << 20) check(file.read(offset, 1 << 20), offset, 1 << 20);
    }
  });

  test('a large file that is read at random offsets is read in the requested ranges only', () => {
    const {fake, file} = make(WHOLE * 2);
    for (const offset of [WHOLE, 5, WHOLE + 99, 1 << 20]) check(file.read(offset, 4096), offset, 4096);
    expect(fake.reads.map(read => read.size)).toEqual([4096, 4096, 4096, 4096]);
  });

  test('a few pages in a row are not worth a window, and do not cost the one that is held', () => {
    const {fake, file} = make(WHOLE * 2);
    const step = 4 << 20;
    for (let offset = 0; offset < 4 * step; offset += step) check(file.read(offset, step), offset, step);
    fake.reads.length = 0;
    for (const offset of [WHOLE, WHOLE + 4096, WHOLE + 8192]) check(file.read(offset, 4096), offset, 4096);
    check(file.read(3 * step, 4096), 3 * step, 4096);
    expect(fake.reads.map(read => read.size)).toEqual([4096, 4096, 4096]);
  });

  test('what cannot be read throws', () => {
    const fake = new Fake(10);
    const file = new Reader('a', fake.blob(), {left: 0}, () => {
      throw new Error('gone');
    });
    expect(() => file.read(0, 5)).toThrow('gone');
  });
});
