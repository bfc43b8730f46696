import {expect, test} from 'vitest';
import {report} from '../../test/make.ts';
import type {NextStep} from '../report.ts';
import {nextSteps} from './next.ts';

const step = (text: string): NextStep => ({kind: 'get_symbols', text});

test('names of files are code, and what nobody could see is shown', () => {
  expect(
    nextSteps(report({next_steps: [step('Get `app.pdb` from the folder of that build.'), step('a\u202eb')]})),
  ).toEqual([
    [
      {text: 'Get ', code: false},
      {text: 'app.pdb', code: true},
      {text: ' from the folder of that build.', code: false},
    ],
    [{text: 'a\\u202eb', code: false}],
  ]);
});

test('there may be nothing to do', () => {
  expect(nextSteps(report({next_steps: null}))).toEqual([]);
  expect(nextSteps(report())).toEqual([]);
});
