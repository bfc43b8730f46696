import {expect, test} from 'vitest';
import {loadingWords, workWords} from './work.ts';

const at = (phase: 'opening' | 'reading' | 'indexing' | 'walking', done: number, total: number, seconds = 0): string =>
  workWords({progress: {phase, file: 'symbols/libxul.sym', done, total}, since: 0}, seconds * 1000);

test('says how much is read, and how fast once that is known', () => {
  expect(at('reading', 412e6, 980e6)).toBe('Reading libxul.sym, 412 of 980 MB');
  expect(at('indexing', 412e6, 980e6, 0.6)).toBe('Indexing libxul.sym, 412 of 980 MB, 687 MB/s');
  expect(at('reading', 2.2e9, 4e9, 2)).toBe('Reading libxul.sym, 2.2 of 4.0 GB, 1.1 GB/s');
});

test('measures small files in small units, and what has no size not at all', () => {
  expect(at('reading', 5, 10)).toBe('Reading libxul.sym, 5 of 10 bytes');
  expect(at('reading', 1500, 20_000)).toBe('Reading libxul.sym, 2 of 20 kB');
  expect(at('reading', 5, 0)).toBe('Reading libxul.sym');
});

test('says how much came out of a compressed file, whose end is not known', () => {
  expect(at('reading', 412e6, 0)).toBe('Reading libxul.sym, 412 MB so far');
  expect(at('reading', 2.2e9, 0, 2)).toBe('Reading libxul.sym, 2.2 GB so far, 1.1 GB/s');
});

test('counts files that are opened, if there are several', () => {
  expect(at('opening', 5895, 60_000, 9)).toBe('Reading libxul.sym, 5895 of 60\u2009000 files');
  expect(at('opening', 0, 1)).toBe('Reading libxul.sym');
});

test('counts stacks by the hundred', () => {
  expect(at('walking', 43, 100, 9)).toBe('Walking the stacks of libxul.sym, 43 %');
});

test('has a word before the first step', () => {
  expect(workWords({progress: null, since: 0}, 0)).toBe('Reading');
});

test('says for how long there was no progress', () => {
  const progress = {phase: 'walking', file: 'a.dmp', done: 1, total: 9} as const;
  expect(workWords({progress, since: 0, silent: 4}, 9000)).toBe('Walking the stacks of a.dmp, no progress for 4 s');
  expect(workWords({progress: null, since: 0, silent: 4}, 9000)).toBe('Working, no progress for 4 s');
});

test('the progress of the transfer is shown where it is known', () => {
  expect([0, 1_200_000].map(loadingWords)).toEqual(['Loading the program', 'Loading the program, 1 MB so far']);
});
