import {describe, expect, test} from 'vitest';
import {frame, module, report, thread} from '../../test/make.ts';
import {factPairs, modulePairs, stackPairs} from './compare.ts';

test('facts stand beside each other, the signature first', () => {
  const a = report({pid: 1, signature: 'f'});
  const b = report({pid: 1, signature: 'g'});
  const pairs = factPairs(a, b);
  expect(pairs[1]).toEqual({label: 'Signature', a: 'f', b: 'g', same: false});
  expect(pairs.find(p => p.label === 'Process')).toEqual({label: 'Process', a: 'pid 1', b: 'pid 1', same: true});
});

test('a fact that only one has is there', () => {
  const b = report({annotations: [{name: 'Version', value: '2', source: '', module: null}]});
  expect(factPairs(report(), b).at(-1)).toEqual({label: 'Version', a: '', b: '2', same: false});
});

describe('modules', () => {
  const names = (a: Parameters<typeof modulePairs>[0], b: Parameters<typeof modulePairs>[1]): string[] =>
    modulePairs(a, b).map(p => `${p.state} ${p.name}`);

  test('that differ come first', () =>
    expect(
      names(
        [module('same'), module('old'), module('built', {debug_id: '1'}), module('v', {version: '1'})],
        [module('new'), module('built', {debug_id: '2'}), module('same'), module('v', {version: '2'})],
      ),
    ).toEqual(['other built', 'other v', 'removed old', 'added new', 'same same']));

  test('are found by their base names, in any case', () =>
    expect(names([module('C:\\A\\Lib.DLL')], [module('lib.dll')])).toEqual(['same Lib.DLL']));

  test('that are there twice are taken in turn', () =>
    expect(names([module('x'), module('x')], [module('x')])).toEqual(['removed x', 'same x']));

  test('may have names that objects have', () =>
    expect(names([module('__proto__')], [module('constructor')])).toEqual(['removed __proto__', 'added constructor']));
});

describe('stacks', () => {
  const of = (...names: string[]) => thread(names.map((name, i) => frame(i, {function: name, file: '/a.c', line: 1})));
  const shape = (a: Parameters<typeof stackPairs>[0], b: Parameters<typeof stackPairs>[1]): string[] =>
    stackPairs(a, b).rows.map(r => `${r.a?.frame.function ?? '-'} ${r.state} ${r.b?.frame.function ?? '-'}`);

  test('have their common calls beside each other', () =>
    expect(shape(of('read', 'parse', 'run', 'main'), of('write', 'run', 'loop', 'main'))).toEqual([
      'read differs write',
      'parse differs -',
      'run same run',
      '- differs loop',
      'main same main',
    ]));

  test('with another line are the same call', () => {
    const b = thread([frame(0, {function: 'f', file: '/a.c', line: 2})]);
    expect(shape(of('f'), b)).toEqual(['f line f']);
  });

  test('may be missing', () => {
    expect(shape(null, of('f'))).toEqual(['- differs f']);
    expect(shape(null, null)).toEqual([]);
  });

  test('of ten thousand frames are compared as far as it matters, and the rest is counted', () => {
    const deep = thread(Array.from({length: 10_000}, (_, i) => frame(i, 'deep')));
    const {rows, cut} = stackPairs(deep, of('deep'));
    expect([rows.length, cut]).toEqual([300, 9700]);
  });
});
