import {expect, test} from 'vitest';
import {frame, module, report, thread} from '../../test/make.ts';
import {matching, moduleRows, ranges, versionOf} from './modules.ts';

test('modules say which rows and stacks they are on', () => {
  const threads = [
    thread([frame(0, {module_index: 1}), frame(1, {module_index: 0}), frame(2, {module_index: 0})], {crashed: true}),
    thread([frame(0, {module_index: 1}), frame(1, {module_index: null})]),
  ];
  const rows = moduleRows(report({modules: [module('a'), module('b'), module('c')], threads}), 0);
  expect(rows.map(r => [r.module.filename, r.size, r.crashing, r.stacks])).toEqual([
    ['b', 4096, 'frame 0', 2],
    ['a', 4096, 'frames 1–2', 1],
    ['c', 4096, '', 0],
  ]);
  expect(moduleRows(report({modules: [module('a')]}), null)[0]?.crashing).toBe('');
});

test('modules of the crashing stack come first, then those of other stacks, then the rest in the order of the dump', () => {
  const threads = [
    thread([frame(0, {module_index: 4}), frame(1, {module_index: 2})], {crashed: true}),
    thread([frame(0, {module_index: 3})]),
    thread([frame(0, {module_index: 3}), frame(1, {module_index: 1})]),
  ];
  const modules = ['main', 'once', 'crashing', 'twice', 'innermost', 'unused'].map(name => module(name));
  const names = moduleRows(report({modules, threads}), 0).map(r => r.module.filename);
  expect(names).toEqual(['innermost', 'crashing', 'twice', 'once', 'main', 'unused']);
});

test.each([
  [null, ''],
  ['0.0.0.0', ''],
  ['6.0.2', '6.0.2'],
])('a version %j reads %j', (version, words) => {
  expect(versionOf(module('libc.so.6', {version}))).toBe(words);
});

test('ranges', () => {
  expect(ranges([])).toBe('');
  expect(ranges([3])).toBe('frame 3');
  expect(ranges([0, 1, 2, 5])).toBe('frames 0–2, 5');
  expect(ranges([0, 2, 4, 6, 8])).toBe('frames 0, 2, 4 and 2 more');
});

test.each([
  ['', ['libA.so', 'b.dll']],
  [' liba ', ['libA.so']],
  ['1.2.3', ['b.dll']],
  ['ABC', ['b.dll']],
  ['/usr/bin', ['libA.so', 'b.dll']],
  ['nothing', []],
])('the filter %j leaves %j', (text, names) => {
  const modules = [module('libA.so'), module('b.dll', {version: '1.2.3', debug_id: 'abc0'})];
  expect(matching(moduleRows(report({modules}), null), text).map(row => row.module.filename)).toEqual(names);
});
