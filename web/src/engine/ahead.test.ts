import {expect, test} from 'vitest';
import {Ahead, pages} from './ahead.ts';

const PAGE = 64 << 10;
const OVERLAP = 4 << 10;

test('32 pages all over a file, each with the beginning of the next, and the last to the end', () => {
  const size = 1000 * PAGE - 100;
  const all = pages(size);
  expect(all).toHaveLength(32);
  expect(all[0]).toEqual({offset: 0, count: PAGE + OVERLAP});
  expect(all[1]).toEqual({offset: 32 * PAGE, count: PAGE + OVERLAP});
  expect(all.at(-1)).toEqual({offset: 999 * PAGE, count: PAGE - 100});
});

test('a page is handed out once, and only as a whole', async () => {
  const ahead = new Ahead(new Blob([new Uint8Array(3 * PAGE).map((_, i) => i % 251)]));
  expect(ahead.take(0, PAGE + OVERLAP)).toBeNull();
  await ahead.ready;
  expect(ahead.take(PAGE, 100)).toBeNull();
  expect(ahead.take(PAGE, PAGE + OVERLAP)?.[3]).toBe((PAGE + 3) % 251);
  expect(ahead.take(PAGE, PAGE + OVERLAP)).toBeNull();
  ahead.drop();
  expect(ahead.take(0, PAGE + OVERLAP)).toBeNull();
});

test('a file that is gone is read by nothing ahead', async () => {
  const gone = {size: PAGE, slice: () => ({arrayBuffer: () => Promise.reject(new Error('gone'))})} as unknown as Blob;
  const ahead = new Ahead(gone);
  await ahead.ready;
  expect(ahead.take(0, PAGE)).toBeNull();
});
