import {expect, test} from 'vitest';
import {cpu} from '../../test/cpu.ts';
import {frame, many, module, report, thread} from '../../test/make.ts';
import {findings} from './find.ts';

const r = report({
  threads: [
    thread([frame(0, 'harbor::parse(int)'), frame(1, 'main')], {thread_id: 7, crashed: true}),
    thread([frame(0, 'wait'), frame(1, 'main')], {thread_id: 8, thread_name: 'net-io-0'}),
  ],
  modules: [module('libharbor.so')],
});

const show = (query: string): string[] =>
  findings(r, null, query).map(found => `${found.target.kind}: ${found.label} (${found.detail})`);

test('functions, modules and threads by a part of their names, whatever the case', () => {
  expect(show('HARBOR')).toEqual([
    'function: harbor::parse(int) (1 frame, first in thread 7)',
    'module: libharbor.so (module)',
    'memory: HARBOR (search the captured memory)',
  ]);
  expect(show('net-io')[0]).toBe('thread: net-io-0 8 (thread)');
  expect(show('main')[0]).toBe('function: main (2 frames, first in thread 7)');
});

test('an address leads to memory', () =>
  expect(show('0x1234')[0]).toBe('address: 0x1234 (show these bytes of memory)'));

test('a function comes before its address', () => {
  const at = report({threads: [thread([frame(0, {function: 'run', function_offset: '0x0'})])]});
  expect(
    findings(at, null, 'run')
      .map(found => found.target.kind)
      .slice(0, 2),
  ).toEqual(['function', 'address']);
});

test('commands by what they do, and all of them before anything is typed', () => {
  expect(show('raw or')).toContain('command: Raw or demangled names (key r)');
  expect(show('').every(line => line.startsWith('command: '))).toBe(true);
  expect(show('dump')).toContain('command: All dumps (key t)');
});

test('commands of the table of dumps are left out: the search opens in a report, where they do nothing', () => {
  expect(show('compare')).not.toContainEqual(expect.stringContaining('command: Mark'));
});

test('a pattern is text, and nothing found still leads to memory', () =>
  expect(show('(a+)+$')).toEqual(['memory: (a+)+$ (search the captured memory)']));

test('a thousand threads give a bounded list, quickly', () => {
  const start = cpu();
  expect(findings(many(1000), null, 'f').length).toBeLessThan(80);
  expect(cpu() - start).toBeLessThan(1000);
});
