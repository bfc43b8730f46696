import {expect, test} from 'vitest';
import {report, thread} from '../../test/make.ts';
import {barOf, bars, barWords, newestVersions, spanOf} from './spark.ts';
import {type Crash, crashOf} from './triage.ts';

const at = (written: number | null, version = '1', program = 'app'): Crash => ({
  ...crashOf(0, 'a.dmp', report({threads: [thread([])]}), 0),
  written,
  version,
  program,
});

test('bars lie between the first and the last dump', () => {
  const crashes = [at(0), at(1600), at(1599), at(null)];
  const span = spanOf(crashes);
  expect(span).toEqual({from: 0, to: 1600});
  expect(span && bars({key: '', title: '', detail: '', crashes}, span)).toEqual([1, ...new Array(14).fill(0), 2]);
  expect(span && barOf(span, 800)).toBe(8);
  expect(span && barWords(span)).toMatch(/^A bar is 1 min 40 s;/);
});

test.each([[[]], [[at(null)]], [[at(5), at(5)]]])('dumps of one time have none', crashes =>
  expect(spanOf(crashes)).toBe(null),
);

test('the newest version of a program is that of its last dump', () => {
  const crashes = [at(3, '2'), at(1, '1'), at(4, '2'), at(9, '', 'other')];
  expect([...newestVersions(crashes)]).toEqual([['app', 3]]);
});
