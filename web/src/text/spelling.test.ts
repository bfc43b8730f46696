import {expect, test} from 'vitest';
import {frame, report, thread} from '../../test/make.ts';
import type {Report} from '../report.ts';
import {hasSpellings, inSpelling} from './spelling.ts';

// A name that was made readable, one that a .sym file has as the linker does, one without a second spelling, and an inlined one.
const both = (): Report => {
  const of = report({
    threads: [
      thread(
        [
          frame(0, {function: 'work::run()', linkage_function: '_ZN4work3runEv', readable_function: null}),
          frame(1, {function: '_ZN4main2goEv', linkage_function: null, readable_function: 'main::go()'}),
          frame(2, {function: 'main', linkage_function: null, readable_function: null}),
        ],
        {crashed: true},
      ),
    ],
  });
  return {...of, verdict: {...of.verdict, where: '_ZN4main2goEv'}};
};

const functions = (of: Report): (string | null)[] => (of.threads?.[0]?.frames ?? []).map(f => f.function);

test('each name in the spelling that is asked for, there and back', () => {
  const readable = ['work::run()', 'main::go()', 'main'];
  const raw = ['_ZN4work3runEv', '_ZN4main2goEv', 'main'];
  const first = inSpelling(both(), false);
  expect(functions(first)).toEqual(readable);
  expect(functions(inSpelling(first, false))).toEqual(readable);
  const second = inSpelling(first, true);
  expect(functions(second)).toEqual(raw);
  expect(functions(inSpelling(second, true))).toEqual(raw);
  expect(functions(inSpelling(second, false))).toEqual(readable);
});

test('the verdict names the same function in the same spelling', () => {
  expect(inSpelling(both(), false).verdict.where).toBe('main::go()');
  expect(inSpelling(both(), true).verdict.where).toBe('_ZN4main2goEv');
  const near = {...both(), verdict: {...both().verdict, where: '~ _ZN4main2goEv'}};
  expect(inSpelling(near, false).verdict.where).toBe('~ main::go()');
});

test('whether there is anything to choose', () => {
  expect(hasSpellings(both())).toBe(true);
  expect(
    hasSpellings(
      report({threads: [thread([frame(0, {function: 'main', linkage_function: null, readable_function: null})])]}),
    ),
  ).toBe(false);
});
