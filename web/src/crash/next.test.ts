import {expect, test} from 'vitest';
import {report} from '../../test/make.ts';
import {nextSteps} from './next.ts';

test('steps that the panel and the list of symbols show are left out', () => {
  const next_steps = [
    {kind: 'look_at', text: 'Look at `f` in row 3.'},
    {kind: 'get_symbols', module: 0, text: 'Get `app.pdb`.'},
    {kind: 'get_symbols', module: 1, text: 'Get `lib.pdb`.'},
    {kind: 'run_sanitizer', text: 'Run the program with AddressSanitizer.'},
  ];
  const wanted = {
    debug_file: '',
    debug_id: '',
    code_file: '',
    code_id: '',
    paths: [],
    frames: 5,
    crashing: true,
    state: 'missing',
    why: null,
  };
  expect(nextSteps(report({next_steps, wanted_symbols: [{...wanted, module: 0}]}))).toEqual([
    'Get `lib.pdb`.',
    'Run the program with AddressSanitizer.',
  ]);
});

test('there may be nothing to do', () => {
  expect(nextSteps(report({next_steps: null}))).toEqual([]);
});
