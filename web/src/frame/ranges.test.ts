import {expect, test} from 'vitest';
import {finder, type Range} from './ranges.ts';

const ranges = (...all: readonly (readonly [number, number])[]): Range<number>[] =>
  all.map(([from, to], of) => ({from: BigInt(from), to: BigInt(to), of}));

test('an address is in the range that has it, whose end is outside', () => {
  const find = finder(ranges([20, 30], [10, 20], [40, 50]));
  expect([9, 10, 19, 20, 29, 30, 45, 50].map(n => find(BigInt(n)))).toEqual([null, 1, 1, 0, 0, null, 2, null]);
});

test('the first of overlapping ranges counts, wherever it begins', () => {
  const find = finder(ranges([5, 8], [0, 100], [6, 7], [0, 50]));
  expect([6, 8, 60].map(n => find(BigInt(n)))).toEqual([0, 1, 1]);
});

test('a range without a size is empty, and so is one that ends before it begins', () => {
  expect(finder(ranges([5, 5], [9, 3]))(5n)).toBeNull();
});

test('the answer is the same as from a search through all of them', () => {
  let seed = 1;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 50; round++) {
    const all = ranges(
      ...Array.from({length: next(20)}, () => {
        const from = next(60);
        return [from, from + next(25)] as const;
      }),
    );
    const find = finder(all);
    for (let n = 0n; n < 90n; n++) expect(find(n)).toBe(all.find(r => n >= r.from && n < r.to)?.of ?? null);
  }
});
