import {describe, expect, test} from 'vitest';
import {frame, module, report, symbols, thread} from '../../test/make.ts';
import type {Symbols, Wanted} from '../report.ts';
import {damageWords, describeSymbols, idDifference, lostIn, stateOf, symbolView} from './symbols.ts';

const wanted = (index: number, state: string, frames: number): Wanted => ({
  module: index,
  debug_file: 'm',
  debug_id: 'ID',
  code_file: 'm',
  code_id: '',
  paths: ['m/ID/m.sym'],
  frames,
  crashing: true,
  state,
  why: null,
});

const modules = [
  module('app', {symbols: symbols('matched')}),
  module('lib', {symbols: symbols('missing')}),
  module('other', {symbols: symbols('wrong_build')}),
  module('idle'),
];
const crashing = thread([frame(0, {module_index: 0}), frame(1, {module_index: 1}), frame(2, {module_index: 1})]);

describe('symbolView', () => {
  test('lists the modules of the stack in its order while nothing is wanted', () => {
    const view = symbolView(report({modules, threads: [crashing]}), crashing);
    expect(view.rows.map(r => [r.module.filename, r.state.words, r.frames])).toEqual([
      ['app', 'Matched', 1],
      ['lib', 'Missing', 2],
    ]);
    expect([view.matched, view.own, view.lacking, view.others]).toEqual([1, false, 0, []]);
  });

  test('puts the worst first when something is, and files for other threads apart', () => {
    const r = report({
      modules,
      threads: [crashing, thread([frame(0, {module_index: 2})])],
      wanted_symbols: [wanted(1, 'missing', 2), wanted(2, 'wrong_build', 1)],
    });
    const view = symbolView(r, crashing);
    expect(view.rows.map(row => row.module.filename)).toEqual(['lib', 'app']);
    expect(view.others.map(row => row.module.filename)).toEqual(['other']);
    expect([...view.most]).toEqual([1]);
  });

  test('does not list modules of which only lines are missing', () => {
    const near = [module('app', {symbols: symbols('matched')}), module('lib', {symbols: symbols('public_only')})];
    const view = symbolView(
      report({modules: near, threads: [crashing], wanted_symbols: [wanted(1, 'public_only', 2)]}),
      crashing,
    );
    expect([view.urgent, view.rows.length, view.others.map(row => row.module.filename)]).toEqual([false, 2, ['lib']]);
  });

  test('opens the module of the first own frame and the one where the walk lost its way', () => {
    const all = ['libc', 'other', 'app', 'more'].map(name => module(name, {symbols: symbols('missing')}));
    const stack = thread([
      frame(0, {module_index: 0, is_system: true}),
      frame(1, {module_index: 3, is_system: true}),
      frame(2, {module_index: 2, trust: 'scan'}),
      ...[3, 4, 5].map(i => frame(i, {module_index: 1})),
      frame(6, {module_index: null, module: null}),
    ]);
    const r = report({modules: all, threads: [stack], wanted_symbols: [0, 1, 2, 3].map(i => wanted(i, 'missing', 9))});
    const view = symbolView(r, stack);
    expect([...view.most].map(i => all[i]?.filename)).toEqual(['app', 'more']);
    expect(
      view.rows
        .map(row => row.module.filename)
        .slice(0, 2)
        .sort(),
    ).toEqual(['app', 'more']);
    expect([view.lacking, view.named, view.frames]).toEqual([4, 6, 7]);
    expect(view.rows.reduce((n, row) => n + row.frames, 0)).toBe(6);
    expect([0, 1, 2, 3].map(i => lostIn(stack, i))).toEqual([false, true, true, true]);
  });

  test('survives indexes that point nowhere', () => {
    const r = report({modules: [], wanted_symbols: [wanted(7, 'missing', 1)], threads: [crashing]});
    expect(symbolView(r, crashing).rows).toEqual([]);
    expect(symbolView(report(), null).rows).toEqual([]);
  });
});

test('a state that is unknown or absent is not needed', () => {
  expect([stateOf('damaged').glyph, stateOf(null).glyph, stateOf('new').words]).toEqual(['✕', '·', 'Not needed']);
});

test('describeSymbols says what a file has', () => {
  const says = (more: Partial<Symbols>, state = 'matched'): string =>
    describeSymbols(module('m', {symbols: symbols(state, more)}));
  expect(says({inlines: true})).toBe('lines, inlines, call frame info');
  expect(says({lines: false, cfi: false})).toBe('names only');
  expect(says({}, 'public_only')).toBe('public names only, call frame info');
  expect(describeSymbols(module('m'))).toBe('');
});

test('idDifference marks the digits that differ', () => {
  expect(idDifference('ABCD', 'ABXD')).toEqual([
    {text: 'AB', differs: false},
    {text: 'C', differs: true},
    {text: 'D', differs: false},
  ]);
  expect(idDifference('AB', 'A')).toEqual([
    {text: 'A', differs: false},
    {text: 'B', differs: true},
  ]);
  expect(idDifference('', 'A')).toEqual([]);
});

test.each([
  [{line: 812, records: 1, truncated: true}, 'possibly truncated in line 812: used up to there'],
  [{line: 0, records: 0, truncated: true}, 'possibly truncated in its last line: used up to there'],
  [
    {line: 812, records: 3, truncated: true},
    'possibly truncated in line 812, and damaged before: used without the damaged lines',
  ],
  [{line: 812, records: 1, truncated: false}, 'damaged in line 812: used without that line'],
  [{line: 10812, records: 3, truncated: false}, 'damaged in 3 lines from line 10 812 on: used without them'],
])('%j is %s', (damage, words) => {
  expect(damageWords(damage)).toBe(words);
  const hurt = module('app', {symbols: symbols('matched', {damage})});
  expect(describeSymbols(hurt)).toBe(`lines, call frame info; ${words}`);
  expect(stateOf('matched', damage).words).toBe('Matched, damaged');
});
