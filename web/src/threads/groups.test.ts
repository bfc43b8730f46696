import {expect, test} from 'vitest';
import {frame, inline, report, thread} from '../../test/make.ts';
import type {Thread} from '../report.ts';
import {functionName} from '../stack/names.ts';
import {type Group, groupThreads, matches, sharedTail} from './groups.ts';

const waiting = (id: number, name: string | null): Thread =>
  thread(
    [frame(0, {function: 'futex', module: 'libc', is_system: true}), frame(1, {function: 'Pool::wait', module: 'app'})],
    {
      thread_id: id,
      thread_name: name,
      state: 'Waiting',
    },
  );

const threads = [
  thread([frame(0, 'crash')], {thread_id: 10, crashed: true}),
  thread([frame(0, 'main')], {thread_id: 11}),
  waiting(12, 'Pool 1'),
  waiting(13, 'Pool 2'),
  waiting(14, 'Pool 1'),
];

const shape = (groups: readonly Group[]): unknown[] =>
  groups.map(g => [g.threads, g.names, g.state, g.where && functionName(g.where), g.frames]);

test('identical stacks are one group, the largest first', () => {
  expect(shape(groupThreads(report({threads}), 0))).toEqual([
    [[2, 3, 4], ['Pool 1', 'Pool 2'], 'Waiting', 'Pool::wait', 2],
    [[1], [], null, 'main', 1],
  ]);
});

test('a frame that differs, or another end, is another stack', () => {
  const other = {...waiting(15, null), end: {complete: false, kind: 'no_return', reason: 'cut'}};
  expect(groupThreads(report({threads: [waiting(1, null), waiting(2, null), other]}), null)).toHaveLength(2);
});

test('unnamed frames count by their place in the module', () => {
  const at = (offset: '0x1' | '0x2'): Thread => thread([frame(0, {module_offset: offset})]);
  expect(groupThreads(report({threads: [at('0x1'), at('0x1'), at('0x2')]}), null).map(g => g.threads)).toEqual([
    [0, 1],
    [2],
  ]);
});

test('where a thread is: not in the system, and not in a header of the standard library', () => {
  const t = thread([
    frame(0, {function: 'nanosleep', is_system: true}),
    frame(1, {
      function: 'sleeper()',
      inlines: [{...inline('std::sleep_for', '/usr/include/c++/12/bits/this_thread_sleep.h'), library: true}],
    }),
  ]);
  const where = groupThreads(report({threads: [t]}), null)[0]?.where;
  expect(where && functionName(where)).toBe('sleeper()');
});

test('sharedTail counts from the outer end', () => {
  const crashing = thread([frame(0, 'boom'), frame(1, 'run'), frame(2, 'start'), frame(3, 'clone')]);
  const other = thread([frame(0, 'idle'), frame(1, 'loop'), frame(2, 'wait'), frame(3, 'start'), frame(4, 'clone')]);
  expect(sharedTail(other, crashing)).toEqual({count: 2, from: 2, to: 3});
  expect(sharedTail(crashing, crashing).count).toBe(0);
  expect(sharedTail(other, null).count).toBe(0);
});

test('the filter looks at functions, inlined ones too, modules, names and ids', () => {
  const r = report({
    threads: [thread([frame(0, {function: 'a', module: 'libfoo', inlines: [inline('Inner')]})], {thread_id: 77})],
  });
  const [group] = groupThreads(r, null);
  const found = (text: string): boolean => group !== undefined && matches(r, group, text);
  expect(['', 'inner', 'FOO', ' a ', '77'].map(found)).toEqual([true, true, true, true, true]);
  expect(['bar', '7', '.*'].map(found)).toEqual([false, false, false]);
});
