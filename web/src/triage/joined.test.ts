import {expect, test} from 'vitest';
import {frame, thread} from '../../test/make.ts';
import {frameRows} from '../stack/frames.ts';
import {joined, outerSystem} from './joined.ts';

const stack = (...names: string[]) =>
  frameRows(thread(names.map((name, i) => frame(i, {function: name, is_system: name.startsWith('sys')}))), false);
const shape = (...stacks: (readonly string[])[]): string[] =>
  joined(stacks.map(names => stack(...names))).map(({name, count}) => `${name} ${count}`);

test('calls of all stacks stand once, and where stacks part each has its count', () =>
  expect(shape(['f', 'dispatch', 'run'], ['f', 'dispatch', 'run'], ['f', 'resume', 'run'])).toEqual([
    'f 3',
    'dispatch 2',
    'resume 1',
    'run 3',
  ]));

test('one stack is itself, none is empty', () => {
  expect(shape(['f', 'f', 'main'])).toEqual(['f 1', 'f 1', 'main 1']);
  expect(shape()).toEqual([]);
});

test('a thousand deep stacks cost no more than the first hundred', () => {
  const deep = stack(...Array.from({length: 200}, (_, i) => `f${i % 7}`));
  expect(joined(new Array(1000).fill(deep)).map(({count}) => count)).toEqual(Array.from({length: 60}, () => 100));
});

test('outermost frames of the system are counted', () => {
  expect(outerSystem(joined([stack('sys1', 'f', 'sys2', 'sys3')]))).toBe(2);
  expect(outerSystem(joined([stack('sys1', 'sys2')]))).toBe(0);
});
