import {expect, test} from 'vitest';
import {frame, thread} from '../../test/make.ts';
import {parallel} from './parallel.ts';
import {joinsGuess, tree} from './tree.ts';

const stack = (...outermostFirst: string[]) => thread(outermostFirst.toReversed().map((name, i) => frame(i, name)));

test('what is called stands to the right of its caller, and no box lies on another', () => {
  const {boxes, width, height} = tree(parallel([stack('main', 'a'), stack('main', 'b', 'c'), stack('start')]), false);
  expect(boxes.map(b => b.lines.map(line => line.text).join(' '))).toEqual(['main', 'a', 'b c', 'start']);
  const [main, a, b, start] = boxes;
  expect(a?.from).toBe(main);
  expect(a?.x).toBe(b?.x);
  expect((a?.y ?? 0) + (a?.height ?? 0)).toBeLessThan(b?.y ?? 0);
  expect(start?.x).toBe(main?.x);
  expect((b?.y ?? 0) + (b?.height ?? 0)).toBeLessThan(start?.y ?? 0);
  expect(width).toBeGreaterThan((b?.x ?? 0) + 317);
  expect(height).toBeGreaterThan((start?.y ?? 0) + (start?.height ?? 0));
});

test('long boxes show their innermost calls, long names are cut, and there are not too many', () => {
  const names = Array.from({length: 20}, (_, i) => `f${i}`);
  const [box] = tree(parallel([stack(...names)]), false).boxes;
  expect(box).toMatchObject({more: 13, lines: names.slice(13).map(text => ({text, kind: 'call'}))});
  expect(box?.leaf?.frame.frame).toBe(0);
  expect(tree(parallel([stack('x'.repeat(4096))]), false).boxes[0]?.lines[0]?.text).toHaveLength(42);
  expect(tree(parallel(Array.from({length: 2000}, (_, i) => stack(`f${i}`))), false).boxes).toHaveLength(400);
  expect(tree([], false)).toEqual({boxes: [], width: 12, height: 12, indented: false});
});

test('runs of system calls are one line until they are asked for', () => {
  const calls = ['clone3', 'start_thread', 'run'].toReversed();
  const t = thread(calls.map((name, i) => frame(i, {function: name, is_system: name !== 'run'})));
  const lines = (system: boolean): unknown => tree(parallel([t]), system).boxes[0]?.lines;
  expect(lines(false)).toEqual([
    {text: '2 system frames: clone3, start_thread', kind: 'system'},
    {text: 'run', kind: 'call'},
  ]);
  expect(lines(true)).toHaveLength(3);
});

test('a guessed caller joins what is certain by a dashed line, and two guesses by a solid one', () => {
  const guesses = (name: string) =>
    thread([frame(0, name), frame(1, {function: 'call', guess: true}), frame(2, {function: 'start', guess: true})]);
  const {boxes} = tree(parallel([guesses('a'), guesses('b')]), false);
  expect(boxes.map(box => [box.lines[0]?.text, joinsGuess(box)])).toEqual([
    ['~ start', false],
    ['a', true],
    ['b', true],
  ]);
});

test('the branch of the crash comes first, and guesses last, apart from what is certain', () => {
  const guess = thread([frame(0, 'x'), frame(1, {function: 'main', trust: 'scan'})]);
  const crash = thread([frame(0, 'boom')], {crashed: true});
  const {boxes} = tree(parallel([guess, guess, stack('main'), crash]), false);
  expect(boxes.map(box => [box.lines[0]?.text, box.guess])).toEqual([
    ['boom', false],
    ['main', false],
    ['~ main', true],
    ['x', false],
  ]);
});

test('on a phone what is called stands below its caller, indented, and within the room', () => {
  const deep = Array.from({length: 12}, (_, i) => [...Array.from({length: i}, (_, k) => `f${k}`), `end${i}`]);
  const {boxes, width} = tree(parallel(deep.map(names => stack(...names))), false, 336);
  expect(width).toBe(336);
  for (const [i, box] of boxes.entries()) {
    expect(box.x + box.width).toBe(334);
    expect(box.y).toBeGreaterThan((boxes[i - 1]?.y ?? 0) + (boxes[i - 1]?.height ?? 0));
    expect(box.x).toBeGreaterThanOrEqual(box.from?.x ?? 0);
  }
  expect(Math.min(...boxes.map(box => box.width))).toBe(334 - 2 - 6 * 14);
});

test.each([0, 60, 119])('in a room of %i px every box has a width, and shows letters of its name', room => {
  const deep = stack(...Array.from({length: 8}, (_, i) => `function${i}`));
  const forks = [1, 2, 3, 4, 5, 6, 7].map(n => stack(...Array.from({length: n}, (_, i) => `function${i}`), `end${n}`));
  const {boxes} = tree(parallel([deep, ...forks]), false, room);
  expect(Math.min(...boxes.map(box => box.width))).toBeGreaterThan(50);
  expect(boxes.flatMap(box => box.lines.map(line => line.text)).filter(text => text.length < 4)).toEqual([]);
});
