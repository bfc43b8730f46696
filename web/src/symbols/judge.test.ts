import {expect, test} from 'vitest';
import {module, report, symbols as someSymbols} from '../../test/make.ts';
import type {Symbols} from '../report.ts';
import {fateOf, outcome} from './judge.ts';

const symbols = (state: string, file: string, also: string[] | null = null): Symbols =>
  someSymbols(state, {file, also});

const r = report({
  modules: [
    module('app', {symbols: symbols('matched', 'in/app.sym', ['in/app.debug'])}),
    module('lib', {symbols: symbols('wrong_build', 'in/lib.sym')}),
    module('bad', {symbols: symbols('damaged', 'in/bad.sym')}),
    module('none'),
  ],
});

test('of each file the reports say what became of it', () => {
  expect(
    ['in/app.sym', 'in/app.debug', 'in/lib.sym', 'in/bad.sym', 'in/x.sym'].map(name => fateOf(name, [r]).fate),
  ).toEqual(['used', 'used', 'other_build', 'damaged', 'unfit']);
});

test('a file that one dump uses is used, whatever another says', () => {
  const other = report({modules: [module('app', {symbols: symbols('wrong_build', 'in/app.sym')})]});
  expect([fateOf('in/app.sym', [other, r]).fate, fateOf('in/app.sym', [r, other]).fate]).toEqual(['used', 'used']);
});

test.each([
  [['in/app.sym'], 'Updated with app.sym'],
  [['in/x.sym'], 'x.sym fits no module here'],
  [['in/lib.sym'], 'lib.sym not used: other build of lib'],
  [['in/none.dll.sym'], 'none.dll.sym is for none, which is on no stack'],
  [['in/bad.sym'], 'bad.sym not used: damaged, the list of symbols says where'],
  [['in/app.sym', 'in/app.debug', 'x', 'y'], 'Updated with 2 symbol files; 2 symbol files fit no module here'],
  [['a\u202eb'], 'a\\u202eb fits no module here'],
])('%j: %s', (names, words) => expect(outcome(names, [r])).toBe(words));

test('nothing given, nothing told', () => expect(outcome([], [r])).toBe(null));

test('of a file that is used although it is damaged, it is said where', () => {
  const damage = {line: 812, records: 1, truncated: true};
  const hurt = report({modules: [module('app', {symbols: {...symbols('matched', 'app.sym'), damage}})]});
  expect(outcome(['app.sym'], [hurt])).toBe(
    'Updated with app.sym; app.sym is possibly truncated in line 812: used up to there',
  );
});
