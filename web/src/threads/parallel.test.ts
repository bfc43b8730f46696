import {expect, test} from 'vitest';
import {frame, inline, thread} from '../../test/make.ts';
import {callName} from '../stack/names.ts';
import {type Branch, boxWords, parallel} from './parallel.ts';

const stack = (...outermostFirst: string[]) => thread(outermostFirst.toReversed().map((name, i) => frame(i, name)));

const shape = (branches: readonly Branch[]): unknown[] =>
  branches.map(b => [b.calls.map(callName).join(' > '), b.threads, ...shape(b.branches)]);

test('threads share their callers, and part where they differ', () => {
  expect(
    shape(
      parallel([stack('main', 'run', 'wait'), stack('start', 'pool', 'wait'), stack('start', 'pool', 'poll', 'read')]),
    ),
  ).toEqual([
    ['start > pool', [1, 2], ['wait', [1]], ['poll > read', [2]]],
    ['main > run > wait', [0]],
  ]);
});

test('a stack that ends where another goes on is counted in both', () => {
  expect(shape(parallel([stack('a'), stack('a', 'b')]))).toEqual([['a', [0, 1], ['b', [1]]]]);
});

test('inlined calls are calls; frames without a name are places; no frames are nothing', () => {
  const t = thread([frame(0, {function: 'outer(int)', inlines: [inline('inner()')]})]);
  const lost = thread([frame(0, {function: null, module: 'app', module_offset: '0x0010'})]);
  expect(shape(parallel([t, lost, thread([])]))).toEqual([
    ['outer > inner', [0]],
    ['app + 0x10', [1]],
  ]);
});

test('a stack of ten thousand frames is cut', () => {
  const deep = thread(Array.from({length: 10_000}, (_, i) => frame(i, `f${i}`)));
  expect(parallel([deep])[0]?.calls).toHaveLength(200);
});

test.each([
  [[true], '1 thread, crashed', true],
  [[true, false, false], '3 threads, 1 of them crashed', false],
  [[false, false], '2 threads', false],
] as const)('of threads that crashed or not, %j, says %s', (crashed, words, alone) => {
  const threads = crashed.map(is => thread([], {crashed: is}));
  expect(boxWords(threads, true)).toEqual({words, crashed: alone});
  expect(boxWords(threads, false)).toEqual({words: words.replace(/,.*/, ''), crashed: false});
});
