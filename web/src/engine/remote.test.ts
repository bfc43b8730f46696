import {expect, test} from 'vitest';
import type {Part} from './protocol.ts';
import {GRAIN, probes, RemoteFile, ranges} from './remote.ts';

// A byte says in which grain it is.
const part = (from: number, to: number): Part => ({
  from,
  bytes: Uint8Array.from({length: to - from}, (_, i) => Math.floor((from + i) / GRAIN)),
});
const never = (): ArrayBuffer => {
  throw new Error('nothing is read from a blob');
};
const remote = (size: number, ...parts: Part[]): RemoteFile =>
  new RemoteFile('a.sym', {url: 'https://x/a.sym', size, tag: '"1"', parts}, never);

test('present bytes are read across grains, and a missing range is noted once', () => {
  const file = remote(10 * GRAIN + 7, part(0, 2 * GRAIN));
  expect(file.read(GRAIN - 2, 4)).toEqual(new Uint8Array([0, 0, 1, 1]));
  expect(file.read(2 * GRAIN - 1, 2)).toBeNull();
  expect(file.read(5 * GRAIN, 2 * GRAIN)).toBeNull();
  expect(file.read(10 * GRAIN, 7)).toBeNull();
  expect(file.missing()).toEqual([
    [2 * GRAIN, 3 * GRAIN],
    [5 * GRAIN, 7 * GRAIN],
    [10 * GRAIN, 10 * GRAIN + 7],
  ]);
  expect(file.missing()).toEqual([]);
  file.add(part(10 * GRAIN, 10 * GRAIN + 7));
  expect(file.read(10 * GRAIN + 5, 2)).toEqual(new Uint8Array([10, 10]));
});

test('a complete file is read without its host', () => {
  const file = new RemoteFile('a.sym', {url: '', size: 3, tag: '""', parts: []}, () => new Uint8Array([7, 8]).buffer);
  file.add({from: 0, bytes: new Uint8Array(0), whole: new Blob([new Uint8Array([6, 7, 8])])});
  expect(file.read(1, 2)).toEqual(new Uint8Array([7, 8]));
  expect(file.missing()).toEqual([]);
});

test('ranges do not touch and end with the file', () => {
  expect(ranges([3, 1, 2, 9], 9 * GRAIN + 1)).toEqual([
    [GRAIN, 4 * GRAIN],
    [9 * GRAIN, 9 * GRAIN + 1],
  ]);
});

test('the probes are all over the file, and few', () => {
  const size = 109_122_993;
  const all = probes(size);
  expect(all.length).toBe(32);
  expect(all[0]).toEqual([0, 2048]);
  expect(all.at(-1)?.[1]).toBe(size);
  expect(all.reduce((sum, [from, to]) => sum + to - from, 0)).toBeLessThanOrEqual(64 * 1024);
});
