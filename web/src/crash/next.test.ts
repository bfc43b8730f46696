import {describe, expect, test} from 'vitest';
import {frame, module, report, thread} from '../../test/make.ts';
import type {NextStep, Report} from '../report.ts';
import {nextSteps} from './next.ts';

const step = (text: string, more: Partial<NextStep> = {}): NextStep => ({kind: 'look_at', text, ...more});

const words = (r: Report, onPhone = false): string[] =>
  nextSteps(r, 'linux', onPhone).map(s => s.words.map(w => (w.code ? `[${w.text}]` : w.text)).join(''));

test('names of files are code, and invisible characters are shown', () => {
  expect(words(report({next_steps: [step('Look at `f` in row 3.'), step('a\u202eb')]}))).toEqual([
    'Look at [f] in row 3.',
    'a\\u202eb',
  ]);
});

test('there may be nothing to do', () => {
  expect(words(report({next_steps: null}))).toEqual([]);
  expect(words(report())).toEqual([]);
});

test('a place on a stack can be shown', () => {
  const stack = thread([frame(0, 'a'), frame(1, 'b')], {crashed: true});
  const r = report({threads: [stack], next_steps: [step('Look.', {thread: 0, row: 1}), step('Look.', {thread: 7})]});
  expect(nextSteps(r, 'linux', false).map(s => (s.does?.kind === 'row' ? s.does.row.number : null))).toEqual([1, null]);
});

describe('a file to get', () => {
  const stack = thread([frame(0), frame(1, {trust: 'scan'})], {crashed: true});
  const of = (more: object): Report =>
    report({
      threads: [stack],
      modules: [module('app.exe')],
      next_steps: [step('Get `app.pdb` with ID `ABC1`.', {kind: 'get_symbols', module: 0})],
      wanted_symbols: [
        {
          module: 0,
          debug_file: 'app.pdb',
          debug_id: 'ABC1',
          code_file: 'app.exe',
          code_id: '',
          paths: ['app.pdb/ABC1/app.sym'],
          frames: 5,
          crashing: true,
          state: 'missing',
          why: null,
          ...more,
        },
      ],
    });

  test('says what it settles, without ids, and has the command', () => {
    const r = of({origin: 'mozilla', server: 'https://moz'});
    expect(words(r)).toEqual([
      'Get [app.sym] of this build from Mozilla. It names 2 frames of this stack, and shows which guesses are real.',
    ]);
    expect(nextSteps(r, 'powershell', false)[0]?.does).toEqual({
      kind: 'command',
      command: 'curl.exe -fLO https://moz/app.pdb/ABC1/app.sym',
    });
    expect(nextSteps(r, 'linux', true)[0]?.does).toEqual({kind: 'link', url: 'https://moz/app.pdb/ABC1/app.sym'});
  });

  test('from the build folder there is no link', () => {
    expect(words(of({origin: 'build'}))[0]).toContain(
      '[app.pdb] and [app.exe] of this build from the build folder. They name',
    );
    expect(nextSteps(of({origin: 'build'}), 'linux', true)[0]?.does).toBe(null);
  });

  test('that the report does not list is told in its own words', () =>
    expect(words({...of({}), wanted_symbols: []})).toEqual(['Get [app.pdb] with ID [ABC1].']));
});
