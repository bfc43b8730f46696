import {describe, expect, test} from 'vitest';
import {frame, module, report, thread} from '../../test/make.ts';
import {callPairs, factPairs, modulePairs, stackPairs, valuePairs} from './compare.ts';

test('facts stand beside each other, the signature first', () => {
  const a = report({pid: 1, signature: 'f'});
  const b = report({pid: 1, signature: 'g'});
  const pairs = factPairs(a, b);
  expect(pairs[1]).toEqual({label: 'Signature', a: 'f', b: 'g', same: false});
  expect(pairs.find(p => p.label === 'Process')).toEqual({label: 'Process', a: '', b: '', same: true});
});

test('the address, the time and the process ID of a run are no changes', () => {
  const b = report({pid: 2, process_uptime: 5, dump: {...report().dump, time: 1_763_700_000}});
  expect(factPairs(report({pid: 1}), b).filter(({same}) => !same)).toEqual([]);
});

test('a fact that only one has is there', () => {
  const b = report({annotations: [{name: 'Version', value: '2', source: '', module: null}]});
  expect(factPairs(report(), b).at(-1)).toEqual({label: 'Version', a: '', b: '2', same: false});
});

describe('modules', () => {
  const changed = (a: Parameters<typeof modulePairs>[0], b: Parameters<typeof modulePairs>[1]): string[] =>
    modulePairs(a, b).map(p => `${p.label}: ${p.same ? 'same' : `${p.a}, ${p.b}`}`);

  test('differ by version, else by ID, or are not loaded', () =>
    expect(
      changed(
        [module('same'), module('old'), module('built', {debug_id: '1'}), module('v', {version: '1'})],
        [module('new'), module('built', {debug_id: '2'}), module('same'), module('v', {version: '2', debug_id: '3'})],
      ),
    ).toEqual(['same: same', 'old: no ID, not loaded', 'built: 1, 2', 'v: 1, 2', 'new: not loaded, no ID']));

  test('are found by their base names, in any case', () =>
    expect(changed([module('C:\\A\\Lib.DLL')], [module('lib.dll')])).toEqual(['Lib.DLL: same']));

  test('that are there twice are taken in turn', () =>
    expect(changed([module('x'), module('x')], [module('x')])).toEqual(['x: same', 'x: no ID, not loaded']));

  test('may have names that objects have', () =>
    expect(changed([module('__proto__')], [module('constructor')])).toHaveLength(2));
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

test('calls that differ are changes, also by their line alone', () => {
  const of = (name: string, line: number) => thread([frame(0, {function: name, file: '/a.c', line}), frame(1, 'main')]);
  expect(callPairs(stackPairs(of('f', 1), of('f', 2)))).toEqual([
    {label: 'Frame 0', a: 'f a.c:1', b: 'f a.c:2', same: false},
  ]);
  expect(callPairs(stackPairs(of('f', 1), of('g', 1)))).toEqual([{label: 'Frame 0', a: 'f', b: 'g', same: false}]);
});

test('what differs comes first among the values', () => {
  const pairs = valuePairs(report({modules: [module('a'), module('b')]}), report({modules: [module('a')]}));
  expect(pairs.filter(({same}) => !same)).toEqual([{label: 'b', a: 'no ID', b: 'not loaded', same: false}]);
  expect(pairs[0]?.label).toBe('b');
});
