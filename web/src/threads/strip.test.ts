import {expect, test} from 'vitest';
import {deadlocked, frame, report, thread} from '../../test/make.ts';
import {bars} from './strip.ts';

const deep = (frames: number, more = {}) =>
  thread(
    Array.from({length: frames}, (_, i) => frame(i)),
    more,
  );

test('a bar has three pixels a frame, and fits', () => {
  const all = bars(report({threads: [deep(4), deep(2), deep(100), thread([])]}), 600);
  expect(all.map(({thread: index, proved, x, width}) => [index, proved, x, width])).toEqual([
    [0, 12, 0, 16],
    [1, 6, 18, 16],
    [2, 56, 36, 16],
  ]);
});

test('a thousand threads are three pixels wide', () => {
  const all = bars(report({threads: Array.from({length: 1000}, () => deep(1))}), 600);
  expect([all[0]?.width, all.at(-1)?.x]).toEqual([3, 4995]);
});

test('guesses stand above what is proved', () => {
  const guessed = thread([frame(0), frame(1, {trust: 'scan'}), frame(2)]);
  expect(bars(report({threads: [guessed]}), 600)[0]).toMatchObject({proved: 3, guessed: 6});
});

test('a colour says what a thread does, and red is the crash or the cycle', () => {
  const doing = (r = report()): string[] => bars(r, 600).map(bar => bar.doing);
  expect(doing(deadlocked())).toEqual(['crash', 'crash', 'idle']);
  const waits = deadlocked().threads?.[0]?.waits;
  const of = (more: object) => deep(1, more);
  const wait = (kind: string) => of({waits: waits && {...waits, kind}});
  const threads = [
    of({crashed: true}),
    wait('mutex'),
    wait('read'),
    wait('worker'),
    of({state: 'Running'}),
    of({state: 'Waiting'}),
  ];
  expect(doing(report({threads}))).toEqual(['crash', 'lock', 'io', 'idle', 'runs', 'idle']);
});
